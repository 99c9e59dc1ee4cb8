package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/**
 * A sealed stream read at any place. {@code text} holds the {@code loadedLength} verified bytes of
 * segment {@code loaded} (-1: none). The last segment is verified when the channel is made, and must
 * be as long as the source's size promised, so the size is genuine. It is fixed from then on.
 */
final class SeekableSegments implements SeekableByteChannel {

    private final SeekableByteChannel source;
    private final int segmentSize;
    private final long start;
    private final long sealedSize;
    private final long segmentCount;
    private final Segments segments;
    private final byte[] sealed;
    private final byte[] text;
    private long loaded = -1;
    private int loadedLength;
    private long position;
    private boolean closed;

    SeekableSegments(SeekableByteChannel source, byte[] mainKey, byte[] aad, int segmentSize)
            throws IOException {
        this.source = source;
        this.segmentSize = segmentSize;
        start = source.position();
        sealedSize = source.size() - start;
        byte[] header = new byte[Segments.HEADER_LENGTH];
        Segments.checkHeader(header, readAt(0, header, header.length));
        segmentCount = Segments.count(sealedSize, segmentSize);
        sealed = new byte[segmentSize];
        text = new byte[segmentSize];
        segments = new Segments(mainKey, header, aad, segmentSize);
        try {
            load(segmentCount - 1);
        } finally {
            if (loaded < 0) {
                segments.close();
            }
        }
    }

    @Override
    public synchronized int read(ByteBuffer out) throws IOException {
        long size = size();
        if (out.isReadOnly()) {
            throw new IllegalArgumentException("output must be writable, was a read-only buffer");
        }
        if (!out.hasRemaining()) {
            return 0;
        }
        if (position >= size) {
            return -1;
        }
        int total = 0;
        while (out.hasRemaining() && position < size) {
            int first = segments.fullText(0);
            long index = 0;
            int offset = (int) Math.min(position, first);
            if (position >= first) {
                int full = segments.fullText(1);
                index = 1 + (position - first) / full;
                offset = (int) ((position - first) % full);
            }
            load(index);
            int n = Math.min(out.remaining(), loadedLength - offset);
            out.put(text, offset, n);
            position += n;
            total += n;
        }
        return total;
    }

    @Override
    public synchronized long position() throws IOException {
        requireOpen();
        return position;
    }

    @Override
    public synchronized SeekableByteChannel position(long newPosition) throws IOException {
        requireOpen();
        if (newPosition < 0) {
            throw new IllegalArgumentException("position must be 0 or more, was " + newPosition);
        }
        position = newPosition;
        return this;
    }

    /** Bytes of plaintext. */
    @Override
    public synchronized long size() throws IOException {
        requireOpen();
        return sealedSize - Segments.HEADER_LENGTH - Segments.TAG_LENGTH * segmentCount;
    }

    @Override
    public int write(ByteBuffer in) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public synchronized boolean isOpen() {
        return !closed;
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            Bytes.wipe(text);
            segments.close();
            source.close();
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    private void load(long index) throws IOException {
        if (index == loaded) {
            return;
        }
        boolean last = index == segmentCount - 1;
        long at = index == 0 ? Segments.HEADER_LENGTH : index * segmentSize;
        int length = last ? (int) (sealedSize - at) : segments.fullLength(index);
        if (readAt(at, sealed, length) < length) {
            throw new IOException("the sealed stream was cut: it is shorter than its source said");
        }
        loaded = -1;
        loadedLength = segments.open(index, last, sealed, length, text);
        loaded = index;
    }

    private int readAt(long at, byte[] bytes, int length) throws IOException {
        source.position(start + at);
        return FullTransfers.read(source, bytes, 0, length);
    }
}
