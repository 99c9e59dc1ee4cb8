package dev.isochron.aes.internal.mac;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * GHASH under one key (SP 800-38D section 6.4): immutable but for powers of H computed on demand,
 * thread-safe. The running value Y belongs to the caller.
 */
public final class Ghash implements AutoCloseable {

    private static final int BLOCK_SIZE = 16;

    /** Forms of one power of H: the words high, low and high ^ low, for low and high products. */
    private static final int STRIDE = 6 * Clmul.FORMS;

    private static final int FEW = 2;
    static final int LARGEST_BATCH = 16;
    private static final int T = 4;

    private final long[] few = new long[FEW * STRIDE];
    private volatile long[] many;
    private boolean closed;

    public Ghash(long hHigh, long hLow) {
        putForms(few, 0, hHigh, hLow);
        extend(few, 1, FEW);
    }

    public void update(long[] state, byte[] data, int off, int len) {
        absorb(state, data, off, len, 0, 0, 0);
    }

    public void update(long[] state, long high, long low) {
        absorb(state, null, 0, 0, 1, high, low);
    }

    public void finish(long[] state, byte[] data, int off, int len, long high, long low) {
        absorb(state, data, off, len, 1, high, low);
    }

    private void absorb(
            long[] state, byte[] data, int off, int len, int extra, long high, long low) {
        int blocks = (len >>> 4) + ((len & 15) + 15 >>> 4) + extra;
        long[] powers = few;
        int most = FEW;
        if (blocks >= T) {
            powers = many();
            most = LARGEST_BATCH;
        }
        int size = Math.min(most, blocks);
        long[] words = new long[3 * size];
        int pos = off;
        int left = len;
        for (int done = 0; done < blocks; ) {
            int n = Math.min(size, blocks - done);
            long yHigh = state[0];
            long yLow = state[1];
            for (int i = 0; i < n; i++) {
                long xHigh;
                long xLow;
                if (left >= BLOCK_SIZE) {
                    xHigh = Bytes.getLong(data, pos);
                    xLow = Bytes.getLong(data, pos + 8);
                } else if (left > 0) {
                    xHigh =
                            left >= 8
                                    ? Bytes.getLong(data, pos)
                                    : Bytes.getPartial(data, pos, left);
                    xLow = Bytes.getPartial(data, pos + 8, Math.max(0, left - 8));
                } else {
                    xHigh = high;
                    xLow = low;
                }
                pos += BLOCK_SIZE;
                left -= BLOCK_SIZE;
                xHigh ^= yHigh;
                xLow ^= yLow;
                yHigh = 0;
                yLow = 0;
                words[i] = xHigh;
                words[size + i] = xLow;
                words[2 * size + i] = xHigh ^ xLow;
            }
            multiply(state, words, size, n, powers);
            done += n;
        }
        Bytes.wipe(words);
    }

    /** Y becomes the sum of X_i times H to the power of n - i. */
    private static void multiply(long[] state, long[] words, int size, int n, long[] powers) {
        int f = (n - 1) * STRIDE;
        long lowHigh = Clmul.low(words, 0, n, powers, f, STRIDE) << 1;
        long highHigh = Clmul.high(words, 0, n, powers, f + 9, STRIDE);
        long lowLow = Clmul.low(words, size, n, powers, f + 18, STRIDE) << 1;
        long highLow = Clmul.high(words, size, n, powers, f + 27, STRIDE);
        long lowMid = Clmul.low(words, 2 * size, n, powers, f + 36, STRIDE) << 1;
        long highMid = Clmul.high(words, 2 * size, n, powers, f + 45, STRIDE);
        long v0 = lowLow;
        long v1 = highLow ^ lowMid ^ lowLow ^ lowHigh;
        long v2 = lowHigh ^ highMid ^ highLow ^ highHigh;
        long v3 = highHigh;
        v1 ^= v0 << 63 ^ v0 << 62 ^ v0 << 57;
        v2 ^= v0 ^ v0 >>> 1 ^ v0 >>> 2 ^ v0 >>> 7;
        v2 ^= v1 << 63 ^ v1 << 62 ^ v1 << 57;
        v3 ^= v1 ^ v1 >>> 1 ^ v1 >>> 2 ^ v1 >>> 7;
        state[0] = v3;
        state[1] = v2;
    }

    private long[] many() {
        long[] p = many;
        if (p == null) {
            synchronized (this) {
                p = many;
                if (p == null) {
                    if (closed) {
                        throw new IllegalStateException("closed");
                    }
                    p = new long[LARGEST_BATCH * STRIDE];
                    System.arraycopy(few, 0, p, 0, few.length);
                    extend(p, FEW, LARGEST_BATCH);
                    many = p;
                }
            }
        }
        return p;
    }

    private static void putForms(long[] powers, int index, long high, long low) {
        int f = index * STRIDE;
        Clmul.lowForms(high, powers, f);
        Clmul.highForms(high, powers, f + 9);
        Clmul.lowForms(low, powers, f + 18);
        Clmul.highForms(low, powers, f + 27);
        Clmul.lowForms(high ^ low, powers, f + 36);
        Clmul.highForms(high ^ low, powers, f + 45);
    }

    private static long join(long[] p, int f) {
        return p[f] | p[f + 1] << 1 | p[f + 3] << 2 | p[f + 4] << 3;
    }

    private static void extend(long[] powers, int from, int to) {
        long[] state = new long[2];
        long[] words = new long[3];
        state[0] = join(powers, (from - 1) * STRIDE);
        state[1] = join(powers, (from - 1) * STRIDE + 18);
        for (int i = from; i < to; i++) {
            words[0] = state[0];
            words[1] = state[1];
            words[2] = state[0] ^ state[1];
            multiply(state, words, 1, 1, powers);
            putForms(powers, i, state[0], state[1]);
        }
        Bytes.wipe(state);
        Bytes.wipe(words);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            Bytes.wipe(few);
            if (many != null) {
                Bytes.wipe(many);
            }
        }
    }
}
