package dev.isochron.aes.internal.bytes;

/**
 * Bytes that come in pieces and are needed whole. They may be secret: an array that was outgrown is
 * wiped, and {@link #close} wipes the last one.
 *
 * <p>{@code bytes} holds the {@code length} bytes that came so far; the rest of it is zero.
 */
public final class GrowingBuffer implements AutoCloseable {

    /** The largest array every JVM can make. */
    public static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private byte[] bytes = new byte[0];
    private int length;

    /** How many bytes came so far. */
    public int length() {
        return length;
    }

    /** Whether so many more find room. */
    public boolean hasRoomFor(int more) {
        return more <= MAX_LENGTH - length;
    }

    /** The array that holds the bytes, from its start; not a copy, and only until the next call. */
    public byte[] array() {
        return bytes;
    }

    /** Takes a piece, for which there is room. */
    public void append(byte[] in, int off, int n) {
        if (n > bytes.length - length) {
            int doubled = (int) Math.min(MAX_LENGTH, 2L * bytes.length);
            byte[] larger = new byte[Math.max(doubled, length + n)];
            Bytes.copy(bytes, 0, larger, 0, length);
            Bytes.wipe(bytes);
            bytes = larger;
        }
        Bytes.copy(in, off, bytes, length, n);
        length += n;
    }

    /** Wipes and forgets the bytes. Idempotent. */
    @Override
    public void close() {
        Bytes.wipe(bytes);
        bytes = new byte[0];
        length = 0;
    }
}
