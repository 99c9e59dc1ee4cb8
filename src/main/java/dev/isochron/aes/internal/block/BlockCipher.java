package dev.isochron.aes.internal.block;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * AES under one key, as every mode sees it (FIPS 197).
 *
 * <p>The contract of every implementation, stated here once:
 *
 * <ul>
 *   <li><b>Batch first.</b> Each call takes a run of blocks; one block is a run of one. The result
 *       does not depend on how a caller cuts its data into calls.
 *   <li><b>Immutable and thread-safe.</b> No call changes the object; {@link #close} alone does.
 *   <li><b>Constant-time.</b> Key, text and all values made from them steer no branch, loop bound,
 *       array index, division, exception or dispatch. Lengths and offsets are public.
 *   <li><b>In place.</b> {@code out} may be {@code in} if {@code outOff <= inOff}: an implementation
 *       works in ascending order and reads a batch whole before it writes it. A caller whose output
 *       starts inside its input copies first (see {@code Overlap}).
 *   <li><b>Trusting.</b> Arguments were checked by the caller; a range that does not fit its array
 *       is a defect and surfaces as the JVM's {@link IndexOutOfBoundsException}.
 * </ul>
 */
public interface BlockCipher extends AutoCloseable {

    /** Bytes in a block. */
    int BLOCK_SIZE = 16;

    /**
     * Encrypts {@code blocks} consecutive blocks, each on its own (FIPS 197 section 5.1).
     *
     * @param in the plaintext, {@code 16 * blocks} bytes from {@code inOff}
     * @param inOff where the plaintext starts, in bytes
     * @param out takes the ciphertext, {@code 16 * blocks} bytes from {@code outOff}
     * @param outOff where the ciphertext goes, in bytes
     * @param blocks how many blocks, 0 or more
     */
    void encrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks);

    /**
     * Decrypts {@code blocks} consecutive blocks, each on its own (FIPS 197 section 5.3).
     *
     * @param in the ciphertext, {@code 16 * blocks} bytes from {@code inOff}
     * @param inOff where the ciphertext starts, in bytes
     * @param out takes the plaintext, {@code 16 * blocks} bytes from {@code outOff}
     * @param outOff where the plaintext goes, in bytes
     * @param blocks how many blocks, 0 or more
     */
    void decrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks);

    /**
     * Combines the input with the keystream E(c), E(c + 1), ... by exclusive or (SP 800-38A section
     * 6.5). A last block of fewer than 16 bytes takes the first bytes of its keystream block.
     *
     * <p>The counter may be secret: GCM makes it from the hash key where a nonce has not 12 bytes.
     *
     * @param counterMask which bits of the counter count: {@link Counter#BITS_128} or {@link
     *     Counter#BITS_32}, public
     * @param counterHigh the first eight bytes of the first counter block, big-endian
     * @param counterLow its last eight bytes, big-endian
     * @param in the text, {@code length} bytes from {@code inOff}
     * @param inOff where the text starts, in bytes
     * @param out takes the result, {@code length} bytes from {@code outOff}
     * @param outOff where the result goes, in bytes
     * @param length how many bytes, 0 or more
     */
    void ctr(
            long counterMask,
            long counterHigh,
            long counterLow,
            byte[] in,
            int inOff,
            byte[] out,
            int outOff,
            int length);

    /** As the other, with a counter of 128 bits. */
    default void ctr(
            long counterHigh,
            long counterLow,
            byte[] in,
            int inOff,
            byte[] out,
            int outOff,
            int length) {
        ctr(Counter.BITS_128, counterHigh, counterLow, in, inOff, out, outOff, length);
    }

    /**
     * The chain of CBC-MAC and CMAC: {@code state} becomes E(state + block) for one block after
     * another (SP 800-38B section 6.2 step 6). Serial: the next block waits for the one before.
     *
     * @param state the chaining value, 16 bytes; changed
     * @param in the blocks, {@code 16 * blocks} bytes from {@code inOff}; not {@code state}
     * @param inOff where the blocks start, in bytes
     * @param blocks how many blocks, 0 or more
     */
    default void chain(byte[] state, byte[] in, int inOff, int blocks) {
        for (int i = 0; i < blocks; i++) {
            Bytes.xor(state, 0, in, inOff + BLOCK_SIZE * i, state, 0, BLOCK_SIZE);
            encrypt(state, 0, state, 0, 1);
        }
    }

    /**
     * CBC encryption (SP 800-38A section 6.2): as {@link #chain}, with every value that {@code state}
     * takes given out.
     *
     * @param state the ciphertext block before, 16 bytes; changed
     * @param in the blocks, {@code 16 * blocks} bytes from {@code inOff}; not {@code state}
     * @param inOff where the blocks start, in bytes
     * @param out takes as many bytes; may be {@code in} if {@code outOff <= inOff}; not {@code state}
     * @param outOff where they go, in bytes
     * @param blocks how many blocks, 0 or more
     */
    default void encryptCbc(
            byte[] state, byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        for (int i = 0; i < blocks; i++) {
            chain(state, in, inOff + BLOCK_SIZE * i, 1);
            Bytes.copy(state, 0, out, outOff + BLOCK_SIZE * i, BLOCK_SIZE);
        }
    }

    /** Wipes the key material this object owns. It must not be used afterwards. Idempotent. */
    @Override
    void close();
}
