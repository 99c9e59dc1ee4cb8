package dev.isochron.aes.internal.block;

import dev.isochron.aes.internal.bytes.Bytes;
import java.util.Arrays;

/**
 * Bitsliced AES on many pairs of blocks at a time, for batches from some dozens of blocks on. A plane
 * is an array of {@code int}s, one <i>lane</i> for two blocks, and every step is a plain loop over the
 * lanes, which C2 compiles to vector instructions by itself: no flag, no incubating module.
 *
 * <p>After E. K&auml;sper and P. Schwabe, "Faster and Timing-Attack Resistant AES-GCM" (CHES 2009),
 * in the tower field of {@link Tower}, as the single-block engine: there the S-box falls into small
 * pieces with few inputs and outputs, and so does {02} of MixColumns.
 *
 * <p><b>Representation.</b> Plane j of a value holds coordinate j of every byte in the tower basis:
 * 0 to 3 the high half, 4 to 7 the low half.
 *
 * <pre>
 *   bit of a lane       31 .. 24 | 23 .. 16 | 15 ... 8 | 7 .... 0
 *   row                    3          2          1          0
 *   bit within a row    2 * column + block
 *
 *   planes    0 ..  7   the state (high, low)
 *             8 .. 11   the inverse of the norm
 *            12 .. 19   the inverse (high, low)
 *            20 .. 23   the norm
 * </pre>
 *
 * <p>Outside encryption and decryption the same places hold <i>columns</i>: the one at 2 * c + b is
 * column c, little-endian, of block b of every lane. Columns are planes transposed.
 *
 * <p><b>Why so many loops, in this order.</b> C2's vectorizer pairs the instructions of neighbouring
 * iterations, starting from loads and stores. It loses the thread in a loop with many inputs and
 * outputs, or where a value has several uses that look alike. These loops are as large as it will
 * take, and the order of their lines is one that it follows on JDK 17 and on JDK 25, with AVX2 and
 * with AVX-512: of the orders that mean the same, found by trial. Most methods with a loop are too
 * large to be inlined, for in the middle of others loops fared worse. Where C2 does not follow, the
 * result is the same and takes up to six times as long: check with the benchmarks what you change.
 *
 * <p>Constant-time: straight-line AND, XOR, OR, constant shifts and rotations; the loops count rounds
 * and lanes. No tables.
 */
final class LaneKernel {

    /** Lanes in a plane. */
    static final int LANES = 256;

    /** Blocks in a full batch. */
    static final int BLOCKS = 2 * LANES;

    private static final int PLANES = 24;

    /** Where {@link #encrypt} leaves its result. */
    static final int STATE = 0;

    /** Where {@link #decrypt} leaves its result. */
    static final int INVERSE = 12 * LANES;

    private static final int[] NO_KEY = new int[8];

    private LaneKernel() {}

    /**
     * The round keys as planes, eight {@code int}s a round, the same key for both blocks. The first
     * and the last are in the basis of the text that they meet: for encryption the last round key is
     * in the polynomial basis, for decryption the first.
     */
    static int[] keys(RoundKeys roundKeys, boolean decrypting) {
        long[] tower = roundKeys.tower();
        int[] keys = new int[4 * tower.length];
        int plain = decrypting ? 0 : tower.length - 2;
        for (int k = 0; k < tower.length; k += 2) {
            long high = tower[k];
            long low = tower[k + 1];
            put(keys, 4 * k, k == plain ? Tower.bits03(high, low) : high);
            put(keys, 4 * k + 4, k == plain ? Tower.bits47(high, low) : low);
        }
        return keys;
    }

    /** Four lanes of 16 bits to four planes, every bit twice. */
    private static void put(int[] keys, int off, long x) {
        for (int i = 0; i < 4; i++) {
            int y = (int) (x >>> (16 * i)) & 0xFFFF;
            y = (y | (y << 8)) & 0x00FF00FF;
            y = (y | (y << 4)) & 0x0F0F0F0F;
            y = (y | (y << 2)) & 0x33333333;
            y = (y | (y << 1)) & 0x55555555;
            keys[off + i] = y * 3;
        }
    }

    /** A scratch array, to be given to {@link #wipe} in the end. */
    static int[] planes() {
        return new int[PLANES * LANES];
    }

    /** Wipes a scratch array in which no batch had more than {@code blocks} blocks. */
    static void wipe(int[] p, int blocks) {
        int n = (Math.min(blocks, BLOCKS) + 1) >> 1;
        for (int plane = 0; plane < PLANES * LANES; plane += LANES) {
            Arrays.fill(p, plane, plane + n, 0);
        }
    }

    /**
     * Puts blocks where {@link #encrypt} and {@link #decrypt} take them.
     *
     * @param blocks how many, 1 to {@link #BLOCKS}
     */
    static void put(byte[] in, int inOff, int blocks, int[] p) {
        for (int i = 0; i < blocks; i++) {
            long word0 = Bytes.getLongLittleEndian(in, inOff + 16 * i);
            long word1 = Bytes.getLongLittleEndian(in, inOff + 16 * i + 8);
            int lane = (i >> 1) + (i & 1) * LANES;
            p[lane] = (int) word0;
            p[lane + 2 * LANES] = (int) (word0 >>> 32);
            p[lane + 4 * LANES] = (int) word1;
            p[lane + 6 * LANES] = (int) (word1 >>> 32);
        }
    }

