package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Counter;
import dev.isochron.aes.internal.bytes.Bytes;

/**
 * The CTR keystream of one message, for input that comes in pieces (SP 800-38A section 6.5). Used by
 * CTR itself, with a counter of 128 bits, and by GCM, whose counter is the last 32 bits (SP 800-38D
 * section 6.2).
 *
 * <p>Between calls {@code keystream} holds the block of which {@code used} bytes are spent; 16 means
 * none is left. {@code high} and {@code low} are the counter of the block after it.
 */
public final class CtrStream extends StreamTransform {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    private final BlockCipher cipher;
    private final long counterMask;
    private long high;
    private long low;
    private final byte[] keystream = new byte[BLOCK];
    private int used = BLOCK;

    private CtrStream(BlockCipher cipher, long counterMask, long high, long low) {
        this.cipher = cipher;
        this.counterMask = counterMask;
        this.high = high;
        this.low = low;
    }

    /** A keystream whose counter is the whole block, modulo 2<sup>128</sup>. */
    public static CtrStream counter128(BlockCipher cipher, long high, long low) {
        return new CtrStream(cipher, Counter.BITS_128, high, low);
    }

    /** A keystream whose counter is the last four bytes, modulo 2<sup>32</sup>. */
    public static CtrStream counter32(BlockCipher cipher, long high, long low) {
        return new CtrStream(cipher, Counter.BITS_32, high, low);
    }

    /** Combines {@code length} bytes with the keystream where it stands, and moves it on. */
    @Override
    public int update(byte[] in, int inOff, int length, byte[] out, int outOff) {
        int done = spendHeld(in, inOff, length, out, outOff);
        int whole = (length - done) & -BLOCK;
        run(in, inOff + done, whole, out, outOff + done);
        done += whole;
        if (done < length) {
            Bytes.wipe(keystream);
            run(keystream, 0, BLOCK, keystream, 0);
            used = 0;
            spendHeld(in, inOff + done, length - done, out, outOff + done);
        }
        return length;
    }

    /** As {@link #update}, for the last piece: a part block needs no keystream kept for later. */
    @Override
    public int finish(byte[] in, int inOff, int length, byte[] out, int outOff) {
        int done = spendHeld(in, inOff, length, out, outOff);
        run(in, inOff + done, length - done, out, outOff + done);
        return length;
    }

    private int spendHeld(byte[] in, int inOff, int length, byte[] out, int outOff) {
        int n = Math.min(length, BLOCK - used);
        Bytes.xor(in, inOff, keystream, used, out, outOff, n);
        used += n;
        return n;
    }

    /** Runs the cipher from the present counter; only the last call's length may be a part block. */
    private void run(byte[] in, int inOff, int length, byte[] out, int outOff) {
        if (length == 0) {
            return;
        }
        cipher.ctr(counterMask, high, low, in, inOff, out, outOff, length);
        long blocks = ((long) length + BLOCK - 1) / BLOCK;
        high = Counter.high(counterMask, high, low, blocks);
        low = Counter.low(counterMask, low, blocks);
    }

    @Override
    public void close() {
        Bytes.wipe(keystream);
        high = 0;
        low = 0;
        used = BLOCK;
    }
}
