package dev.isochron.aes.internal.mac;

/**
 * Carry-less multiplication of {@code long}s, made from integer multiplications: the engine under
 * {@link Ghash}.
 *
 * <p>A word holds a polynomial over GF(2), one coefficient a bit, and a product is an integer product
 * whose carries fall into holes, as in BearSSL's {@code ctmul64} (T. Pornin, "Constant-Time Mul").
 * For that a word is split into four <em>classes</em>, every fourth bit each, moved down to bit 0 of
 * the nibble:
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
 * stays true when whole products are combined by exclusive or. The other bits are noise, masked away
 * once at the end of a sum of products.
 *
 * <p>The four classes are multiplied by Karatsuba's method, twice (A. Karatsuba and Y. Ofman, 1962):
 * 9 integer multiplications where ctmul64 takes 16. Their 9 operands are a word's <em>forms</em>,
 * numbered so everywhere in this package:
 *
 * <pre>
 *   form        0    1    2    3    4    5    6    7    8
 *   classes     0    1    2    3   0+1  2+3  0+2  1+3  all
 * </pre>
 *
 * <p>The high half comes from the mirror image: reversing the bits of both operands reverses the
 * bits of the product. Only the order of the nibbles is really reversed ({@link #mirror}); the bits
 * inside a nibble stay, and so class i of the true mirror image is class 3 - i here, which {@link
 * #joinHigh} makes good.
 *
 * <p><b>Constant-time.</b> AND, OR, XOR, shifts by constants, {@code Long.reverseBytes} and {@code
 * long} multiplications, with no branch at all. The 64-bit multiply takes the same time for all
 * operands on the processors that run a 64-bit JVM; the known exceptions (ARM Cortex-M3 and some
 * 32-bit PowerPC, for instance) do not.
 */
final class Clmul {

    /** How many forms a word has. */
    static final int FORMS = 9;

    /** Bit 0 of every nibble: class 0. */
    static final long CLASS = 0x1111111111111111L;

    private static final long LOW_NIBBLES = 0x0F0F0F0F0F0F0F0FL;

    private Clmul() {}

    /** The nibbles of {@code x} in the opposite order. */
    static long mirror(long x) {
        long b = Long.reverseBytes(x);
        return (b & LOW_NIBBLES) << 4 | (b >>> 4) & LOW_NIBBLES;
    }

    /** Writes the forms of {@code y}. */
    static void putForms(long y, long[] forms, int off) {
        long y0 = y & CLASS;
        long y1 = (y >>> 1) & CLASS;
        long y2 = (y >>> 2) & CLASS;
        long y3 = (y >>> 3) & CLASS;
        forms[off] = y0;
        forms[off + 1] = y1;
        forms[off + 2] = y2;
        forms[off + 3] = y3;
        forms[off + 4] = y0 ^ y1;
        forms[off + 5] = y2 ^ y3;
        forms[off + 6] = y0 ^ y2;
        forms[off + 7] = y1 ^ y3;
        forms[off + 8] = y0 ^ y1 ^ y2 ^ y3;
    }

    /**
     * Bits 63 to 0 of the product of {@code x} and the word whose forms stand at {@code off}.
     */
    static long low(long x, long[] forms, int off) {
        long x0 = x & CLASS;
        long x1 = (x >>> 1) & CLASS;
        long x2 = (x >>> 2) & CLASS;
        long x3 = (x >>> 3) & CLASS;
        long x02 = x0 ^ x2;
        long x13 = x1 ^ x3;
        return joinLow(
                x0 * forms[off],
                x1 * forms[off + 1],
                x2 * forms[off + 2],
                x3 * forms[off + 3],
                (x0 ^ x1) * forms[off + 4],
                (x2 ^ x3) * forms[off + 5],
                x02 * forms[off + 6],
                x13 * forms[off + 7],
                (x02 ^ x13) * forms[off + 8]);
    }

    /**
     * Bits 126 to 63 of the product of {@code x} and the word the forms of whose {@link #mirror} stand
     * at {@code off}.
     */
    static long high(long x, long[] forms, int off) {
        long w = mirror(x);
        long x0 = w & CLASS;
        long x1 = (w >>> 1) & CLASS;
        long x2 = (w >>> 2) & CLASS;
        long x3 = (w >>> 3) & CLASS;
        long x02 = x0 ^ x2;
        long x13 = x1 ^ x3;
        return joinHigh(
                x0 * forms[off],
                x1 * forms[off + 1],
                x2 * forms[off + 2],
                x3 * forms[off + 3],
                (x0 ^ x1) * forms[off + 4],
                (x2 ^ x3) * forms[off + 5],
                x02 * forms[off + 6],
                x13 * forms[off + 7],
                (x02 ^ x13) * forms[off + 8]);
    }

