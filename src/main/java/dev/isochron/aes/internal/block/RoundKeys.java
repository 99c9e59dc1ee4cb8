package dev.isochron.aes.internal.block;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * The expanded key (FIPS 197 section 5.2) in the single-block form: 16 bytes a round, the form in
 * which {@link PermuteEngine} computes and in which a key stays for its life. Bulk engines make
 * their own form from {@link #planes} on demand.
 *
 * <p>Placeholder while the engines are written.
 */
public final class RoundKeys implements AutoCloseable {

    private final long[] words;
    private final int rounds;

    private RoundKeys(long[] words, int rounds) {
        this.words = words;
        this.rounds = rounds;
    }

    /** Expands a key of 16, 24 or 32 bytes. */
    public static RoundKeys expand(byte[] key) {
        throw new UnsupportedOperationException();
    }

    /** 10, 12 or 14. */
    public int rounds() {
        return rounds;
    }

    /**
     * Writes round key {@code round} (0 to {@link #rounds}) as eight bit-planes of 16 bits in
     * FIPS 197's polynomial basis: plane i holds bit i (0 the least significant) of every byte; bit
     * {@code 4 * row + column} of a plane belongs to the state byte at that row and column, which is
     * byte {@code 4 * column + row} of the block.
     */
    public void planes(int round, long[] planes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        Bytes.wipe(words);
    }
}
