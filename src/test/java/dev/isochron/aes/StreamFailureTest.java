package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.StreamForms.Opening;
import dev.isochron.aes.StreamForms.Sealing;
import dev.isochron.aes.StreamForms.StingyChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sealed streams over sources and sinks that fail, give little or take little; closing, wiping,
 * threads, and memory.
 */
class StreamFailureTest {

    private static final int SEGMENT = 4096;

    private final byte[] mainKey = Samples.pattern(1, 32);
    private final StreamingAead aead = StreamingAead.segments4KB(mainKey);
    private final byte[] aad = Samples.pattern(2, 21);

    /** Takes a number of bytes, then fails; and then works again, as a disk with space freed does. */
    private static final class FailingSink extends OutputStream {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final Runnable failure;
        private int room;
        private boolean failed;
        private int writesAfterFailure;
        private int closes;

        FailingSink(int room, Runnable failure) {
            this.room = room;
            this.failure = failure;
        }

        static void io() {
            throw new UncheckedIOException(new IOException("no space left"));
        }

        static void runtime() {
            throw new IllegalArgumentException("a defect of the sink");
        }

        static void error() {
            throw new StackOverflowError();
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int off, int length) throws IOException {
            if (failed) {
                writesAfterFailure++;
            }
            int n = failed ? length : Math.min(room, length);
            taken.write(bytes, off, n);
            room -= n;
            if (n < length) {
                fail();
            }
        }

        void fail() throws IOException {
            failed = true;
            try {
                failure.run();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }

        @Override
        public void close() {
            closes++;
        }
    }

