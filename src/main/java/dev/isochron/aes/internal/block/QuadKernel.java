package dev.isochron.aes.internal.block;

/**
 * Bitsliced AES on four blocks at a time, one bit of their 64 bytes to a {@code long}.
 *
 * <p>After E. K&auml;sper and P. Schwabe, "Faster and Timing-Attack Resistant AES-GCM" (CHES 2009);
 * the S-box is the circuit of 113 gates by J. Boyar and R. Peralta, "A small depth-16 circuit for
 * the AES S-box" (SEC 2012), under the names of its authors.
 *
 * <p><b>Representation.</b> Plane i holds bit i of every byte (0 the least significant, in the
 * polynomial basis of FIPS 197):
 *
 * <pre>
 *   bit of a plane       63 ..... 48 | 47 ..... 32 | 31 ..... 16 | 15 ...... 0
 *   row                       3             2             1             0
 *   bit within a row     4 * column + block
 * </pre>
 *
 * <p>so that one row down is one rotation by 16. The constant {63} of the S-box is in the round
 * keys (see {@link RoundKeys}), whose planes are made round by round.
 *
 * <p>The loops over planes are written out: C2 would vectorize them, and a vector load waits for the
 * single stores before it. Fixslicing (A. Adomnicai and T. Peyrin, TCHES 2021), which does without
 * ShiftRows, was tried: the S-box takes most of the time here, and nothing was gained.
 *
 * <p>Constant-time: straight-line AND, XOR, OR, constant shifts and rotations; the loops count
 * rounds and blocks. No tables.
 */
final class QuadKernel {

    /** Blocks in a batch. */
    static final int BLOCKS = 4;

    private QuadKernel() {}

    /**
     * Puts a block where {@link #encrypt} and {@link #decrypt} take it.
     *
     * @param word0 bytes 0 to 7, little-endian
     * @param word1 bytes 8 to 15, little-endian
     * @param block which of the four
     */
    static void put(long word0, long word1, int block, long[] s) {
        s[block] = pairRows((word0 & 0xFFFFFFFFL) | (word1 << 32));
        s[4 + block] = pairRows((word0 >>> 32) | (word1 & 0xFFFFFFFF00000000L));
    }

    /** Bytes 0 to 7 of a block, little-endian. */
    static long word0(long[] s, int block) {
        return (unpairRows(s[block]) & 0xFFFFFFFFL) | (unpairRows(s[4 + block]) << 32);
    }

    /** Bytes 8 to 15 of a block, little-endian. */
    static long word1(long[] s, int block) {
        return (unpairRows(s[block]) >>> 32) | (unpairRows(s[4 + block]) & 0xFFFFFFFF00000000L);
    }

    /** Two columns side by side to four rows of two bytes each. */
    private static long pairRows(long x) {
        x = Bitslice.exchange(x, 16, 0x00000000FFFF0000L);
        return Bitslice.exchange(x, 8, 0x0000FF000000FF00L);
    }

    private static long unpairRows(long x) {
        x = Bitslice.exchange(x, 8, 0x0000FF000000FF00L);
        return Bitslice.exchange(x, 16, 0x00000000FFFF0000L);
    }

    /**
     * Encrypts four blocks (FIPS 197 section 5.1).
     *
     * @param keys from {@link RoundKeys#bulk}
     * @param s four blocks, from {@link #put}
     */
    static void encrypt(long[] keys, long[] s) {
        Bitslice.transpose(s);
        addRoundKey(s, keys[0], keys[1]);
        int last = keys.length - 2;
        for (int k = 2; k < last; k += 2) {
            subBytes(s);
            shiftRowsMixColumns(s, keys[k], keys[k + 1]);
        }
        subBytes(s);
        shiftRows(s, keys[last], keys[last + 1]);
        Bitslice.transpose(s);
    }

    /**
     * Decrypts four blocks (FIPS 197 section 5.3).
     *
     * @param keys from {@link RoundKeys#bulk}
     * @param s four blocks, from {@link #put}
     */
    static void decrypt(long[] keys, long[] s) {
        Bitslice.transpose(s);
        int last = keys.length - 2;
        addRoundKey(s, keys[last], keys[last + 1]);
        for (int k = last - 2; k > 0; k -= 2) {
            shiftRowsBack(s);
            subBytesBack(s);
            mixColumnsBack(s, keys[k], keys[k + 1]);
        }
        shiftRowsBack(s);
        subBytesBack(s);
        addRoundKey(s, keys[0], keys[1]);
        Bitslice.transpose(s);
    }

