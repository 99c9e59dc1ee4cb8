package dev.isochron.timing;

/**
 * Random input, quick enough to make in the interpreter: SplitMix64 (Steele, Lea, Flood 2014). No
 * secrecy is asked of it.
 */
final class Inputs {

    private long state;

    Inputs(long seed) {
        state = seed;
    }

    long next() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** A number from 0 to {@code bound} - 1; {@code bound} is small. */
    int below(int bound) {
        return (int) ((next() >>> 32) * bound >>> 32);
    }

    void fill(byte[] a, int off, int length) {
        int i = 0;
        while (i < length) {
            long bits = next();
            for (int end = Math.min(i + Long.BYTES, length); i < end; i++) {
                a[off + i] = (byte) bits;
                bits >>>= 8;
            }
        }
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        fill(bytes, 0, length);
        return bytes;
    }
}