    /** Puts the counter blocks from the given one on (SP 800-38A appendix B.1, m = 128). */
    static void counters(long mask, long high, long low, int blocks, int[] p) {
        for (int i = 0; i < blocks; i++) {
            int lane = (i >> 1) + (i & 1) * LANES;
            long word0 = Long.reverseBytes(high);
            long word1 = Long.reverseBytes(low);
            p[lane] = (int) word0;
            p[lane + 2 * LANES] = (int) (word0 >>> 32);
            p[lane + 4 * LANES] = (int) word1;
            p[lane + 6 * LANES] = (int) (word1 >>> 32);
            high = Counter.high(mask, high, low, 1);
            low = Counter.low(mask, low, 1);
        }
    }

    /** Block {@code i} of a result that starts at {@code from}, bytes 0 to 7, little-endian. */
    private static long word0(int[] p, int from, int i) {
        int lane = from + (i >> 1) + (i & 1) * LANES;
        return (p[lane] & 0xFFFFFFFFL) | ((long) p[lane + 2 * LANES] << 32);
    }

    /** Bytes 8 to 15. */
    private static long word1(int[] p, int from, int i) {
        int lane = from + (i >> 1) + (i & 1) * LANES;
        return (p[lane + 4 * LANES] & 0xFFFFFFFFL) | ((long) p[lane + 6 * LANES] << 32);
    }

    /** Takes the blocks that {@link #encrypt} or {@link #decrypt} left at {@code from}. */
    static void get(int[] p, int from, int blocks, byte[] out, int outOff) {
        for (int i = 0; i < blocks; i++) {
            Bytes.putLongLittleEndian(out, outOff + 16 * i, word0(p, from, i));
            Bytes.putLongLittleEndian(out, outOff + 16 * i + 8, word1(p, from, i));
        }
    }

    /** Combines a text with the keystream that {@link #encrypt} left. */
    static void combine(int[] p, int blocks, byte[] in, int inOff, byte[] out, int outOff) {
        for (int i = 0; i < blocks; i++) {
            Bytes.combine(
                    word0(p, STATE, i),
                    word1(p, STATE, i),
                    in,
                    inOff + 16 * i,
                    out,
                    outOff + 16 * i,
                    16);
        }
    }

    /**
     * Transposes eight columns into eight planes or back, lane by lane: bit w of byte r of column i
     * and bit i of byte r of column w change places.
     *
     * @param from the first lane of the first column, with its plane's offset
     * @param to the end of its lanes
     */
    private static void transpose(int[] p, int from, int to) {
        for (int i = from; i < to; i++) {
            int x0 = p[i];
            int x1 = p[i + LANES];
            int x2 = p[i + 2 * LANES];
            int x3 = p[i + 3 * LANES];
            int x4 = p[i + 4 * LANES];
            int x5 = p[i + 5 * LANES];
            int x6 = p[i + 6 * LANES];
            int x7 = p[i + 7 * LANES];
            int t0 = ((x0 >>> 1) ^ x1) & 0x55555555;
            int t2 = ((x2 >>> 1) ^ x3) & 0x55555555;
            int t4 = ((x4 >>> 1) ^ x5) & 0x55555555;
            int t6 = ((x6 >>> 1) ^ x7) & 0x55555555;
            p[i] = x0 ^ (t0 << 1);
            p[i + LANES] = x1 ^ t0;
            p[i + 2 * LANES] = x2 ^ (t2 << 1);
            p[i + 3 * LANES] = x3 ^ t2;
            p[i + 4 * LANES] = x4 ^ (t4 << 1);
            p[i + 5 * LANES] = x5 ^ t4;
            p[i + 6 * LANES] = x6 ^ (t6 << 1);
            p[i + 7 * LANES] = x7 ^ t6;
        }
        for (int i = from; i < to; i++) {
            int x0 = p[i];
            int x1 = p[i + LANES];
            int x2 = p[i + 2 * LANES];
            int x3 = p[i + 3 * LANES];
            int x4 = p[i + 4 * LANES];
            int x5 = p[i + 5 * LANES];
            int x6 = p[i + 6 * LANES];
            int x7 = p[i + 7 * LANES];
            int t0 = ((x0 >>> 2) ^ x2) & 0x33333333;
            int t1 = ((x1 >>> 2) ^ x3) & 0x33333333;
            int t4 = ((x4 >>> 2) ^ x6) & 0x33333333;
            int t5 = ((x5 >>> 2) ^ x7) & 0x33333333;
            p[i] = x0 ^ (t0 << 2);
            p[i + LANES] = x1 ^ (t1 << 2);
            p[i + 2 * LANES] = x2 ^ t0;
            p[i + 3 * LANES] = x3 ^ t1;
            p[i + 4 * LANES] = x4 ^ (t4 << 2);
            p[i + 5 * LANES] = x5 ^ (t5 << 2);
            p[i + 6 * LANES] = x6 ^ t4;
            p[i + 7 * LANES] = x7 ^ t5;
        }
        for (int i = from; i < to; i++) {
            int x0 = p[i];
            int x1 = p[i + LANES];
            int x2 = p[i + 2 * LANES];
            int x3 = p[i + 3 * LANES];
            int x4 = p[i + 4 * LANES];
            int x5 = p[i + 5 * LANES];
            int x6 = p[i + 6 * LANES];
            int x7 = p[i + 7 * LANES];
            int t0 = ((x0 >>> 4) ^ x4) & 0x0F0F0F0F;
            int t1 = ((x1 >>> 4) ^ x5) & 0x0F0F0F0F;
            int t2 = ((x2 >>> 4) ^ x6) & 0x0F0F0F0F;
            int t3 = ((x3 >>> 4) ^ x7) & 0x0F0F0F0F;
            p[i] = x0 ^ (t0 << 4);
            p[i + LANES] = x1 ^ (t1 << 4);
            p[i + 2 * LANES] = x2 ^ (t2 << 4);
            p[i + 3 * LANES] = x3 ^ (t3 << 4);
            p[i + 4 * LANES] = x4 ^ t0;
            p[i + 5 * LANES] = x5 ^ t1;
            p[i + 6 * LANES] = x6 ^ t2;
            p[i + 7 * LANES] = x7 ^ t3;
        }
    }