    /** Plane i of half a round key in bulk form, every bit repeated for the four blocks. */
    private static long plane(long half, int i) {
        return ((half >>> i) & 0x1111111111111111L) * 15;
    }

    private static void addRoundKey(long[] s, long low, long high) {
        s[0] ^= plane(low, 0);
        s[1] ^= plane(low, 1);
        s[2] ^= plane(low, 2);
        s[3] ^= plane(low, 3);
        s[4] ^= plane(high, 0);
        s[5] ^= plane(high, 1);
        s[6] ^= plane(high, 2);
        s[7] ^= plane(high, 3);
    }

    /** ShiftRows: in row r, column c takes column c + r. First by two in rows 2, 3; then by one. */
    private static long shiftRows(long plane) {
        long x = Bitslice.exchange(plane, 8, 0x00FF00FF00000000L);
        return (x & 0x0000FFFF0000FFFFL)
                | ((x >>> 4) & 0x0FFF00000FFF0000L)
                | ((x << 12) & 0xF0000000F0000000L);
    }

    /** InvShiftRows. */
    private static long shiftRowsBack(long plane) {
        long x = Bitslice.exchange(plane, 8, 0x00FF00FF00000000L);
        return (x & 0x0000FFFF0000FFFFL)
                | ((x << 4) & 0xFFF00000FFF00000L)
                | ((x >>> 12) & 0x000F0000000F0000L);
    }

    /** ShiftRows and AddRoundKey. */
    private static void shiftRows(long[] s, long low, long high) {
        s[0] = shiftRows(s[0]) ^ plane(low, 0);
        s[1] = shiftRows(s[1]) ^ plane(low, 1);
        s[2] = shiftRows(s[2]) ^ plane(low, 2);
        s[3] = shiftRows(s[3]) ^ plane(low, 3);
        s[4] = shiftRows(s[4]) ^ plane(high, 0);
        s[5] = shiftRows(s[5]) ^ plane(high, 1);
        s[6] = shiftRows(s[6]) ^ plane(high, 2);
        s[7] = shiftRows(s[7]) ^ plane(high, 3);
    }

    private static void shiftRowsBack(long[] s) {
        s[0] = shiftRowsBack(s[0]);
        s[1] = shiftRowsBack(s[1]);
        s[2] = shiftRowsBack(s[2]);
        s[3] = shiftRowsBack(s[3]);
        s[4] = shiftRowsBack(s[4]);
        s[5] = shiftRowsBack(s[5]);
        s[6] = shiftRowsBack(s[6]);
        s[7] = shiftRowsBack(s[7]);
    }

    /**
     * ShiftRows, MixColumns and AddRoundKey. A column's sum is {02} times the sum of a byte and the
     * next, plus the next three.
     */
    private static void shiftRowsMixColumns(long[] s, long low, long high) {
        long x0 = shiftRows(s[0]);
        long x1 = shiftRows(s[1]);
        long x2 = shiftRows(s[2]);
        long x3 = shiftRows(s[3]);
        long x4 = shiftRows(s[4]);
        long x5 = shiftRows(s[5]);
        long x6 = shiftRows(s[6]);
        long x7 = shiftRows(s[7]);
        mixColumns(s, x0, x1, x2, x3, x4, x5, x6, x7);
        addRoundKey(s, low, high);
    }

