package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import java.io.IOException;

/**
 * Seals a stream segment by segment. {@code text} holds the {@code filled} bytes of segment {@code
 * index}; a full one waits until more comes, since only then is it known not to be the last. Once a
 * write has failed nothing more is written, so that a broken stream never gets a proper end.
 */
final class SegmentWriter {

    /** Where sealed bytes go: all of them, or an exception. */
    interface Sink {
        void write(byte[] bytes, int length) throws IOException;
    }

    private final Segments segments;
    private final Sink sink;
    private final byte[] header;
    private final byte[] text;
    private final byte[] sealed;
    private int filled;
    private long index;
    private boolean broken;
    private boolean closed;

    SegmentWriter(Segments segments, byte[] header, Sink sink) {
        this.segments = segments;
        this.header = header;
        this.sink = sink;
        text = new byte[segments.fullText(1)];
        sealed = new byte[segments.fullLength(1)];
    }

    void write(byte[] in, int off, int length) throws IOException {
        requireOpen();
        int done = 0;
        while (done < length) {
            int full = segments.fullText(index);
            if (filled == full) {
                flush(false);
                full = segments.fullText(index);
            }
            int n = Math.min(length - done, full - filled);
            Bytes.copy(in, off + done, text, filled, n);
            filled += n;
            done += n;
        }
    }

    boolean isOpen() {
        return !closed;
    }

    void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (broken) {
            throw new IOException("an earlier write failed; the sealed stream is incomplete");
        }
    }

    /** Writes the last segment, unless a write failed, and wipes. */
    void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (!broken) {
                flush(true);
            }
        } finally {
            Bytes.wipe(text);
            segments.close();
        }
    }

    private void flush(boolean last) throws IOException {
        broken = true;
        if (index == 0) {
            sink.write(header, header.length);
        }
        int length = segments.seal(index, last, text, filled, sealed);
        sink.write(sealed, length);
        index++;
        filled = 0;
        broken = false;
    }
}