    /**
     * Encrypts {@code blocks} blocks (FIPS 197 section 5.1) and leaves them at {@link #STATE}.
     *
     * @param keys from {@link #keys}, for encryption
     */
    static void encrypt(int[] keys, int[] p, int blocks) {
        int n = (blocks + 1) >> 1;
        transpose(p, 0, n);
        toTower(p, n, keys, 0);
        int last = keys.length - 8;
        for (int k = 8; k < last; k += 8) {
            inverse(p, n);
            affineShiftRows(p, n);
            mixColumns(p, n, keys, k);
        }
        inverse(p, n);
        affineShiftRows(p, n);
        fromTower(p, STATE, STATE + n, keys, last);
        transpose(p, STATE, STATE + n);
    }

    /**
     * Decrypts {@code blocks} blocks (FIPS 197 section 5.3) and leaves them at {@link #INVERSE}.
     *
     * @param keys from {@link #keys}, for decryption
     */
    static void decrypt(int[] keys, int[] p, int blocks) {
        int n = (blocks + 1) >> 1;
        transpose(p, 0, n);
        int last = keys.length - 8;
        toTower(p, n, keys, last);
        for (int k = last - 8; k > 0; k -= 8) {
            shiftRowsBack(p, n);
            affineBack(p, n);
            inverse(p, n);
            addRoundKey(p, n, keys, k);
            mixColumnsBack(p, n);
            mixColumns(p, n, NO_KEY, 0);
        }
        shiftRowsBack(p, n);
        affineBack(p, n);
        inverse(p, n);
        fromTower(p, INVERSE, INVERSE + n, keys, 0);
        transpose(p, INVERSE, INVERSE + n);
    }

    /** Inversion of every byte, from the planes of the state to those of the inverse. */
    private static void inverse(int[] p, int n) {
        inverseNorm(p, n);
        multiplyHigh(p, n);
        multiplyLow(p, n);
    }

    /** The basis change from the polynomial basis, and the first round key. */
    private static void toTower(int[] p, int n, int[] keys, int k) {
        int k0 = keys[k];
        int k1 = keys[k + 1];
        int k2 = keys[k + 2];
        int k3 = keys[k + 3];
        int k4 = keys[k + 4];
        int k5 = keys[k + 5];
        int k6 = keys[k + 6];
        int k7 = keys[k + 7];
        for (int i = 0; i < n; i++) {
            int i0 = p[i];
            int i1 = p[i + LANES];
            int i2 = p[i + 2 * LANES];
            int i3 = p[i + 3 * LANES];
            int i4 = p[i + 4 * LANES];
            int i5 = p[i + 5 * LANES];
            int i6 = p[i + 6 * LANES];
            int i7 = p[i + 7 * LANES];
            int t0 = i4 ^ i0;
            int t1 = i6 ^ i2;
            int t2 = i7 ^ i3;
            int t3 = i5 ^ i1;
            int t4 = i6 ^ i7;
            int t5 = t4 ^ i1;
            int t6 = i3 ^ i0;
            int t7 = k4 ^ t2;
            int t8 = t4 ^ t3;
            int t9 = t0 ^ t5;
            int t10 = t1 ^ k3;
            int t11 = t8 ^ i4;
            int t12 = t6 ^ t3;
            int t13 = k1 ^ t11;
            int t14 = t6 ^ t4;
            int t15 = t12 ^ k2;
            int t16 = k0 ^ t14;
            int t17 = t0 ^ i2;
            int t18 = i3 ^ t17;
            int t19 = k7 ^ t18;
            int t20 = t3 ^ i7;
            int t21 = k6 ^ t9;
            int t22 = t17 ^ t20;
            int t23 = k5 ^ t22;
            p[i] = t16;
            p[i + LANES] = t13;
            p[i + 2 * LANES] = t15;
            p[i + 3 * LANES] = t10;
            p[i + 4 * LANES] = t7;
            p[i + 5 * LANES] = t23;
            p[i + 6 * LANES] = t21;
            p[i + 7 * LANES] = t19;
        }
    }

