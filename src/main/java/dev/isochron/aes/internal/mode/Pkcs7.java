package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Verdict;
import javax.crypto.BadPaddingException;

/**
 * PKCS #7 padding (RFC 5652 section 6.3): n bytes of value n, 1 to 16, so that the message fills
 * blocks.
 *
 * <p>Constant-time: whether a padding is right is computed from all sixteen bytes of the last block,
 * whatever they are, and declassified once; the length of a right one is then public, for it is the
 * plaintext's. There is one error, whatever was wrong. (That error alone is a padding oracle to
 * whoever can send ciphertexts and see it: authenticate first.)
 */
final class Pkcs7 {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    private Pkcs7() {}

    /** Adds the padding: for encryption. */
    static final Ending ADD =
            new Ending() {

                @Override
                public int keep() {
                    return 0;
                }

                @Override
                public void check(long left) {
                    // Any length is right.
                }

                @Override
                public int size(int tail) {
                    return BLOCK;
                }

                @Override
                public int end(BlockRun run, byte[] tail, int length, byte[] out, int outOff) {
                    for (int i = length; i < BLOCK; i++) {
                        tail[i] = (byte) (BLOCK - length);
                    }
                    run.run(tail, 0, out, outOff, 1);
                    return BLOCK;
                }
            };

    /** Checks and removes the padding: for decryption. */
    static Ending remove(String mode) {
        return new Ending() {

            @Override
            public int keep() {
                return 1;
            }

            @Override
            public void check(long left) {
                if (left == 0 || left % BLOCK != 0) {
                    throw new IllegalArgumentException(
                            left == 0
                                    ? mode + " ciphertext with padding has at least one block of "
                                            + BLOCK + " bytes, had 0"
                                    : mode + " ciphertext must be whole blocks of " + BLOCK
                                            + " bytes, the last one had " + left % BLOCK);
                }
            }

            @Override
            public int size(int tail) {
                return BLOCK - 1;
            }

            @Override
            public int end(BlockRun run, byte[] tail, int length, byte[] out, int outOff)
                    throws BadPaddingException {
                run.run(tail, 0, tail, 0, 1);
                if (!Verdict.accept(difference(tail), "whether a padding is right")) {
                    throw new BadPaddingException("the padding is not right");
                }
                int padding =
                        Verdict.publish(
                                tail[BLOCK - 1],
                                "the length of a right padding, for it is the plaintext's");
                int text = BLOCK - padding;
                Bytes.copy(tail, 0, out, outOff, text);
                return text;
            }
        };
    }

    /** 0 if the block ends in a right padding, else some other value; secret. */
    private static int difference(byte[] block) {
        int padding = block[BLOCK - 1] & 0xFF;
        // Negative, so its sign bit set, unless 1 <= padding <= 16.
        int wrong = (padding - 1) | (BLOCK - padding);
        int difference = wrong >>> 31;
        for (int i = 0; i < BLOCK; i++) {
            // All ones where this byte belongs to the padding: BLOCK - i <= padding.
            int inside = (BLOCK - i - padding - 1) >> 31;
            difference |= inside & ((block[i] & 0xFF) ^ padding);
        }
        return difference;
    }
}
