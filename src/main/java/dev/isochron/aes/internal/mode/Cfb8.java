package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;

/**
 * CFB with segments of a byte, CFB8 (SP 800-38A section 6.3), under one key: every byte costs a call
 * of the block cipher.
 *
 * <p>Encryption is serial: a byte waits for the one before. Decryption goes in batches.
 *
 * <p>Constant-time: {@link BlockCipher}, shifts and exclusive or.
 */
public final class Cfb8 implements Mode {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    /** Bytes decrypted at a time, each from a block of its own. */
    private static final int BATCH = 512;

    private final BlockCipher cipher;

    /** CFB8 with this cipher, which remains the caller's. */
    public Cfb8(BlockCipher cipher) {
        this.cipher = cipher;
    }

    @Override
    public String name() {
        return "CFB8";
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

    /** What both directions share: the shift register, the last 16 bytes of IV and ciphertext. */
    private abstract static class Base extends StreamTransform {

        final BlockCipher cipher;
        private long high;
        private long low;

        Base(BlockCipher cipher, byte[] iv) {
            this.cipher = cipher;
            high = Bytes.getLong(iv, 0);
            low = Bytes.getLong(iv, 8);
        }

        /** Stores the register as an input block. */
        final void store(byte[] to, int off) {
            Bytes.putLong(to, off, high);
            Bytes.putLong(to, off + 8, low);
        }

        /** I<sub>j + 1</sub> = LSB<sub>120</sub>(I<sub>j</sub>) | C<sub>j</sub>. */
        final void shift(byte c) {
            high = high << 8 | low >>> 56;
            low = low << 8 | (c & 0xFFL);
        }

        @Override
        public final void close() {
            high = 0;
            low = 0;
        }
    }

    /** C<sub>j</sub> = P<sub>j</sub> + MSB<sub>8</sub>(CIPH(I<sub>j</sub>)). */
    private static final class Encryption extends Base {

        Encryption(BlockCipher cipher, byte[] iv) {
            super(cipher, iv);
        }

        @Override
        public int update(byte[] in, int inOff, int length, byte[] out, int outOff) {
            byte[] block = new byte[BLOCK];
            for (int i = 0; i < length; i++) {
                store(block, 0);
                cipher.encrypt(block, 0, block, 0, 1);
                byte c = (byte) (in[inOff + i] ^ block[0]);
                out[outOff + i] = c;
                shift(c);
            }
            Bytes.wipe(block);
            return length;
        }
    }

    /** P<sub>j</sub> = C<sub>j</sub> + MSB<sub>8</sub>(CIPH(I<sub>j</sub>)): every I is known. */
    private static final class Decryption extends Base {

        Decryption(BlockCipher cipher, byte[] iv) {
            super(cipher, iv);
        }

        @Override
        public int update(byte[] in, int inOff, int length, byte[] out, int outOff) {
            byte[] batch = new byte[BLOCK * Math.min(length, BATCH)];
            int done = 0;
            while (done < length) {
                int n = Math.min(length - done, BATCH);
                int from = inOff + done;
                int to = outOff + done;
                for (int i = 0; i < n; i++) {
                    store(batch, BLOCK * i);
                    shift(in[from + i]);
                }
                cipher.encrypt(batch, 0, batch, 0, n);
                for (int i = 0; i < n; i++) {
                    out[to + i] = (byte) (in[from + i] ^ batch[BLOCK * i]);
                }
                done += n;
            }
            Bytes.wipe(batch);
            return length;
        }
    }
}
