package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.GrowingBuffer;
import java.util.Objects;
import javax.crypto.ShortBufferException;

/** Refusals that every operation shares, each with what it was and what is allowed. */
final class Arguments {

    /** The largest array every JVM can make. */
    static final int MAX_ARRAY = GrowingBuffer.MAX_LENGTH;

    private Arguments() {}

    static void range(String name, byte[] array, int off, int length) {
        Objects.requireNonNull(array, name);
        if (off < 0 || length < 0 || off > array.length - length) {
            throw new IndexOutOfBoundsException(
                    name + " must lie in its array of " + array.length + " bytes, was offset " + off
                            + " and length " + length);
        }
    }

    static void output(byte[] out, int outOff, int needed) throws ShortBufferException {
        Objects.requireNonNull(out, "output");
        if (outOff < 0 || outOff > out.length) {
            throw new IndexOutOfBoundsException(
                    "output offset must be 0 to " + out.length + ", was " + outOff);
        }
        room(out.length - outOff, needed);
    }

    static void room(int available, int needed) throws ShortBufferException {
        if (available < needed) {
            throw new ShortBufferException(
                    "output must have room for " + needed + " bytes, had " + available);
        }
    }

    /** A fresh array for output, unless there can be none so large. */
    static byte[] newOutput(int length) {
        if (length > MAX_ARRAY) {
            throw new IllegalArgumentException(
                    "input is too long for its output to be one array of at most " + MAX_ARRAY
                            + " bytes; give an output of your own, or see StreamingAead");
        }
        return new byte[length];
    }

    /** {@code a + b}, or the largest int if that is more. */
    static int saturatedSum(int a, int b) {
        return (int) Math.min(Integer.MAX_VALUE, (long) a + b);
    }
}