    /** The torso never opens, nothing is written after the failure, and closing throws. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 39, 40, 41, 4095, 4096, 4097, 8191, 8192, 8193, 8300})
    void aFailedWriteNeverBecomesAWholeStream(int room) throws Exception {
        byte[] text = Samples.pattern(3, 9000);
        List<Runnable> failures =
                List.of(FailingSink::io, FailingSink::runtime, FailingSink::error);
        for (Runnable failure : failures) {
            FailingSink sink = new FailingSink(room, failure);
            OutputStream out = aead.sealing(sink, aad);
            Throwable thrown = null;
            try {
                out.write(text);
            } catch (IOException | IllegalArgumentException | StackOverflowError e) {
                thrown = e;
            }
            if (thrown != null) {
                assertThrows(IOException.class, () -> out.write(1));
                assertThrows(IOException.class, () -> out.write(text));
                assertThrows(IOException.class, () -> out.write(new byte[0]));
                assertThrows(IOException.class, out::flush);
                IOException e = assertThrows(IOException.class, out::close);
                assertTrue(e.getMessage().contains("incomplete"));
            } else {
                assertThrows(Throwable.class, out::close);
            }
            out.close();
            assertEquals(0, sink.writesAfterFailure);
            assertEquals(1, sink.closes);
            byte[] torso = sink.taken.toByteArray();
            assertEquals(room, torso.length);
            for (Opening form : Opening.values()) {
                assertThrows(IOException.class, () -> form.open(aead, torso, aad));
            }
        }
    }

    @Test
    void aFailedWriteToAChannelNeverBecomesAWholeStream() throws Exception {
        FailingSink sink = new FailingSink(5000, FailingSink::io);
        WritableByteChannel out = aead.sealing(Channels.newChannel(sink), aad);
        ByteBuffer text = ByteBuffer.wrap(Samples.pattern(3, 9000));
        assertThrows(IOException.class, () -> out.write(text));
        assertThrows(IOException.class, () -> out.write(ByteBuffer.allocate(1)));
        assertTrue(out.isOpen());
        assertThrows(IOException.class, out::close);
        assertFalse(out.isOpen());
        out.close();
        assertEquals(0, sink.writesAfterFailure);
        assertThrows(
                IOException.class, () -> Opening.STREAM.open(aead, sink.taken.toByteArray(), aad));
    }

    @Test
    void tryWithResourcesKeepsTheFirstFailure() {
        FailingSink sink = new FailingSink(5000, FailingSink::io);
        IOException e =
                assertThrows(
                        IOException.class,
                        () -> Sealing.STREAM_AT_ONCE.seal(aead, new byte[9000], aad, sink));
        assertEquals("no space left", e.getMessage());
        assertEquals(1, e.getSuppressed().length);
        assertTrue(e.getSuppressed()[0].getMessage().contains("incomplete"));

        byte[] damaged = new byte[5000];
        IOException opened =
                assertThrows(
                        IOException.class,
                        () -> {
                            InputStream source =
                                    new FilterInputStream(new ByteArrayInputStream(damaged)) {
                                        @Override
                                        public void close() throws IOException {
                                            throw new IOException("close");
                                        }
                                    };
                            try (InputStream in = aead.opening(source, aad)) {
                                in.read();
                            }
                        });
        assertTrue(opened.getMessage().startsWith("not a sealed stream"));
        assertEquals("close", opened.getSuppressed()[0].getMessage());
    }

    @Test
    void aFailedFlushBreaksTheStream() throws Exception {
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        int[] closes = new int[1];
        OutputStream sink =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        taken.write(b);
                    }

                    @Override
                    public void flush() throws IOException {
                        throw new IOException("not flushed");
                    }

                    @Override
                    public void close() {
                        closes[0]++;
                    }
                };
        OutputStream out = aead.sealing(sink, aad);
        out.write(new byte[5000]);
        assertEquals(
                "not flushed", assertThrows(IOException.class, out::flush).getMessage());
        assertThrows(IOException.class, () -> out.write(1));
        assertThrows(IOException.class, out::close);
        assertEquals(1, closes[0]);
        assertEquals(SEGMENT, taken.size());
    }

    @Test
    void aSinkThatFailsToCloseIsHeard() {
        IOException failure = new IOException("close");
        ByteArrayOutputStream sink =
                new ByteArrayOutputStream() {
                    @Override
                    public void close() throws IOException {
                        throw failure;
                    }
                };
        OutputStream out = aead.sealing(sink, aad);
        assertSame(failure, assertThrows(IOException.class, out::close));
        WritableByteChannel channel = aead.sealing(Channels.newChannel(sink), aad);
        assertSame(failure, assertThrows(IOException.class, channel::close));
    }

    @Test
    void nothingIsWrittenBeforeASegmentIsFull() throws Exception {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        OutputStream out = aead.sealing(sink, aad);
        out.write(new byte[4040]);
        out.flush();
        assertEquals(0, sink.size());
        out.write(1);
        out.flush();
        assertEquals(SEGMENT, sink.size());
        out.close();
        assertEquals(SEGMENT + 17, sink.size());
    }

    /** Gives a number of bytes, then fails once. */
    private static InputStream failingSource(byte[] bytes, int good, RuntimeException failure) {
        return new FilterInputStream(new ByteArrayInputStream(bytes)) {
            private int left = good;

            @Override
            public int read(byte[] out, int off, int length) throws IOException {
                if (left == 0) {
                    left = Integer.MAX_VALUE;
                    if (failure != null) {
                        throw failure;
                    }
                    throw new IOException("timed out");
                }
                int n = super.read(out, off, Math.min(left, length));
                left -= Math.max(n, 0);
                return n;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 39, 40, 41, 4096, 4097, 4098, 8193, 9000})
    void aSourceThatFailedOnceStaysFailed(int good) throws Exception {
        byte[] text = Samples.pattern(4, 9000);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, text, aad);
        for (RuntimeException failure :
                new RuntimeException[] {null, new IllegalStateException("a defect")}) {
            InputStream in = aead.opening(failingSource(sealed, good, failure), aad);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Exception first = assertThrows(Exception.class, () -> in.transferTo(out));
            assertEquals(failure == null ? "timed out" : "a defect", first.getMessage());
            byte[] released = out.toByteArray();
            assertArrayEquals(Arrays.copyOf(text, released.length), released);
            assertThrows(IOException.class, in::read);
            assertThrows(IOException.class, in::readAllBytes);
            in.close();

            ReadableByteChannel source =
                    Channels.newChannel(failingSource(sealed, good, failure));
            assertThrows(Exception.class, aead.opening(source, aad)::close);
            assertFalse(source.isOpen());
        }
    }

