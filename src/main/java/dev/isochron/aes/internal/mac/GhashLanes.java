package dev.isochron.aes.internal.mac;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * GHASH of long texts: 64 blocks side by side, in loops that the JVM's compiler turns into vector
 * instructions by itself.
 *
 * <p>Up to 128 blocks X<sub>1</sub>, ..., X<sub>n</sub> become Y = (Y + X<sub>1</sub>) *
 * H<sup>n</sup> + X<sub>2</sub> * H<sup>n - 1</sup> + ... + X<sub>n</sub> * H (S. Gueron and M.
 * Kounavis, 2010), in <em>batches</em> of 64. The products are those of {@link Clmul}, but nothing is
 * joined or reduced until all of them have been summed: step m multiplies form m of every word of a
 * batch by form m of the power's words, and adds the integer products to one accumulator. Six words
 * stand for a block:
 *
 * <pre>
 *   index     6i     6i + 1   6i + 2       6i + 3         6i + 4        6i + 5
 *   block i   high   low      high + low   mirror(high)   mirror(low)   mirror(high + low)
 * </pre>
 *
 * <p>The accumulator is then folded onto itself until its six words remain; when the 9 steps are
 * done, {@link Clmul#joinLow} and {@link Clmul#joinHigh} make the product of them.
 *
 * <p>HotSpot's C2 vectorizes a loop if it is short: one multiplication and a few bitwise operations,
 * all arrays at the same index, and a constant number of rounds. Hence one method for each form, and
 * the powers' words in four <em>derived</em> arrays, so that a form of theirs costs one mask:
 *
 * <pre>
 *   derived   0   w                    classes as they are
 *             1   w + (w >>> 1)        class 0: classes 0+1, class 2: 2+3
 *             2   w + (w >>> 2)        class 0: classes 0+2, class 1: 1+3
 *             3   both, one after the other; class 0: all
 * </pre>
 *
 * <p>Where the compiler does not vectorize, the result is the same, and the time near that of the
 * pairs of {@link Ghash}.
 *
 * <p><b>Constant-time</b> like {@link Clmul}: branches and indices depend on the length alone.
 *
 * <p>The powers are secret; so is the scratch memory of a call, which is wiped before it returns.
 */
final class GhashLanes {

    private static final int BLOCK_SIZE = 16;

    /** Blocks in a batch. */
    private static final int LANES = 64;

    /** Batches that share a reduction. */
    private static final int GROUPS = 2;

    /** Bytes in a batch. */
    static final int BATCH_SIZE = BLOCK_SIZE * LANES;

    /** The highest power of H in use. */
    static final int POWERS = GROUPS * LANES;

    /** Words that stand for a block. */
    private static final int WORDS = 6;

    private static final int SIZE = WORDS * LANES;

    /**
     * With its header an array of this length takes a multiple of 64 bytes, so that arrays allocated
     * in a row lie alike in their cache lines.
     */
    private static final int PADDED_SIZE = SIZE + 6;

    private static final int DERIVED = 4;

    /**
     * The derived arrays of each group's powers. Block i of group g is multiplied by the power
     * 64 * (g + 1) - i; the last batch of a run uses group 0.
     */
    private final long[][] powers = new long[GROUPS * DERIVED][PADDED_SIZE];

    /** Sets a power of H, 1 to {@link #POWERS}. To be followed by {@link #derive}. */
    void putPower(int exponent, long high, long low) {
        int group = (exponent - 1) / LANES;
        int lane = LANES * (group + 1) - exponent;
        putBlock(powers[group * DERIVED], WORDS * lane, high, low);
    }

    /** Completes the powers. */
    void derive() {
        for (int g = 0; g < powers.length; g += DERIVED) {
            long[] w = powers[g];
            long[] w01 = powers[g + 1];
            long[] w02 = powers[g + 2];
            long[] all = powers[g + 3];
            for (int k = 0; k < SIZE; k++) {
                w01[k] = w[k] ^ w[k] >>> 1;
                w02[k] = w[k] ^ w[k] >>> 2;
                all[k] = w01[k] ^ w01[k] >>> 2;
            }
        }
    }

    /** Wipes the powers. */
    void wipe() {
        for (long[] a : powers) {
            Bytes.wipe(a);
        }
    }

    /**
     * Absorbs as many whole batches as there are.
     *
     * @param state Y: its first and last eight bytes, big-endian
     * @param data the text, {@code len} bytes from {@code off}
     * @param off where it starts, in bytes
     * @param len how many bytes, at least {@link #BATCH_SIZE}
     * @return how many bytes were absorbed
     */
    int absorb(long[] state, byte[] data, int off, int len) {
        int batches = len / BATCH_SIZE;
        long[][] x = new long[Math.min(GROUPS, batches)][PADDED_SIZE];
        long[] acc = new long[PADDED_SIZE];
        long[] sums = new long[Clmul.FORMS * WORDS];
        for (int done = 0; done < batches; ) {
            int n = Math.min(GROUPS, batches - done);
            for (int b = 0; b < n; b++) {
                load(x[b], data, off + BATCH_SIZE * (done + b));
            }
            addBlock(x[0], state[0], state[1]);
            multiply(x, n, acc, sums);
            join(state, sums);
            done += n;
        }
        for (long[] a : x) {
            Bytes.wipe(a);
        }
        Bytes.wipe(acc);
        Bytes.wipe(sums);
        return BATCH_SIZE * batches;
    }

    /** The sums of the integer products of {@code n} batches: form m of word w at 6m + w. */
    private void multiply(long[][] x, int n, long[] acc, long[] sums) {
        for (int b = 0; b < n; b++) {
            add0(acc, x[b], powers(n, b, 0));
        }
        fold(acc, sums, 0);
        for (int b = 0; b < n; b++) {
            add1(acc, x[b], powers(n, b, 0));
        }
        fold(acc, sums, 1);
        for (int b = 0; b < n; b++) {
            add2(acc, x[b], powers(n, b, 0));
        }
        fold(acc, sums, 2);
        for (int b = 0; b < n; b++) {
            add3(acc, x[b], powers(n, b, 0));
        }
        fold(acc, sums, 3);
        for (int b = 0; b < n; b++) {
            add01(acc, x[b], powers(n, b, 1));
        }
        fold(acc, sums, 4);
        for (int b = 0; b < n; b++) {
            add23(acc, x[b], powers(n, b, 1));
        }
        fold(acc, sums, 5);
        for (int b = 0; b < n; b++) {
            add02(acc, x[b], powers(n, b, 2));
        }
        fold(acc, sums, 6);
        for (int b = 0; b < n; b++) {
            add13(acc, x[b], powers(n, b, 2));
        }
        fold(acc, sums, 7);
        for (int b = 0; b < n; b++) {
            addAll(acc, x[b], powers(n, b, 3));
        }
        fold(acc, sums, 8);
    }

    private long[] powers(int n, int batch, int derived) {
        return powers[(n - 1 - batch) * DERIVED + derived];
    }

    private static void add0(long[] acc, long[] x, long[] h) {
        for (int k = 0; k < SIZE; k++) {
            acc[k] ^= (x[k] & Clmul.CLASS) * (h[k] & Clmul.CLASS);
        }
    }

    private static void add1(long[] acc, long[] x, long[] h) {
        for (int k = 0; k < SIZE; k++) {
            acc[k] ^= (x[k] >>> 1 & Clmul.CLASS) * (h[k] >>> 1 & Clmul.CLASS);
        }
    }

    private static void add2(long[] acc, long[] x, long[] h) {
        for (int k = 0; k < SIZE; k++) {
            acc[k] ^= (x[k] >>> 2 & Clmul.CLASS) * (h[k] >>> 2 & Clmul.CLASS);
        }
    }

    private static void add3(long[] acc, long[] x, long[] h) {
        for (int k = 0; k < SIZE; k++) {
            acc[k] ^= (x[k] >>> 3 & Clmul.CLASS) * (h[k] >>> 3 & Clmul.CLASS);
        }
    }

    private static void add01(long[] acc, long[] x, long[] h) {
        for (int k = 0; k < SIZE; k++) {
            acc[k] ^= ((x[k] ^ x[k] >>> 1) & Clmul.CLASS) * (h[k] & Clmul.CLASS);
        }
    }

    private static void add23(long[] acc, long[] x, long[] h) {
        for (int k = 0; k < SIZE; k++) {
            acc[k] ^= ((x[k] >>> 2 ^ x[k] >>> 3) & Clmul.CLASS) * (h[k] >>> 2 & Clmul.CLASS);
        }
    }

    private static void add02(long[] acc, long[] x, long[] h) {
        for (int k = 0; k < SIZE; k++) {
            acc[k] ^= ((x[k] ^ x[k] >>> 2) & Clmul.CLASS) * (h[k] & Clmul.CLASS);
        }
    }

    private static void add13(long[] acc, long[] x, long[] h) {
        for (int k = 0; k < SIZE; k++) {
            acc[k] ^= ((x[k] >>> 1 ^ x[k] >>> 3) & Clmul.CLASS) * (h[k] >>> 1 & Clmul.CLASS);
        }
    }

    private static void addAll(long[] acc, long[] x, long[] h) {
        for (int k = 0; k < SIZE; k++) {
            long w = x[k] ^ x[k] >>> 1;
            acc[k] ^= ((w ^ w >>> 2) & Clmul.CLASS) * (h[k] & Clmul.CLASS);
        }
    }

    /** Adds the accumulator's blocks up into six words of {@code sums}, and clears it. */
    private static void fold(long[] acc, long[] sums, int form) {
        for (int k = 0; k < SIZE / 2; k++) {
            acc[k] ^= acc[k + SIZE / 2];
        }
        for (int k = 0; k < SIZE / 4; k++) {
            acc[k] ^= acc[k + SIZE / 4];
        }
        for (int k = 0; k < WORDS; k++) {
            long sum = 0;
            for (int i = k; i < SIZE / 4; i += WORDS) {
                sum ^= acc[i];
            }
            sums[WORDS * form + k] = sum;
        }
        Bytes.wipe(acc);
    }

    private static void join(long[] state, long[] s) {
        Ghash.reduce(
                state,
                joinLow(s, 0),
                joinHigh(s, 3),
                joinLow(s, 1),
                joinHigh(s, 4),
                joinLow(s, 2),
                joinHigh(s, 5));
    }

    private static long joinLow(long[] s, int w) {
        return Clmul.joinLow(
                s[w], s[w + 6], s[w + 12], s[w + 18], s[w + 24], s[w + 30], s[w + 36], s[w + 42],
                s[w + 48]);
    }

    private static long joinHigh(long[] s, int w) {
        return Clmul.joinHigh(
                s[w], s[w + 6], s[w + 12], s[w + 18], s[w + 24], s[w + 30], s[w + 36], s[w + 42],
                s[w + 48]);
    }

    private static void load(long[] x, byte[] data, int off) {
        int at = off;
        for (int k = 0; k < SIZE; k += WORDS) {
            putBlock(x, k, Bytes.getLong(data, at), Bytes.getLong(data, at + 8));
            at += BLOCK_SIZE;
        }
    }

    private static void putBlock(long[] x, int k, long high, long low) {
        long mirroredHigh = Clmul.mirror(high);
        long mirroredLow = Clmul.mirror(low);
        x[k] = high;
        x[k + 1] = low;
        x[k + 2] = high ^ low;
        x[k + 3] = mirroredHigh;
        x[k + 4] = mirroredLow;
        x[k + 5] = mirroredHigh ^ mirroredLow;
    }

    /** Adds a block to the first one. */
    private static void addBlock(long[] x, long high, long low) {
        putBlock(x, 0, x[0] ^ high, x[1] ^ low);
    }
}
