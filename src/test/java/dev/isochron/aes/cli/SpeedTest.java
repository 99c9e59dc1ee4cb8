package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Aes;
import java.util.ArrayList;
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
    void everyEngineAndSize() {
        List<String> lines = run("speed");
        assertTrue(lines.get(1).startsWith("active engine: " + Aes.engine()));
        String heading = "MB/s for .* 16 B +256 B +1350 B +8192 B +16384 B";
        assertTrue(lines.get(3).matches(heading), lines.get(3));
        for (String engine : Aes.engines()) {
            for (int bits : new int[] {128, 256}) {
                for (String what :
                        new String[] {"CTR encrypt", "CTR decrypt", "GCM seal", "GCM open"}) {
                    String row = engine + " +AES-" + bits + "-" + what + FIGURES;
                    assertEquals(1, lines.stream().filter(l -> l.matches(row)).count(), row);
                }
            }
        }
        assertEquals(4 + 8 * Aes.engines().size(), lines.size());
    }

    @Test
    void picks() {
        String last = Aes.engines().get(Aes.engines().size() - 1);
        List<String> lines =
                run("speed", "--engine", last, "--mode", "ctr", "--bits", "192", "--seconds", "1");
        assertEquals(6, lines.size());
        assertTrue(lines.get(4).matches(last + " +AES-192-CTR encrypt" + FIGURES), lines.get(4));
        assertTrue(lines.get(5).matches(last + " +AES-192-CTR decrypt" + FIGURES), lines.get(5));

        lines = run("speed", "--engine", last, "--mode", "ocb,Eax", "--bits", "128");
        assertEquals(8, lines.size());
        assertTrue(lines.get(4).matches(last + " +AES-128-EAX seal" + FIGURES), lines.get(4));
        assertTrue(lines.get(7).matches(last + " +AES-128-OCB open" + FIGURES), lines.get(7));
    }

    /** What each mode can do; XTS has no 192-bit keys, and its row is left out. */
    @Test
    void everyMode() {
        for (String engine : Aes.engines()) {
            boolean active = engine.equals(Aes.engine());
            for (int bits : active ? new int[] {128, 192, 256} : new int[] {256}) {
                List<String> rows = new ArrayList<>();
                for (String mode : "ECB CBC CFB128 CFB8 OFB CTR XTS".split(" ")) {
                    if (!mode.equals("XTS") || bits != 192) {
                        rows.add(mode + " encrypt");
                        rows.add(mode + " decrypt");
                    }
                }
                for (String mode : "CCM EAX GCM OCB".split(" ")) {
                    rows.add(mode + " seal");
                    rows.add(mode + " open");
                }
                rows.add("CMAC authenticate");
                List<String> lines =
                        run("speed", "--engine", engine, "--mode", "all", "--bits", bits);
                assertEquals(4 + rows.size(), lines.size());
                for (int i = 0; i < rows.size(); i++) {
                    String row = engine + " +AES-" + bits + "-" + rows.get(i) + FIGURES;
                    assertTrue(lines.get(4 + i).matches(row), lines.get(4 + i));
                }
            }
        }
    }

    /** Whole blocks where the mode takes no others, and the line says so. */
    @Test
    void sizesThatTheModeTakes() {
        for (String mode : new String[] {"ECB", "CBC"}) {
            List<String> lines =
                    run("speed", "--mode", mode, "--bits", "128", "--lines",
                            "--engine", Aes.engine());
            assertTrue(lines.get(4).contains("-" + mode + " (1360 bytes) encrypt"), lines.get(4));
        }
        List<String> lines =
                run("speed", "--mode", "XTS", "--bits", "128", "--lines",
                        "--engine", Aes.engine());
        assertTrue(lines.get(4).contains("-XTS (1350 bytes) encrypt"), lines.get(4));
    }

    /** The rows of libgcrypt's table, and more. */
    @Test
    void slopes() {
        List<String> rows = new ArrayList<>();
        for (String mode : "ECB CBC CFB128 CFB8 OFB CTR XTS CCM EAX GCM OCB".split(" ")) {
            rows.add(mode + " enc ");
            rows.add(mode + " dec ");
            if (List.of("CCM", "EAX", "GCM", "OCB").contains(mode)) {
                rows.add(mode + " auth");
            }
        }
        rows.add("CMAC auth");
        List<String> lines = run("speed", "--table");
        assertEquals(4 + rows.size(), lines.size());
        assertTrue(lines.get(3).matches("AES-256, " + Aes.engine() + " +\\|.*/byte.*/sec"));
        for (int i = 0; i < rows.size(); i++) {
            String row = " +" + rows.get(i) + " \\| +[0-9.]+ ns/B +[0-9.]+ MiB/s";
            assertTrue(lines.get(4 + i).matches(row), lines.get(4 + i));
        }
    }

    /**
     * The clock goes on by half a second a look, which is 65536 bytes of work at each size but 24576,
     * where it is 49152: in ms, 62.5, 125, 250 and 250 for 8, 16, 24 and 32 KiB. The slope of least
     * squares is (3 (250 - 62.5) + (250 - 125)) / 10 ms for 8 KiB.
     */
    @Test
    void slopesAreRight() {
        List<String> lines =
                run("speed", "--table", "--mode", "CTR", "--bits", "128", "--ghz", "2");
        assertEquals(6, lines.size());
        assertTrue(lines.get(3).endsWith("cycles/byte"), lines.get(3));
        String figures = lines.get(4).replaceAll(" +", " ");
        assertEquals(" CTR enc | 8392.334 ns/B 0.1 MiB/s 16784.67 c/B", figures);
    }

    @Test
    void slopeOfALine() {
        assertEquals(2.5, SlopeTable.slope(new int[] {1, 2, 5}, new double[] {12.5, 15, 22.5}), 1e-9);
        assertEquals(0.5, SlopeTable.slope(new int[] {0, 1, 2}, new double[] {0, 5, 1}), 1e-9);
    }

    @Test
    void refusesWhatDoesNotGoTogether() {
        new Cli().run("speed", "--table", "--lines").usage("exclude each other");
        new Cli().run("speed", "--ghz", "3").usage("--ghz goes with --table");
        new Cli().run("speed", "--table", "--ghz", "0").usage("--ghz must be a number above 0");
        new Cli().run("speed", "--mode", "XTS", "--bits", "192").usage("no keys of 192 bits");
        new Cli().run("speed", "--mode", "CTR,").usage("--mode must be one of");
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
        new Cli().run("speed", "--mode", "siv").usage("--mode must be one of", "OFB, CTR, XTS");
        new Cli().run("speed", "--bits", "512").usage("--bits must be 128, 192 or 256, was 512");
        new Cli().run("speed", "fast").usage("unexpected argument fast");
    }
}
