package dev.isochron.aes.internal.mode;

import javax.crypto.BadPaddingException;

/** How a block mode ends a message whose length need not be a number of whole blocks. */
interface Ending {

    /**
     * How many bytes at least wait for the end, if the message has so many: 0 if whole blocks can
     * always go ahead. The tail of a long message has this length to 15 bytes more.
     */
    int keep();

    /** The same once it is known that only {@code left} bytes are still to process. */
    default int keepAtEnd(long left) {
        return keep();
    }

    /**
     * Refuses a message of so many bytes or more.
     *
     * @throws IllegalArgumentException that names the limit
     */
    default void checkTotal(long total) {
        // Most modes have no limit of their own.
    }

    /**
     * Refuses a message that ends after {@code left} bytes still to process, which are all of it if
     * they are fewer than {@link #keep}.
     *
     * @throws IllegalArgumentException that says what it was and what is allowed
     */
    void check(long left);

    /** How many bytes {@link #end} writes for such a tail, or an upper bound. */
    int size(int tail);

    /**
     * Ends the message.
     *
     * @param tail its last {@code length} bytes; may be overwritten, and is wiped by the caller
     * @return how many bytes were written
     * @throws BadPaddingException if the padding is not right; nothing was written
     */
    int end(BlockRun run, byte[] tail, int length, byte[] out, int outOff)
            throws BadPaddingException;
}
