/**
 * Bytecode without a branch that the JIT compilers turn into machine code with one, or into an
 * instruction whose time depends on its operands. Jumps must report each; if it does not, it is blind.
 */
final class Controls {

    private Controls() {}

    static int all(int x, int y) {
        return quotient(x, y | 1) + (int) remainder(x, y | 1) + rounded(x * 0.5);
    }

    /** The one overflow, MIN_VALUE / -1, has a path of its own; and idiv takes its time. */
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
}
