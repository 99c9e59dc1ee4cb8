package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Progress shows for long work on a terminal, and nowhere else. */
class ProgressTest {

    private static final int SIZE = 2_000_000;

    @TempDir Path dir;
    private Path key;
    private Path in;
    private Path out;

    @BeforeEach
    void prepare() throws IOException {
        key = Cli.key(dir, "my.key");
        in = Files.write(dir.resolve("in"), new byte[SIZE]);
        out = dir.resolve("out");
    }

    private String said(Cli.Result result) {
        assertEquals(0, result.code(), result.err());
        return result.err();
    }

    @Test
    void longWorkOnATerminal() {
        String said =
                said(new Cli().terminal().clock(300).run("seal", "--key", key, in, out));
        String line = "\r *[0-9]+ %, [0-9.]+ MB, [0-9.]+ MB/s, [0-9:]+ left *";
        // At the end the line is blank and the cursor at its start.
        assertTrue(said.matches("(" + line + ")+\r +\r"), said);
        assertTrue(said.contains("100 %, 2.0 MB, "), said);

        Path opened = dir.resolve("opened");
        said = said(new Cli().terminal().clock(1200).run("open", "--key", key, out, opened));
        assertTrue(said.matches("(" + line + ")+\r +\r"), said);
    }

    @Test
    void noTotalNoTimeLeft() {
        String said =
                said(
                        new Cli()
                                .terminal()
                                .clock(300)
                                .in(new byte[SIZE])
                                .run("seal", "--key", key, "-", out));
        assertTrue(said.matches("(\r[0-9.]+ MB, [0-9.]+ MB/s *)+\r +\r"), said);
    }

    /** The line is blank before an error is told. */
    @Test
    void errorOnACleanLine() throws IOException {
        byte[] sealed = Cli.seal(key, new byte[SIZE]);
        sealed[sealed.length - 1] ^= 1;
        Path damaged = Files.write(dir.resolve("damaged"), sealed);
        Cli.Result result =
                new Cli().terminal().clock(1200).run("open", "--key", key, damaged, out);
        assertEquals(1, result.code());
        assertTrue(
                result.err().matches("(?s).*\r +\risochron: open: verification failed.*\\R"),
                result.err());
    }

    @Test
    void silentOtherwise() {
        // No terminal.
        new Cli().clock(300).run("seal", "--key", key, in, out).ok();
        // Short work.
        new Cli().terminal().clock(1).run("seal", "--key", key, "--force", in, out).ok();
        // The data itself goes to the terminal.
        new Cli().terminal().clock(300).run("open", "--key", key, out).ok();
    }

    @Test
    void lines() {
        long second = 1_000_000_000L;
        assertEquals("5.0 MB, 2.5 MB/s", Progress.line(5_000_000, -1, 2 * second));
        assertEquals(
                " 25 %, 5.0 MB, 2.5 MB/s, 0:06 left",
                Progress.line(5_000_000, 20_000_000, 2 * second));
        assertEquals(
                "  0 %, 1.0 MB, 1.0 MB/s, 2:46:39 left",
                Progress.line(1_000_000, 10_000_000_000L, second));
        assertEquals(
                "100 %, 20,000.0 MB, 100.0 MB/s, 0:00 left",
                Progress.line(20_000_000_000L, 20_000_000_000L, 200 * second));
        // A file that grew meanwhile.
        assertEquals("5.0 MB, 5.0 MB/s", Progress.line(5_000_000, 4_000_000, second));
    }
}