    private static void mixColumns(
            long[] s,
            long x0,
            long x1,
            long x2,
            long x3,
            long x4,
            long x5,
            long x6,
            long x7) {
        long r0 = Long.rotateRight(x0, 16);
        long r1 = Long.rotateRight(x1, 16);
        long r2 = Long.rotateRight(x2, 16);
        long r3 = Long.rotateRight(x3, 16);
        long r4 = Long.rotateRight(x4, 16);
        long r5 = Long.rotateRight(x5, 16);
        long r6 = Long.rotateRight(x6, 16);
        long r7 = Long.rotateRight(x7, 16);
        long t0 = x0 ^ r0;
        long t1 = x1 ^ r1;
        long t2 = x2 ^ r2;
        long t3 = x3 ^ r3;
        long t4 = x4 ^ r4;
        long t5 = x5 ^ r5;
        long t6 = x6 ^ r6;
        long t7 = x7 ^ r7;
        s[0] = t7 ^ r0 ^ Long.rotateRight(t0, 32);
        s[1] = t0 ^ t7 ^ r1 ^ Long.rotateRight(t1, 32);
        s[2] = t1 ^ r2 ^ Long.rotateRight(t2, 32);
        s[3] = t2 ^ t7 ^ r3 ^ Long.rotateRight(t3, 32);
        s[4] = t3 ^ t7 ^ r4 ^ Long.rotateRight(t4, 32);
        s[5] = t4 ^ r5 ^ Long.rotateRight(t5, 32);
        s[6] = t5 ^ r6 ^ Long.rotateRight(t6, 32);
        s[7] = t6 ^ r7 ^ Long.rotateRight(t7, 32);
    }

    /**
     * AddRoundKey and InvMixColumns, which is MixColumns after adding {04} times the sum of a byte
     * and the next but one.
     */
    private static void mixColumnsBack(long[] s, long low, long high) {
        long x0 = s[0] ^ plane(low, 0);
        long x1 = s[1] ^ plane(low, 1);
        long x2 = s[2] ^ plane(low, 2);
        long x3 = s[3] ^ plane(low, 3);
        long x4 = s[4] ^ plane(high, 0);
        long x5 = s[5] ^ plane(high, 1);
        long x6 = s[6] ^ plane(high, 2);
        long x7 = s[7] ^ plane(high, 3);
        long u0 = x0 ^ Long.rotateRight(x0, 32);
        long u1 = x1 ^ Long.rotateRight(x1, 32);
        long u2 = x2 ^ Long.rotateRight(x2, 32);
        long u3 = x3 ^ Long.rotateRight(x3, 32);
        long u4 = x4 ^ Long.rotateRight(x4, 32);
        long u5 = x5 ^ Long.rotateRight(x5, 32);
        long u6 = x6 ^ Long.rotateRight(x6, 32);
        long u7 = x7 ^ Long.rotateRight(x7, 32);
        mixColumns(
                s,
                x0 ^ u6,
                x1 ^ u6 ^ u7,
                x2 ^ u0 ^ u7,
                x3 ^ u1 ^ u6,
                x4 ^ u2 ^ u6 ^ u7,
                x5 ^ u3 ^ u7,
                x6 ^ u4,
                x7 ^ u5);
    }

    /** InvSubBytes: the S-box between two turns of its inverse affine map. */
    private static void subBytesBack(long[] s) {
        affineBack(s);
        subBytes(s);
        affineBack(s);
    }

    /** The linear part of FIPS 197 section 5.3.2's affine map: bit i is i + 2, i + 5 and i + 7. */
    private static void affineBack(long[] s) {
        long x0 = s[0];
        long x1 = s[1];
        long x2 = s[2];
        long x3 = s[3];
        long x4 = s[4];
        long x5 = s[5];
        long x6 = s[6];
        long x7 = s[7];
        s[0] = x2 ^ x5 ^ x7;
        s[1] = x3 ^ x6 ^ x0;
        s[2] = x4 ^ x7 ^ x1;
        s[3] = x5 ^ x0 ^ x2;
        s[4] = x6 ^ x1 ^ x3;
        s[5] = x7 ^ x2 ^ x4;
        s[6] = x0 ^ x3 ^ x5;
        s[7] = x1 ^ x4 ^ x6;
    }