    /** As {@link #low}, the sum of two products: {@code x} by {@code xOff}, {@code y} by {@code yOff}. */
    static long low(long x, long y, long[] forms, int xOff, int yOff) {
        long x0 = x & CLASS;
        long x1 = (x >>> 1) & CLASS;
        long x2 = (x >>> 2) & CLASS;
        long x3 = (x >>> 3) & CLASS;
        long x02 = x0 ^ x2;
        long x13 = x1 ^ x3;
        long y0 = y & CLASS;
        long y1 = (y >>> 1) & CLASS;
        long y2 = (y >>> 2) & CLASS;
        long y3 = (y >>> 3) & CLASS;
        long y02 = y0 ^ y2;
        long y13 = y1 ^ y3;
        return joinLow(
                x0 * forms[xOff] ^ y0 * forms[yOff],
                x1 * forms[xOff + 1] ^ y1 * forms[yOff + 1],
                x2 * forms[xOff + 2] ^ y2 * forms[yOff + 2],
                x3 * forms[xOff + 3] ^ y3 * forms[yOff + 3],
                (x0 ^ x1) * forms[xOff + 4] ^ (y0 ^ y1) * forms[yOff + 4],
                (x2 ^ x3) * forms[xOff + 5] ^ (y2 ^ y3) * forms[yOff + 5],
                x02 * forms[xOff + 6] ^ y02 * forms[yOff + 6],
                x13 * forms[xOff + 7] ^ y13 * forms[yOff + 7],
                (x02 ^ x13) * forms[xOff + 8] ^ (y02 ^ y13) * forms[yOff + 8]);
    }

    /** As {@link #high}, the sum of two products: {@code x} by {@code xOff}, {@code y} by {@code yOff}. */
    static long high(long x, long y, long[] forms, int xOff, int yOff) {
        long w = mirror(x);
        long x0 = w & CLASS;
        long x1 = (w >>> 1) & CLASS;
        long x2 = (w >>> 2) & CLASS;
        long x3 = (w >>> 3) & CLASS;
        long x02 = x0 ^ x2;
        long x13 = x1 ^ x3;
        long v = mirror(y);
        long y0 = v & CLASS;
        long y1 = (v >>> 1) & CLASS;
        long y2 = (v >>> 2) & CLASS;
        long y3 = (v >>> 3) & CLASS;
        long y02 = y0 ^ y2;
        long y13 = y1 ^ y3;
        return joinHigh(
                x0 * forms[xOff] ^ y0 * forms[yOff],
                x1 * forms[xOff + 1] ^ y1 * forms[yOff + 1],
                x2 * forms[xOff + 2] ^ y2 * forms[yOff + 2],
                x3 * forms[xOff + 3] ^ y3 * forms[yOff + 3],
                (x0 ^ x1) * forms[xOff + 4] ^ (y0 ^ y1) * forms[yOff + 4],
                (x2 ^ x3) * forms[xOff + 5] ^ (y2 ^ y3) * forms[yOff + 5],
                x02 * forms[xOff + 6] ^ y02 * forms[yOff + 6],
                x13 * forms[xOff + 7] ^ y13 * forms[yOff + 7],
                (x02 ^ x13) * forms[xOff + 8] ^ (y02 ^ y13) * forms[yOff + 8]);
    }

    /**
     * Puts together the low half of a sum of products from its 9 sums of integer products, one for
     * each form. Class k of the product is z<sub>k</sub>, and z<sub>k + 4</sub> one nibble up.
     */
    static long joinLow(
            long p0,
            long p1,
            long p2,
            long p3,
            long p01,
            long p23,
            long p02,
            long p13,
            long pAll) {
        long z1 = p01 ^ p0 ^ p1;
        long z2 = p02 ^ p0 ^ p1 ^ p2;
        long z4 = p13 ^ p1 ^ p2 ^ p3;
        long z5 = p23 ^ p2 ^ p3;
        long z3 = pAll ^ p02 ^ p13 ^ z1 ^ z5;
        return ((p0 ^ z4 << 4) & CLASS)
                | ((z1 ^ z5 << 4) & CLASS) << 1
                | ((z2 ^ p3 << 4) & CLASS) << 2
                | (z3 & CLASS) << 3;
    }

    /**
     * Puts together the high half likewise, from products of mirrored words. What stands here as
     * z<sub>k</sub> is z<sub>6 - k</sub> of the true mirror image, whose class i becomes class 3 - i
     * of the result.
     */
    static long joinHigh(
            long p0,
            long p1,
            long p2,
            long p3,
            long p01,
            long p23,
            long p02,
            long p13,
            long pAll) {
        long z1 = p01 ^ p0 ^ p1;
        long z2 = p02 ^ p0 ^ p1 ^ p2;
        long z4 = p13 ^ p1 ^ p2 ^ p3;
        long z5 = p23 ^ p2 ^ p3;
        long z3 = pAll ^ p02 ^ p13 ^ z1 ^ z5;
        return mirror(
                (z3 & CLASS)
                        | ((z4 ^ p0 << 4) & CLASS) << 1
                        | ((z5 ^ z1 << 4) & CLASS) << 2
                        | ((p3 ^ z2 << 4) & CLASS) << 3);
    }
}
