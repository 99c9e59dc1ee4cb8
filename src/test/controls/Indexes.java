/** Memory at addresses that depend on secrets. */
public final class Indexes {

    private static final int[] SBOX = new int[256];

    private final byte[] state = new byte[16];
    private int kept;

    public static int sBoxLookup(byte[] key) {
        return SBOX[key[0] & 0xFF]; // LEAK: an array index
    }

    /** Reads the whole table. */
    public static int sBoxByScan(byte[] key) {
        int wanted = key[0] & 0xFF;
        int found = 0;
        for (int i = 0; i < SBOX.length; i++) {
            int difference = i ^ wanted;
            int same = (difference - 1) >> 31;
            found |= SBOX[i] & same;
        }
        return found;
    }

    public static void secretStore(byte[] key, byte[] out) {
        out[key[0] & 15] = 1; // LEAK: an array index
    }

    public static void publicStore(byte[] key, byte[] out) {
        for (int i = 0; i < 16; i++) {
            out[i] = key[i];
        }
    }

    /** The index goes through two calls and a field. */
    public static int throughCallsAndAField(byte[] key) {
        Indexes indexes = new Indexes();
        indexes.keep(first(key));
        return indexes.look();
    }

    private static int first(byte[] key) {
        return key[0] & 15;
    }

    private void keep(int index) {
        kept = index;
    }

    private int look() {
        return state[kept]; // LEAK: an array index
    }

    /** The same way, with a public index. */
    public static int throughCallsAndAnotherField(byte[] key) {
        Clean clean = new Clean();
        clean.keep(key.length);
        return clean.look();
    }

    private static final class Clean {
        private final byte[] state = new byte[64];
        private int kept;

        private void keep(int index) {
            kept = index;
        }

        private int look() {
            return state[kept];
        }
    }

    private static int[] shared = new int[4];

    /** Through a static field, an array in an array, and a copy. */
    public static int throughAStaticField(byte[] key) {
        int[][] nested = {new int[2], new int[2]};
        nested[1][0] = key[5];
        shared = nested[1].clone();
        return SBOX[shared[0] & 0xFF]; // LEAK: an array index
    }

    public static int throughArraycopy(byte[] key) {
        byte[] copy = new byte[16];
        System.arraycopy(key, 0, copy, 0, 16);
        return SBOX[copy[0] & 0xFF]; // LEAK: an array index
    }

    public static int lengthFromSecret(byte[] key) {
        return new byte[key[0] & 15].length; // LEAK: the length of a new array
    }

    public static int arrayChosenBySecret(byte[] key) {
        int[][] tables = {new int[4], new int[8]};
        return tables[key[0] & 1].length; // LEAK: an array index
    }

    public static int arrayChosenByLength(byte[] key) {
        int[][] tables = {new int[4], new int[8]};
        return tables[key.length & 1].length;
    }
}
