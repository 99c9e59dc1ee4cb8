package dev.isochron.aes.internal.block;

/**
 * Between words and bit-planes: what every bitsliced kernel needs.
 *
 * <p>Constant-time: AND, XOR and constant shifts.
 */
final class Bitslice {

    private Bitslice() {}

    /** Exchanges the bits under {@code mask} with those {@code distance} to their left. */
    static long exchange(long x, int distance, long mask) {
        long t = ((x >>> distance) ^ x) & mask;
        return x ^ t ^ (t << distance);
    }

    /**
     * Transposes eight words of eight bytes, byte position by byte position: bit i of byte m of word
     * w goes to bit w of byte m of word i. Its own inverse; makes planes of words and words of
     * planes.
     */
    static void transpose(long[] words) {
        for (int w = 0; w < 8; w += 2) {
            exchange(words, w, w + 1, 1, 0x5555555555555555L);
        }
        for (int w = 0; w < 8; w += (w & 1) == 0 ? 1 : 3) {
            exchange(words, w, w + 2, 2, 0x3333333333333333L);
        }
        for (int w = 0; w < 4; w++) {
            exchange(words, w, w + 4, 4, 0x0F0F0F0F0F0F0F0FL);
        }
    }

    /** Exchanges the bits of one word under {@code mask << distance} with another's under mask. */
    private static void exchange(long[] words, int one, int other, int distance, long mask) {
        long t = ((words[one] >>> distance) ^ words[other]) & mask;
        words[other] ^= t;
        words[one] ^= t << distance;
    }
}