    @Test
    void closedStreamsRefuse() throws Exception {
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, new byte[5000], aad);
        StingyChannel source = new StingyChannel(sealed);
        ReadableByteChannel channel = aead.opening(source, aad);
        SeekableByteChannel seekable = aead.openingSeekable(new StingyChannel(sealed), aad);
        WritableByteChannel sealing =
                aead.sealing(Channels.newChannel(new ByteArrayOutputStream()), aad);
        ByteBuffer buffer = ByteBuffer.allocate(10);
        for (int i = 0; i < 2; i++) {
            channel.close();
            seekable.close();
            sealing.close();
        }
        assertEquals(1, source.closes());
        assertFalse(channel.isOpen() || seekable.isOpen() || sealing.isOpen());
        assertThrows(ClosedChannelException.class, () -> channel.read(buffer));
        assertThrows(ClosedChannelException.class, () -> seekable.read(buffer));
        assertThrows(ClosedChannelException.class, seekable::size);
        assertThrows(ClosedChannelException.class, seekable::position);
        assertThrows(ClosedChannelException.class, () -> seekable.position(0));
        assertThrows(ClosedChannelException.class, () -> sealing.write(buffer));
        assertThrows(NonWritableChannelException.class, () -> seekable.write(buffer));
        assertThrows(NonWritableChannelException.class, () -> seekable.truncate(0));

        InputStream in = aead.opening(new ByteArrayInputStream(sealed), aad);
        assertEquals(0, in.read());
        in.close();
        assertThrows(IOException.class, in::read);
        assertThrows(IOException.class, () -> in.read(new byte[10]));
        assertThrows(IOException.class, () -> in.skip(1));
        assertThrows(IOException.class, in::available);

        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        OutputStream out = aead.sealing(sink, aad);
        out.close();
        assertEquals(56, sink.size());
        assertThrows(IOException.class, () -> out.write(1));
        assertThrows(IOException.class, () -> out.write(new byte[10]));
        assertThrows(IOException.class, out::flush);
        out.close();
        assertEquals(56, sink.size());
    }

