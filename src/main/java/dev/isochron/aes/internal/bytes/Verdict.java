package dev.isochron.aes.internal.bytes;

/**
 * The one place where a secret becomes public. A mode computes its accept or reject decision
 * without a branch, as an {@code int} that is 0 for accept; here, and nowhere else, it turns into a
 * {@code boolean} that code may branch on. At that point the caller is about to tell the world
 * anyway.
 */
public final class Verdict {

    private Verdict() {}

    /**
     * Declassifies a verdict.
     *
     * @param difference 0 to accept; any other value rejects, and which one it is stays secret
     * @return whether to accept
     */
    public static boolean accept(int difference) {
        // Folds every non-zero value to 1 before the only comparison, which sees nothing but 0 or 1.
        int folded = (difference | -difference) >>> 31;
        return folded == 0;
    }
}
