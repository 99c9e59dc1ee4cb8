package dev.isochron.aes.internal.block;

/**
 * The arithmetic of the single-block form: the sixteen bytes of one block as elements of the tower
 * field GF((2<sup>4</sup>)<sup>2</sup>), all sixteen at once, in two {@code long}s.
 *
 * <p>After M. Hamburg, "Accelerating AES with Vector Permute Instructions" (CHES 2009), who keeps
 * the state in a tower basis split into nibbles, and D. Canright, "A Very Compact S-Box for AES"
 * (CHES 2005), whose normal bases make inversion small.
 *
 * <p><b>Representations.</b>
 *
 * <ul>
 *   <li><i>words</i>: the block as two little-endian {@code long}s, bytes 0 to 7 and 8 to 15.
 *   <li><i>planes</i>: two {@code long}s of four 16-bit lanes; lane i of the first holds bit i of
 *       every byte, lane i of the second bit 4 + i.
 *   <li><i>tower</i>: the same shape, bits counted in the tower basis: the first {@code long} (high)
 *       has the coordinates at c b Y<sup>16</sup>, the second (low) those at c b Y, where b runs
 *       through x, x<sup>2</sup>, x<sup>4</sup>, x<sup>8</sup>, the normal basis of GF(2<sup>4</sup>)
 *       for a root x of x<sup>4</sup> + x<sup>3</sup> + x<sup>2</sup> + x + 1. Y = {ae}, of trace 1,
 *       and c = {79} were found by search: among all such bases this one has the sparsest
 *       affine map and doubling together.
 * </ul>
 *
 * <pre>
 *   bit of a long   63 ....... 48 | 47 ....... 32 | 31 ....... 16 | 15 ........ 0
 *   lane                  3               2               1               0
 *   bit of a lane   4 * row + column, for the state byte at that row and column,
 *                   which is byte 4 * column + row of the block (FIPS 197 section 3.4)
 * </pre>
 *
 * <p>In this basis squaring in GF(2<sup>4</sup>) is a rotation by one lane, a product is four ANDs,
 * and every linear map of a byte is a sum of lane rotations under constant masks.
 *
 * <p>Constant-time: straight-line AND, XOR, OR, constant shifts and constant rotations; no tables.
 */
final class Tower {

    private Tower() {}

    /** Words to planes, bits 0 to 3 of every byte. */
    static long lowPlanes(long word0, long word1) {
        long even = (word0 & 0xFFFFFFFFL) | (word1 << 32);
        long odd = (word0 >>> 32) | (word1 & 0xFFFFFFFF00000000L);
        return gather((even & 0x0F0F0F0F0F0F0F0FL) | ((odd & 0x0F0F0F0F0F0F0F0FL) << 4));
    }

    /** Words to planes, bits 4 to 7 of every byte. */
    static long highPlanes(long word0, long word1) {
        long even = (word0 & 0xFFFFFFFFL) | (word1 << 32);
        long odd = (word0 >>> 32) | (word1 & 0xFFFFFFFF00000000L);
        return gather(((even >>> 4) & 0x0F0F0F0F0F0F0F0FL) | (odd & 0xF0F0F0F0F0F0F0F0L));
    }

    /** Planes to words, bytes 0 to 7. */
    static long word0(long lowPlanes, long highPlanes) {
        long low = scatter(lowPlanes);
        long high = scatter(highPlanes);
        long even = (low & 0x0F0F0F0F0F0F0F0FL) | ((high & 0x0F0F0F0F0F0F0F0FL) << 4);
        long odd = ((low >>> 4) & 0x0F0F0F0F0F0F0F0FL) | (high & 0xF0F0F0F0F0F0F0F0L);
        return (even & 0xFFFFFFFFL) | (odd << 32);
    }

