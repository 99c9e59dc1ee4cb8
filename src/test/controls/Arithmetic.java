/** Operations that take longer for some operands, or may. */
public final class Arithmetic {

    public static int modulo(byte[] key) {
        return (key[0] & 0xFF) % 10; // LEAK: a division's dividend
    }

    /** (x * 205) >> 11 is x / 10 for x below 256. */
    public static int moduloByMultiplication(byte[] key) {
        int x = key[0] & 0xFF;
        return x - 10 * ((x * 205) >> 11);
    }

    public static long divisor(byte[] key, long x) {
        return x / (key[0] | 1); // LEAK: a division's divisor
    }

    public static int moduloOfLength(byte[] key) {
        return key.length % 16;
    }

    public static int shift(byte[] key) {
        return 1 << key[0]; // LEAK: the amount of a shift
    }

    public static int shiftByPublic(byte[] key, int n) {
        return key[0] << n;
    }

    public static long rotate(byte[] key, long x) {
        return Long.rotateRight(x, key[0]); // LEAK: argument 2 of java/lang/Long.rotateRight
    }

    public static long rotateByPublic(byte[] key, int n) {
        return Long.rotateRight(key[0], n);
    }

    public static double floating(byte[] key) {
        double x = key[0]; // LEAK: an operation on floats
        return x;
    }

    public static int max(byte[] key) {
        return Math.max(key[0], key[1]); // LEAK: gives a secret to java/lang/Math.max
    }

    public static int maxOfPublic(byte[] key, int n) {
        return Math.max(key.length, n);
    }

    public static long multiplyHigh(byte[] key, long x) {
        return Math.multiplyHigh(key[0], x); // LEAK: gives a secret to java/lang/Math.multiplyHigh
    }

    public static long multiply(byte[] key, long x) {
        return key[0] * x;
    }

    public static int bitCount(long secretWord) {
        return Long.bitCount(secretWord); // LEAK: gives a secret to java/lang/Long.bitCount
    }
}
