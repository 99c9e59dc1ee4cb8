package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;

/**
 * CBC with ciphertext stealing (addendum to SP 800-38A, October 2010): ciphertext as long as the
 * plaintext, which has one block or more. The tail is the last two blocks, of which the second has d
 * bytes, 1 to 16; a message of one block is plain CBC.
 */
final class Stealing {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    private Stealing() {}

    /** What both directions share. */
    private abstract static class Base implements Ending {

        final Cbc.Style style;

        Base(Cbc.Style style) {
            this.style = style;
        }

        @Override
        public int keep() {
            return BLOCK + 1;
        }

        @Override
        public void check(long left) {
            if (left < BLOCK) {
                throw new IllegalArgumentException(
                        "CBC-" + style + " takes " + BLOCK + " bytes or more, had " + left);
            }
        }

        @Override
        public int size(int tail) {
            return tail;
        }

        /** Whether the last block, whole, comes before the one from which bytes were stolen. */
        boolean exchanges(int d) {
            return style == Cbc.Style.CS3 || style == Cbc.Style.CS2 && d < BLOCK;
        }
    }

    /** Addendum, sections 3 to 5, CBC-CS1-Encrypt and its two variants. */
    static final class Encryption extends Base {

        Encryption(Cbc.Style style) {
            super(style);
        }

        @Override
        public int end(BlockRun run, byte[] tail, int length, byte[] out, int outOff) {
            if (length == BLOCK) {
                run.run(tail, 0, out, outOff, 1);
                return length;
            }
            // P*_n, padded with zeros, makes C_n; of C_(n - 1) the first d bytes remain.
            int d = length - BLOCK;
            Bytes.wipe(tail, length, 2 * BLOCK - length);
            run.run(tail, 0, tail, 0, 2);
            boolean exchanged = exchanges(d);
            Bytes.copy(tail, 0, out, outOff + (exchanged ? BLOCK : 0), d);
            Bytes.copy(tail, BLOCK, out, outOff + (exchanged ? 0 : d), BLOCK);
            return length;
        }
    }

    /** Addendum, CBC-CS1-Decrypt and its two variants. */
    static final class Decryption extends Base {

        private final BlockCipher cipher;

        Decryption(Cbc.Style style, BlockCipher cipher) {
            super(style);
            this.cipher = cipher;
        }

        @Override
        public int end(BlockRun run, byte[] tail, int length, byte[] out, int outOff) {
            if (length == BLOCK) {
                run.run(tail, 0, out, outOff, 1);
                return length;
            }
            int d = length - BLOCK;
            boolean exchanged = exchanges(d);
            // Z = CIPH^-1(C_n) = (P*_n padded with zeros) + C_(n - 1): the end of it is stolen.
            byte[] z = new byte[BLOCK];
            byte[] stolenFrom = new byte[BLOCK];
            cipher.decrypt(tail, exchanged ? 0 : d, z, 0, 1);
            Bytes.copy(tail, exchanged ? BLOCK : 0, stolenFrom, 0, d);
            Bytes.copy(z, d, stolenFrom, d, BLOCK - d);
            Bytes.xor(z, 0, stolenFrom, 0, z, 0, d);
            run.run(stolenFrom, 0, out, outOff, 1);
            Bytes.copy(z, 0, out, outOff + BLOCK, d);
            Bytes.wipe(z);
            Bytes.wipe(stolenFrom);
            return length;
        }
    }
}
