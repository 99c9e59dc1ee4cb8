package dev.isochron.aes.internal.bytes;

/**
 * The one place where a secret becomes public. Each call says why it may, in a constant string: the
 * verifier of constant time refuses a call without one, and lists them all.
 */
public final class Verdict {

    private Verdict() {}

    /**
     * Declassifies a decision that was computed without a branch. Here, and nowhere else, it turns
     * into a {@code boolean} that code may branch on; at that point the caller is about to tell the
     * world anyway.
     *
     * @param difference 0 to accept; any other value rejects, and which one it is stays secret
     * @param reason why the decision is public
     * @return whether to accept
     */
    public static boolean accept(int difference, String reason) {
        // Folds every non-zero value to 1 before the only comparison, which sees nothing but 0 or 1.
        int folded = (difference | -difference) >>> 31;
        return folded == 0;
    }

    /**
     * Declassifies a number.
     *
     * @param value any
     * @param reason why it is public
     * @return the same value
     */
    public static int publish(int value, String reason) {
        return value;
    }

    /**
     * Declassifies bytes.
     *
     * @param bytes holds them; it stays what it is
     * @param off where they start
     * @param length how many
     * @param reason why they are public
     * @return a copy of them that is public
     */
    public static byte[] publish(byte[] bytes, int off, int length, String reason) {
        return Bytes.copy(bytes, off, length);
    }
}
