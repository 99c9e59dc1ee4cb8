package dev.isochron.aes.internal.block;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * The expanded key (FIPS 197 section 5.2) in the single-block form: two {@code long}s a round, in
 * the tower representation of {@link Tower}, in which {@link PermuteEngine} computes and in which a
 * key stays for its life. Bulk engines make their own form from {@link #planes} on demand.
 *
 * <p>The constant {63} of the S-box is added to every round key but the first, so that no engine
 * adds it to the state: it passes ShiftRows and MixColumns unchanged.
 *
 * <p>Constant-time: the S-box is computed, and the loops depend on the key's length alone.
 */
public final class RoundKeys implements AutoCloseable {

    private final long[] tower;

    private RoundKeys(long[] tower) {
        this.tower = tower;
    }

    /**
     * Expands a key.
     *
     * @param key 16, 24 or 32 bytes, checked by the caller; not kept
     */
    public static RoundKeys expand(byte[] key) {
        int keyWords = key.length / 4;
        int rounds = keyWords + 6;
        int[] words = new int[4 * (rounds + 1)];
        for (int i = 0; i < keyWords; i++) {
            words[i] = Integer.reverseBytes(Bytes.getInt(key, 4 * i));
        }
        int roundConstant = 1;
        for (int i = keyWords; i < words.length; i++) {
            int word = words[i - 1];
            if (i % keyWords == 0) {
                // RotWord on a little-endian word brings byte 1 to the front.
                word = PermuteEngine.subWord(Integer.rotateRight(word, 8)) ^ roundConstant;
                // The constant is public: powers of {02}.
                roundConstant = (roundConstant << 1) ^ (roundConstant >> 7) * 0x11B;
            } else if (keyWords > 6 && i % keyWords == 4) {
                word = PermuteEngine.subWord(word);
            }
            words[i] = words[i - keyWords] ^ word;
        }
        long[] tower = new long[2 * (rounds + 1)];
        for (int round = 0; round <= rounds; round++) {
            long constant = round == 0 ? 0 : 0x6363636363636363L;
            long word0 = pair(words, 4 * round) ^ constant;
            long word1 = pair(words, 4 * round + 2) ^ constant;
            long low = Tower.lowPlanes(word0, word1);
            long high = Tower.highPlanes(word0, word1);
            tower[2 * round] = Tower.toTowerHigh(low, high);
            tower[2 * round + 1] = Tower.toTowerLow(low, high);
        }
        java.util.Arrays.fill(words, 0);
        return new RoundKeys(tower);
    }

    private static long pair(int[] words, int i) {
        return (words[i] & 0xFFFFFFFFL) | ((long) words[i + 1] << 32);
    }

    /** 10, 12 or 14. */
    public int rounds() {
        return tower.length / 2 - 1;
    }

    /** The array itself: high and low half of round key 0, then 1, and so on. Never changed. */
    long[] tower() {
        return tower;
    }

    /**
     * Writes round key {@code round} (0 to {@link #rounds}), the constant {63} added to all but
     * round 0, as eight bit-planes of 16 bits in FIPS 197's polynomial basis: plane i holds bit i (0
     * the least significant) of every byte; bit {@code 4 * row + column} of a plane belongs to the
     * state byte at that row and column, which is byte {@code 4 * column + row} of the block.
     */
    public void planes(int round, long[] planes) {
        long low = Tower.bits03(tower[2 * round], tower[2 * round + 1]);
        long high = Tower.bits47(tower[2 * round], tower[2 * round + 1]);
        for (int i = 0; i < 4; i++) {
            planes[i] = (low >>> (16 * i)) & 0xFFFF;
            planes[4 + i] = (high >>> (16 * i)) & 0xFFFF;
        }
    }

    /** Wipes the key. */
    @Override
    public void close() {
        Bytes.wipe(tower);
    }
}