    /**
     * The norm a b + Y<sup>17</sup>(a + b)<sup>2</sup> of a byte a Y<sup>16</sup> + b Y, a coordinate at a
     * time, and its inverse in GF(2<sup>4</sup>), after the middle of Boyar and Peralta's S-box.
     */
    private static void inverseNorm(int[] p, int n) {
        for (int i = 0; i < n; i++) {
            int a0 = p[i];
            int a1 = p[i + LANES];
            int a2 = p[i + 2 * LANES];
            int a3 = p[i + 3 * LANES];
            int b0 = p[i + 4 * LANES];
            int b1 = p[i + 5 * LANES];
            int b2 = p[i + 6 * LANES];
            int b3 = p[i + 7 * LANES];
            int t0 = a1 ^ b1;
            int t1 = a0 & b2;
            int t2 = b2 ^ b3;
            int t3 = a1 & t2;
            int t4 = b0 ^ b1;
            int t5 = a2 & t4;
            int t6 = b1 ^ b3;
            int t7 = a3 & t6;
            int t8 = t1 ^ t3;
            int t9 = t8 ^ t5;
            int t10 = t9 ^ t7;
            int t11 = t0 ^ t10;
            p[i + 20 * LANES] = t11;
        }
        for (int i = 0; i < n; i++) {
            int a0 = p[i];
            int a1 = p[i + LANES];
            int a2 = p[i + 2 * LANES];
            int a3 = p[i + 3 * LANES];
            int b0 = p[i + 4 * LANES];
            int b1 = p[i + 5 * LANES];
            int b2 = p[i + 6 * LANES];
            int b3 = p[i + 7 * LANES];
            int t0 = a1 ^ b1;
            int t1 = a3 ^ b3;
            int t2 = t0 ^ t1;
            int t3 = a1 & b3;
            int t4 = b3 ^ b0;
            int t5 = a2 & t4;
            int t6 = b1 ^ b2;
            int t7 = a3 & t6;
            int t8 = b2 ^ b0;
            int t9 = a0 & t8;
            int t10 = t3 ^ t5;
            int t11 = t10 ^ t7;
            int t12 = t11 ^ t9;
            int t13 = t2 ^ t12;
            p[i + 21 * LANES] = t13;
        }
        for (int i = 0; i < n; i++) {
            int a0 = p[i];
            int a1 = p[i + LANES];
            int a2 = p[i + 2 * LANES];
            int a3 = p[i + 3 * LANES];
            int b0 = p[i + 4 * LANES];
            int b1 = p[i + 5 * LANES];
            int b2 = p[i + 6 * LANES];
            int b3 = p[i + 7 * LANES];
            int t0 = a2 ^ b2;
            int t1 = a1 ^ b1;
            int t2 = t0 ^ t1;
            int t3 = a2 & b0;
            int t4 = b0 ^ b1;
            int t5 = a3 & t4;
            int t6 = b2 ^ b3;
            int t7 = a0 & t6;
            int t8 = b3 ^ b1;
            int t9 = a1 & t8;
            int t10 = t3 ^ t5;
            int t11 = t10 ^ t7;
            int t12 = t11 ^ t9;
            int t13 = t2 ^ t12;
            p[i + 22 * LANES] = t13;
        }
        for (int i = 0; i < n; i++) {
            int a0 = p[i];
            int a1 = p[i + LANES];
            int a2 = p[i + 2 * LANES];
            int a3 = p[i + 3 * LANES];
            int b0 = p[i + 4 * LANES];
            int b1 = p[i + 5 * LANES];
            int b2 = p[i + 6 * LANES];
            int b3 = p[i + 7 * LANES];
            int t0 = a0 ^ b0;
            int t1 = a1 ^ b1;
            int t2 = t0 ^ t1;
            int t3 = a3 & b1;
            int t4 = b1 ^ b2;
            int t5 = a0 & t4;
            int t6 = b3 ^ b0;
            int t7 = a1 & t6;
            int t8 = b0 ^ b2;
            int t9 = a2 & t8;
            int t10 = t3 ^ t5;
            int t11 = t10 ^ t7;
            int t12 = t11 ^ t9;
            int t13 = t2 ^ t12;
            p[i + 23 * LANES] = t13;
        }
        for (int i = 0; i < n; i++) {
            int a0 = p[i + 20 * LANES];
            int a1 = p[i + 21 * LANES];
            int a2 = p[i + 22 * LANES];
            int a3 = p[i + 23 * LANES];
            int t0 = a1 ^ a0;
            int t1 = a2 ^ t0;
            int t2 = a1 ^ a2;
            int t3 = t1 ^ a0;
            int t4 = t2 ^ a3;
            int t5 = a2 ^ a3;
            int t6 = t4 ^ t5;
            int t7 = t5 & a0;
            int t8 = t7 ^ t4;
            int t9 = t3 & t8;
            int t10 = t7 ^ t1;
            int t11 = t6 & t10;
            int t12 = t9 ^ t1;
            int t13 = t4 ^ t11;
            int t14 = t13 ^ t8;
            int t15 = t4 & t14;
            int t16 = t8 ^ t15;
            int t17 = t16 & t12;
            int t18 = t5 ^ t13;
            int t19 = t18 ^ t15;
            int t20 = t3 ^ t17;
            int t21 = t19 ^ t20;
            int t22 = t19 ^ t13;
            int t23 = t20 ^ t22;
            p[i + 8 * LANES] = t21;
            p[i + 9 * LANES] = t23;
            p[i + 10 * LANES] = t12;
            p[i + 11 * LANES] = t19;
        }
    }

    /** The inverse's high half: b times the inverse of the norm. */
    private static void multiplyHigh(int[] p, int n) {
        for (int i = 0; i < n; i++) {
            int n2 = p[i + 10 * LANES];
            int b0 = p[i + 4 * LANES];
            int b1 = p[i + 5 * LANES];
            int n0 = p[i + 8 * LANES];
            int n1 = p[i + 9 * LANES];
            int b2 = p[i + 6 * LANES];
            int n3 = p[i + 11 * LANES];
            int b3 = p[i + 7 * LANES];
            int t0 = n1 & b3;
            int t1 = n2 & b0;
            int t2 = n0 ^ n3;
            int t3 = n2 ^ n0;
            int t4 = n2 ^ n1;
            int t5 = n0 & b2;
            int t6 = b0 & t3;
            int t7 = t2 & b1;
            int t8 = t3 & b2;
            int t9 = t4 & b3;
            int t10 = b1 & n3;
            int t11 = n1 ^ n0;
            int t12 = t11 & b3;
            int t13 = t11 & b2;
            int t14 = n3 ^ n2;
            int t15 = t2 & b2;
            int t16 = t14 & b0;
            int t17 = n3 ^ n1;
            int t18 = t15 ^ t10;
            int t19 = t4 & b0;
            int t20 = t5 ^ t12;
            int t21 = t14 & b1;
            int t22 = t17 & b1;
            int t23 = t20 ^ t16;
            int t24 = t18 ^ t9;
            int t25 = b3 & t17;
            int t26 = t1 ^ t21;
            int t27 = t0 ^ t19;
            int t28 = t13 ^ t26;
            int t29 = t23 ^ t22;
            int t30 = t25 ^ t28;
            int t31 = t6 ^ t24;
            int t32 = t7 ^ t27;
            int t33 = t32 ^ t8;
            p[i + 12 * LANES] = t30;
            p[i + 13 * LANES] = t31;
            p[i + 14 * LANES] = t29;
            p[i + 15 * LANES] = t33;
        }
    }

