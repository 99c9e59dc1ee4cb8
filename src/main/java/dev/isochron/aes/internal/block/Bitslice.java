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

    /** Bit p of 16-bit lane i goes to bit 4 * p + i. */
    static long interleave(long x) {
        x = exchange(x, 24, 0x00000000FF00FF00L);
        x = exchange(x, 12, 0x0000F0F00000F0F0L);
        x = exchange(x, 6, 0x00CC00CC00CC00CCL);
        return exchange(x, 3, 0x0A0A0A0A0A0A0A0AL);
    }

    /**
     * Transposes eight words of eight bytes, byte position by byte position: bit i of byte m of word
     * w goes to bit w of byte m of word i. Its own inverse; makes planes of words and words of
     * planes.
     */
    static void transpose(long[] words) {
        long x0 = words[0];
        long x1 = words[1];
        long x2 = words[2];
        long x3 = words[3];
        long x4 = words[4];
        long x5 = words[5];
        long x6 = words[6];
        long x7 = words[7];
        long t = ((x0 >>> 1) ^ x1) & 0x5555555555555555L;
        x1 ^= t;
        x0 ^= t << 1;
        t = ((x2 >>> 1) ^ x3) & 0x5555555555555555L;
        x3 ^= t;
        x2 ^= t << 1;
        t = ((x4 >>> 1) ^ x5) & 0x5555555555555555L;
        x5 ^= t;
        x4 ^= t << 1;
        t = ((x6 >>> 1) ^ x7) & 0x5555555555555555L;
        x7 ^= t;
        x6 ^= t << 1;
        t = ((x0 >>> 2) ^ x2) & 0x3333333333333333L;
        x2 ^= t;
        x0 ^= t << 2;
        t = ((x1 >>> 2) ^ x3) & 0x3333333333333333L;
        x3 ^= t;
        x1 ^= t << 2;
        t = ((x4 >>> 2) ^ x6) & 0x3333333333333333L;
        x6 ^= t;
        x4 ^= t << 2;
        t = ((x5 >>> 2) ^ x7) & 0x3333333333333333L;
        x7 ^= t;
        x5 ^= t << 2;
        t = ((x0 >>> 4) ^ x4) & 0x0F0F0F0F0F0F0F0FL;
        x4 ^= t;
        x0 ^= t << 4;
        t = ((x1 >>> 4) ^ x5) & 0x0F0F0F0F0F0F0F0FL;
        x5 ^= t;
        x1 ^= t << 4;
        t = ((x2 >>> 4) ^ x6) & 0x0F0F0F0F0F0F0F0FL;
        x6 ^= t;
        x2 ^= t << 4;
        t = ((x3 >>> 4) ^ x7) & 0x0F0F0F0F0F0F0F0FL;
        x7 ^= t;
        x3 ^= t << 4;
        words[0] = x0;
        words[1] = x1;
        words[2] = x2;
        words[3] = x3;
        words[4] = x4;
        words[5] = x5;
        words[6] = x6;
        words[7] = x7;
    }
}
