import dev.isochron.aes.internal.bytes.Verdict;

/** Branches on secrets, and what does the same without one. */
public final class Branches {

    public static boolean earlyExitCompare(byte[] tag, byte[] computed) {
        for (int i = 0; i < 16; i++) {
            if (tag[i] != computed[i]) { // LEAK: a branch
                return false;
            }
        }
        return true;
    }

    public static boolean compareAll(byte[] tag, byte[] computed) {
        int difference = 0;
        for (int i = 0; i < 16; i++) {
            difference |= tag[i] ^ computed[i];
        }
        return Verdict.accept(difference, "a control");
    }

    public static long branchOnKeyBit(byte[] key, long x) {
        if ((key[0] & 1) != 0) { // LEAK: a branch
            return x << 1;
        }
        return x;
    }

    public static long maskByKeyBit(byte[] key, long x) {
        long mask = -(long) (key[0] & 1);
        return (x << 1 & mask) | (x & ~mask);
    }

    public static int branchOnLength(byte[] key) {
        return key.length == 16 ? 10 : 14;
    }

    public static int ternary(byte[] key) {
        return key[1] > 0 ? 3 : 5; // LEAK: a branch
    }

    public static int secretLoopBound(byte[] key) {
        int sum = 0;
        for (int i = 0; i < key[2]; i++) { // LEAK: a branch
            sum += i;
        }
        return sum;
    }

    public static int publicLoopBound(byte[] key) {
        int sum = 0;
        for (int i = 0; i < key.length; i++) {
            sum += key[i];
        }
        return sum;
    }

    public static int secretInSwitch(byte[] key) {
        switch (key[3]) { // LEAK: a switch
            case 1:
                return 10;
            case 2:
                return 20;
            default:
                return 30;
        }
    }

    public static int publicInSwitch(byte[] key) {
        switch (key.length) {
            case 16:
                return key[0];
            case 24:
                return key[1];
            default:
                return key[2];
        }
    }

    public static boolean shortCircuit(byte[] key) {
        boolean first = key[0] == 0; // LEAK: a branch
        boolean second = key[1] == 0; // LEAK: a branch
        // What a branch on a secret decided is not followed: the branch was reported.
        return first && second;
    }

    public static long compareLongs(byte secretA, byte secretB) {
        long a = secretA;
        long b = secretB;
        return a < b ? a : b; // LEAK: a comparison of longs
    }

    public static long lessByArithmetic(byte secretA, byte secretB) {
        long a = secretA;
        long b = secretB;
        long mask = (a - b) >> 63;
        return (a & mask) | (b & ~mask);
    }

    public static int exceptionOnSecret(byte[] key) {
        try {
            if (key[4] == 0) { // LEAK: a branch
                throw new IllegalStateException("a weak key");
            }
            return 1;
        } catch (IllegalStateException e) {
            return 0;
        }
    }

    public static int exceptionOnLength(byte[] key) {
        if (key.length != 16) {
            throw new IllegalArgumentException("key must have 16 bytes, had " + key.length);
        }
        return key[0];
    }

    /** What was written under a verdict is as public as the verdict. */
    public static byte[] wipeOnFailure(byte[] key) {
        byte[] out = {key[0], key[1]};
        if (!Verdict.accept(key[0] ^ key[1], "a control")) {
            out[0] = 0;
        }
        return out;
    }

    public static boolean noReason(byte[] key, String why) {
        return Verdict.accept(key[0], why); // LEAK: declassifies without a reason
    }
}