    /** Planes to words, bytes 8 to 15. */
    static long word1(long lowPlanes, long highPlanes) {
        long low = scatter(lowPlanes);
        long high = scatter(highPlanes);
        long even = (low & 0x0F0F0F0F0F0F0F0FL) | ((high & 0x0F0F0F0F0F0F0F0FL) << 4);
        long odd = ((low >>> 4) & 0x0F0F0F0F0F0F0F0FL) | (high & 0xF0F0F0F0F0F0F0F0L);
        return (even >>> 32) | (odd & 0xFFFFFFFF00000000L);
    }

    /**
     * Sixteen nibbles to four lanes: a permutation of the six bits of a bit's index, done as four
     * exchanges. With column bits c1 c0, row bits r1 r0 and bit number b1 b0, the index goes from
     * (c1 r1 r0 c0 b1 b0) to (b1 b0 r1 r0 c1 c0).
     */
    private static long gather(long x) {
        x = Bitslice.exchange(x, 30, 0x00000000CCCCCCCCL);
        x = Bitslice.exchange(x, 15, 0x0000AAAA0000AAAAL);
        x = Bitslice.exchange(x, 7, 0x00AA00AA00AA00AAL);
        return Bitslice.exchange(x, 3, 0x0A0A0A0A0A0A0A0AL);
    }

    /** The inverse of {@link #gather}. */
    private static long scatter(long x) {
        x = Bitslice.exchange(x, 3, 0x0A0A0A0A0A0A0A0AL);
        x = Bitslice.exchange(x, 7, 0x00AA00AA00AA00AAL);
        x = Bitslice.exchange(x, 15, 0x0000AAAA0000AAAAL);
        return Bitslice.exchange(x, 30, 0x00000000CCCCCCCCL);
    }

    /**
     * The inverse of the norm of a byte a Y<sup>16</sup> + b Y, in GF(2<sup>4</sup>): the norm is
     * ab + Y<sup>17</sup>(a + b)<sup>2</sup>. Times b it is the inverse's high half, times a the low.
     */
    static long inverseNorm(long a, long b) {
        long s = a ^ b;
        long scaledSquare =
                (s & 0x0000FFFFFFFF0000L)
                        ^ (Long.rotateRight(s, 16) & 0xFFFF00000000FFFFL)
                        ^ (Long.rotateRight(s, 32) & 0xFFFF0000FFFF0000L)
                        ^ (Long.rotateRight(s, 48) & 0x0000FFFF00000000L);
        long x = scaledSquare ^ multiply(a, b);
        // x^14, coordinate by coordinate alike: with x_i the coordinates counted from the one asked
        // for, (x_2 | x_0 x_1) + x_0 x_2 + x_1 x_3 + x_2 x_3 (x_0 + x_1).
        long x1 = Long.rotateRight(x, 16);
        long x2 = Long.rotateRight(x, 32);
        long x01 = x & x1;
        long x02 = x & x2;
        return (x2 | x01)
                ^ x02
                ^ Long.rotateRight(x02, 16)
                ^ (Long.rotateRight(x01, 32) & (x ^ x1));
    }

    /**
     * The product in GF(2<sup>4</sup>). With y_i the coordinates counted from the one asked for,
     * x_0 y_2 + x_1 (y_2 + y_3) + x_2 (y_0 + y_1) + x_3 (y_1 + y_3); each x_i's share is formed at
     * lane i and rotated home, so that what depends on {@code y} alone serves two products.
     */
    static long multiply(long x, long y) {
        long y2 = Long.rotateRight(y, 32);
        long sum1 = y ^ Long.rotateRight(y, 16);
        long sum2 = y ^ y2;
        return (x & y2)
                ^ Long.rotateRight(x & Long.rotateRight(sum1, 16), 16)
                ^ Long.rotateRight(x & Long.rotateRight(sum1, 32), 32)
                ^ Long.rotateRight(x & sum2, 48);
    }