    @Test
    void aReadOnlyOutputLosesNothing() throws Exception {
        byte[] text = Samples.pattern(5, 100);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, text, aad);
        try (ReadableByteChannel in = aead.opening(new StingyChannel(sealed), aad)) {
            ByteBuffer out = ByteBuffer.allocate(100);
            assertThrows(
                    IllegalArgumentException.class, () -> in.read(out.asReadOnlyBuffer()));
            assertEquals(0, in.read(ByteBuffer.allocate(0)));
            assertEquals(100, in.read(out));
            assertArrayEquals(text, out.array());
            assertEquals(-1, in.read(out.clear()));
        }
    }

    @Test
    void nonBlockingChannelsAreRefusedBeforeAnythingIsLost() throws Exception {
        byte[] text = Samples.pattern(6, 3000);
        Pipe pipe = Pipe.open();
        WritableByteChannel out = aead.sealing(pipe.sink(), aad);
        ReadableByteChannel in = aead.opening(pipe.source(), aad);
        pipe.sink().configureBlocking(false);
        pipe.source().configureBlocking(false);
        ByteBuffer sent = ByteBuffer.wrap(text);
        ByteBuffer received = ByteBuffer.allocate(3001);
        assertThrows(IllegalBlockingModeException.class, () -> out.write(sent));
        assertThrows(IllegalBlockingModeException.class, () -> in.read(received));
        pipe.sink().configureBlocking(true);
        pipe.source().configureBlocking(true);
        assertEquals(3000, out.write(sent));
        out.close();
        assertFalse(pipe.sink().isOpen());
        assertEquals(3000, in.read(received));
        assertEquals(-1, in.read(received));
        assertArrayEquals(text, Arrays.copyOf(received.array(), 3000));
        in.close();
        assertFalse(pipe.source().isOpen());
    }

    /** Takes and gives nothing at all: an error, not a loop without end. */
    private static final class DeafChannel implements ReadableByteChannel, WritableByteChannel {

        private int calls;

        @Override
        public int read(ByteBuffer out) {
            assertTrue(calls++ < 10_000, "asked for ever");
            return 0;
        }

        @Override
        public int write(ByteBuffer in) {
            assertTrue(calls++ < 10_000, "asked for ever");
            return 0;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void aChannelThatMovesNothingIsAnError() throws Exception {
        WritableByteChannel out = aead.sealing((WritableByteChannel) new DeafChannel(), aad);
        assertEquals(4040, out.write(ByteBuffer.allocate(4040)));
        assertThrows(IOException.class, () -> out.write(ByteBuffer.allocate(1)));
        assertThrows(IOException.class, out::close);
        ReadableByteChannel in = aead.opening((ReadableByteChannel) new DeafChannel(), aad);
        assertThrows(IOException.class, () -> in.read(ByteBuffer.allocate(1)));
        in.close();
    }

    @Test
    void aSinkChannelThatTakesLittleGetsAll() throws Exception {
        byte[] text = Samples.pattern(7, 20_000);
        ByteArrayOutputStream taken = new ByteArrayOutputStream();
        int[] calls = new int[1];
        WritableByteChannel sink =
                new WritableByteChannel() {
                    @Override
                    public int write(ByteBuffer in) {
                        int n = Math.min(in.remaining(), calls[0]++ % 3 * 50);
                        byte[] bytes = new byte[n];
                        in.get(bytes);
                        taken.writeBytes(bytes);
                        return n;
                    }

                    @Override
                    public boolean isOpen() {
                        return true;
                    }

                    @Override
                    public void close() {}
                };
        try (WritableByteChannel out = aead.sealing(sink, aad)) {
            out.write(ByteBuffer.wrap(text));
        }
        assertArrayEquals(text, Opening.STREAM.open(aead, taken.toByteArray(), aad));
    }

    /** A source whose size is not what it said, or changes. */
    @ParameterizedTest
    @ValueSource(longs = {0, 39, 40, 55, 4096, 4100, 9087, 9089, 9145, 100_000, Long.MAX_VALUE})
    void aSeekableSourceThatLiesAboutItsSize(long size) throws Exception {
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, new byte[9000], aad);
        assertEquals(9000 + 40 + 3 * 16, sealed.length);
        StingyChannel source =
                new StingyChannel(sealed) {
                    @Override
                    public long size() {
                        return size;
                    }
                };
        assertThrows(IOException.class, () -> aead.openingSeekable(source, aad));
        assertEquals(0, source.closes());
    }

    @Test
    void aSeekableSourceThatIsCutOrReplacedLater() throws Exception {
        byte[] text = Samples.pattern(8, 9000);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, text, aad);
        byte[] other = Sealing.STREAM_AT_ONCE.seal(aead, text, aad);
        byte[][] now = {sealed};
        SeekableByteChannel in =
                aead.openingSeekable(
                        new StingyChannel(sealed) {
                            @Override
                            public int read(ByteBuffer out) {
                                int most = now[0].length - (int) position();
                                if (most <= 0) {
                                    return -1;
                                }
                                int n = Math.min(most, out.remaining());
                                out.put(now[0], (int) position(), n);
                                position(position() + n);
                                return n;
                            }
                        },
                        aad);
        ByteBuffer out = ByteBuffer.allocate(10);
        assertEquals(10, in.read(out));
        now[0] = Arrays.copyOf(sealed, 5000);
        assertThrows(IOException.class, () -> in.position(5000).read(out.clear()));
        now[0] = other;
        assertThrows(IOException.class, () -> in.position(5000).read(out.clear()));
        now[0] = sealed;
        assertEquals(10, in.position(5000).read(out.clear()));
        assertEquals(text[5009], out.get(9));
    }

    @Test
    void aSourcePositionedPastItsEnd() throws Exception {
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, new byte[10], aad);
        SeekableByteChannel source = new StingyChannel(sealed).position(1000);
        assertThrows(IOException.class, () -> aead.openingSeekable(source, aad));
    }

    // Wiping.

    private SegmentWriter writer(OutputStream sink) {
        byte[] header = Segments.header(Samples.pattern(9, 39));
        return new SegmentWriter(
                new Segments(mainKey, header, aad, SEGMENT),
                header,
                (bytes, length) -> sink.write(bytes, 0, length));
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    private static boolean isZero(Object of, String name) throws ReflectiveOperationException {
        byte[] bytes = (byte[]) field(of, name);
        return Arrays.equals(bytes, new byte[bytes.length]);
    }

    private static boolean isWiped(Object of) throws ReflectiveOperationException {
        Object segments = field(of, "segments");
        return isZero(of, "text")
                && (segments == null || ((AesKey) field(segments, "key")).isDestroyed());
    }

    @Test
    void writersWipe() throws Exception {
        SegmentWriter closed = writer(OutputStream.nullOutputStream());
        closed.write(Samples.pattern(10, 5000), 0, 5000);
        assertFalse(isWiped(closed));
        closed.close();
        assertTrue(isWiped(closed));

        SegmentWriter failed = writer(new FailingSink(100, FailingSink::io));
        failed.write(Samples.pattern(10, 3000), 0, 3000);
        assertThrows(IOException.class, () -> failed.write(new byte[5000], 0, 5000));
        assertTrue(isWiped(failed));
    }

    @Test
    void readersWipe() throws Exception {
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, Samples.pattern(11, 5000), aad);
        InputStream source = new ByteArrayInputStream(sealed);
        SegmentReader closed =
                new SegmentReader(
                        Samples.pattern(1, 32), aad, SEGMENT, source::readNBytes);
        assertFalse(isZero(closed, "mainKey"));
        closed.read();
        assertTrue(isZero(closed, "mainKey"));
        assertFalse(isWiped(closed));
        closed.close();
        assertTrue(isWiped(closed));

        InputStream damaged = new ByteArrayInputStream(Arrays.copyOf(sealed, 4500));
        SegmentReader failed =
                new SegmentReader(
                        Samples.pattern(1, 32), aad, SEGMENT, damaged::readNBytes);
        failed.read();
        assertThrows(IOException.class, () -> failed.skip(5000));
        assertTrue(isWiped(failed));

        SegmentReader headless =
                new SegmentReader(
                        Samples.pattern(1, 32), aad, SEGMENT, (bytes, off, length) -> 0);
        assertThrows(IOException.class, headless::read);
        assertTrue(isZero(headless, "mainKey") && isWiped(headless));
    }

    @Test
    void seekableChannelsWipe() throws Exception {
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, Samples.pattern(12, 5000), aad);
        SeekableByteChannel in = aead.openingSeekable(new StingyChannel(sealed), aad);
        assertFalse(isWiped(in));
        in.close();
        assertTrue(isWiped(in));
    }

    // Threads.

    private static void inThreads(Callable<Long> work, long expectedSum) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Long>> results = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                results.add(threads.submit(work));
            }
            long sum = 0;
            for (Future<Long> result : results) {
                sum += result.get();
            }
            assertEquals(expectedSum, sum);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Two texts under one nonce would give away both: writers must wait for each other. */
    @Test
    void writesFromSeveralThreadsWaitForEachOther() throws Exception {
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        byte[] piece = Samples.pattern(13, 997);
        try (OutputStream out = aead.sealing(sealed, aad)) {
            inThreads(
                    () -> {
                        for (int i = 0; i < 1000; i++) {
                            out.write(piece);
                        }
                        return 1L;
                    },
                    4);
        }
        byte[] text = Opening.STREAM.open(aead, sealed.toByteArray(), aad);
        assertEquals(4000 * 997, text.length);
        for (int i = 0; i < 4000; i++) {
            assertTrue(Arrays.equals(text, i * 997, (i + 1) * 997, piece, 0, 997));
        }
    }

    @Test
    void readsFromSeveralThreadsWaitForEachOther() throws Exception {
        byte[] text = new byte[2_000_000];
        Arrays.fill(text, (byte) 3);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(aead, text, aad);
        try (InputStream in = aead.opening(new ByteArrayInputStream(sealed), aad)) {
            inThreads(
                    () -> {
                        byte[] out = new byte[500];
                        long sum = 0;
                        for (int n = in.read(out); n >= 0; n = in.read(out)) {
                            for (int i = 0; i < n; i++) {
                                sum += out[i];
                            }
                        }
                        return sum;
                    },
                    6_000_000);
        }
    }

    // Memory.

    private static final int HUGE = 40 << 20;

    /** Buffers of both sides take six segments of 1 MB; the rest is room for small things. */
    private static final long MEMORY = 16 << 20;

    private static long allocated() {
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** A sealed stream without an end, made segment by segment in one buffer. */
    private InputStream endless(int segmentSize) {
        byte[] header = Segments.header(Samples.pattern(14, 39));
        Segments segments = new Segments(mainKey, header, aad, segmentSize);
        byte[] text = new byte[segmentSize - 16];
        byte[] sealed = new byte[segmentSize];
        System.arraycopy(header, 0, sealed, 0, header.length);
        return new InputStream() {
            private long index = -1;
            private int position;
            private int limit = header.length;

            @Override
            public int read() {
                throw new AssertionError("too slow");
            }

            @Override
            public int read(byte[] out, int off, int length) throws IOException {
                if (position == limit) {
                    index++;
                    limit = segments.seal(index, false, text, segments.fullText(index), sealed);
                    position = 0;
                }
                int n = Math.min(length, limit - position);
                System.arraycopy(sealed, position, out, off, n);
                position += n;
                return n;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readingTakesMemoryForASegmentWhateverTheSize(boolean byChannel) throws Exception {
        StreamingAead large = StreamingAead.segments1MB(mainKey);
        InputStream source = endless(1 << 20);
        byte[] buffer = new byte[8192];
        long before = allocated();
        long done = 0;
        if (byChannel) {
            ReadableByteChannel in = large.opening(Channels.newChannel(source), aad);
            ByteBuffer out = ByteBuffer.allocateDirect(8192);
            while (done < HUGE) {
                done += in.read(out.clear());
            }
        } else {
            InputStream in = large.opening(source, aad);
            while (done < HUGE) {
                done += in.read(buffer);
            }
        }
        assertTrue(allocated() - before < MEMORY, "allocated " + (allocated() - before));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writingTakesMemoryForASegmentWhateverTheSize(boolean byChannel) throws Exception {
        StreamingAead large = StreamingAead.segments1MB(mainKey);
        long[] taken = new long[1];
        OutputStream sink =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        taken[0]++;
                    }

                    @Override
                    public void write(byte[] bytes, int off, int length) {
                        taken[0] += length;
                    }
                };
        ByteBuffer text = ByteBuffer.allocateDirect(HUGE);
        byte[] piece = new byte[8192];
        long before = allocated();
        if (byChannel) {
            try (WritableByteChannel out = large.sealing(Channels.newChannel(sink), aad)) {
                assertEquals(HUGE, out.write(text));
            }
        } else {
            try (OutputStream out = large.sealing(sink, aad)) {
                for (int done = 0; done < HUGE; done += piece.length) {
                    out.write(piece);
                }
            }
        }
        assertTrue(allocated() - before < MEMORY, "allocated " + (allocated() - before));
        assertEquals(HUGE + 40 + 16L * (HUGE / ((1 << 20) - 16) + 1), taken[0]);
    }
}
