import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Secrets in objects: in boxes, strings, lambdas, exceptions, and in which object is called. */
public final class Things {

    private static final int[] TABLE = new int[256];

    public static Object boxed(byte[] key) {
        return Integer.valueOf(key[0]); // LEAK: gives a secret to java/lang/Integer.valueOf
    }

    public static Object boxedByTheCompiler(byte[] key) {
        return List.of(key[0]); // LEAK: gives a secret to java/lang/Byte.valueOf
    }

    public static Object boxedLength(byte[] key) {
        return key.length;
    }

    public static String inAString(byte[] key) {
        return "the key starts with " + key[0]; // LEAK: gives a secret to java/lang/invoke/StringConcatFactory
    }

    public static String bytesInAString(byte[] key) {
        return new String(key); // LEAK: gives a secret to java/lang/String.<init>
    }

    public static String lengthInAString(byte[] key) {
        return "the key has " + key.length + " bytes";
    }

    public static String hex(byte[] key) {
        return Long.toHexString(key[0]); // LEAK: gives a secret to java/lang/Long.toHexString
    }

    public static int captured(byte[] key) {
        int secret = key[0] & 0xFF;
        Supplier<int[]> look = () -> new int[] {TABLE[secret]}; // LEAK: an array index
        return look.get()[0];
    }

    public static int capturedAndPublic(byte[] key) {
        int length = key.length;
        Supplier<int[]> look = () -> new int[] {TABLE[length]};
        return look.get()[0];
    }

    public static int argumentOfALambda(byte[] key) {
        IntUnaryOperator look = i -> TABLE[i & 0xFF]; // LEAK: an array index
        return look.applyAsInt(key[0]);
    }

    public static int argumentOfAnotherLambda(byte[] key) {
        IntUnaryOperator mix = i -> i * 0x1B ^ 0x63;
        return mix.applyAsInt(key[0]);
    }

    public static Supplier<Integer> boxedByALambda(byte[] key) {
        return () -> (int) key[0]; // LEAK: gives a secret to java/lang/Integer.valueOf
    }

    public static int methodReference(byte[] key) {
        IntUnaryOperator look = Things::look;
        return look.applyAsInt(key[3]);
    }

    private static int look(int i) {
        return TABLE[i]; // LEAK: an array index
    }

    public static void inAnException(byte[] key) {
        throw new IllegalArgumentException(
                String.valueOf(key[0])); // LEAK: gives a secret to java/lang/String.valueOf
    }

    private static final class BadByte extends Exception {
        private static final long serialVersionUID = 1;

        private final transient int value;

        BadByte(int value) { // LEAK: gives a secret to java/lang/Exception.<init>
            this.value = value;
        }
    }

    /** It is carried by the exception to another method, and used there. */
    public static int carriedByAnException(byte[] key) {
        try {
            carry(key);
            return 0;
        } catch (BadByte e) {
            return TABLE[e.value & 0xFF]; // LEAK: an array index
        }
    }

    private static void carry(byte[] key) throws BadByte {
        throw new BadByte(key[0]);
    }

    private interface Step {
        int apply(int x);
    }

    private static final class Linear implements Step {
        @Override
        public int apply(int x) {
            return x ^ 1;
        }
    }

    private static final class Table implements Step {
        @Override
        public int apply(int x) {
            return TABLE[x & 0xFF]; // LEAK: an array index
        }
    }

    /** The leak is in one of the classes that the call may reach. */
    public static int dispatch(byte[] key, int n) {
        Step step = n == 0 ? new Linear() : new Table();
        return step.apply(key[0]);
    }

    public static int dispatchOnSecret(byte[] key) {
        Step[] steps = {new Linear(), new Linear()};
        Step step = steps[key[0] & 1]; // LEAK: an array index
        return step.apply(1); // LEAK: which object is called
    }

    private abstract static class Base {
        abstract int step(int x);

        int twice(int x) {
            return step(step(x));
        }
    }

    private static final class Derived extends Base {
        @Override
        int step(int x) {
            return x == 0 ? 1 : x; // LEAK: a branch
        }
    }

    /** Through a superclass's method back into the subclass. */
    public static int inherited(byte[] key) {
        Base base = new Derived();
        return base.twice(key[0]);
    }

    public static int inARecursion(byte[] key) {
        return sum(key, 0);
    }

    private static int sum(byte[] key, int i) {
        if (i == key.length) {
            return 0;
        }
        return TABLE[sum(key, i + 1) & 0xFF] + key[i]; // LEAK: an array index
    }

    public static boolean jdkCompare(byte[] key, byte[] other) {
        return java.util.Arrays.equals(key, other); // LEAK: gives a secret to java/util/Arrays.equals
    }

    public static int jdkHash(byte[] key) {
        return java.util.Arrays.hashCode(key); // LEAK: gives a secret to java/util/Arrays.hashCode
    }

    public static String publicIntoTheJdk(byte[] nonce) {
        return new String(nonce);
    }
}
