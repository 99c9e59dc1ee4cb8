package dev.isochron.aes.internal.mac;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * GHASH under one key: Y = (Y + X) * H for every block X (SP 800-38D section 6.4, and D. McGrew and J.
 * Viega, "The Galois/Counter Mode of Operation", 2004). The running value Y is the caller's, so that
 * one object serves any number of messages and threads.
 *
 * <p>A block is an element of GF(2<sup>128</sup>), its first bit the coefficient of x<sup>0</sup>
 * (SP 800-38D section 6.3). Read as big-endian numbers, its halves show the polynomial with the
 * powers descending from left to right only in mirror image:
 *
 * <pre>
 *   byte        0            7            8           15
 *               high long                 low long
 *   bit         63           0            63           0
 *   power of x  0           63            64         127
 * </pre>
 *
 * <p>The mirror image of a product is the product of the mirror images, one place further right:
 * two 128-bit numbers multiply to 255 bits, which shifted left by one are the 256-bit mirror image of
 * the product. Karatsuba's method makes that of three 64-bit products (by {@link Clmul}), and two
 * rounds of shifts reduce it modulo x<sup>128</sup> + x<sup>7</sup> + x<sup>2</sup> + x + 1.
 *
 * <p>Blocks are taken two at a time, (Y + X<sub>1</sub>) * H<sup>2</sup> + X<sub>2</sub> * H, which
 * shares the reduction. Long texts go through {@link GhashLanes}, once this key has seen enough text
 * to pay for the powers of H it needs.
 *
 * <p><b>Constant-time.</b> H, its powers, Y and the blocks meet only the operations listed at {@link
 * Clmul}. Branches depend on lengths and on how much text came before; in {@link #finish} also on the
 * lengths block itself, which is public.
 *
 * <p>Thread-safe. {@link #close} wipes H and everything made from it.
 */
public final class Ghash implements AutoCloseable {

    private static final int BLOCK_SIZE = 16;

    /** Forms of one power of H: three words, each for low and for high products. */
    private static final int POWER = 6 * Clmul.FORMS;

    private static final int HIGH_WORD = 0;
    private static final int LOW_WORD = 2 * Clmul.FORMS;
    private static final int SUM_WORD = 4 * Clmul.FORMS;

    /** Where the forms of H and of its square start, and H itself. */
    private static final int H1 = 0;

    private static final int H2 = POWER;
    private static final int H = 2 * POWER;

    /** From how many blocks on the powers for {@link GhashLanes} have paid for themselves. */
    static final int PATIENCE = 384;

    /**
     * The forms of H and its square, for each the words high, low and high + low, for each of those
     * low products first; then H as two longs.
     */
    private final long[] key = new long[2 * POWER + 2];

    /** Made on demand; null until then. */
    private volatile GhashLanes lanes;

    /**
     * About how many blocks came in texts long enough for lanes, while there are none. A count lost
     * to a race only delays them.
     */
    private int seen;

    private boolean closed;

    /**
     * A hash under H = E<sub>K</sub>(0<sup>128</sup>) (SP 800-38D 7.1 step 1).
     *
     * @param hHigh the first eight bytes of H, big-endian
     * @param hLow its last eight bytes, big-endian
     */
    public Ghash(long hHigh, long hLow) {
        key[H] = hHigh;
        key[H + 1] = hLow;
        putPower(H1, hHigh, hLow);
        long[] square = {hHigh, hLow};
        multiply(square, H1);
        putPower(H2, square[0], square[1]);
        Bytes.wipe(square);
    }

    /**
     * Absorbs a text; a last block of fewer than 16 bytes is padded with zeros (SP 800-38D 7.1 step
     * 5).
     *
     * @param state Y: its first and last eight bytes, big-endian
     * @param data the text, {@code len} bytes from {@code off}
     * @param off where it starts, in bytes
     * @param len how many bytes, 0 or more
     */
    public void update(long[] state, byte[] data, int off, int len) {
        int done = absorbPairs(state, data, off, len);
        if (done < len) {
            addLast(state, data, off + done, len - done);
            multiply(state, H1);
        }
    }

    /**
     * Absorbs one block.
     *
     * @param state Y: its first and last eight bytes, big-endian
     * @param high the first eight bytes of the block, big-endian
     * @param low its last eight bytes, big-endian
     */
    public void update(long[] state, long high, long low) {
        state[0] ^= high;
        state[1] ^= low;
        multiply(state, H1);
    }

    /**
     * Absorbs a text and then the lengths block, which is the end of a message (SP 800-38D 7.1 step
     * 5). The same as {@link #update(long[], byte[], int, int)} and {@link #update(long[], long,
     * long)}, but faster for short texts.
     *
     * @param state Y: its first and last eight bytes, big-endian
     * @param data the text, {@code len} bytes from {@code off}
     * @param off where it starts, in bytes
     * @param len how many bytes, 0 or more
     * @param aadBits the length of the associated data in bits, public
     * @param textBits the length of the whole ciphertext in bits, public
     */
    public void finish(
            long[] state, byte[] data, int off, int len, long aadBits, long textBits) {
        int done = absorbPairs(state, data, off, len);
        if (done < len) {
            // (Y + X) * H^2 + L * H: the second product is but a few shifts.
            addLast(state, data, off + done, len - done);
            multiply(state, H2);
            addTimesH(state, aadBits, textBits);
        } else {
            update(state, aadBits, textBits);
        }
    }

    /** Wipes H and its powers. The object must not be used afterwards. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        Bytes.wipe(key);
        if (lanes != null) {
            lanes.wipe();
        }
    }

    /**
     * Absorbs an even number of blocks, the last of which may be partial.
     *
     * @return how many bytes were absorbed: all of them, or all but 1 to 16
     */
    private int absorbPairs(long[] state, byte[] data, int off, int len) {
        int done = 0;
        if (len >= GhashLanes.BATCH_SIZE) {
            GhashLanes bulk = lanesIfWorthwhile(len / BLOCK_SIZE);
            if (bulk != null) {
                done = bulk.absorb(state, data, off, len);
            }
        }
        for (; done <= len - 2 * BLOCK_SIZE; done += 2 * BLOCK_SIZE) {
            int at = off + done;
            multiplyPair(
                    state,
                    Bytes.getLong(data, at),
                    Bytes.getLong(data, at + 8),
                    Bytes.getLong(data, at + 16),
                    Bytes.getLong(data, at + 24));
        }
        if (done < len - BLOCK_SIZE) {
            int at = off + done + BLOCK_SIZE;
            int rest = len - done - BLOCK_SIZE;
            multiplyPair(
                    state,
                    Bytes.getLong(data, at - 16),
                    Bytes.getLong(data, at - 8),
                    firstHalf(data, at, rest),
                    secondHalf(data, at, rest));
            done = len;
        }
        return done;
    }

    /** Y = Y + X for a block of 1 to 16 bytes, padded with zeros. */
    private static void addLast(long[] state, byte[] data, int off, int n) {
        state[0] ^= firstHalf(data, off, n);
        state[1] ^= secondHalf(data, off, n);
    }

    private static long firstHalf(byte[] data, int off, int n) {
        return n >= 8 ? Bytes.getLong(data, off) : Bytes.getPartial(data, off, n);
    }

    private static long secondHalf(byte[] data, int off, int n) {
        if (n == BLOCK_SIZE) {
            return Bytes.getLong(data, off + 8);
        }
        return n > 8 ? Bytes.getPartial(data, off + 8, n - 8) : 0;
    }

    /** Y = Y * H^i, for the power whose forms stand at {@code p}. */
    private void multiply(long[] state, int p) {
        long high = state[0];
        long low = state[1];
        long sum = high ^ low;
        reduce(
                state,
                Clmul.low(high, key, p + HIGH_WORD),
                Clmul.high(high, key, p + HIGH_WORD + Clmul.FORMS),
                Clmul.low(low, key, p + LOW_WORD),
                Clmul.high(low, key, p + LOW_WORD + Clmul.FORMS),
                Clmul.low(sum, key, p + SUM_WORD),
                Clmul.high(sum, key, p + SUM_WORD + Clmul.FORMS));
    }

    /** Y = (Y + X) * H^2 + Z * H. */
    private void multiplyPair(long[] state, long xHigh, long xLow, long zHigh, long zLow) {
        long high = state[0] ^ xHigh;
        long low = state[1] ^ xLow;
        long sum = high ^ low;
        long zSum = zHigh ^ zLow;
        int mirrored = Clmul.FORMS;
        reduce(
                state,
                Clmul.low(high, zHigh, key, H2 + HIGH_WORD, H1 + HIGH_WORD),
                Clmul.high(high, zHigh, key, H2 + HIGH_WORD + mirrored, H1 + HIGH_WORD + mirrored),
                Clmul.low(low, zLow, key, H2 + LOW_WORD, H1 + LOW_WORD),
                Clmul.high(low, zLow, key, H2 + LOW_WORD + mirrored, H1 + LOW_WORD + mirrored),
                Clmul.low(sum, zSum, key, H2 + SUM_WORD, H1 + SUM_WORD),
                Clmul.high(sum, zSum, key, H2 + SUM_WORD + mirrored, H1 + SUM_WORD + mirrored));
    }

    /** Y = Y + L * H for a public L of few ones: H shifted once for each of them. */
    private void addTimesH(long[] state, long high, long low) {
        long hHigh = key[H];
        long hLow = key[H + 1];
        long v0 = 0;
        long v1 = 0;
        long v2 = 0;
        long v3 = 0;
        // One place further left than the bit says, see above.
        for (long bits = low; bits != 0; bits &= bits - 1) {
            int shift = Long.numberOfTrailingZeros(bits);
            v0 ^= hLow << shift << 1;
            v1 ^= hHigh << shift << 1 | hLow >>> (63 - shift);
            v2 ^= hHigh >>> (63 - shift);
        }
        for (long bits = high; bits != 0; bits &= bits - 1) {
            int shift = Long.numberOfTrailingZeros(bits);
            v1 ^= hLow << shift << 1;
            v2 ^= hHigh << shift << 1 | hLow >>> (63 - shift);
            v3 ^= hHigh >>> (63 - shift);
        }
        long yHigh = state[0];
        long yLow = state[1];
        reduce(state, v0, v1, v2, v3);
        state[0] ^= yHigh;
        state[1] ^= yLow;
    }

    /**
     * Joins the three 128-bit products of Karatsuba's method and reduces. Each comes in halves, bits
     * 63 to 0 and bits 126 to 63, which overlap in bit 63: shifted left by one they fit together.
     */
    static void reduce(
            long[] state,
            long highWordLow,
            long highWordHigh,
            long lowWordLow,
            long lowWordHigh,
            long sumWordLow,
            long sumWordHigh) {
        reduce(
                state,
                lowWordLow << 1,
                lowWordHigh ^ (sumWordLow ^ lowWordLow ^ highWordLow) << 1,
                highWordLow << 1 ^ sumWordHigh ^ lowWordHigh ^ highWordHigh,
                highWordHigh);
    }

    /** Y = v3 v2 v1 v0, a mirrored polynomial of 256 bits, modulo the field's (SP 800-38D 6.3). */
    private static void reduce(long[] state, long v0, long v1, long v2, long v3) {
        v1 ^= v0 << 63 ^ v0 << 62 ^ v0 << 57;
        v2 ^= v0 ^ v0 >>> 1 ^ v0 >>> 2 ^ v0 >>> 7;
        v2 ^= v1 << 63 ^ v1 << 62 ^ v1 << 57;
        v3 ^= v1 ^ v1 >>> 1 ^ v1 >>> 2 ^ v1 >>> 7;
        state[0] = v3;
        state[1] = v2;
    }

    private void putPower(int p, long high, long low) {
        putWord(p + HIGH_WORD, high);
        putWord(p + LOW_WORD, low);
        putWord(p + SUM_WORD, high ^ low);
    }

    private void putWord(int p, long word) {
        Clmul.putForms(word, key, p);
        Clmul.putForms(Clmul.mirror(word), key, p + Clmul.FORMS);
    }

    /** The lanes, or null while they would cost more than they have ever saved. */
    private GhashLanes lanesIfWorthwhile(int blocks) {
        GhashLanes made = lanes;
        if (made == null) {
            seen += blocks;
            if (seen >= PATIENCE) {
                made = makeLanes();
            }
        }
        return made;
    }

    private synchronized GhashLanes makeLanes() {
        // Closed during a call: the caller will find out, and discard what it made.
        if (lanes == null && !closed) {
            GhashLanes fresh = new GhashLanes();
            long[] power = {key[H], key[H + 1]};
            for (int exponent = 1; exponent <= GhashLanes.POWERS; exponent++) {
                fresh.putPower(exponent, power[0], power[1]);
                multiply(power, H1);
            }
            Bytes.wipe(power);
            fresh.derive();
            lanes = fresh;
        }
        return lanes;
    }
}
