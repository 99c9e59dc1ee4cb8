package dev.isochron.aes.internal.mac;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;

/**
 * CMAC (SP 800-38B, RFC 4493; OMAC1 of T. Iwata and K. Kurosawa, "OMAC: One-Key CBC MAC", 2003) under
 * one key: the chain C = E(C + M) over the blocks of a message, and the subkeys that mark its last
 * one. The running value C is the caller's, so that one object serves any number of messages and
 * threads; {@link CmacStream} takes a message in pieces.
 *
 * <p>A block is the number its bytes make, big-endian; doubling in GF(2<sup>128</sup>) is a shift to
 * the left, and x<sup>128</sup>, if it falls out, comes back as x<sup>7</sup> + x<sup>2</sup> + x + 1.
 *
 * <p>Every block waits for the one before: the work is serial, one block of the cipher at a time.
 *
 * <p>Constant-time: subkeys, chain and message meet exclusive or, shifts by constants and {@link
 * BlockCipher} alone; the bit that falls out of a doubling becomes a mask. Branches depend on lengths.
 *
 * <p>Thread-safe. {@link #close} wipes the subkeys.
 */
public final class Cmac implements AutoCloseable {

    static final int BLOCK = BlockCipher.BLOCK_SIZE;

    /** SP 800-38B section 5.3: R<sub>128</sub>, the low terms of the field's polynomial. */
    private static final long R128 = 0x87;

    private static final int K1 = 0;
    private static final int K2 = BLOCK;

    private final BlockCipher cipher;

    /** K1 and K2, one after the other. */
    private final byte[] subkeys = new byte[2 * BLOCK];

    /** CMAC with this cipher, which remains the caller's. SP 800-38B section 6.1. */
    public Cmac(BlockCipher cipher) {
        this.cipher = cipher;
        // Step 1: L = CIPH(0); steps 2 and 3: K1 = 2 L, K2 = 2 K1.
        byte[] l = new byte[BLOCK];
        cipher.encrypt(l, 0, l, 0, 1);
        twice(l, 0, subkeys, K1);
        twice(subkeys, K1, subkeys, K2);
        Bytes.wipe(l);
    }

    /** The double of a block in GF(2<sup>128</sup>). */
    private static void twice(byte[] in, int inOff, byte[] out, int outOff) {
        long high = Bytes.getLong(in, inOff);
        long low = Bytes.getLong(in, inOff + 8);
        long fallenOut = -(high >>> 63);
        Bytes.putLong(out, outOff, (high << 1) | (low >>> 63));
        Bytes.putLong(out, outOff + 8, (low << 1) ^ (R128 & fallenOut));
    }

    /**
     * Absorbs whole blocks, none of them the last of its message (SP 800-38B section 6.2 step 6).
     *
     * @param chain C, 16 bytes
     */
    void absorb(byte[] chain, byte[] data, int off, int blocks) {
        cipher.chain(chain, data, off, blocks);
    }

    /**
     * Absorbs the last block and leaves the tag in {@code chain} (SP 800-38B section 6.2 step 4).
     *
     * @param chain C, 16 bytes
     * @param last the block, 16 bytes; overwritten
     * @param length how many of them the message has: 16, or 0 to 15 and the rest is padded
     */
    void absorbLast(byte[] chain, byte[] last, int length) {
        int subkey = K1;
        if (length < BLOCK) {
            Bytes.wipe(last, length, BLOCK - length);
            last[length] = (byte) 0x80;
            subkey = K2;
        }
        Bytes.xor(last, 0, subkeys, subkey, last, 0, BLOCK);
        absorb(chain, last, 0, 1);
    }

    /** What many messages that start with the same block share. The block is public. */
    public Prefix prefix(byte[] block) {
        byte[] chain = new byte[BLOCK];
        absorb(chain, block, 0, 1);
        return new Prefix(Bytes.copy(block, 0, BLOCK), chain);
    }

    @Override
    public void close() {
        Bytes.wipe(subkeys);
    }

    /** A first block, and the chain after it in a message that goes on. Immutable until closed. */
    public static final class Prefix implements AutoCloseable {

        final byte[] block;
        final byte[] chain;

        private Prefix(byte[] block, byte[] chain) {
            this.block = block;
            this.chain = chain;
        }

        @Override
        public void close() {
            Bytes.wipe(block);
            Bytes.wipe(chain);
        }
    }
}
