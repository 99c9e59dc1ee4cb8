package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.isochron.aes.Samples;
import dev.isochron.aes.StreamingAead;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What seal made, open gives back: between files, between streams, and mixed. */
class RoundTripTest {

    @TempDir Path dir;
    private Path key;

    @BeforeEach
    void makeKey() {
        key = Cli.key(dir, "my.key");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                16,
                Cli.FIRST - 1,
                Cli.FIRST,
                Cli.FIRST + 1,
                Cli.FIRST + Cli.FURTHER - 1,
                Cli.FIRST + Cli.FURTHER,
                Cli.FIRST + Cli.FURTHER + 1,
                3_000_000
            })
    void files(int size) throws IOException {
        byte[] content = Samples.pattern(1, size);
        Path in = Files.write(dir.resolve("in"), content);
        Path sealed = dir.resolve("sealed");
        Path opened = dir.resolve("opened");

        assertEquals(0, new Cli().run("seal", "--key", key, in, sealed).ok().out().length);
        assertEquals(0, new Cli().run("open", "--key", key, sealed, opened).ok().out().length);

        assertArrayEquals(content, Files.readAllBytes(opened));
        assertArrayEquals(content, Files.readAllBytes(in));
        int segments = size <= Cli.FIRST ? 1 : 2 + (size - Cli.FIRST - 1) / Cli.FURTHER;
        assertEquals(40 + size + 16L * segments, Files.size(sealed));
        assertEquals(Set.of("my.key", "in", "sealed", "opened"), Cli.listing(dir).keySet());
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(opened)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, Cli.FIRST, Cli.FIRST + 1, 3_000_000})
    void streams(int size) {
        byte[] content = Samples.pattern(2, size);
        byte[] sealed = Cli.seal(key, content);
        assertArrayEquals(
                content, new Cli().in(sealed).run("open", "--key", key).ok().out());
        assertArrayEquals(
                content, new Cli().in(sealed).run("open", "--key", key, "-", "-").ok().out());
    }

    @Test
    void streamToFileAndFileToStream() throws IOException {
        byte[] content = Samples.pattern(3, 100_000);
        Path sealed = dir.resolve("sealed");
        new Cli().in(content).run("seal", "--key", key, "-", sealed).ok();
        assertArrayEquals(content, new Cli().run("open", "--key", key, sealed).ok().out());
    }

    /** A pipe gives what it has, not what one asks for. */
    @Test
    void inputInDribbles() throws IOException {
        byte[] content = Samples.pattern(4, 3_000);
        byte[] sealed = new Cli().in(new Dribble(content)).run("seal", "--key", key).ok().out();
        assertArrayEquals(
                content, new Cli().in(new Dribble(sealed)).run("open", "--key", key).ok().out());
    }

    private static final class Dribble extends ByteArrayInputStream {

        Dribble(byte[] bytes) {
            super(bytes);
        }

        @Override
        public int read(byte[] b, int off, int len) {
            return super.read(b, off, Math.min(len, 7));
        }
    }

    @Test
    void additionalData() {
        byte[] content = Samples.pattern(5, 1000);
        byte[] sealed =
                new Cli().in(content).run("seal", "--key", key, "--aad", "Größe 1").ok().out();
        assertArrayEquals(
                content,
                new Cli().in(sealed).run("open", "--aad=Größe 1", "--key=" + key).ok().out());
        new Cli().in(sealed).run("open", "--key", key).failed("not authentic");
        new Cli().in(sealed).run("open", "--key", key, "--aad", "").failed("not authentic");
        new Cli().in(sealed).run("open", "--key", key, "--aad", "Größe 2").failed("not authentic");
    }

    @Test
    void emptyAdditionalDataIsNone() {
        byte[] sealed = Cli.seal(key, new byte[10]);
        new Cli().in(sealed).run("open", "--key", key, "--aad", "").ok();
    }

    @Test
    void anotherKey() {
        byte[] sealed = Cli.seal(key, new byte[10]);
        Cli.Result result =
                new Cli().in(sealed).run("open", "--key", Cli.key(dir, "other.key"));
        assertEquals(0, result.failed("verification failed", "not authentic").out().length);
    }

    @Test
    void noTwoSealedFilesAreAlike() {
        assertFalse(Arrays.equals(Cli.seal(key, new byte[10]), Cli.seal(key, new byte[10])));
    }

    /** A file name may start with a dash, after {@code --}. */
    @Test
    void dashesInNames() throws IOException {
        Path in = Files.write(dir.resolve("-in"), new byte[5]);
        Path relative = Path.of("").toAbsolutePath().relativize(in.toAbsolutePath());
        new Cli().run("seal", "--key", key, "--", relative, dir.resolve("--out")).ok();
        assertEquals(61, Files.size(dir.resolve("--out")));
    }

    /** The key file's digits are the main key, and the stream is the library's. */
    @Test
    void theLibraryOpensIt() throws IOException {
        byte[] content = Samples.pattern(6, 2_000_000);
        byte[] sealed =
                new Cli().in(content).run("seal", "--key", key, "--aad", "x").ok().out();
        byte[] mainKey = HexFormat.of().parseHex(Files.readString(key).strip().split(" ")[1]);
        byte[] aad = "x".getBytes(StandardCharsets.UTF_8);
        try (StreamingAead aead = StreamingAead.segments1MB(mainKey);
                InputStream opening = aead.opening(new ByteArrayInputStream(sealed), aad)) {
            assertArrayEquals(content, opening.readAllBytes());
        }
    }
}
