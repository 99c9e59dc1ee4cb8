package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.StreamForms.Opening;
import dev.isochron.aes.StreamForms.Sealing;
import dev.isochron.aes.StreamForms.StingyChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sealed streams hold what was put in, byte for byte in the format: against an implementation of it
 * on the JDK's cryptography, and against streams made by Tink.
 */
class StreamingAeadTest {

    private static final int SMALL = 1 << 12;
    private static final int LARGE = 1 << 20;

    private final byte[] mainKey = Samples.pattern(1, 32);
    private final byte[] aad = Samples.pattern(2, 21);

    private StreamingAead aead(int segmentSize) {
        return aead(segmentSize, mainKey);
    }

    private static StreamingAead aead(int segmentSize, byte[] mainKey) {
        return segmentSize == SMALL
                ? StreamingAead.segments4KB(mainKey)
                : StreamingAead.segments1MB(mainKey);
    }

    /** Around every edge: nothing, the first segment, and the ends of the segments after it. */
    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    4096, 0
                    4096, 1
                    4096, 16
                    4096, 4039
                    4096, 4040
                    4096, 4041
                    4096, 8119
                    4096, 8120
                    4096, 8121
                    4096, 20359
                    4096, 20360
                    4096, 20361
                    4096, 100000
                    1048576, 0
                    1048576, 1
                    1048576, 1048519
                    1048576, 1048520
                    1048576, 1048521
                    1048576, 2097079
                    1048576, 2097080
                    1048576, 2097081
                    """)
    void everyFormSealsAndOpensTheFormat(int segmentSize, int length) throws Exception {
        byte[] text = Samples.pattern(length, length);
        StreamingAead aead = aead(segmentSize);
        byte[] sealed = null;
        for (Sealing form : Sealing.values()) {
            sealed = form.seal(aead, text, aad);
            byte[] header = Arrays.copyOf(sealed, StreamForms.HEADER);
            assertEquals(StreamForms.HEADER, header[0]);
            assertArrayEquals(
                    StreamForms.reference(mainKey, segmentSize, header, aad, text),
                    sealed,
                    form.name());
        }
        for (Opening form : Opening.values()) {
            assertArrayEquals(text, form.open(aead, sealed, aad), form.name());
        }
    }

    /** A fixed header gives Tink's stream; and every form opens it. */
    @Test
    void knownAnswersOfTink() {
        TestVectors.forEach(
                "tink-streaming.txt",
                v -> {
                    v.text("name");
                    int segmentSize = (int) v.number("segment");
                    byte[] key = v.bytes("key");
                    byte[] header = v.bytes("header");
                    byte[] text = v.bytes("pt");
                    byte[] associated = v.bytes("aad");
                    ByteArrayOutputStream sink = new ByteArrayOutputStream();
                    SegmentWriter writer =
                            new SegmentWriter(
                                    new Segments(key, header, associated, segmentSize),
                                    header,
                                    (bytes, length) -> sink.write(bytes, 0, length));
                    writer.write(text, 0, text.length);
                    writer.close();
                    byte[] sealed = sink.toByteArray();
                    assertTrue(Samples.matches(v.text("sealed"), sealed));
                    for (Opening form : Opening.values()) {
                        assertArrayEquals(
                                text, form.open(aead(segmentSize, key), sealed, associated));
                    }
                });
    }

    @Test
    void everyStreamHasItsOwnSaltAndPrefix() throws Exception {
        byte[] first = Sealing.STREAM_AT_ONCE.seal(aead(SMALL), new byte[9], aad);
        byte[] second = Sealing.STREAM_AT_ONCE.seal(aead(SMALL), new byte[9], aad);
        assertFalse(Arrays.equals(first, 1, 33, second, 1, 33), "salt");
        assertFalse(Arrays.equals(first, 33, 40, second, 33, 40), "nonce prefix");
    }

    @Test
    void noAssociatedDataIsEmptyAssociatedData() throws Exception {
        byte[] text = Samples.pattern(3, 5000);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead(SMALL), text, null);
        for (Opening form : Opening.values()) {
            assertArrayEquals(text, form.open(aead(SMALL), sealed, new byte[0]));
        }
        sealed = Sealing.CHANNEL_AT_ONCE.seal(aead(SMALL), text, new byte[0]);
        for (Opening form : Opening.values()) {
            assertArrayEquals(text, form.open(aead(SMALL), sealed, null));
        }
    }

    @Test
    void keyAndAssociatedDataAreCopied() throws Exception {
        byte[] key = mainKey.clone();
        byte[] associated = aad.clone();
        StreamingAead aead = StreamingAead.segments4KB(key);
        Arrays.fill(key, (byte) 0);
        byte[] text = Samples.pattern(4, 5000);
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (OutputStream out = aead.sealing(sealed, associated)) {
            Arrays.fill(associated, (byte) 0);
            out.write(text);
        }
        associated = aad.clone();
        ByteArrayInputStream source = new ByteArrayInputStream(sealed.toByteArray());
        try (InputStream in = aead.opening(source, associated)) {
            Arrays.fill(associated, (byte) 0);
            assertArrayEquals(text, in.readAllBytes());
        }
        assertArrayEquals(text, Opening.STREAM.open(aead(SMALL), sealed.toByteArray(), aad));
    }

    @Test
    void whatIsWrittenIsUnchangedAndBeyondWhatIsReadToo() throws Exception {
        byte[] text = Samples.pattern(5, 9000);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead(SMALL), text, aad);
        assertArrayEquals(Samples.pattern(5, 9000), text);
        byte[] out = new byte[60];
        try (InputStream in = aead(SMALL).opening(new ByteArrayInputStream(sealed), aad)) {
            assertEquals(20, in.read(out, 20, 20));
        }
        byte[] expected = new byte[60];
        System.arraycopy(text, 0, expected, 20, 20);
        assertArrayEquals(expected, out);
    }

    @Test
    void skippingAndAvailable() throws Exception {
        byte[] text = Samples.pattern(6, 10_000);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead(SMALL), text, aad);
        try (InputStream in = aead(SMALL).opening(new ByteArrayInputStream(sealed), aad)) {
            assertFalse(in.markSupported());
            assertEquals(0, in.available());
            assertEquals(0, in.skip(0));
            assertEquals(0, in.skip(-5));
            assertEquals(1, in.skip(1));
            assertEquals(4039, in.available());
            assertEquals(text[1] & 0xFF, in.read());
            assertEquals(5000, in.skip(5000));
            assertEquals(text[5002] & 0xFF, in.read());
            assertEquals(0, in.read(new byte[4], 2, 0));
            assertEquals(4997, in.skip(Long.MAX_VALUE));
            assertEquals(0, in.skip(1));
            assertEquals(0, in.available());
            assertEquals(-1, in.read());
            assertEquals(-1, in.read(new byte[4]));
        }
    }

    @Test
    void seekingReachesEveryByteAndCrossesSegments(@TempDir Path dir) throws Exception {
        byte[] text = Samples.pattern(7, 30_000);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead(SMALL), text, aad);
        byte[] before = new byte[123];
        Path file = Files.write(dir.resolve("sealed"), Samples.concat(before, sealed));
        FileChannel source = FileChannel.open(file).position(before.length);
        Random random = new Random(8);
        try (SeekableByteChannel in = aead(SMALL).openingSeekable(source, aad)) {
            assertEquals(text.length, in.size());
            assertEquals(0, in.position());
            for (int i = 0; i < 500; i++) {
                int at = random.nextInt(text.length);
                int length = random.nextInt(i % 10 == 0 ? 30_000 : 50);
                int expected = Math.min(length, text.length - at);
                ByteBuffer out =
                        i % 2 == 0
                                ? ByteBuffer.allocate(length + 9)
                                : ByteBuffer.allocateDirect(length + 9);
                out.position(4).limit(4 + length);
                assertEquals(expected, in.position(at).read(out));
                assertEquals(4 + expected, out.position());
                assertEquals(at + expected, in.position());
                byte[] got = new byte[expected];
                out.position(4).get(got);
                assertArrayEquals(Arrays.copyOfRange(text, at, at + expected), got);
            }
        }
        assertFalse(source.isOpen());
    }

    @Test
    void seekingAtTheEdges() throws Exception {
        byte[] text = Samples.pattern(9, 4040 + 4080 + 1);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead(SMALL), text, aad);
        StingyChannel source = new StingyChannel(sealed);
        SeekableByteChannel in = aead(SMALL).openingSeekable(source, aad);
        for (int at : new int[] {0, 4039, 4040, 4041, 8119, 8120}) {
            ByteBuffer out = ByteBuffer.allocate(1);
            assertEquals(1, in.position(at).read(out));
            assertEquals(text[at], out.get(0));
        }
        ByteBuffer out = ByteBuffer.allocate(10);
        for (long at : new long[] {8121, 8122, Integer.MAX_VALUE + 1L, Long.MAX_VALUE}) {
            assertEquals(-1, in.position(at).read(out));
            assertEquals(at, in.position());
            assertEquals(0, in.read(ByteBuffer.allocate(0)));
        }
        assertEquals(0, out.position());
        assertThrows(IllegalArgumentException.class, () -> in.position(-1));
        ByteBuffer readOnly = ByteBuffer.allocate(10).asReadOnlyBuffer();
        in.position(5);
        assertThrows(IllegalArgumentException.class, () -> in.read(readOnly));
        assertEquals(5, in.position());
        in.close();
        in.close();
        assertEquals(1, source.closes());
    }

    /** A stream of 2^32 segments is 16 TiB: made where it is read. */
    @Test
    void seekingInTheLargestStream() throws Exception {
        byte[] header = Segments.header(Samples.pattern(10, 39));
        long size = SMALL * Segments.MAX_SEGMENTS - 5;
        SegmentedSource source = new SegmentedSource(header, size);
        try (SeekableByteChannel in = aead(SMALL).openingSeekable(source, aad)) {
            assertEquals(size - 40 - 16 * Segments.MAX_SEGMENTS, in.size());
            long[] places = {0, Integer.MAX_VALUE + 8L, 1L << 40, in.size() - 100};
            for (long at : places) {
                ByteBuffer out = ByteBuffer.allocate(100);
                assertEquals(100, in.position(at).read(out));
                for (int i = 0; i < 100; i++) {
                    long sealedAt = at + i + 40 + 16 * ((at + i + 40) / 4080);
                    assertEquals(SegmentedSource.byteAt(sealedAt), out.get(i));
                }
            }
        }
        for (long tooLarge : new long[] {size + 6, size + 3000, Long.MAX_VALUE}) {
            SegmentedSource larger = new SegmentedSource(header, tooLarge);
            IOException e =
                    assertThrows(
                            IOException.class, () -> aead(SMALL).openingSeekable(larger, aad));
            assertTrue(e.getMessage().contains("2^32"));
        }
    }

    /** A sealed stream that exists one segment at a time. Text byte: a function of its place. */
    private final class SegmentedSource implements SeekableByteChannel {

        private final byte[] header;
        private final long size;
        private final Segments segments;
        private long position;

        SegmentedSource(byte[] header, long size) {
            this.header = header;
            this.size = size;
            segments = new Segments(mainKey, header, aad, SMALL);
        }

        /** The text at a place, counted in sealed bytes. */
        static byte byteAt(long sealedAt) {
            return (byte) (sealedAt * 31 + (sealedAt >> 12) + (sealedAt >> 32));
        }

        @Override
        public int read(ByteBuffer out) throws IOException {
            if (position < header.length) {
                int n = Math.min(out.remaining(), header.length - (int) position);
                out.put(header, (int) position, n);
                position += n;
                return n;
            }
            long index = position / SMALL;
            long start = Math.max(header.length, index * SMALL);
            boolean last = index == (size - 1) / SMALL;
            int length = last ? (int) (size - start) : segments.fullLength(index);
            byte[] text = new byte[length - 16];
            for (int i = 0; i < text.length; i++) {
                text[i] = byteAt(start + i);
            }
            byte[] sealed = new byte[length];
            segments.seal(index, last, text, text.length, sealed);
            int off = (int) (position - start);
            int n = Math.min(out.remaining(), length - off);
            out.put(sealed, off, n);
            position += n;
            return n;
        }

        @Override
        public int write(ByteBuffer in) {
            throw new AssertionError("a source is never written to");
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public SeekableByteChannel position(long newPosition) {
            assertTrue(newPosition >= 0);
            position = newPosition;
            return this;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public SeekableByteChannel truncate(long newSize) {
            throw new AssertionError("a source is never cut");
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            segments.close();
        }
    }

    @Test
    void segmentNumbersEndAt32Bits() throws Exception {
        byte[] header = Segments.header(Samples.pattern(11, 39));
        try (Segments segments = new Segments(mainKey, header, aad, SMALL)) {
            byte[] text = Samples.pattern(12, 100);
            byte[] sealed = new byte[116];
            byte[] opened = new byte[100];
            long last = (1L << 32) - 1;
            assertEquals(116, segments.seal(last, false, text, 100, sealed));
            assertEquals(100, segments.open(last, false, sealed, 116, opened));
            assertArrayEquals(text, opened);
            assertThrows(IOException.class, () -> segments.open(0, false, sealed, 116, opened));
            IOException seals =
                    assertThrows(
                            IOException.class,
                            () -> segments.seal(last + 1, true, text, 100, sealed));
            IOException opens =
                    assertThrows(
                            IOException.class,
                            () -> segments.open(last + 1, true, sealed, 116, opened));
            assertTrue(seals.getMessage().contains("2^32"));
            assertTrue(opens.getMessage().contains("2^32"));
        }
    }

    @Test
    void wrongArgumentsAreRefused() throws Exception {
        for (int length : new int[] {0, 16, 24, 31, 33, 64}) {
            IllegalArgumentException e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> StreamingAead.segments4KB(new byte[length]));
            assertTrue(e.getMessage().contains("32") && e.getMessage().endsWith(" " + length));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> StreamingAead.segments1MB(new byte[length]));
        }
        assertThrows(NullPointerException.class, () -> StreamingAead.segments4KB(null));
        StreamingAead aead = aead(SMALL);
        assertThrows(NullPointerException.class, () -> aead.sealing((OutputStream) null, aad));
        assertThrows(
                NullPointerException.class, () -> aead.sealing((WritableByteChannel) null, aad));
        assertThrows(NullPointerException.class, () -> aead.opening((InputStream) null, aad));
        assertThrows(
                NullPointerException.class, () -> aead.opening((SeekableByteChannel) null, aad));
        assertThrows(NullPointerException.class, () -> aead.openingSeekable(null, aad));

        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (OutputStream out = aead.sealing(sealed, aad)) {
            out.write(new byte[] {1, 2});
            assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[4], 2, 3));
            assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[4], -1, 3));
            assertThrows(IndexOutOfBoundsException.class, () -> out.write(new byte[4], 4, -1));
            assertThrows(NullPointerException.class, () -> out.write(null, 0, 0));
            out.write(3);
        }
        ByteArrayInputStream source = new ByteArrayInputStream(sealed.toByteArray());
        try (InputStream in = aead.opening(source, aad)) {
            assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[4], 2, 3));
            assertThrows(IndexOutOfBoundsException.class, () -> in.read(new byte[4], -1, 3));
            assertThrows(NullPointerException.class, () -> in.read(null, 0, 0));
            assertArrayEquals(new byte[] {1, 2, 3}, in.readAllBytes());
        }
    }

    @Test
    void aDestroyedMainKeyMakesNoMoreStreams() throws Exception {
        StreamingAead aead = aead(SMALL);
        byte[] text = Samples.pattern(13, 9000);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, text, aad);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        OutputStream out = aead.sealing(sink, aad);
        InputStream in = aead.opening(new ByteArrayInputStream(sealed), aad);
        SeekableByteChannel seekable = aead.openingSeekable(new StingyChannel(sealed), aad);
        assertFalse(aead.isDestroyed());
        aead.close();
        aead.destroy();
        assertTrue(aead.isDestroyed());

        StingyChannel source = new StingyChannel(sealed);
        ByteArrayInputStream stream = new ByteArrayInputStream(sealed);
        assertThrows(IllegalStateException.class, () -> aead.sealing(sink, aad));
        assertThrows(
                IllegalStateException.class, () -> aead.sealing(Channels.newChannel(sink), aad));
        assertThrows(IllegalStateException.class, () -> aead.opening(stream, aad));
        assertThrows(IllegalStateException.class, () -> aead.opening(source, aad));
        assertThrows(IllegalStateException.class, () -> aead.openingSeekable(source, aad));

        out.write(text);
        out.close();
        assertArrayEquals(text, Opening.STREAM.open(aead(SMALL), sink.toByteArray(), aad));
        assertArrayEquals(text, in.readAllBytes());
        in.close();
        assertEquals(8, seekable.position(8990).read(ByteBuffer.allocate(8)));
        seekable.close();
    }
}
