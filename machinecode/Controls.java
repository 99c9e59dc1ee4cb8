/**
 * What Jumps must report; if it does not, it is blind. Three methods have no branch in their bytecode,
 * but the JIT compilers make one, or an instruction whose time depends on its operands; those must be
 * findings. One has a branch on data, which must be listed as such.
 */
final class Controls {

    /** What must be a finding. */
    static final String[] FINDINGS = {"quotient", "remainder", "rounded"};

    /** What must be listed as decided by data. */
    static final String[] DATA = {"equal"};

    private static final byte[] ONE = new byte[16];
    private static final byte[] OTHER = new byte[16];

    private Controls() {}

    static int all(int x, int y) {
        OTHER[x & 15] = (byte) (y & 1);
        return quotient(x, y | 1)
                + (int) remainder(x, y | 1)
                + rounded(x * 0.5)
                + (equal(ONE, OTHER) ? 1 : 0);
    }

    /** The one overflow, MIN_VALUE / -1, has a path of its own; and a division takes its time. */
    static int quotient(int x, int y) {
        return x / y;
    }

    static long remainder(long x, long y) {
        return x % y;
    }

    /** A value out of range has a path of its own. */
    static int rounded(double x) {
        return (int) x;
    }

    /** Ends at the first difference. */
    static boolean equal(byte[] x, byte[] y) {
        for (int i = 0; i < x.length; i++) {
            if (x[i] != y[i]) {
                return false;
            }
        }
        return true;
    }
}
