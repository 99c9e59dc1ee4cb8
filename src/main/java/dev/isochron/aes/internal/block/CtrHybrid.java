package dev.isochron.aes.internal.block;

import java.util.function.Function;

/**
 * The hybrid: policy, no cryptography. The key stays in the compact forms of {@link RoundKeys}; a call
 * with little data goes through the single-block engine, a call with much data through the bulk
 * engine, made for the call and closed after it, and a last block that would be a batch by itself
 * through the single-block engine again. Small messages never pay for a conversion, and no wide form of
 * the key outlives a call.
 *
 * <p>The idea is BoringSSL's of 2019 (its {@code vpaes}/{@code bsaes} pair on NEON), where only CTR
 * was served; here every operation that has a bulk form is.
 *
 * <p>Constant-time: the choice depends on lengths alone.
 */
public final class CtrHybrid implements BlockCipher {

    /**
     * A call of at least this many blocks goes through the bulk engine. Measured by {@code
     * HybridBenchmark} on JDK 17 and 25: a batch of four takes as long as two single blocks.
     */
    static final int BULK_FROM_BLOCKS = 3;

    private final RoundKeys keys;
    private final BlockCipher single;
    private final Function<RoundKeys, BlockCipher> bulk;

    /**
     * A hybrid of two engines.
     *
     * @param keys the key in single-block form; remains the caller's
     * @param single the engine for few blocks
     * @param bulk converts the key and makes the engine for many blocks
     */
    public CtrHybrid(
            RoundKeys keys,
            Function<RoundKeys, BlockCipher> single,
            Function<RoundKeys, BlockCipher> bulk) {
        this.keys = keys;
        this.single = single.apply(keys);
        this.bulk = bulk;
    }

    @Override
    public void encrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        int many = bulkBlocks(blocks);
        if (many > 0) {
            try (BlockCipher converted = bulk.apply(keys)) {
                converted.encrypt(in, inOff, out, outOff, many);
            }
        }
        int done = BLOCK_SIZE * many;
        single.encrypt(in, inOff + done, out, outOff + done, blocks - many);
    }

    @Override
    public void decrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        int many = bulkBlocks(blocks);
        if (many > 0) {
            try (BlockCipher converted = bulk.apply(keys)) {
                converted.decrypt(in, inOff, out, outOff, many);
            }
        }
        int done = BLOCK_SIZE * many;
        single.decrypt(in, inOff + done, out, outOff + done, blocks - many);
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
        int blocks = length / BLOCK_SIZE + (length % BLOCK_SIZE > 0 ? 1 : 0);
        int many = bulkBlocks(blocks);
        int done = many == blocks ? length : BLOCK_SIZE * many;
        if (many > 0) {
            try (BlockCipher converted = bulk.apply(keys)) {
                converted.ctr(
                        counterMask, counterHigh, counterLow, in, inOff, out, outOff, done);
            }
        }
        if (done < length) {
            single.ctr(
                    counterMask,
                    Counter.high(counterMask, counterHigh, counterLow, many),
                    Counter.low(counterMask, counterLow, many),
                    in,
                    inOff + done,
                    out,
                    outOff + done,
                    length - done);
        }
    }

    @Override
    public void chain(byte[] state, byte[] in, int inOff, int blocks) {
        single.chain(state, in, inOff, blocks);
    }

    @Override
    public void encryptCbc(
            byte[] state, byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        single.encryptCbc(state, in, inOff, out, outOff, blocks);
    }

    /** How many of so many blocks go through the bulk engine; the rest follows them. */
    private static int bulkBlocks(int blocks) {
        if (blocks < BULK_FROM_BLOCKS) {
            return 0;
        }
        return BitslicedEngine.endsInSingleBlock(blocks) ? blocks - 1 : blocks;
    }

    @Override
    public void close() {
        single.close();
    }
}
