package dev.isochron.aes.internal.bytes;

/**
 * Which overlaps of input and output need a copy. Everything here works in ascending order and reads
 * a batch before it writes it, so output that starts at or before its input never overtakes it. Only
 * output that starts <em>inside</em> its input would overwrite bytes still to be read.
 */
public final class Overlap {

    private Overlap() {}

    /**
     * Whether writing would overtake reading.
     *
     * @param in the input array
     * @param inOff where the input starts
     * @param length how many bytes are read
     * @param out the output array
     * @param outOff where the output starts
     * @param held how many bytes of earlier input come out before the first byte of this one
     * @return true if the input must be copied first
     */
    public static boolean overtakes(
            byte[] in, int inOff, int length, byte[] out, int outOff, int held) {
        return in == out
                && (long) outOff + held > inOff
                && outOff < (long) inOff + length;
    }
}
