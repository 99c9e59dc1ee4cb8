package dev.isochron.aes.internal.mode;

/**
 * The heart of a block mode: consecutive whole blocks of one message in one direction. What chains
 * one call to the next is inside. Not thread-safe.
 */
interface BlockRun extends AutoCloseable {

    /**
     * Takes the next blocks.
     *
     * @param in {@code 16 * blocks} bytes from {@code inOff}
     * @param out takes as many; may be {@code in} if {@code outOff <= inOff}
     * @param blocks how many, 0 or more
     */
    void run(byte[] in, int inOff, byte[] out, int outOff, int blocks);

    /** Wipes the state, if there is any. Idempotent. */
    @Override
    default void close() {
        // Most runs are the block cipher itself.
    }
}
