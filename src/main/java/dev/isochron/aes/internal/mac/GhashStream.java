package dev.isochron.aes.internal.mac;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * GHASH of one message, for input that comes in pieces (SP 800-38D section 6.4).
 *
 * <p>{@code state} is Y. {@code partial} holds the {@code held} bytes (0 to 15) of a block that is
 * not whole yet; the rest of it is zero.
 */
public final class GhashStream implements AutoCloseable {

    private static final int BLOCK = 16;

    private final Ghash ghash;
    private final long[] state = new long[2];
    private final byte[] partial = new byte[BLOCK];
    private int held;

    /** The hash of nothing yet. */
    public GhashStream(Ghash ghash) {
        this.ghash = ghash;
    }

    /** Absorbs a piece of a string. */
    public void update(byte[] data, int off, int length) {
        int done = 0;
        if (held > 0) {
            done = Math.min(length, BLOCK - held);
            Bytes.copy(data, off, partial, held, done);
            held += done;
            if (held < BLOCK) {
                return;
            }
            pad();
        }
        int whole = (length - done) & -BLOCK;
        ghash.update(state, data, off + done, whole);
        done += whole;
        held = length - done;
        Bytes.copy(data, off + done, partial, 0, held);
    }

    /** Ends the string: fills its last block with zeros. */
    public void pad() {
        if (held > 0) {
            ghash.update(state, partial, 0, BLOCK);
            Bytes.wipe(partial);
            held = 0;
        }
    }

    /** Absorbs one whole block; only between strings. */
    public void block(long high, long low) {
        ghash.update(state, high, low);
    }

    /** Absorbs the last piece of a string, pads it, and absorbs one block more. */
    public void finish(byte[] data, int off, int length, long high, long low) {
        if (held == 0) {
            ghash.finish(state, data, off, length, high, low);
        } else {
            update(data, off, length);
            pad();
            block(high, low);
        }
    }

    /** The first eight bytes of Y, big-endian. */
    public long high() {
        return state[0];
    }

    /** The last eight bytes of Y, big-endian. */
    public long low() {
        return state[1];
    }

    @Override
    public void close() {
        Bytes.wipe(state);
        Bytes.wipe(partial);
        held = 0;
    }
}
