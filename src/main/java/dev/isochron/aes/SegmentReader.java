package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import java.io.IOException;

/**
 * Opens a stream segment by segment. {@code text} holds the verified bytes {@code position} to {@code
 * limit} still to be given out. {@code sealed} holds the {@code ahead} bytes (0 or 1) read past the
 * segment before: one byte more tells whether a segment is the last. After a failure every further
 * read fails.
 */
final class SegmentReader {

    /** Where sealed bytes come from. */
    interface Source {
        /** Reads until {@code length} bytes are there or the source ends; returns how many. */
        int readFully(byte[] bytes, int off, int length) throws IOException;
    }

    private final byte[] mainKey;
    private final byte[] aad;
    private final int segmentSize;
    private final Source source;
    private final byte[] sealed;
    private final byte[] text;
    private Segments segments;
    private long index;
    private int ahead;
    private int position;
    private int limit;
    private boolean lastSeen;
    private boolean closed;
    private IOException failure;

    SegmentReader(byte[] mainKey, byte[] aad, int segmentSize, Source source) {
        this.mainKey = mainKey;
        this.aad = aad;
        this.segmentSize = segmentSize;
        this.source = source;
        sealed = new byte[segmentSize + 1];
        text = new byte[segmentSize];
    }

    /** Bytes that can be read without touching the source. */
    int available() {
        return limit - position;
    }

    boolean isOpen() {
        return !closed;
    }

    /**
     * Reads verified bytes.
     *
     * @return how many, at least 1 unless {@code length} is 0; -1 at the verified end
     */
    int read(byte[] out, int off, int length) throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (length == 0) {
            return 0;
        }
        while (position == limit) {
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
            if (lastSeen) {
                return -1;
            }
            try {
                next();
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
        int n = Math.min(length, limit - position);
        Bytes.copy(text, position, out, off, n);
        position += n;
        return n;
    }

    void close() {
        closed = true;
        Bytes.wipe(text);
        Bytes.wipe(mainKey);
        if (segments != null) {
            segments.close();
        }
    }

    private void next() throws IOException {
        if (segments == null) {
            byte[] header = new byte[Segments.HEADER_LENGTH];
            Segments.checkHeader(header, source.readFully(header, 0, header.length));
            segments = new Segments(mainKey, header, aad, segmentSize);
            Bytes.wipe(mainKey);
        }
        int full = segments.fullLength(index);
        int read = ahead + source.readFully(sealed, ahead, full + 1 - ahead);
        boolean last = read <= full;
        int length = Math.min(read, full);
        int opened = segments.open(index, last, sealed, length, text);
        index++;
        lastSeen = last;
        position = 0;
        limit = opened;
        sealed[0] = sealed[full];
        ahead = 1;
    }
}
