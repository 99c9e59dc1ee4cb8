package dev.isochron.aes.internal.block;

/**
 * The counter block of CTR (SP 800-38A appendix B.1) as two big-endian halves. A mask says which
 * bits of its low half count.
 *
 * <p>Constant-time: a carry is computed, never branched on.
 */
public final class Counter {

    /** The whole block counts, modulo 2<sup>128</sup>. */
    public static final long BITS_128 = -1L;

    /** The last four bytes count, modulo 2<sup>32</sup> (SP 800-38D section 6.2). */
    public static final long BITS_32 = 0xFFFFFFFFL;

    private Counter() {}

    /** The low half after {@code n} steps, 0 or more. */
    public static long low(long mask, long low, long n) {
        return (low & ~mask) | ((low + n) & mask);
    }

    /** The high half after {@code n} steps from a counter with this low half. */
    public static long high(long mask, long high, long low, long n) {
        // The sum carries if its top bit falls; with a mask of 32 bits there is no top bit to carry.
        return high + ((low & ~(low + n) & mask) >>> 63);
    }
}