    /** The inverse's low half: a times the inverse of the norm. */
    private static void multiplyLow(int[] p, int n) {
        for (int i = 0; i < n; i++) {
            int n2 = p[i + 10 * LANES];
            int a0 = p[i];
            int n0 = p[i + 8 * LANES];
            int a3 = p[i + 3 * LANES];
            int n1 = p[i + 9 * LANES];
            int a2 = p[i + 2 * LANES];
            int n3 = p[i + 11 * LANES];
            int a1 = p[i + LANES];
            int t0 = n2 & a0;
            int t1 = n0 & a2;
            int t2 = n2 ^ n1;
            int t3 = n2 ^ n0;
            int t4 = n0 ^ n1;
            int t5 = n3 & a1;
            int t6 = t4 & a3;
            int t7 = t2 & a3;
            int t8 = t3 & a0;
            int t9 = n2 ^ n3;
            int t10 = t1 ^ t6;
            int t11 = n3 ^ n1;
            int t12 = a2 & t3;
            int t13 = a3 & n1;
            int t14 = a0 & t9;
            int t15 = a3 & t11;
            int t16 = n3 ^ n0;
            int t17 = a1 & t9;
            int t18 = t16 & a1;
            int t19 = t4 & a2;
            int t20 = t14 ^ t10;
            int t21 = t2 & a0;
            int t22 = t11 & a1;
            int t23 = t13 ^ t21;
            int t24 = t0 ^ t17;
            int t25 = t23 ^ t18;
            int t26 = t16 & a2;
            int t27 = t20 ^ t22;
            int t28 = t25 ^ t12;
            int t29 = t24 ^ t19;
            int t30 = t15 ^ t29;
            int t31 = t26 ^ t5;
            int t32 = t7 ^ t31;
            int t33 = t8 ^ t32;
            p[i + 16 * LANES] = t30;
            p[i + 17 * LANES] = t33;
            p[i + 18 * LANES] = t27;
            p[i + 19 * LANES] = t28;
        }
    }

    /**
     * The linear part of the S-box's affine map, from the planes of the inverse to the state's; then
     * ShiftRows: in row r, column c takes column c + r. First by two in rows 2, 3; then by one.
     */
    private static void affineShiftRows(int[] p, int n) {
        for (int i = 0; i < n; i++) {
            int i0 = p[i + 12 * LANES];
            int i1 = p[i + 13 * LANES];
            int i2 = p[i + 14 * LANES];
            int i3 = p[i + 15 * LANES];
            int i4 = p[i + 16 * LANES];
            int i5 = p[i + 17 * LANES];
            int i6 = p[i + 18 * LANES];
            int i7 = p[i + 19 * LANES];
            int t0 = i1 ^ i2;
            int t1 = i5 ^ i3;
            int t2 = i5 ^ t0;
            int t3 = i3 ^ t0;
            int t4 = t1 ^ i0;
            int t5 = i7 ^ t0;
            int t6 = t5 ^ i0;
            int t7 = i1 ^ t4;
            int t8 = i6 ^ t7;
            int t9 = i4 ^ i7;
            int t10 = i3 ^ t5;
            int t11 = t9 ^ i2;
            p[i] = t2;
            p[i + LANES] = t4;
            p[i + 2 * LANES] = t3;
            p[i + 3 * LANES] = t6;
            p[i + 4 * LANES] = t8;
            p[i + 5 * LANES] = t7;
            p[i + 6 * LANES] = t10;
            p[i + 7 * LANES] = t11;
        }
        for (int i = 0; i < n; i++) {
            int x0 = p[i];
            int x1 = p[i + LANES];
            int x2 = p[i + 2 * LANES];
            int x3 = p[i + 3 * LANES];
            int x4 = p[i + 4 * LANES];
            int x5 = p[i + 5 * LANES];
            int x6 = p[i + 6 * LANES];
            int x7 = p[i + 7 * LANES];
            int s0 = (x0 ^ (x0 >>> 4)) & 0x0F0F0000;
            int s1 = (x1 ^ (x1 >>> 4)) & 0x0F0F0000;
            int s2 = (x2 ^ (x2 >>> 4)) & 0x0F0F0000;
            int s3 = (x3 ^ (x3 >>> 4)) & 0x0F0F0000;
            int s4 = (x4 ^ (x4 >>> 4)) & 0x0F0F0000;
            int s5 = (x5 ^ (x5 >>> 4)) & 0x0F0F0000;
            int s6 = (x6 ^ (x6 >>> 4)) & 0x0F0F0000;
            int s7 = (x7 ^ (x7 >>> 4)) & 0x0F0F0000;
            int t0 = x0 ^ s0 ^ (s0 << 4);
            int t1 = x1 ^ s1 ^ (s1 << 4);
            int t2 = x2 ^ s2 ^ (s2 << 4);
            int t3 = x3 ^ s3 ^ (s3 << 4);
            int t4 = x4 ^ s4 ^ (s4 << 4);
            int t5 = x5 ^ s5 ^ (s5 << 4);
            int t6 = x6 ^ s6 ^ (s6 << 4);
            int t7 = x7 ^ s7 ^ (s7 << 4);
            p[i] = (t0 & 0x00FF00FF) | ((t0 >>> 2) & 0x3F003F00) | ((t0 << 6) & 0xC000C000);
            p[i + LANES] = (t1 & 0x00FF00FF) | ((t1 >>> 2) & 0x3F003F00) | ((t1 << 6) & 0xC000C000);
            p[i + 2 * LANES] = (t2 & 0x00FF00FF) | ((t2 >>> 2) & 0x3F003F00) | ((t2 << 6) & 0xC000C000);
            p[i + 3 * LANES] = (t3 & 0x00FF00FF) | ((t3 >>> 2) & 0x3F003F00) | ((t3 << 6) & 0xC000C000);
            p[i + 4 * LANES] = (t4 & 0x00FF00FF) | ((t4 >>> 2) & 0x3F003F00) | ((t4 << 6) & 0xC000C000);
            p[i + 5 * LANES] = (t5 & 0x00FF00FF) | ((t5 >>> 2) & 0x3F003F00) | ((t5 << 6) & 0xC000C000);
            p[i + 6 * LANES] = (t6 & 0x00FF00FF) | ((t6 >>> 2) & 0x3F003F00) | ((t6 << 6) & 0xC000C000);
            p[i + 7 * LANES] = (t7 & 0x00FF00FF) | ((t7 >>> 2) & 0x3F003F00) | ((t7 << 6) & 0xC000C000);
        }
    }

