package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.crypto.ShortBufferException;

/**
 * Gives the array paths their {@link ByteBuffer} form. Buffers with an accessible array are worked on
 * where they are. Others, direct or read-only, are copied whole into an array first, so that any
 * overlap of the two is harmless; such a call takes as much memory again as its data.
 */
final class Buffers {

    private Buffers() {}

    /** An operation on arrays: returns how many bytes it wrote. */
    interface ArrayCall<E extends Exception> {
        int apply(byte[] in, int inOff, int length, byte[] out, int outOff)
                throws E, ShortBufferException;
    }

    /**
     * Runs a call on all that remains in {@code in}. Positions move only if it succeeds.
     *
     * @param needed bytes of room the output must have
     */
    static <E extends Exception> int run(
            ByteBuffer in, ByteBuffer out, int needed, ArrayCall<E> call)
            throws E, ShortBufferException {
        check(in, out);
        Arguments.room(out.remaining(), needed);
        int length = in.remaining();
        int written;
        if (in.hasArray() && out.hasArray()) {
            written =
                    call.apply(
                            in.array(),
                            in.arrayOffset() + in.position(),
                            length,
                            out.array(),
                            out.arrayOffset() + out.position());
            out.position(out.position() + written);
        } else {
            byte[] input = new byte[length];
            in.duplicate().get(input);
            byte[] output = new byte[needed];
            try {
                written = call.apply(input, 0, length, output, 0);
                out.put(output, 0, written);
            } finally {
                Bytes.wipe(input);
                Bytes.wipe(output);
            }
        }
        in.position(in.limit());
        return written;
    }

    /** Refuses buffers no call can work on. */
    static void check(ByteBuffer in, ByteBuffer out) {
        Objects.requireNonNull(in, "input");
        Objects.requireNonNull(out, "output");
        if (in == out) {
            throw new IllegalArgumentException(
                    "input and output must not be the same buffer object; pass a duplicate to work"
                            + " in place");
        }
        if (out.isReadOnly()) {
            throw new IllegalArgumentException("output must be writable, was a read-only buffer");
        }
    }
}
