package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;

/**
 * CBC (SP 800-38A section 6.2) under one key, with the endings of its addendum.
 *
 * <p>Encryption is serial: a block waits for the one before. Decryption goes in batches.
 *
 * <p>Constant-time: {@link BlockCipher} and exclusive or; ciphertext and IV are public.
 */
public final class Cbc implements Mode {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    /** Blocks decrypted at a time. */
    private static final int BATCH = 512;

    /** How a message ends. */
    public enum Style {
        /** Whole blocks. */
        NO_PADDING,
        /** PKCS #7. */
        PKCS7,
        /** Ciphertext stealing, the last two blocks in their order. */
        CS1,
        /** Ciphertext stealing, the last two blocks exchanged unless the last is whole. */
        CS2,
        /** Ciphertext stealing, the last two blocks always exchanged. */
        CS3
    }

    private final BlockCipher cipher;
    private final Style style;

    /** CBC with this cipher, which remains the caller's. */
    public Cbc(BlockCipher cipher, Style style) {
        this.cipher = cipher;
        this.style = style;
    }

    @Override
    public String name() {
        return switch (style) {
            case NO_PADDING, PKCS7 -> "CBC";
            case CS1 -> "CBC-CS1";
            case CS2 -> "CBC-CS2";
            case CS3 -> "CBC-CS3";
        };
    }

    @Override
    public int ivLength() {
        return BLOCK;
    }

    @Override
    public Transform encryption(byte[] iv) {
        Ending ending =
                switch (style) {
                    case NO_PADDING -> new WholeBlocks(name());
                    case PKCS7 -> Pkcs7.ADD;
                    case CS1, CS2, CS3 -> new Stealing.Encryption(style);
                };
        return new BlockTransform(new Encryption(cipher, iv), ending);
    }

    @Override
    public Transform decryption(byte[] iv) {
        Ending ending =
                switch (style) {
                    case NO_PADDING -> new WholeBlocks(name());
                    case PKCS7 -> Pkcs7.remove(name());
                    case CS1, CS2, CS3 -> new Stealing.Decryption(style, cipher);
                };
        return new BlockTransform(new Decryption(cipher, iv), ending);
    }

    /** C<sub>j</sub> = CIPH(P<sub>j</sub> + C<sub>j - 1</sub>), C<sub>0</sub> the IV. */
    private static final class Encryption implements BlockRun {

        private final BlockCipher cipher;
        private final byte[] block;

        /** {@code block} is the ciphertext block before. */
        Encryption(BlockCipher cipher, byte[] iv) {
            this.cipher = cipher;
            block = Bytes.copy(iv, 0, BLOCK);
        }

        @Override
        public void run(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
            cipher.encryptCbc(block, in, inOff, out, outOff, blocks);
        }

        @Override
        public void close() {
            Bytes.wipe(block);
        }
    }

    /** P<sub>j</sub> = CIPH<sup>-1</sup>(C<sub>j</sub>) + C<sub>j - 1</sub>. */
    private static final class Decryption implements BlockRun {

        private final BlockCipher cipher;
        private long high;
        private long low;

        /** {@code high} and {@code low} are the ciphertext block before. */
        Decryption(BlockCipher cipher, byte[] iv) {
            this.cipher = cipher;
            high = Bytes.getLong(iv, 0);
            low = Bytes.getLong(iv, 8);
        }

        @Override
        public void run(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
            byte[] batch = new byte[BLOCK * Math.min(blocks, BATCH)];
            int done = 0;
            while (done < blocks) {
                int n = Math.min(blocks - done, BATCH);
                int from = inOff + BLOCK * done;
                int to = outOff + BLOCK * done;
                cipher.decrypt(in, from, batch, 0, n);
                for (int i = 0; i < BLOCK * n; i += BLOCK) {
                    // The output may lie on this block of input: read first.
                    long nextHigh = Bytes.getLong(in, from + i);
                    long nextLow = Bytes.getLong(in, from + i + 8);
                    Bytes.putLong(out, to + i, Bytes.getLong(batch, i) ^ high);
                    Bytes.putLong(out, to + i + 8, Bytes.getLong(batch, i + 8) ^ low);
                    high = nextHigh;
                    low = nextLow;
                }
                done += n;
            }
            Bytes.wipe(batch);
        }

        @Override
        public void close() {
            high = 0;
            low = 0;
        }
    }
}