    /** InvShiftRows. */
    private static void shiftRowsBack(int[] p, int n) {
        for (int i = 0; i < n; i++) {
            int x0 = p[i];
            int x1 = p[i + LANES];
            int x2 = p[i + 2 * LANES];
            int x3 = p[i + 3 * LANES];
            int x4 = p[i + 4 * LANES];
            int x5 = p[i + 5 * LANES];
            int x6 = p[i + 6 * LANES];
            int x7 = p[i + 7 * LANES];
            int s0 = (x0 ^ (x0 >>> 4)) & 0x0F0F0000;
            int s1 = (x1 ^ (x1 >>> 4)) & 0x0F0F0000;
            int s2 = (x2 ^ (x2 >>> 4)) & 0x0F0F0000;
            int s3 = (x3 ^ (x3 >>> 4)) & 0x0F0F0000;
            int s4 = (x4 ^ (x4 >>> 4)) & 0x0F0F0000;
            int s5 = (x5 ^ (x5 >>> 4)) & 0x0F0F0000;
            int s6 = (x6 ^ (x6 >>> 4)) & 0x0F0F0000;
            int s7 = (x7 ^ (x7 >>> 4)) & 0x0F0F0000;
            int t0 = x0 ^ s0 ^ (s0 << 4);
            int t1 = x1 ^ s1 ^ (s1 << 4);
            int t2 = x2 ^ s2 ^ (s2 << 4);
            int t3 = x3 ^ s3 ^ (s3 << 4);
            int t4 = x4 ^ s4 ^ (s4 << 4);
            int t5 = x5 ^ s5 ^ (s5 << 4);
            int t6 = x6 ^ s6 ^ (s6 << 4);
            int t7 = x7 ^ s7 ^ (s7 << 4);
            p[i] = (t0 & 0x00FF00FF) | ((t0 << 2) & 0xFC00FC00) | ((t0 >>> 6) & 0x03000300);
            p[i + LANES] = (t1 & 0x00FF00FF) | ((t1 << 2) & 0xFC00FC00) | ((t1 >>> 6) & 0x03000300);
            p[i + 2 * LANES] = (t2 & 0x00FF00FF) | ((t2 << 2) & 0xFC00FC00) | ((t2 >>> 6) & 0x03000300);
            p[i + 3 * LANES] = (t3 & 0x00FF00FF) | ((t3 << 2) & 0xFC00FC00) | ((t3 >>> 6) & 0x03000300);
            p[i + 4 * LANES] = (t4 & 0x00FF00FF) | ((t4 << 2) & 0xFC00FC00) | ((t4 >>> 6) & 0x03000300);
            p[i + 5 * LANES] = (t5 & 0x00FF00FF) | ((t5 << 2) & 0xFC00FC00) | ((t5 >>> 6) & 0x03000300);
            p[i + 6 * LANES] = (t6 & 0x00FF00FF) | ((t6 << 2) & 0xFC00FC00) | ((t6 >>> 6) & 0x03000300);
            p[i + 7 * LANES] = (t7 & 0x00FF00FF) | ((t7 << 2) & 0xFC00FC00) | ((t7 >>> 6) & 0x03000300);
        }
    }