    /** Basis change from the polynomial basis (planes 0 to 3, planes 4 to 7), high half. */
    static long toTowerHigh(long bits03, long bits47) {
        return (bits03 & 0x00000000FFFFFFFFL)
                ^ (Long.rotateRight(bits03, 16) & 0x0000FFFF00000000L)
                ^ (Long.rotateRight(bits03, 32) & 0x0000FFFF00000000L)
                ^ (Long.rotateRight(bits03, 48) & 0xFFFFFFFF0000FFFFL)
                ^ (bits47 & 0x00000000FFFF0000L)
                ^ (Long.rotateRight(bits47, 16) & 0x00000000FFFF0000L)
                ^ (Long.rotateRight(bits47, 32) & 0x00000000FFFFFFFFL)
                ^ Long.rotateRight(bits47, 48);
    }

    /** As {@link #toTowerHigh}, low half. */
    static long toTowerLow(long bits03, long bits47) {
        return (bits03 & 0xFFFF0000FFFF0000L)
                ^ (Long.rotateRight(bits03, 16) & 0xFFFF0000FFFF0000L)
                ^ (Long.rotateRight(bits03, 32) & 0x0000FFFF00000000L)
                ^ Long.rotateRight(bits03, 48)
                ^ (bits47 & 0x0000FFFFFFFF0000L)
                ^ (Long.rotateRight(bits47, 16) & 0xFFFFFFFF00000000L)
                ^ (Long.rotateRight(bits47, 32) & 0x0000FFFFFFFF0000L)
                ^ (Long.rotateRight(bits47, 48) & 0x00000000FFFFFFFFL);
    }

    /** Basis change back to the polynomial basis, planes 0 to 3. */
    static long bits03(long high, long low) {
        return (high & 0xFFFF000000000000L)
                ^ (Long.rotateRight(high, 16) & 0x000000000000FFFFL)
                ^ (Long.rotateRight(high, 32) & 0xFFFFFFFFFFFF0000L)
                ^ (Long.rotateRight(high, 48) & 0xFFFFFFFF0000FFFFL)
                ^ (low & 0xFFFF000000000000L)
                ^ (Long.rotateRight(low, 16) & 0xFFFF0000FFFFFFFFL)
                ^ (Long.rotateRight(low, 32) & 0x0000FFFFFFFF0000L)
                ^ (Long.rotateRight(low, 48) & 0x0000FFFFFFFF0000L);
    }

    /** As {@link #bits03}, planes 4 to 7. */
    static long bits47(long high, long low) {
        return (high & 0xFFFF00000000FFFFL)
                ^ (Long.rotateRight(high, 16) & 0x0000FFFF0000FFFFL)
                ^ Long.rotateRight(high, 32)
                ^ (Long.rotateRight(high, 48) & 0xFFFFFFFF00000000L)
                ^ (low & 0xFFFF0000FFFF0000L)
                ^ (Long.rotateRight(low, 16) & 0x00000000FFFF0000L)
                ^ (Long.rotateRight(low, 32) & 0x0000FFFF00000000L)
                ^ (Long.rotateRight(low, 48) & 0x0000FFFF00000000L);
    }

    /** S-box output from the inverse: the linear part of FIPS 197 equation 5.1, high half. */
    static long affineHigh(long high, long low) {
        return (high & 0x0000FFFF00000000L)
                ^ (Long.rotateRight(high, 16) & 0xFFFFFFFF0000FFFFL)
                ^ (Long.rotateRight(high, 32) & 0xFFFF0000FFFFFFFFL)
                ^ (Long.rotateRight(high, 48) & 0xFFFFFFFFFFFF0000L)
                ^ (low & 0xFFFF0000FFFF0000L)
                ^ (Long.rotateRight(low, 16) & 0x000000000000FFFFL);
    }