    /**
     * SubBytes without its constant: top linear layer, inversion in the middle, bottom layer, in an
     * order that keeps few values alive at a time.
     */
    private static void subBytes(long[] s) {
        long u7 = s[0];
        long u6 = s[1];
        long u5 = s[2];
        long u4 = s[3];
        long u3 = s[4];
        long u2 = s[5];
        long u1 = s[6];
        long u0 = s[7];
        long t0 = u1 ^ u2;
        long y8 = u0 ^ u5;
        long y1 = t0 ^ u7;
        long y5 = y1 ^ u6;
        long y13 = u0 ^ u6;
        long y14 = u3 ^ u5;
        long y12 = y13 ^ y14;
        long t1 = u4 ^ y12;
        long y15 = t1 ^ u5;
        long y20 = t1 ^ u1;
        long t2 = y12 & y15;
        long y4 = y1 ^ u3;
        long y9 = u0 ^ u3;
        long y2 = y1 ^ u0;
        long y11 = y20 ^ y9;
        long y7 = u7 ^ y11;
        long y10 = y15 ^ t0;
        long y16 = t0 ^ y11;
        long y18 = u0 ^ y16;
        long t5 = y4 & u7;
        long t6 = t5 ^ t2;
        long t10 = y2 & y7;
        long y17 = y10 ^ y11;
        long t12 = y9 & y11;
        long t7 = y13 & y16;
        long t11 = t10 ^ t7;
        long t13 = y14 & y17;
        long t14 = t13 ^ t12;
        long y21 = y13 ^ y16;
        long y3 = y5 ^ y8;
        long t15 = y8 & y10;
        long t16 = t15 ^ t12;
        long t20 = t11 ^ t16;
        long t18 = t6 ^ t16;
        long t24 = t20 ^ y18;
        long y19 = y10 ^ y8;
        long t22 = t18 ^ y19;
        long t8 = y5 & y1;
        long t9 = t8 ^ t7;
        long t19 = t9 ^ t14;
        long t23 = t19 ^ y21;
        long y6 = y15 ^ u7;
        long t3 = y3 & y6;
        long t4 = t3 ^ t2;
        long t17 = t4 ^ y20;
        long t21 = t17 ^ t14;
        long t30 = t23 ^ t24;
        long t25 = t21 ^ t22;
        long t26 = t21 & t23;
        long t31 = t22 ^ t26;
        long t32 = t31 & t30;
        long t27 = t24 ^ t26;
        long t33 = t32 ^ t24;
        long z2 = t33 & u7;
        long z11 = t33 & y4;
        long t34 = t23 ^ t33;
        long t28 = t25 & t27;
        long t29 = t28 ^ t22;
        long z5 = t29 & y7;
        long z14 = t29 & y2;
        long t42 = t29 ^ t33;
        long z15 = t42 & y9;
        long z6 = t42 & y11;
        long t35 = t27 ^ t33;
        long t36 = t24 & t35;
        long t38 = t27 ^ t36;
        long t37 = t36 ^ t34;
        long t44 = t33 ^ t37;
        long z10 = t37 & y3;
        long z0 = t44 & y15;
        long z9 = t44 & y12;
        long tc4 = z0 ^ z2;
        long t39 = t29 & t38;
        long t40 = t25 ^ t39;
        long z13 = t40 & y5;
        long t43 = t29 ^ t40;
        long z3 = t43 & y16;
        long z12 = t43 & y13;
        long z4 = t40 & y1;
        long t41 = t40 ^ t37;
        long z1 = t37 & y6;
        long tc5 = z1 ^ z0;
        long tc12 = z3 ^ z5;
        long tc6 = z3 ^ z4;
        long tc14 = tc4 ^ tc12;
        long t45 = t42 ^ t41;
        long z8 = t41 & y10;
        long z17 = t41 & y8;
        long tc7 = z12 ^ tc4;
        long tc9 = z8 ^ tc7;
        long z16 = t45 & y14;
        long z7 = t45 & y17;
        long tc1 = z15 ^ z16;
        long tc8 = z7 ^ tc6;
        long tc11 = tc6 ^ tc5;
        long tc10 = tc8 ^ tc9;
        long tc16 = z6 ^ tc8;
        long tc2 = z10 ^ tc1;
        long tc13 = z13 ^ tc1;
        long tc21 = tc2 ^ z11;
        long tc3 = z9 ^ tc2;
        long tc18 = tc13 ^ tc14;
        long s7 = z12 ^ tc18;
        long s6 = tc10 ^ tc18;
        long tc17 = z14 ^ tc10;
        long s5 = tc21 ^ tc17;
        long s3 = tc3 ^ tc11;
        long s0 = tc3 ^ tc16;
        long s4 = tc14 ^ s3;
        long tc20 = z15 ^ tc16;
        long tc26 = tc17 ^ tc20;
        long s1 = s3 ^ tc16;
        long s2 = tc26 ^ z17;
        s[0] = s7;
        s[1] = s6;
        s[2] = s5;
        s[3] = s4;
        s[4] = s3;
        s[5] = s2;
        s[6] = s1;
        s[7] = s0;
    }
}
