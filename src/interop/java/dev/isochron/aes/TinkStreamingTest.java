package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.crypto.tink.subtle.AesGcmHkdfStreaming;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The sealed streams are Tink's, byte for byte: Tink reads what we write and we read what Tink
 * writes, in both segment sizes, around every edge of a segment.
 */
class TinkStreamingTest {

    private static final String SIZES =
            """
            4096, 0
            4096, 1
            4096, 4039
            4096, 4040
            4096, 4041
            4096, 8119
            4096, 8120
            4096, 8121
            4096, 100000
            1048576, 0
            1048576, 1048520
            1048576, 1048521
            1048576, 2097080
            1048576, 2097081
            1048576, 3333333
            """;

    private final Random random = new Random(4711);
    private final byte[] mainKey = bytes(32);
    private final byte[] aad = bytes(21);

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private StreamingAead ours(int segmentSize) {
        return segmentSize == 4096
                ? StreamingAead.segments4KB(mainKey)
                : StreamingAead.segments1MB(mainKey);
    }

    private AesGcmHkdfStreaming tinks(int segmentSize) throws Exception {
        return new AesGcmHkdfStreaming(mainKey, "HmacSha256", 32, segmentSize, 0);
    }

    @ParameterizedTest
    @CsvSource(textBlock = SIZES)
    void tinkReadsWhatWeWrite(int segmentSize, int length, @TempDir Path dir) throws Exception {
        byte[] text = bytes(length);
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (OutputStream out = ours(segmentSize).sealing(sealed, aad)) {
            out.write(text);
        }
        try (InputStream in =
                tinks(segmentSize)
                        .newDecryptingStream(new ByteArrayInputStream(sealed.toByteArray()), aad)) {
            assertArrayEquals(text, in.readAllBytes());
        }

        Path file = dir.resolve("sealed");
        WritableByteChannel sink = Channels.newChannel(Files.newOutputStream(file));
        try (WritableByteChannel out = ours(segmentSize).sealing(sink, aad)) {
            out.write(ByteBuffer.wrap(text));
        }
        try (SeekableByteChannel in =
                tinks(segmentSize).newSeekableDecryptingChannel(FileChannel.open(file), aad)) {
            assertEquals(length, in.size());
            ByteBuffer opened = ByteBuffer.allocate(length);
            while (opened.hasRemaining() && in.read(opened) >= 0) {
                continue;
            }
            assertArrayEquals(text, opened.array());
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = SIZES)
    void weReadWhatTinkWrites(int segmentSize, int length, @TempDir Path dir) throws Exception {
        byte[] text = bytes(length);
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (OutputStream out = tinks(segmentSize).newEncryptingStream(sealed, aad)) {
            out.write(text);
        }
        byte[] stream = sealed.toByteArray();
        try (InputStream in = ours(segmentSize).opening(new ByteArrayInputStream(stream), aad)) {
            assertArrayEquals(text, in.readAllBytes());
        }
        try (ReadableByteChannel in =
                        ours(segmentSize)
                                .opening(
                                        Channels.newChannel(new ByteArrayInputStream(stream)),
                                        aad);
                InputStream all = Channels.newInputStream(in)) {
            assertArrayEquals(text, all.readAllBytes());
        }

        Path file = dir.resolve("sealed");
        Files.write(file, stream);
        try (SeekableByteChannel in =
                ours(segmentSize).openingSeekable(FileChannel.open(file), aad)) {
            assertEquals(length, in.size());
            for (int i = 0; i < 20 && length > 0; i++) {
                int at = random.nextInt(length);
                ByteBuffer opened = ByteBuffer.allocate(Math.min(length - at, 10_000));
                in.position(at).read(opened);
                byte[] expected = new byte[opened.position()];
                System.arraycopy(text, at, expected, 0, expected.length);
                byte[] got = new byte[expected.length];
                opened.flip().get(got);
                assertEquals(Math.min(length - at, 10_000), got.length);
                assertArrayEquals(expected, got);
            }
        }
    }

    /** The known answers that the default suite checks us by are still Tink's. */
    @Test
    void tinkReadsTheKnownAnswers() {
        TestVectors.forEach(
                "tink-streaming.txt",
                v -> {
                    v.text("name");
                    byte[] key = v.bytes("key");
                    byte[] associated = v.bytes("aad");
                    byte[] text = v.bytes("pt");
                    int segmentSize = (int) v.number("segment");
                    byte[] sealed =
                            StreamForms.reference(
                                    key, segmentSize, v.bytes("header"), associated, text);
                    assertTrue(Samples.matches(v.text("sealed"), sealed));
                    AesGcmHkdfStreaming tink =
                            new AesGcmHkdfStreaming(key, "HmacSha256", 32, segmentSize, 0);
                    try (InputStream in =
                            tink.newDecryptingStream(
                                    new ByteArrayInputStream(sealed), associated)) {
                        assertArrayEquals(text, in.readAllBytes());
                    }
                });
    }

    @ParameterizedTest
    @CsvSource(textBlock = "4096, 100000\n1048576, 1100000")
    void neitherAcceptsTheOthersDamagedStream(int segmentSize, int length) throws Exception {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (OutputStream out = tinks(segmentSize).newEncryptingStream(sealed, aad)) {
            out.write(bytes(length));
        }
        byte[] damaged = sealed.toByteArray();
        damaged[damaged.length - 1] ^= 1;
        InputStream ours = ours(segmentSize).opening(new ByteArrayInputStream(damaged), aad);
        assertThrows(IOException.class, ours::readAllBytes);
        InputStream tinks =
                tinks(segmentSize).newDecryptingStream(new ByteArrayInputStream(damaged), aad);
        assertThrows(IOException.class, tinks::readAllBytes);
    }
}
