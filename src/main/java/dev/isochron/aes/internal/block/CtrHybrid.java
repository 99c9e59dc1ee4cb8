package dev.isochron.aes.internal.block;

import java.util.function.Function;

/**
 * The hybrid: policy, no cryptography. The key stays in single-block form; a call with little data
 * goes through the single-block engine, a call with much data converts the key to bitsliced form,
 * runs the bulk engine, and wipes the converted key. Small messages never pay for a conversion, and
 * no wide form of the key outlives a call.
 *
 * <p>The idea is BoringSSL's of 2019 (its {@code vpaes}/{@code bsaes} pair on NEON), where only CTR
 * was served; here every operation that has a bulk form is.
 *
 * <p>Constant-time: the choice depends on lengths alone.
 */
public final class CtrHybrid implements BlockCipher {

    /**
     * A call of at least this many blocks converts the key. Measured by {@code HybridBenchmark}: the
     * smallest count at which conversion and bulk together are no slower than single blocks.
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
        if (blocks < BULK_FROM_BLOCKS) {
            single.encrypt(in, inOff, out, outOff, blocks);
            return;
        }
        try (BlockCipher converted = bulk.apply(keys)) {
            converted.encrypt(in, inOff, out, outOff, blocks);
        }
    }

    @Override
    public void decrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        if (blocks < BULK_FROM_BLOCKS) {
            single.decrypt(in, inOff, out, outOff, blocks);
            return;
        }
        try (BlockCipher converted = bulk.apply(keys)) {
            converted.decrypt(in, inOff, out, outOff, blocks);
        }
    }

    @Override
    public void ctr(
            long counterHigh,
            long counterLow,
            byte[] in,
            int inOff,
            byte[] out,
            int outOff,
            int length) {
        if (length <= (BULK_FROM_BLOCKS - 1) * BLOCK_SIZE) {
            single.ctr(counterHigh, counterLow, in, inOff, out, outOff, length);
            return;
        }
        try (BlockCipher converted = bulk.apply(keys)) {
            converted.ctr(counterHigh, counterLow, in, inOff, out, outOff, length);
        }
    }

    @Override
    public void close() {
        single.close();
    }
}
