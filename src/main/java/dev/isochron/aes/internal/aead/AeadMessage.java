package dev.isochron.aes.internal.aead;

/**
 * One message under way in an AEAD mode. Associated data first, in any number of pieces; then either
 * {@link #encrypt} any number of times and {@link #seal} once, or {@link #open} once with the whole
 * ciphertext. The caller checks arguments, order and overlap (see {@code Overlap}); {@code in} and
 * {@code out} may be one array where output does not overtake input. Not thread-safe.
 */
public interface AeadMessage extends AutoCloseable {

    /** Takes a piece of the associated data. */
    void aad(byte[] aad, int off, int length);

    /**
     * How many bytes of input wait inside for the rest of a block. The next piece gives that many
     * bytes more than a whole number of blocks would.
     */
    int held();

    /** How many bytes {@link #encrypt} would write for this many bytes of input. */
    int encryptSize(int length);

    /**
     * Refuses input beyond the mode's limit, before anything changes.
     *
     * @throws IllegalArgumentException that names the limit
     */
    void checkLength(int length);

    /**
     * Encrypts a piece.
     *
     * @return how many bytes were written
     */
    int encrypt(byte[] in, int inOff, int length, byte[] out, int outOff);

    /**
     * Encrypts the last piece and appends the tag.
     *
     * @return how many bytes were written
     */
    int seal(byte[] in, int inOff, int length, byte[] out, int outOff);

    /**
     * Verifies and decrypts a whole message.
     *
     * @param in ciphertext and tag
     * @param inOff where they start
     * @param length bytes of ciphertext and tag together, at least the tag's
     * @param out takes {@code length} less the tag's length; untouched unless verified
     * @param outOff where the plaintext goes
     * @return whether the tag was right
     */
    boolean open(byte[] in, int inOff, int length, byte[] out, int outOff);

    /** Wipes the state. Idempotent. */
    @Override
    void close();
}