    /** The linear part of the inverse S-box's affine map. A method of its own: so JDK 25 takes both. */
    private static void affineBack(int[] p, int n) {
        for (int i = 0; i < n; i++) {
            int i0 = p[i];
            int i1 = p[i + LANES];
            int i2 = p[i + 2 * LANES];
            int i3 = p[i + 3 * LANES];
            int i4 = p[i + 4 * LANES];
            int i5 = p[i + 5 * LANES];
            int i6 = p[i + 6 * LANES];
            int i7 = p[i + 7 * LANES];
            int t0 = i3 ^ i6;
            int t5 = i0 ^ i2;
            int t10 = i1 ^ t5;
            int t4 = t0 ^ i5;
            int t7 = i5 ^ i1;
            int t1 = t0 ^ i1;
            int t3 = i2 ^ i6;
            int t6 = i0 ^ t4;
            int t8 = t5 ^ i3;
            int t9 = i7 ^ t8;
            int t11 = t9 ^ i5;
            int t2 = i4 ^ i5;
            int t12 = t5 ^ t1;
            p[i] = t10;
            p[i + LANES] = t7;
            p[i + 2 * LANES] = t6;
            p[i + 3 * LANES] = t12;
            p[i + 4 * LANES] = t11;
            p[i + 5 * LANES] = t1;
            p[i + 6 * LANES] = t2;
            p[i + 7 * LANES] = t3;
        }
    }

    /**
     * MixColumns and the round key: {02} times the sum of a byte and the next, plus the next three.
     */
    private static void mixColumns(int[] p, int n, int[] keys, int k) {
        int k0 = keys[k];
        int k1 = keys[k + 1];
        int k2 = keys[k + 2];
        int k3 = keys[k + 3];
        int k4 = keys[k + 4];
        int k5 = keys[k + 5];
        int k6 = keys[k + 6];
        int k7 = keys[k + 7];
        for (int i = 0; i < n; i++) {
            int i0 = p[i];
            int i1 = p[i + LANES];
            int i2 = p[i + 2 * LANES];
            int i3 = p[i + 3 * LANES];
            int i4 = p[i + 4 * LANES];
            int i5 = p[i + 5 * LANES];
            int i6 = p[i + 6 * LANES];
            int i7 = p[i + 7 * LANES];
            int t0 = Integer.rotateRight(i3, 8);
            int t1 = Integer.rotateRight(i5, 8);
            int t2 = Integer.rotateRight(i1, 8);
            int t3 = Integer.rotateRight(i2, 8);
            int t4 = Integer.rotateRight(i4, 8);
            int t5 = Integer.rotateRight(i0, 8);
            int t6 = t0 ^ i3;
            int t7 = i4 ^ t4;
            int t8 = Integer.rotateRight(i6, 8);
            int t9 = Integer.rotateRight(t7, 16);
            int t10 = i0 ^ t5;
            int t11 = Integer.rotateRight(t6, 16);
            int t12 = Integer.rotateRight(i7, 8);
            int t13 = t2 ^ i1;
            int t14 = t3 ^ i2;
            int t15 = Integer.rotateRight(t14, 16);
            int t16 = t12 ^ i7;
            int t17 = Integer.rotateRight(t16, 16);
            int t18 = t12 ^ t17;
            int t19 = Integer.rotateRight(t10, 16);
            int t20 = t15 ^ t3;
            int t21 = t8 ^ i6;
            int t22 = t13 ^ t14;
            int t23 = t16 ^ t7;
            int t24 = i5 ^ t1;
            int t25 = t5 ^ t19;
            int t26 = t24 ^ t23;
            int t27 = t23 ^ t20;
            int t28 = t22 ^ t16;
            int t29 = Integer.rotateRight(t21, 16);
            int t30 = Integer.rotateRight(t13, 16);
            int t31 = t29 ^ t8;
            int t32 = t27 ^ k2;
            int t33 = t4 ^ t9;
            int t34 = t24 ^ t21;
            int t35 = t34 ^ t16;
            int t36 = t21 ^ t23;
            int t37 = t28 ^ t33;
            int t38 = t34 ^ t25;
            int t39 = t37 ^ k4;
            int t40 = t10 ^ t34;
            int t41 = t2 ^ t30;
            int t42 = t40 ^ t6;
            int t43 = t35 ^ t41;
            int t44 = k0 ^ t38;
            int t45 = t42 ^ t23;
            int t46 = t31 ^ t42;
            int t47 = t11 ^ t0;
            int t48 = k1 ^ t43;
            int t49 = t26 ^ t47;
            int t50 = k6 ^ t46;
            int t51 = k3 ^ t49;
            int t52 = t6 ^ t36;
            int t53 = t45 ^ t13;
            int t54 = Integer.rotateRight(t24, 16);
            int t55 = t22 ^ t52;
            int t56 = t54 ^ t1;
            int t57 = t56 ^ t55;
            int t58 = k5 ^ t57;
            int t59 = t18 ^ t53;
            int t60 = t59 ^ k7;
            p[i] = t44;
            p[i + LANES] = t48;
            p[i + 2 * LANES] = t32;
            p[i + 3 * LANES] = t51;
            p[i + 4 * LANES] = t39;
            p[i + 5 * LANES] = t58;
            p[i + 6 * LANES] = t50;
            p[i + 7 * LANES] = t60;
        }
    }

    /** AddRoundKey, from the planes of the inverse to the state's. */
    private static void addRoundKey(int[] p, int n, int[] keys, int k) {
        int k0 = keys[k];
        int k1 = keys[k + 1];
        int k2 = keys[k + 2];
        int k3 = keys[k + 3];
        int k4 = keys[k + 4];
        int k5 = keys[k + 5];
        int k6 = keys[k + 6];
        int k7 = keys[k + 7];
        for (int i = 0; i < n; i++) {
            int i0 = p[i + 12 * LANES];
            int i1 = p[i + 13 * LANES];
            int i2 = p[i + 14 * LANES];
            int i3 = p[i + 15 * LANES];
            int i4 = p[i + 16 * LANES];
            int i5 = p[i + 17 * LANES];
            int i6 = p[i + 18 * LANES];
            int i7 = p[i + 19 * LANES];
            int t0 = i5 ^ k5;
            int t1 = k3 ^ i3;
            int t2 = k4 ^ i4;
            int t3 = i7 ^ k7;
            int t4 = k1 ^ i1;
            int t5 = i2 ^ k2;
            int t6 = k6 ^ i6;
            int t7 = i0 ^ k0;
            p[i] = t7;
            p[i + LANES] = t4;
            p[i + 2 * LANES] = t5;
            p[i + 3 * LANES] = t1;
            p[i + 4 * LANES] = t2;
            p[i + 5 * LANES] = t0;
            p[i + 6 * LANES] = t6;
            p[i + 7 * LANES] = t3;
        }
    }

