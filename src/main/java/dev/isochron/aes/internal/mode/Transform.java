package dev.isochron.aes.internal.mode;

import javax.crypto.BadPaddingException;

/**
 * One message under way in a mode without authentication, in one direction: any number of {@link
 * #update}, then one {@link #finish}. The caller checks arguments, order and overlap (see {@code
 * Overlap}); {@code in} and {@code out} may be one array where output does not overtake input. Not
 * thread-safe.
 */
public interface Transform extends AutoCloseable {

    /** Bytes of earlier input that wait inside and come out before those of the next. */
    int held();

    /** Exactly how many bytes {@link #update} writes for so many bytes of input. */
    int updateSize(int length);

    /** Exactly how many bytes {@link #finish} writes, or with padding to remove an upper bound. */
    int finishSize(int length);

    /**
     * Refuses input beyond the mode's limit, before anything changes.
     *
     * @throws IllegalArgumentException that names the limit
     */
    void checkLength(int length);

    /**
     * Refuses an end at which the message would have a length that the mode does not take, before
     * anything changes.
     *
     * @param length bytes of the last piece
     * @throws IllegalArgumentException that says what it was and what is allowed
     */
    void checkFinish(int length);

    /**
     * Takes a piece.
     *
     * @return how many bytes were written
     */
    int update(byte[] in, int inOff, int length, byte[] out, int outOff);

    /**
     * Takes the last piece.
     *
     * @return how many bytes were written
     * @throws BadPaddingException if the padding is not right; what was written is wiped
     */
    int finish(byte[] in, int inOff, int length, byte[] out, int outOff)
            throws BadPaddingException;

    /** Wipes the state. Idempotent. */
    @Override
    void close();
}
