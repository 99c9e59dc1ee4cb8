package dev.isochron.aes.internal.block;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * The expanded key (FIPS 197 section 5.2), two {@code long}s a round in each of two forms:
 *
 * <ul>
 *   <li>the <i>single-block form</i>, the tower representation of {@link Tower}, in which {@link
 *       PermuteEngine} computes;
 *   <li>the <i>bulk form</i>, in FIPS 197's polynomial basis, from which a round's bit-planes take
 *       three operations each. {@link QuadKernel} makes them as it goes, and stores no wide key.
 * </ul>
 *
 * <p>The constant {63} of the S-box is added to every round key but the first, so that no engine
 * adds it to the state: it passes ShiftRows and MixColumns unchanged.
 *
 * <p>Constant-time: the S-box is computed, and the loops depend on the key's length alone.
 */
public final class RoundKeys implements AutoCloseable {

    private final long[] tower;
    private final long[] bulk;

    private RoundKeys(long[] tower, long[] bulk) {
        this.tower = tower;
        this.bulk = bulk;
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
        long[] bulk = new long[2 * (rounds + 1)];
        for (int round = 0; round <= rounds; round++) {
            long constant = round == 0 ? 0 : 0x6363636363636363L;
            long word0 = pair(words, 4 * round) ^ constant;
            long word1 = pair(words, 4 * round + 2) ^ constant;
            long low = Tower.lowPlanes(word0, word1);
            long high = Tower.highPlanes(word0, word1);
            tower[2 * round] = Tower.toTowerHigh(low, high);
            tower[2 * round + 1] = Tower.toTowerLow(low, high);
            bulk[2 * round] = Bitslice.interleave(low);
            bulk[2 * round + 1] = Bitslice.interleave(high);
        }
        Bytes.wipe(words);
        return new RoundKeys(tower, bulk);
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
     * The array itself, never changed: two {@code long}s for round key 0, then 1, and so on. Of the
     * state byte at a row and column, bit {@code 4 * (4 * row + column) + i} of the first {@code
     * long} is bit i, of the second bit 4 + i.
     */
    long[] bulk() {
        return bulk;
    }

    /** Wipes the key. */
    @Override
    public void close() {
        Bytes.wipe(tower);
        Bytes.wipe(bulk);
    }
}