    /**
     * What InvMixColumns adds before MixColumns: {04} times the sum of a byte and the next but one.
     */
    private static void mixColumnsBack(int[] p, int n) {
        for (int i = 0; i < n; i++) {
            int i0 = p[i];
            int i1 = p[i + LANES];
            int i2 = p[i + 2 * LANES];
            int i3 = p[i + 3 * LANES];
            int i4 = p[i + 4 * LANES];
            int i5 = p[i + 5 * LANES];
            int i6 = p[i + 6 * LANES];
            int i7 = p[i + 7 * LANES];
            int t0 = Integer.rotateRight(i4, 16);
            int t1 = Integer.rotateRight(i2, 16);
            int t2 = Integer.rotateRight(i5, 16);
            int t3 = Integer.rotateRight(i1, 16);
            int t4 = Integer.rotateRight(i6, 16);
            int t5 = Integer.rotateRight(i0, 16);
            int t6 = t4 ^ i6;
            int t7 = i0 ^ t5;
            int t8 = t2 ^ i5;
            int t9 = i4 ^ t0;
            int t10 = t8 ^ t7;
            int t11 = Integer.rotateRight(i7, 16);
            int t12 = Integer.rotateRight(i3, 16);
            int t13 = t1 ^ i2;
            int t14 = t12 ^ i3;
            int t15 = t14 ^ t7;
            int t16 = i1 ^ t3;
            int t17 = t6 ^ t13;
            int t18 = t14 ^ t17;
            int t19 = t9 ^ t17;
            int t20 = t18 ^ i1;
            int t21 = t17 ^ t10;
            int t22 = t11 ^ i7;
            int t23 = t22 ^ t19;
            int t24 = t21 ^ t16;
            int t25 = i5 ^ t23;
            int t26 = t9 ^ t14;
            int t27 = i6 ^ t24;
            int t28 = t22 ^ t16;
            int t29 = t10 ^ t28;
            int t30 = i3 ^ t29;
            int t31 = t28 ^ t15;
            int t32 = t29 ^ t9;
            int t33 = t21 ^ t26;
            int t34 = t13 ^ t32;
            int t35 = i0 ^ t34;
            int t36 = i2 ^ t33;
            int t37 = t31 ^ i4;
            int t38 = t28 ^ t26;
            int t39 = t8 ^ t38;
            int t40 = t6 ^ t39;
            int t41 = t40 ^ i7;
            p[i] = t35;
            p[i + LANES] = t20;
            p[i + 2 * LANES] = t36;
            p[i + 3 * LANES] = t30;
            p[i + 4 * LANES] = t37;
            p[i + 5 * LANES] = t25;
            p[i + 6 * LANES] = t27;
            p[i + 7 * LANES] = t41;
        }
    }

    /** The basis change to the polynomial basis, and the last round key, in place. */
    private static void fromTower(int[] p, int from, int to, int[] keys, int k) {
        int k0 = keys[k];
        int k1 = keys[k + 1];
        int k2 = keys[k + 2];
        int k3 = keys[k + 3];
        int k4 = keys[k + 4];
        int k5 = keys[k + 5];
        int k6 = keys[k + 6];
        int k7 = keys[k + 7];
        for (int i = from; i < to; i++) {
            int i0 = p[i];
            int i1 = p[i + LANES];
            int i2 = p[i + 2 * LANES];
            int i3 = p[i + 3 * LANES];
            int i4 = p[i + 4 * LANES];
            int i5 = p[i + 5 * LANES];
            int i6 = p[i + 6 * LANES];
            int i7 = p[i + 7 * LANES];
            int t0 = i2 ^ i1;
            int t1 = i4 ^ i5;
            int t2 = t1 ^ i0;
            int t3 = i6 ^ i3;
            int t4 = t2 ^ i1;
            int t5 = i0 ^ t0;
            int t6 = i3 ^ i1;
            int t7 = i7 ^ t6;
            int t8 = t2 ^ t6;
            int t9 = t8 ^ k6;
            int t10 = k4 ^ t5;
            int t11 = i4 ^ i7;
            int t12 = i2 ^ t7;
            int t13 = t6 ^ i5;
            int t14 = t13 ^ k0;
            int t15 = t12 ^ k7;
            int t16 = t3 ^ i5;
            int t17 = k2 ^ t4;
            int t18 = t12 ^ i4;
            int t19 = k3 ^ t18;
            int t20 = t16 ^ k5;
            int t21 = t11 ^ t3;
            int t22 = k1 ^ t21;
            p[i] = t14;
            p[i + LANES] = t22;
            p[i + 2 * LANES] = t17;
            p[i + 3 * LANES] = t19;
            p[i + 4 * LANES] = t10;
            p[i + 5 * LANES] = t20;
            p[i + 6 * LANES] = t9;
            p[i + 7 * LANES] = t15;
        }
    }
}
