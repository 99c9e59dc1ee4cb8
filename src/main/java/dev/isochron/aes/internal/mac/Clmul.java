package dev.isochron.aes.internal.mac;

/**
 * Carry-less inner products of {@code long} vectors, made from integer multiplications: the engine
 * under {@link Ghash}.
 *
 * <p>Polynomials over GF(2) are packed one coefficient a bit, and a product is an integer product
 * whose carries fall into holes, as in BearSSL's {@code ctmul64} (T. Pornin, "Constant-Time
 * Mul"). A word is split into four <em>classes</em>, every fourth bit each, moved down to bit 0 of
 * its nibble:
 *
 * <pre>
 *   word      d15 c15 b15 a15  ...  d1 c1 b1 a1  d0 c0 b0 a0
 *   class 0   .   .   .   a15  ...  .  .  .  a1  .  .  .  a0
 *   class 3   .   .   .   d15  ...  .  .  .  d1  .  .  .  d0
 * </pre>
 *
 * <p>In the integer product of two classes, bit 4t collects at most t + 1 ones. Up to t = 14 the sum
 * fits its nibble, and no carry reaches bit 4t + 4; at t = 15 the sum may be 16, and its carry leaves
 * the word. So in the <em>low</em> 64 bits every bit 4t is the true exclusive or of its terms, and
 * stays true when whole products are combined by exclusive or. The other bits are noise and are
 * masked away once, at the end of an inner product.
 *
 * <p>The four classes of both operands are multiplied by Karatsuba's method, twice (A. Karatsuba and
 * Y. Ofman, 1962), which takes 9 multiplications where ctmul64 takes 16. The 9 sums of classes of
 * the fixed operand are its <em>forms</em>, kept by the caller.
 *
 * <p>The high half comes from the mirror image: reversing the bits of both operands reverses the
 * bits of the product. Only the order of the nibbles is reversed in fact. Inside a nibble a reversal
 * would swap class i with class 3 - i, so it is done by reading the result's classes in the
 * opposite order.
 *
 * <p><b>Constant-time.</b> AND, XOR, shifts by constants, {@code Long.reverseBytes} and {@code long}
 * multiplications; branches and indices depend on the number of words alone. The 64-bit multiply
 * takes the same time for all operands on the processors that run a 64-bit JVM; the known
 * exceptions (ARM Cortex-M3 and some 32-bit PowerPC, say) do not.
 */
final class Clmul {

    /** How many forms a word has. */
    static final int FORMS = 9;

    /** Bit 0 of every nibble. */
    private static final long CLASS = 0x1111111111111111L;

    private static final long LOW_NIBBLES = 0x0F0F0F0F0F0F0F0FL;

    private Clmul() {}

    /** Writes the {@link #FORMS} forms of {@code y} for {@link #low}. */
    static void lowForms(long y, long[] forms, int off) {
        long y0 = y & CLASS;
        long y1 = (y >>> 1) & CLASS;
        long y2 = (y >>> 2) & CLASS;
        long y3 = (y >>> 3) & CLASS;
        forms[off] = y0;
        forms[off + 1] = y1;
        forms[off + 2] = y0 ^ y1;
        forms[off + 3] = y2;
        forms[off + 4] = y3;
        forms[off + 5] = y2 ^ y3;
        forms[off + 6] = y0 ^ y2;
        forms[off + 7] = y1 ^ y3;
        forms[off + 8] = y0 ^ y1 ^ y2 ^ y3;
    }

    /** Writes the {@link #FORMS} forms of {@code y} for {@link #high}. */
    static void highForms(long y, long[] forms, int off) {
        lowForms(reverseNibbles(y), forms, off);
    }

