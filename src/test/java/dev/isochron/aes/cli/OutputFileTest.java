package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where output goes, and what it must never damage. */
class OutputFileTest {

    private static final byte[] CONTENT = Samples.pattern(7, 5000);

    @TempDir Path dir;
    private Path key;
    private Path in;

    @BeforeEach
    void prepare() throws IOException {
        key = Cli.key(dir, "my.key");
        in = Files.write(dir.resolve("in"), CONTENT);
    }

    @Test
    void keepsWhatExists() throws IOException {
        Path out = Files.writeString(dir.resolve("out"), "precious");
        Map<String, String> before = Cli.listing(dir);
        new Cli().run("seal", "--key", key, in, out).failed("out: exists already");
        new Cli().run("keygen", out).failed("out: exists already");
        new Cli().run("keygen", key).failed("my.key: exists already");
        assertEquals(before, Cli.listing(dir));
    }

    @Test
    void forceReplaces() throws IOException {
        Path out = Files.writeString(dir.resolve("out"), "not so precious");
        new Cli().run("seal", "--key", key, "--force", in, out).ok();
        assertArrayEquals(CONTENT, new Cli().run("open", "--key", key, out).ok().out());
        assertEquals(3, Cli.listing(dir).size());
    }

    @Test
    void forceOnNothing() {
        new Cli().run("seal", "--key", key, "--force", in, dir.resolve("out")).ok();
    }

    /** A link keeps pointing, and what it points to is replaced. */
    @Test
    void forceThroughSymbolicLink() throws IOException {
        Path out = Files.writeString(dir.resolve("out"), "old");
        Path link = Files.createSymbolicLink(dir.resolve("link"), out);
        new Cli().run("seal", "--key", key, in, link).failed("exists already");
        new Cli().run("seal", "--key", key, "--force", in, link).ok();
        assertTrue(Files.isSymbolicLink(link));
        assertArrayEquals(CONTENT, new Cli().run("open", "--key", key, out).ok().out());
    }

    @Test
    void danglingLink() throws IOException {
        Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("nowhere"));
        new Cli().run("seal", "--key", key, in, link).failed("exists already");
        new Cli().run("seal", "--key", key, "--force", in, link).failed("no such file");
        assertTrue(Files.isSymbolicLink(link));
        assertFalse(Files.exists(dir.resolve("nowhere")));
    }

    /** The same file under one name, a hard link, a symbolic link and another spelling. */
    @Test
    void outputIsTheInput() throws IOException {
        Path hard = Files.createLink(dir.resolve("hard"), in);
        Path soft = Files.createSymbolicLink(dir.resolve("soft"), in);
        Path spelled = dir.resolve(".").resolve("in");
        Map<String, String> before = Cli.listing(dir);
        for (Path out : new Path[] {in, hard, soft, spelled}) {
            for (String command : new String[] {"seal", "open"}) {
                new Cli().run(command, "--key", key, in, out).usage("the output is the input");
                new Cli()
                        .run(command, "--key", key, "--force", in, out)
                        .usage("the output is the input");
                new Cli()
                        .run(command, "--key", key, "--force", out, in)
                        .usage("the output is the input");
            }
        }
        assertEquals(before, Cli.listing(dir));
        assertArrayEquals(CONTENT, Files.readAllBytes(in));
    }

    @Test
    void outputIsTheKey() throws IOException {
        Map<String, String> before = Cli.listing(dir);
        new Cli()
                .run("seal", "--key", key, "--force", in, key)
                .usage("the output is the key file");
        assertEquals(before, Cli.listing(dir));
    }

    @Test
    void outputIsNoFile() throws IOException {
        Map<String, String> before = Cli.listing(dir);
        new Cli().run("seal", "--key", key, in, dir).failed("is a directory");
        new Cli().run("seal", "--key", key, "--force", in, dir).failed("is a directory");
        new Cli().run("keygen", dir).failed("is a directory");
        new Cli()
                .run("seal", "--key", key, "--force", in, "/dev/null")
                .failed("/dev/null: is not a regular file");
        assertEquals(before, Cli.listing(dir));
    }

    @Test
    void noSuchDirectory() {
        Path out = dir.resolve("absent").resolve("out");
        new Cli().run("seal", "--key", key, in, out).failed("absent: no such directory");
        new Cli().run("keygen", out).failed("absent: no such directory");
    }

    /** While a run works, nothing stands under the output's name; and it may come up meanwhile. */
    @Test
    void nameTakenMeanwhile() throws IOException {
        Path out = dir.resolve("out");
        InputStream source =
                new InputStream() {
                    @Override
                    public int read() {
                        assertFalse(Files.exists(out));
                        try {
                            Files.writeString(out, "precious");
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                        return -1;
                    }

                    @Override
                    public int read(byte[] b, int off, int len) {
                        return read();
                    }
                };
        new Cli().in(source).run("seal", "--key", key, "-", out).failed("out: exists already");
        assertEquals("precious", Files.readString(out));
        assertEquals(3, Cli.listing(dir).size());
    }

    @Test
    void discardedFileIsGone() throws Exception {
        Path name = dir.resolve("out");
        try (AtomicOutput output = AtomicOutput.create(name, false)) {
            output.stream().write(CONTENT);
            assertEquals(3, Cli.listing(dir).size());
            output.discard();
            assertEquals(2, Cli.listing(dir).size());
            assertThrows(FailureException.class, output::commit);
        }
        assertFalse(Files.exists(name));
    }

    @Test
    void committedFileStays() throws Exception {
        Path name = dir.resolve("out");
        try (AtomicOutput output = AtomicOutput.create(name, false)) {
            output.stream().write(CONTENT);
            output.commit();
            output.discard();
        }
        assertArrayEquals(CONTENT, Files.readAllBytes(name));
    }

    @Test
    void commitNeverReplacesUnlessAsked() throws Exception {
        Path name = dir.resolve("out");
        try (AtomicOutput output = AtomicOutput.create(name, false)) {
            Files.writeString(name, "precious");
            assertThrows(FileAlreadyExistsException.class, output::commit);
        }
        assertEquals("precious", Files.readString(name));
        assertEquals(3, Cli.listing(dir).size());
    }
}
