package dev.isochron.aes.cli;

import dev.isochron.aes.internal.bytes.Verdict;
import java.util.Arrays;

/**
 * Hexadecimal digits by arithmetic, for keys. Constant-time: no branch and no index depends on a
 * digit or a byte, where {@code java.util.HexFormat} and {@code java.util.Base64} look both up in
 * tables.
 */
final class Hex {

    private Hex() {}

    /** Writes {@code 2 * in.length} lower-case ASCII digits into {@code out} from {@code off}. */
    static void encode(byte[] in, byte[] out, int off) {
        for (int i = 0; i < in.length; i++) {
            out[off + 2 * i] = digit((in[i] >>> 4) & 15);
            out[off + 2 * i + 1] = digit(in[i] & 15);
        }
    }

    /**
     * Reads {@code 2 * out.length} ASCII digits of either case from {@code in}.
     *
     * @return whether all were digits; the verdict depends on all of them together and is public,
     *     and if it is negative {@code out} is all zeros
     */
    static boolean decode(byte[] in, int off, byte[] out) {
        int bad = 0;
        for (int i = 0; i < out.length; i++) {
            int high = value(in[off + 2 * i]);
            int low = value(in[off + 2 * i + 1]);
            bad |= high | low;
            out[i] = (byte) (high << 4 | low & 15);
        }
        // A bad digit is -1, so one sign bit tells.
        if (!Verdict.accept(bad >>> 31, "whether a key file has digits alone")) {
            Arrays.fill(out, (byte) 0);
            return false;
        }
        return true;
    }

    /** {@code '0' + n}, and 39 more (up to {@code 'a'}) from 10 on. */
    private static byte digit(int n) {
        int fromTen = (9 - n) >> 31;
        return (byte) ('0' + n + (fromTen & ('a' - '0' - 10)));
    }

    /** The value of a digit, or -1. */
    private static int value(byte c) {
        int lower = c | 0x20;
        int decimal = within(c, '0', '9');
        int letter = within(lower, 'a', 'f');
        return (decimal & (c - '0')) | (letter & (lower - 'a' + 10)) | ~(decimal | letter);
    }

    /** All ones if {@code low <= c <= high}, else zero. */
    private static int within(int c, int low, int high) {
        return ~((c - low | high - c) >> 31);
    }
}
