package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Runs the command line inside the test, with streams, terminal and clock of the test's own. */
final class Cli {

    /** Plaintext bytes in the first segment, and in each further one. */
    static final int FIRST = (1 << 20) - 40 - 16;

    static final int FURTHER = (1 << 20) - 16;

    private InputStream in = InputStream.nullInputStream();
    private OutputStream out;
    private boolean terminal;
    private LongSupplier clock = System::nanoTime;
    private List<Command> commands;

    /** What a run left behind. */
    record Result(int code, byte[] out, String err) {

        String text() {
            return new String(out, StandardCharsets.UTF_8);
        }

        /** Success, and nothing said. */
        Result ok() {
            assertEquals("", err);
            assertEquals(0, code);
            return this;
        }

        /** Failed work: one line that holds some text. */
        Result failed(String... said) {
            assertEquals(1, code, err);
            assertEquals(1, err.lines().count(), err);
            return says(said);
        }

        /** Wrong usage: the error, then how to use it. */
        Result usage(String... said) {
            assertEquals(2, code, err);
            assertTrue(err.contains("usage: "), err);
            assertEquals(0, out.length, "nothing on standard output");
            return says(said);
        }

        private Result says(String... said) {
            assertTrue(err.startsWith("isochron: "), err);
            for (String text : said) {
                assertTrue(err.contains(text), () -> "\"" + text + "\" is not in: " + err);
            }
            return this;
        }
    }

    Cli in(byte[] bytes) {
        return in(new ByteArrayInputStream(bytes));
    }

    Cli in(InputStream stream) {
        in = stream;
        return this;
    }

    Cli out(OutputStream stream) {
        out = stream;
        return this;
    }

    Cli terminal() {
        terminal = true;
        return this;
    }

    /** A clock that goes on by so many milliseconds each time one looks at it. */
    Cli clock(long millis) {
        long[] now = {0};
        clock = () -> now[0] += millis * 1_000_000;
        return this;
    }

    Cli commands(Command... some) {
        commands = List.of(some);
        return this;
    }

    Result run(Object... args) {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Environment env =
                new Environment(
                        in,
                        out == null ? written : out,
                        new PrintStream(said, true, StandardCharsets.UTF_8),
                        terminal,
                        clock);
        String[] texts = Stream.of(args).map(Object::toString).toArray(String[]::new);
        int code = commands == null ? Main.run(env, texts) : Main.run(commands, env, texts);
        return new Result(code, written.toByteArray(), said.toString(StandardCharsets.UTF_8));
    }

    /** Makes a key file. */
    static Path key(Path dir, String name) {
        Path file = dir.resolve(name);
        new Cli().run("keygen", file).ok();
        return file;
    }

    /** Seals in memory. */
    static byte[] seal(Path key, byte[] plaintext) {
        return new Cli().in(plaintext).run("seal", "--key", key).ok().out();
    }

    /** Everything in a directory: names, sizes and times of change. */
    static Map<String, String> listing(Path dir) throws IOException {
        Map<String, String> listing = new TreeMap<>();
        try (Stream<Path> files = Files.list(dir)) {
            for (Path file : files.toList()) {
                listing.put(
                        file.getFileName().toString(),
                        Files.readAttributes(file, "fileKey,size,lastModifiedTime").toString());
            }
        }
        return listing;
    }
}
