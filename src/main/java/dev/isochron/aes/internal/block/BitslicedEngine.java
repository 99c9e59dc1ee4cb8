package dev.isochron.aes.internal.block;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * The bulk engine, "bitsliced": one bit of many bytes to a word. Many blocks go through
 * {@link LaneKernel}, few through {@link QuadKernel}, which takes the key as it is.
 *
 * <p>Constant-time: which kernel runs depends on the length alone.
 */
public final class BitslicedEngine implements BlockCipher {

    /**
     * At least this many blocks go through {@link LaneKernel}. Measured: with one size alone it pays
     * from 40 blocks on JDK 17 and 68 on JDK 25. But C2 shapes a loop by the lengths it has seen, and
     * where short batches come in between, long ones run slower on JDK 25; so somewhat more.
     */
    static final int LANES_FROM_BLOCKS = 96;

    /** The key; owned by whoever made it. */
    private final RoundKeys roundKeys;

    /** An engine under an expanded key, which remains the caller's to close. */
    public BitslicedEngine(RoundKeys roundKeys) {
        this.roundKeys = roundKeys;
    }

    /** Whether the last of so many blocks would be a batch by itself. */
    static boolean endsInSingleBlock(int blocks) {
        int rest = blocks % LaneKernel.BLOCKS;
        return rest < LANES_FROM_BLOCKS && rest % QuadKernel.BLOCKS == 1;
    }

    @Override
    public void encrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        code(false, in, inOff, out, outOff, blocks);
    }

    @Override
    public void decrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        code(true, in, inOff, out, outOff, blocks);
    }

    private void code(
            boolean decrypting, byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        int done = 0;
        if (blocks >= LANES_FROM_BLOCKS) {
            int[] keys = LaneKernel.keys(roundKeys, decrypting);
            int[] p = LaneKernel.planes();
            try {
                while (blocks - done >= LANES_FROM_BLOCKS) {
                    int n = Math.min(LaneKernel.BLOCKS, blocks - done);
                    LaneKernel.put(in, inOff + BLOCK_SIZE * done, n, p);
                    if (decrypting) {
                        LaneKernel.decrypt(keys, p, n);
                    } else {
                        LaneKernel.encrypt(keys, p, n);
                    }
                    int from = decrypting ? LaneKernel.INVERSE : LaneKernel.STATE;
                    LaneKernel.get(p, from, n, out, outOff + BLOCK_SIZE * done);
                    done += n;
                }
            } finally {
                LaneKernel.wipe(p, blocks);
                Bytes.wipe(keys);
            }
        }
        if (done == blocks) {
            return;
        }
        long[] s = new long[8];
        try {
            while (done < blocks) {
                int n = Math.min(QuadKernel.BLOCKS, blocks - done);
                for (int i = 0; i < n; i++) {
                    int off = inOff + BLOCK_SIZE * (done + i);
                    QuadKernel.put(
                            Bytes.getLongLittleEndian(in, off),
                            Bytes.getLongLittleEndian(in, off + 8),
                            i,
                            s);
                }
                if (decrypting) {
                    QuadKernel.decrypt(roundKeys.bulk(), s);
                } else {
                    QuadKernel.encrypt(roundKeys.bulk(), s);
                }
                for (int i = 0; i < n; i++) {
                    int off = outOff + BLOCK_SIZE * (done + i);
                    Bytes.putLongLittleEndian(out, off, QuadKernel.word0(s, i));
                    Bytes.putLongLittleEndian(out, off + 8, QuadKernel.word1(s, i));
                }
                done += n;
            }
        } finally {
            Bytes.wipe(s);
        }
    }

    @Override
    public void ctr(
            long counterMask,
            long counterHigh,
            long counterLow,
            byte[] in,
            int inOff,
            byte[] out,
            int outOff,
            int length) {
        long high = counterHigh;
        long low = counterLow;
        int done = 0;
        if (length >= BLOCK_SIZE * LANES_FROM_BLOCKS) {
            int[] keys = LaneKernel.keys(roundKeys, false);
            int[] p = LaneKernel.planes();
            try {
                while (length - done >= BLOCK_SIZE * LANES_FROM_BLOCKS) {
                    int n = Math.min(LaneKernel.BLOCKS, (length - done) / BLOCK_SIZE);
                    LaneKernel.counters(counterMask, high, low, n, p);
                    LaneKernel.encrypt(keys, p, n);
                    LaneKernel.combine(p, n, in, inOff + done, out, outOff + done);
                    high = Counter.high(counterMask, high, low, n);
                    low = Counter.low(counterMask, low, n);
                    done += BLOCK_SIZE * n;
                }
            } finally {
                LaneKernel.wipe(p, length / BLOCK_SIZE);
                Bytes.wipe(keys);
            }
        }
        if (done == length) {
            return;
        }
        long[] s = new long[8];
        try {
            while (done < length) {
                for (int i = 0; i < QuadKernel.BLOCKS; i++) {
                    QuadKernel.put(Long.reverseBytes(high), Long.reverseBytes(low), i, s);
                    high = Counter.high(counterMask, high, low, 1);
                    low = Counter.low(counterMask, low, 1);
                }
                QuadKernel.encrypt(roundKeys.bulk(), s);
                for (int i = 0; i < QuadKernel.BLOCKS && done < length; i++) {
                    int n = Math.min(BLOCK_SIZE, length - done);
                    Bytes.combine(
                            QuadKernel.word0(s, i),
                            QuadKernel.word1(s, i),
                            in,
                            inOff + done,
                            out,
                            outOff + done,
                            n);
                    done += n;
                }
            }
        } finally {
            Bytes.wipe(s);
        }
    }

    @Override
    public void close() {
        // Nothing to wipe: the round keys are not this object's, and every call wipes its own.
    }
}
