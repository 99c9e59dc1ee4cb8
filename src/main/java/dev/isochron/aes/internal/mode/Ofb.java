package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;

/**
 * OFB (SP 800-38A section 6.4) under one key: a keystream that is the IV encrypted again and again.
 * Serial in both directions, which are the same.
 *
 * <p>Constant-time: {@link BlockCipher} and exclusive or.
 */
public final class Ofb implements Mode {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    private final BlockCipher cipher;

    /** OFB with this cipher, which remains the caller's. */
    public Ofb(BlockCipher cipher) {
        this.cipher = cipher;
    }

    @Override
    public String name() {
        return "OFB";
    }

    @Override
    public int ivLength() {
        return BLOCK;
    }

    @Override
    public Transform encryption(byte[] iv) {
        return new Keystream(cipher, iv);
    }

    @Override
    public Transform decryption(byte[] iv) {
        return new Keystream(cipher, iv);
    }

    /**
     * O<sub>j</sub> = CIPH(O<sub>j - 1</sub>), O<sub>0</sub> the IV; the text is combined with O
     * <sub>1</sub>, O<sub>2</sub>, ...
     *
     * <p>{@code block} is the output block of which {@code used} bytes are spent; with 16 used, the
     * next input block.
     */
    private static final class Keystream extends StreamTransform {

        private final BlockCipher cipher;
        private final byte[] block;
        private int used = BLOCK;

        Keystream(BlockCipher cipher, byte[] iv) {
            this.cipher = cipher;
            block = Bytes.copy(iv, 0, BLOCK);
        }

        @Override
        public int update(byte[] in, int inOff, int length, byte[] out, int outOff) {
            int done = 0;
            while (done < length) {
                if (used == BLOCK) {
                    cipher.encrypt(block, 0, block, 0, 1);
                    used = 0;
                }
                int n = Math.min(length - done, BLOCK - used);
                Bytes.xor(in, inOff + done, block, used, out, outOff + done, n);
                used += n;
                done += n;
            }
            return length;
        }

        @Override
        public void close() {
            Bytes.wipe(block);
            used = BLOCK;
        }
    }
}
