package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;

/**
 * CFB with segments of a block, CFB128 (SP 800-38A section 6.3), under one key. A last segment of
 * fewer bytes takes the first bytes of its output block.
 *
 * <p>Encryption is serial: a block waits for the one before. Decryption goes in batches.
 *
 * <p>Constant-time: {@link BlockCipher} and exclusive or.
 */
public final class Cfb implements Mode {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    /** Blocks decrypted at a time. */
    private static final int BATCH = 512;

    private final BlockCipher cipher;

    /** CFB128 with this cipher, which remains the caller's. */
    public Cfb(BlockCipher cipher) {
        this.cipher = cipher;
    }

    @Override
    public String name() {
        return "CFB128";
    }

    @Override
    public int ivLength() {
        return BLOCK;
    }

    @Override
    public Transform encryption(byte[] iv) {
        return new Encryption(cipher, iv);
    }

    @Override
    public Transform decryption(byte[] iv) {
        return new Decryption(cipher, iv);
    }

    /**
     * What both directions share: the segment under way.
     *
     * <p>The first {@code used} bytes of {@code segment} are ciphertext, the others output block not
     * yet spent. With 16 used it is the whole ciphertext block before, or the IV: the next input
     * block.
     */
    private abstract static class Base extends StreamTransform {

        final BlockCipher cipher;
        final byte[] segment;
        private int used = BLOCK;

        Base(BlockCipher cipher, byte[] iv) {
            this.cipher = cipher;
            segment = Bytes.copy(iv, 0, BLOCK);
        }

        /** Takes {@code n} bytes, at most what is left of the segment, which starts at {@code at}. */
        abstract void part(int at, int n, byte[] in, int inOff, byte[] out, int outOff);

        /** Takes whole segments; before and after, {@code segment} is the ciphertext block before. */
        abstract void whole(int blocks, byte[] in, int inOff, byte[] out, int outOff);

        @Override
        public final int update(byte[] in, int inOff, int length, byte[] out, int outOff) {
            int done = Math.min(length, BLOCK - used);
            part(used, done, in, inOff, out, outOff);
            used += done;
            int blocks = (length - done) / BLOCK;
            whole(blocks, in, inOff + done, out, outOff + done);
            done += BLOCK * blocks;
            int rest = length - done;
            if (rest > 0) {
                cipher.encrypt(segment, 0, segment, 0, 1);
                part(0, rest, in, inOff + done, out, outOff + done);
                used = rest;
            }
            return length;
        }

        @Override
        public final void close() {
            Bytes.wipe(segment);
            used = BLOCK;
        }
    }

    /** C<sub>j</sub> = P<sub>j</sub> + CIPH(C<sub>j - 1</sub>), C<sub>0</sub> the IV. */
    private static final class Encryption extends Base {

        Encryption(BlockCipher cipher, byte[] iv) {
            super(cipher, iv);
        }

        @Override
        void part(int at, int n, byte[] in, int inOff, byte[] out, int outOff) {
            Bytes.xor(segment, at, in, inOff, segment, at, n);
            Bytes.copy(segment, at, out, outOff, n);
        }

        @Override
        void whole(int blocks, byte[] in, int inOff, byte[] out, int outOff) {
            for (int i = 0; i < BLOCK * blocks; i += BLOCK) {
                cipher.encrypt(segment, 0, segment, 0, 1);
                part(0, BLOCK, in, inOff + i, out, outOff + i);
            }
        }
    }

    /** P<sub>j</sub> = C<sub>j</sub> + CIPH(C<sub>j - 1</sub>): every input block is known. */
    private static final class Decryption extends Base {

        Decryption(BlockCipher cipher, byte[] iv) {
            super(cipher, iv);
        }

        @Override
        void part(int at, int n, byte[] in, int inOff, byte[] out, int outOff) {
            for (int i = 0; i < n; i++) {
                // The output may lie on the input: read first.
                byte c = in[inOff + i];
                out[outOff + i] = (byte) (c ^ segment[at + i]);
                segment[at + i] = c;
            }
        }

        @Override
        void whole(int blocks, byte[] in, int inOff, byte[] out, int outOff) {
            byte[] batch = new byte[BLOCK * Math.min(blocks, BATCH)];
            int done = 0;
            while (done < blocks) {
                int n = Math.min(blocks - done, BATCH);
                int from = inOff + BLOCK * done;
                // The input blocks: the ciphertext, one block behind.
                Bytes.copy(segment, 0, batch, 0, BLOCK);
                Bytes.copy(in, from, batch, BLOCK, BLOCK * (n - 1));
                Bytes.copy(in, from + BLOCK * (n - 1), segment, 0, BLOCK);
                cipher.encrypt(batch, 0, batch, 0, n);
                Bytes.xor(in, from, batch, 0, out, outOff + BLOCK * done, BLOCK * n);
                done += n;
            }
            Bytes.wipe(batch);
        }
    }
}