    /** As {@link #affineHigh}, low half. */
    static long affineLow(long high, long low) {
        return (high & 0x0000FFFFFFFFFFFFL)
                ^ (Long.rotateRight(high, 16) & 0x0000FFFF0000FFFFL)
                ^ (Long.rotateRight(high, 32) & 0x00000000FFFF0000L)
                ^ Long.rotateRight(high, 48)
                ^ (low & 0xFFFF0000FFFF0000L)
                ^ (Long.rotateRight(low, 16) & 0xFFFFFFFF0000FFFFL)
                ^ (Long.rotateRight(low, 32) & 0x000000000000FFFFL);
    }

    /** The inverse S-box's linear part, into the basis whose inverse is the state's; high half. */
    static long inverseAffineHigh(long high, long low) {
        return (high & 0xFFFF0000FFFFFFFFL)
                ^ (Long.rotateRight(high, 16) & 0xFFFFFFFF0000FFFFL)
                ^ (Long.rotateRight(high, 32) & 0xFFFFFFFF0000FFFFL)
                ^ (Long.rotateRight(high, 48) & 0xFFFF000000000000L)
                ^ (low & 0x0000FFFFFFFF0000L)
                ^ (Long.rotateRight(low, 48) & 0xFFFFFFFF00000000L);
    }

    /** As {@link #inverseAffineHigh}, low half. */
    static long inverseAffineLow(long high, long low) {
        return (high & 0x00000000FFFFFFFFL)
                ^ (Long.rotateRight(high, 32) & 0x00000000FFFFFFFFL)
                ^ (Long.rotateRight(high, 48) & 0xFFFF00000000FFFFL)
                ^ (Long.rotateRight(low, 16) & 0x00000000FFFFFFFFL)
                ^ (Long.rotateRight(low, 32) & 0x0000FFFF00000000L)
                ^ (Long.rotateRight(low, 48) & 0xFFFFFFFF0000FFFFL);
    }

    /** Multiplication by {02} of FIPS 197 section 4.2, high half. */
    static long twiceHigh(long high, long low) {
        return (low & 0xFFFF0000FFFF0000L)
                ^ Long.rotateRight(low, 16)
                ^ Long.rotateRight(low, 32);
    }

    /** As {@link #twiceHigh}, low half. */
    static long twiceLow(long high, long low) {
        return (high & 0xFFFF0000FFFF0000L)
                ^ Long.rotateRight(high, 16)
                ^ Long.rotateRight(high, 32)
                ^ (low & 0xFFFFFFFF00000000L)
                ^ (Long.rotateRight(low, 16) & 0xFFFF0000FFFF0000L)
                ^ (Long.rotateRight(low, 32) & 0xFFFF0000FFFF0000L)
                ^ Long.rotateRight(low, 48);
    }

    /** Multiplication by {04}, high half. */
    static long fourTimesHigh(long high, long low) {
        return (high & 0x0000FFFF0000FFFFL)
                ^ Long.rotateRight(high, 16)
                ^ Long.rotateRight(high, 32)
                ^ (low & 0xFFFFFFFF0000FFFFL)
                ^ (Long.rotateRight(low, 16) & 0x00000000FFFFFFFFL)
                ^ (Long.rotateRight(low, 32) & 0xFFFFFFFF00000000L)
                ^ (Long.rotateRight(low, 48) & 0x0000FFFF0000FFFFL);
    }

    /** As {@link #fourTimesHigh}, low half. */
    static long fourTimesLow(long high, long low) {
        return (high & 0xFFFFFFFF0000FFFFL)
                ^ (Long.rotateRight(high, 16) & 0x00000000FFFFFFFFL)
                ^ (Long.rotateRight(high, 32) & 0xFFFFFFFF00000000L)
                ^ (Long.rotateRight(high, 48) & 0x0000FFFF0000FFFFL)
                ^ (low & 0xFFFFFFFF00000000L)
                ^ (Long.rotateRight(low, 16) & 0xFFFF0000FFFF0000L)
                ^ (Long.rotateRight(low, 32) & 0xFFFF0000FFFF0000L)
                ^ Long.rotateRight(low, 48);
    }
}