    /**
     * Bits 63 to 0 of the sum of {@code n} carry-less products.
     *
     * @param x the words, {@code n} of them from {@code xOff}
     * @param forms the forms of the other operand: those of word i at {@code off - i * stride}
     */
    static long low(long[] x, int xOff, int n, long[] forms, int off, int stride) {
        long p0 = 0;
        long p1 = 0;
        long p01 = 0;
        long p2 = 0;
        long p3 = 0;
        long p23 = 0;
        long p02 = 0;
        long p13 = 0;
        long p0123 = 0;
        int f = off;
        for (int i = 0; i < n; i++) {
            long w = x[xOff + i];
            long x0 = w & CLASS;
            long x1 = (w >>> 1) & CLASS;
            long x2 = (w >>> 2) & CLASS;
            long x3 = (w >>> 3) & CLASS;
            p0 ^= x0 * forms[f];
            p1 ^= x1 * forms[f + 1];
            p01 ^= (x0 ^ x1) * forms[f + 2];
            p2 ^= x2 * forms[f + 3];
            p3 ^= x3 * forms[f + 4];
            p23 ^= (x2 ^ x3) * forms[f + 5];
            x0 ^= x2;
            x1 ^= x3;
            p02 ^= x0 * forms[f + 6];
            p13 ^= x1 * forms[f + 7];
            p0123 ^= (x0 ^ x1) * forms[f + 8];
            f -= stride;
        }
        long z1 = p01 ^ p0 ^ p1;
        long z2 = p02 ^ p0 ^ p1 ^ p2;
        long z4 = p13 ^ p1 ^ p2 ^ p3;
        long z5 = p23 ^ p2 ^ p3;
        long z3 = p0123 ^ p02 ^ p13 ^ z1 ^ z5;
        return ((p0 ^ (z4 << 4)) & CLASS)
                | ((z1 ^ (z5 << 4)) & CLASS) << 1
                | ((z2 ^ (p3 << 4)) & CLASS) << 2
                | (z3 & CLASS) << 3;
    }

    /**
     * Bits 126 to 63 of the sum of {@code n} carry-less products.
     *
     * @param x the words, {@code n} of them from {@code xOff}
     * @param forms the forms of the other operand: those of word i at {@code off - i * stride}
     */
    static long high(long[] x, int xOff, int n, long[] forms, int off, int stride) {
        long p0 = 0;
        long p1 = 0;
        long p01 = 0;
        long p2 = 0;
        long p3 = 0;
        long p23 = 0;
        long p02 = 0;
        long p13 = 0;
        long p0123 = 0;
        int f = off;
        for (int i = 0; i < n; i++) {
            long w = reverseNibbles(x[xOff + i]);
            long x0 = w & CLASS;
            long x1 = (w >>> 1) & CLASS;
            long x2 = (w >>> 2) & CLASS;
            long x3 = (w >>> 3) & CLASS;
            p0 ^= x0 * forms[f];
            p1 ^= x1 * forms[f + 1];
            p01 ^= (x0 ^ x1) * forms[f + 2];
            p2 ^= x2 * forms[f + 3];
            p3 ^= x3 * forms[f + 4];
            p23 ^= (x2 ^ x3) * forms[f + 5];
            x0 ^= x2;
            x1 ^= x3;
            p02 ^= x0 * forms[f + 6];
            p13 ^= x1 * forms[f + 7];
            p0123 ^= (x0 ^ x1) * forms[f + 8];
            f -= stride;
        }
        // Class i of the mirrored operands is class 3 - i here, so the sums run from z6 down to z0.
        long z1 = p01 ^ p0 ^ p1;
        long z2 = p02 ^ p0 ^ p1 ^ p2;
        long z4 = p13 ^ p1 ^ p2 ^ p3;
        long z5 = p23 ^ p2 ^ p3;
        long z3 = p0123 ^ p02 ^ p13 ^ z1 ^ z5;
        return reverseNibbles(
                (z3 & CLASS)
                        | ((z4 ^ (p0 << 4)) & CLASS) << 1
                        | ((z5 ^ (z1 << 4)) & CLASS) << 2
                        | ((p3 ^ (z2 << 4)) & CLASS) << 3);
    }

    private static long reverseNibbles(long x) {
        long b = Long.reverseBytes(x);
        return (b & LOW_NIBBLES) << 4 | (b >>> 4) & LOW_NIBBLES;
    }
}
