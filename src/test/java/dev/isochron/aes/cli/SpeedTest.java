package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Aes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table has its rows and figures. What they say is no matter: the clock is false. */
class SpeedTest {

    private static final String FIGURES = "( +[0-9]+\\.[0-9]){5}";

    private static List<String> run(Object... args) {
        return new Cli().clock(500).run(args).ok().text().lines().toList();
    }

    @Test
    void everyEngineModeAndSize() {
        List<String> lines = run("speed");
        assertTrue(lines.get(1).startsWith("active engine: " + Aes.engine()));
        String heading = "MB/s for .* 16 B +256 B +1350 B +8192 B +16384 B";
        assertTrue(lines.get(3).matches(heading), lines.get(3));
        for (String engine : Aes.engines()) {
            for (int bits : new int[] {128, 256}) {
                for (String what : new String[] {"CTR encrypt", "GCM seal", "GCM open"}) {
                    String row = engine + " +AES-" + bits + "-" + what + FIGURES;
                    assertEquals(1, lines.stream().filter(l -> l.matches(row)).count(), row);
                }
            }
        }
        assertEquals(4 + 6 * Aes.engines().size(), lines.size());
    }

    @Test
    void picks() {
        String last = Aes.engines().get(Aes.engines().size() - 1);
        List<String> lines =
                run("speed", "--engine", last, "--mode", "ctr", "--bits", "192", "--seconds", "1");
        assertEquals(5, lines.size());
        assertTrue(lines.get(4).matches(last + " +AES-192-CTR encrypt" + FIGURES), lines.get(4));
    }

    /** The clock goes on by half a second a look: 65536 bytes of work, once, in 500 ms. */
    @Test
    void countsRight() {
        List<String> lines =
                run("speed", "--mode", "GCM", "--bits", "128", "--lines", "--engine", Aes.engine());
        assertEquals(2 + 2 * 5, lines.size());
        assertEquals(
                Aes.engine()
                        + ": Did 4096 AES-128-GCM (16 bytes) seal operations in 500000us"
                        + " (8192.0 ops/sec): 0.1 MB/s",
                lines.get(2));
        assertEquals(
                Aes.engine()
                        + ": Did 48 AES-128-GCM (1350 bytes) open operations in 500000us"
                        + " (96.0 ops/sec): 0.1 MB/s",
                lines.get(9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "60.1", "NaN", "Infinity", "soon", ""})
    void refusesSeconds(String seconds) {
        new Cli().run("speed", "--seconds", seconds).usage("--seconds must be a number above 0");
    }

    @Test
    void refusesUnknownNames() {
        new Cli()
                .run("speed", "--engine", "aesni")
                .usage("--engine must be one of", Aes.engine(), "was aesni");
        new Cli().run("speed", "--mode", "ecb").usage("--mode must be one of", "CTR, GCM");
        new Cli().run("speed", "--bits", "512").usage("--bits must be 128, 192 or 256, was 512");
        new Cli().run("speed", "fast").usage("unexpected argument fast");
    }
}
