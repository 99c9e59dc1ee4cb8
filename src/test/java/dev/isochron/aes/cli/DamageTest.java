package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Samples;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data that is not what was sealed, and streams that break: exit code 1, and nothing left. */
class DamageTest {

    private static final int SEGMENT = 1 << 20;
    private static final byte[] CONTENT = Samples.pattern(9, 2_500_000);

    @TempDir Path dir;
    private Path key;
    private byte[] sealed;

    @BeforeEach
    void seal() {
        key = Cli.key(dir, "my.key");
        sealed = Cli.seal(key, CONTENT);
    }

    /** Every way of opening it fails, and what is there already stays as it is. */
    private void assertRefused(byte[] damaged, String... said) throws IOException {
        Path in = Files.write(dir.resolve("damaged"), damaged);
        Path old = Files.writeString(dir.resolve("old"), "precious");
        Map<String, String> before = Cli.listing(dir);

        new Cli().run("open", "--key", key, in, dir.resolve("new")).failed(said);
        new Cli().run("open", "--key", key, "--force", in, old).failed(said);
        assertEquals(before, Cli.listing(dir));
        assertEquals("precious", Files.readString(old));
        assertArrayEquals(damaged, Files.readAllBytes(in));

        // Standard output has whole segments, each verified, and no byte more.
        byte[] out = new Cli().in(damaged).run("open", "--key", key).failed(said).out();
        assertTrue(out.length == 0 || (out.length - Cli.FIRST) % Cli.FURTHER == 0);
        assertArrayEquals(Arrays.copyOf(CONTENT, out.length), out);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {40, 41, 55, 56, 57, SEGMENT - 1, SEGMENT, SEGMENT + 1, 2 * SEGMENT, 2_500_087})
    void cut(int length) throws IOException {
        assertEquals(2_500_088, sealed.length);
        assertRefused(Arrays.copyOf(sealed, length), "verification failed", "not authentic");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 39})
    void cutInTheHeader(int length) throws IOException {
        assertRefused(
                Arrays.copyOf(sealed, length), "verification failed", "there were " + length);
    }

    @Test
    void extended() throws IOException {
        assertRefused(Samples.concat(sealed, new byte[1]), "not authentic");
        assertRefused(Samples.concat(sealed, new byte[16]), "not authentic");
        assertRefused(Samples.concat(sealed, sealed), "not authentic");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {1, 32, 33, 39, 40, 1000, SEGMENT - 1, SEGMENT, 2 * SEGMENT - 16, 2_500_087})
    void flipped(int at) throws IOException {
        sealed[at] ^= 0x10;
        assertRefused(sealed, "verification failed", "not authentic");
    }

    @Test
    void segmentsSwappedAndDoubled() throws IOException {
        byte[] first = Arrays.copyOf(sealed, SEGMENT);
        byte[] second = Arrays.copyOfRange(sealed, SEGMENT, 2 * SEGMENT);
        byte[] last = Arrays.copyOfRange(sealed, 2 * SEGMENT, sealed.length);
        assertRefused(Samples.concat(first, last), "not authentic");
        assertRefused(Samples.concat(first, second, second, last), "not authentic");
        assertRefused(Samples.concat(second, first, last), "verification failed");
    }

    @Test
    void notSealedAtAll() throws IOException {
        assertRefused("#!/bin/sh\n".repeat(100).getBytes(), "not a sealed stream");
    }

    /** A read error is not taken for the end of the data. */
    @Test
    void brokenInput() throws IOException {
        Map<String, String> before = Cli.listing(dir);
        for (String command : new String[] {"seal", "open"}) {
            InputStream broken =
                    new SequenceInputStream(
                            new ByteArrayInputStream(sealed, 0, 2 * SEGMENT), new Broken());
            new Cli()
                    .in(broken)
                    .run(command, "--key", key, "-", dir.resolve("new"))
                    .failed("isochron: " + command + ": the disk is on fire");
            assertEquals(before, Cli.listing(dir));
        }
    }

    /** What seal wrote before its input broke never opens as something whole. */
    @Test
    void brokenInputToStandardOutput() {
        InputStream broken =
                new SequenceInputStream(new ByteArrayInputStream(CONTENT), new Broken());
        byte[] torso = new Cli().in(broken).run("seal", "--key", key).failed("on fire").out();
        assertEquals(2 * SEGMENT, torso.length);
        new Cli().in(torso).run("open", "--key", key).failed("not authentic");
    }

    private static final class Broken extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("the disk is on fire");
        }
    }

    @Test
    void brokenOutput() {
        for (String command : new String[] {"seal", "open"}) {
            OutputStream full =
                    new OutputStream() {
                        @Override
                        public void write(int b) throws IOException {
                            throw new IOException("no space");
                        }
                    };
            new Cli().in(sealed).out(full).run(command, "--key", key).failed("no space");
        }
    }

    /** An output that fails at the last moment makes the run fail. */
    @Test
    void outputThatFailsWhenFlushed() {
        OutputStream lazy =
                new ByteArrayOutputStream() {
                    @Override
                    public void flush() throws IOException {
                        throw new IOException("no space");
                    }
                };
        new Cli().in(sealed).out(lazy).run("seal", "--key", key).failed("no space");
        new Cli().in(sealed).out(lazy).run("open", "--key", key).failed("no space");
    }

    @Test
    void noInput() throws IOException {
        Map<String, String> before = new TreeMap<>(Cli.listing(dir));
        for (String command : new String[] {"seal", "open"}) {
            Path out = dir.resolve("out");
            new Cli()
                    .run(command, "--key", key, dir.resolve("absent"), out)
                    .failed("absent: no such file");
            new Cli().run(command, "--key", key, dir, out).failed("is a directory");
        }
        assertEquals(before, Cli.listing(dir));
    }
}
