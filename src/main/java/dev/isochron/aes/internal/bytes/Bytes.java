package dev.isochron.aes.internal.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Big-endian loads and stores, exclusive or, comparison and wiping: what every other room stands
 * on. Nothing here branches on, or indexes by, the content of an array.
 *
 * <p>Small arrays are copied by {@link #copy} in a plain loop, never by {@code clone} or {@code
 * Arrays.copyOfRange}: C2 of JDK 17 on AVX-512 machines miscompiles such a copy when the same
 * compiled method changes it afterwards.
 */
public final class Bytes {

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LITTLE_ENDIAN_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Bytes() {}

    /** The eight bytes of {@code a} from {@code off}, big-endian. */
    public static long getLong(byte[] a, int off) {
        return (long) LONG.get(a, off);
    }

    /** Stores {@code v} big-endian in the eight bytes of {@code a} from {@code off}. */
    public static void putLong(byte[] a, int off, long v) {
        LONG.set(a, off, v);
    }

    /** The eight bytes of {@code a} from {@code off}, little-endian. */
    public static long getLongLittleEndian(byte[] a, int off) {
        return (long) LITTLE_ENDIAN_LONG.get(a, off);
    }

    /** Stores {@code v} little-endian in the eight bytes of {@code a} from {@code off}. */
    public static void putLongLittleEndian(byte[] a, int off, long v) {
        LITTLE_ENDIAN_LONG.set(a, off, v);
    }

    /** The four bytes of {@code a} from {@code off}, big-endian. */
    public static int getInt(byte[] a, int off) {
        return (int) INT.get(a, off);
    }

    /** Stores {@code v} big-endian in the four bytes of {@code a} from {@code off}. */
    public static void putInt(byte[] a, int off, int v) {
        INT.set(a, off, v);
    }

    /**
     * The first {@code n} bytes (0 to 7) of a big-endian {@code long} from fewer bytes than eight;
     * the missing ones are zero.
     */
    public static long getPartial(byte[] a, int off, int n) {
        long v = 0;
        for (int i = 0; i < n; i++) {
            v |= (a[off + i] & 0xFFL) << (56 - 8 * i);
        }
        return v;
    }

    /** Stores the first {@code n} bytes (0 to 8) of the big-endian {@code v}. */
    public static void putPartial(byte[] a, int off, long v, int n) {
        for (int i = 0; i < n; i++) {
            a[off + i] = (byte) (v >>> (56 - 8 * i));
        }
    }

    /** {@code out = x ^ y} over {@code n} bytes, in ascending order. */
    public static void xor(
            byte[] x, int xOff, byte[] y, int yOff, byte[] out, int outOff, int n) {
        int i = 0;
        for (; i <= n - 8; i += 8) {
            LONG.set(out, outOff + i, (long) LONG.get(x, xOff + i) ^ (long) LONG.get(y, yOff + i));
        }
        for (; i < n; i++) {
            out[outOff + i] = (byte) (x[xOff + i] ^ y[yOff + i]);
        }
    }

    /**
     * Up to one block of text combined with its keystream by exclusive or.
     *
     * @param word0 keystream bytes 0 to 7, little-endian
     * @param word1 keystream bytes 8 to 15, little-endian
     * @param n how many bytes, 0 to 16
     */
    public static void combine(
            long word0, long word1, byte[] in, int inOff, byte[] out, int outOff, int n) {
        if (n == 16) {
            long text0 = getLongLittleEndian(in, inOff);
            long text1 = getLongLittleEndian(in, inOff + 8);
            putLongLittleEndian(out, outOff, text0 ^ word0);
            putLongLittleEndian(out, outOff + 8, text1 ^ word1);
            return;
        }
        for (int i = 0; i < n; i++) {
            long word = i < 8 ? word0 : word1;
            out[outOff + i] = (byte) (in[inOff + i] ^ (word >>> (8 * (i & 7))));
        }
    }

    /** Copies {@code n} bytes in ascending order. */
    public static void copy(byte[] from, int fromOff, byte[] to, int toOff, int n) {
        int i = 0;
        for (; i <= n - 8; i += 8) {
            LONG.set(to, toOff + i, (long) LONG.get(from, fromOff + i));
        }
        for (; i < n; i++) {
            to[toOff + i] = from[fromOff + i];
        }
    }

    /** A fresh array with the {@code n} bytes of {@code a} from {@code off}. */
    public static byte[] copy(byte[] a, int off, int n) {
        byte[] fresh = new byte[n];
        copy(a, off, fresh, 0, n);
        return fresh;
    }

    /**
     * Compares {@code n} bytes in time that depends on {@code n} alone.
     *
     * @return 0 if they are equal, else a value with some bit set; still secret, see {@link
     *     Verdict}
     */
    public static int difference(byte[] x, int xOff, byte[] y, int yOff, int n) {
        int d = 0;
        for (int i = 0; i < n; i++) {
            d |= x[xOff + i] ^ y[yOff + i];
        }
        return d;
    }

    /** Overwrites the whole array with zeros. */
    public static void wipe(byte[] a) {
        java.util.Arrays.fill(a, (byte) 0);
    }

    /** Overwrites {@code n} bytes from {@code off} with zeros. */
    public static void wipe(byte[] a, int off, int n) {
        java.util.Arrays.fill(a, off, off + n, (byte) 0);
    }

    /** Overwrites the whole array with zeros. */
    public static void wipe(int[] a) {
        java.util.Arrays.fill(a, 0);
    }

    /** Overwrites the whole array with zeros. */
    public static void wipe(long[] a) {
        java.util.Arrays.fill(a, 0L);
    }
}
