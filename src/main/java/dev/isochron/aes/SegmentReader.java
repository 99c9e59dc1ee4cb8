package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Opens a stream segment by segment. {@code text} holds the verified bytes {@code position} to {@code
 * limit} still to be given out. {@code sealed} holds the {@code ahead} bytes (0 or 1) read past the
 * segment before: one byte more tells whether a segment is the last.
 *
 * <p>{@code broken} is set while a segment is fetched, and stays so if that fails in any way: the
 * buffers and keys are wiped then, and every further read fails. {@code failure} is what it was, if
 * an {@link IOException}.
 *
 * <p>Calls from several threads wait for each other: a close in the middle of a read would give out
 * wiped bytes.
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
    private boolean broken;
    private IOException failure;
    private volatile boolean closed;

    /**
     * A reader at the start of the source.
     *
     * @param mainKey wiped by the reader
     */
    SegmentReader(byte[] mainKey, byte[] aad, int segmentSize, Source source) {
        this.mainKey = mainKey;
        this.aad = aad;
        this.segmentSize = segmentSize;
        this.source = source;
        sealed = new byte[segmentSize + 1];
        text = new byte[segmentSize];
    }

    /** Bytes that can be read without touching the source. */
    synchronized int available() throws IOException {
        requireOpen();
        return limit - position;
    }

    boolean isOpen() {
        return !closed;
    }

    /** Reads a verified byte; -1 at the verified end. */
    synchronized int read() throws IOException {
        return fill() ? text[position++] & 0xFF : -1;
    }

    /**
     * Reads verified bytes.
     *
     * @return how many, at least 1 unless {@code length} is 0; -1 at the verified end
     */
    synchronized int read(byte[] out, int off, int length) throws IOException {
        requireOpen();
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int n = Math.min(length, limit - position);
        Bytes.copy(text, position, out, off, n);
        position += n;
        return n;
    }

    /** As {@link #read(byte[], int, int)}, into what remains of a writable buffer. */
    synchronized int read(ByteBuffer out) throws IOException {
        requireOpen();
        if (!out.hasRemaining()) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int n = Math.min(out.remaining(), limit - position);
        out.put(text, position, n);
        position += n;
        return n;
    }

    /** Passes over verified bytes; returns how many, fewer than asked only at the verified end. */
    synchronized long skip(long count) throws IOException {
        requireOpen();
        long left = Math.max(0, count);
        while (left > 0 && fill()) {
            int n = (int) Math.min(left, limit - position);
            position += n;
            left -= n;
        }
        return Math.max(0, count) - left;
    }

    /**
     * Verifies the rest, so that damage past the last byte read does not go unnoticed, and wipes. What
     * a read has thrown already is not thrown again.
     */
    synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            while (!lastSeen && !broken) {
                next();
            }
        } finally {
            wipe();
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
    }

    /** Whether a verified byte is at hand; false at the verified end. */
    private boolean fill() throws IOException {
        requireOpen();
        while (position == limit) {
            if (broken) {
                throw sameFailure();
            }
            if (lastSeen) {
                return false;
            }
            next();
        }
        return true;
    }

    /** A fresh exception: one object thrown twice cannot be suppressed under itself. */
    private IOException sameFailure() {
        if (failure == null) {
            return new IOException("an earlier read failed");
        }
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return new IOException(failure.getMessage(), cause);
    }

    private void next() throws IOException {
        broken = true;
        try {
            openSegment();
            broken = false;
        } catch (IOException e) {
            failure = e;
            throw e;
        } finally {
            if (broken) {
                wipe();
            }
        }
    }

    private void openSegment() throws IOException {
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

    private void wipe() {
        position = 0;
        limit = 0;
        Bytes.wipe(text);
        Bytes.wipe(mainKey);
        if (segments != null) {
            segments.close();
        }
    }
}
