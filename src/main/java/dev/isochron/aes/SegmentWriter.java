package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Seals a stream segment by segment. {@code text} holds the {@code filled} bytes of segment {@code
 * index}; a full one waits until more comes, since only then is it known not to be the last.
 *
 * <p>{@code broken} is set while the sink is at work, and stays so if that fails in any way: the
 * buffer and the key are wiped then, nothing more is written, and {@code close} fails, so that a
 * broken stream never gets a proper end and never seems whole.
 *
 * <p>Calls from several threads wait for each other: two at once could seal two texts under one
 * nonce.
 */
final class SegmentWriter {

    /** Where sealed bytes go: all of them, or an exception. */
    interface Sink {
        void write(byte[] bytes, int length) throws IOException;

        default void flush() throws IOException {}
    }

    private final Segments segments;
    private final Sink sink;
    private final byte[] header;
    private final byte[] text;
    private final byte[] sealed;
    private int filled;
    private long index;
    private boolean broken;
    private volatile boolean closed;

    SegmentWriter(Segments segments, byte[] header, Sink sink) {
        this.segments = segments;
        this.header = header;
        this.sink = sink;
        text = new byte[segments.fullText(1)];
        sealed = new byte[segments.fullLength(1)];
    }

    synchronized void write(byte b) throws IOException {
        requireWritable();
        makeRoom();
        text[filled++] = b;
    }

    synchronized void write(byte[] in, int off, int length) throws IOException {
        requireWritable();
        int done = 0;
        while (done < length) {
            int n = Math.min(length - done, makeRoom());
            Bytes.copy(in, off + done, text, filled, n);
            filled += n;
            done += n;
        }
    }

    /** Writes what remains in the buffer; returns how many bytes that was. */
    synchronized int write(ByteBuffer in) throws IOException {
        requireWritable();
        int length = in.remaining();
        while (in.hasRemaining()) {
            int n = Math.min(in.remaining(), makeRoom());
            in.get(text, filled, n);
            filled += n;
        }
        return length;
    }

    /** Flushes the sink. What is not yet a full segment stays here. */
    synchronized void flush() throws IOException {
        requireWritable();
        guarded(sink::flush);
    }

    boolean isOpen() {
        return !closed;
    }

    /** Writes the last segment and wipes; fails if an earlier write did. */
    synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        try {
            requireWritable();
            guarded(() -> writeSegment(true));
        } finally {
            closed = true;
            wipe();
        }
    }

    private void requireWritable() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (broken) {
            throw new IOException("an earlier write failed; the sealed stream is incomplete");
        }
    }

    /** Writes the segment if it is full; returns how many bytes it or the next one takes. */
    private int makeRoom() throws IOException {
        if (filled == segments.fullText(index)) {
            guarded(() -> writeSegment(false));
        }
        return segments.fullText(index) - filled;
    }

    private void writeSegment(boolean last) throws IOException {
        if (index == 0) {
            sink.write(header, header.length);
        }
        int length = segments.seal(index, last, text, filled, sealed);
        sink.write(sealed, length);
        index++;
        filled = 0;
    }

    private interface Work {
        void run() throws IOException;
    }

    private void guarded(Work work) throws IOException {
        broken = true;
        try {
            work.run();
            broken = false;
        } finally {
            if (broken) {
                wipe();
            }
        }
    }

    private void wipe() {
        Bytes.wipe(text);
        segments.close();
    }
}
