package dev.isochron.timing;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.BadPaddingException;

/**
 * Messages that fail to open, in two ways that nobody may tell apart. Both classes throw the same
 * exception from the same place, and where it is caught is timed with it.
 */
final class FailureExperiment implements Experiment {

    /** Makes a message wrong. */
    interface Damage {

        /**
         * A message that fails to open.
         *
         * @param inputClass in which way
         * @param key the key it is to fail under
         * @param nonce its nonce
         * @param random for everything drawn
         */
        byte[] message(int inputClass, Scheme.Keyed key, byte[] nonce, Inputs random)
                throws GeneralSecurityException;
    }

    private static final int BLOCK = 16;
    private static final int BLOCKS = 5;
    private static final int TAG = 16;

    private final Scheme scheme;
    private final Damage damage;
    private final Scheme.Keyed key;
    private final Slots nonces;
    private final Slots inputs;
    private final byte[] out;

    FailureExperiment(Scheme scheme, Damage damage, Inputs random)
            throws GeneralSecurityException {
        this.scheme = scheme;
        this.damage = damage;
        key = scheme.keyed().apply(random.bytes(scheme.keyLength()));
        nonces = new Slots(scheme.nonceLength());
        byte[] nonce = new byte[scheme.nonceLength()];
        inputs = new Slots(damage.message(FIXED, key, nonce, random).length);
        out = new byte[scheme.textLength() + Scheme.MOST_ADDED];
    }

    @Override
    public void prepare(byte[] classes, Inputs random) throws GeneralSecurityException {
        nonces.resize(classes.length);
        inputs.resize(classes.length);
        for (int i = 0; i < classes.length; i++) {
            byte[] nonce = random.bytes(scheme.nonceLength());
            nonces.set(i, nonce);
            inputs.set(i, damage.message(classes[i], key, nonce, random));
        }
    }

    @Override
    public void load(int slot) {
        nonces.load(slot);
        inputs.load(slot);
    }

    @Override
    public int run() throws GeneralSecurityException {
        try {
            key.open(nonces.current(), inputs.current(), out);
        } catch (BadPaddingException e) {
            // AEADBadTagException is one, too.
            return e.getMessage().length();
        }
        throw new AssertionError("a damaged message was accepted");
    }

    /**
     * A tag whose first wrong byte is the first of all in one class, and in the other the last, or any
     * if {@code anywhere}.
     */
    static Damage tag(Scheme scheme, boolean anywhere) {
        return (inputClass, key, nonce, random) -> {
            byte[] sealed = new byte[scheme.textLength() + TAG];
            key.seal(nonce, random.bytes(scheme.textLength()), sealed);
            int drawn = random.below(TAG);
            int second = anywhere ? drawn : TAG - 1;
            spoil(sealed, scheme.textLength(), inputClass == FIXED ? 0 : second, TAG, random);
            return sealed;
        };
    }

    /**
     * Makes a byte wrong, and all after it random, as in a guess whose first bytes are right. Whether
     * the classes differ by the first wrong byte or by how many are wrong does not matter: neither may
     * show.
     */
    static void spoil(byte[] a, int off, int first, int length, Inputs random) {
        byte[] noise = random.bytes(length);
        a[off + first] ^= (byte) (1 + random.below(255));
        for (int i = first + 1; i < length; i++) {
            a[off + i] = noise[i];
        }
    }

    /** Makes the last block of a plaintext, random beforehand, one with a wrong padding. */
    private interface Padding {
        void apply(int inputClass, byte[] block, Inputs random);
    }

    /** A padding of a whole block, wrong in its first byte, or in the last before its length. */
    static Damage paddingByFirstOrLastByte() {
        return padding(
                (inputClass, block, random) -> {
                    Arrays.fill(block, (byte) BLOCK);
                    block[inputClass == FIXED ? 0 : BLOCK - 2] ^= (byte) (1 + random.below(255));
                });
    }

    /** A padding wrong in its first byte; its length is 8, or any from 2 to 16. */
    static Damage paddingByLength() {
        return padding(
                (inputClass, block, random) -> {
                    int drawn = 2 + random.below(BLOCK - 1);
                    wrongInFirstByte(block, inputClass == FIXED ? 8 : drawn, random);
                });
    }

    /** A padding of a length that there is, wrong in its first byte, or of one that there is not. */
    static Damage paddingByByteOrLength() {
        return padding(
                (inputClass, block, random) -> {
                    int length = 2 + random.below(BLOCK - 1);
                    // 17 to 255, and 0.
                    int impossible = BLOCK + 1 + random.below(255 - BLOCK + 1);
                    wrongInFirstByte(block, length, random);
                    block[BLOCK - 1] = (byte) (inputClass == FIXED ? length : impossible);
                });
    }

    private static void wrongInFirstByte(byte[] block, int length, Inputs random) {
        Arrays.fill(block, BLOCK - length, BLOCK, (byte) length);
        block[BLOCK - length] ^= (byte) (1 + random.below(255));
    }

    private static Damage padding(Padding rule) {
        return (inputClass, key, nonce, random) -> {
            byte[] text = random.bytes(BLOCKS * BLOCK);
            byte[] block = random.bytes(BLOCK);
            rule.apply(inputClass, block, random);
            System.arraycopy(block, 0, text, text.length - BLOCK, BLOCK);
            byte[] sealed = new byte[text.length + BLOCK];
            key.seal(nonce, text, sealed);
            // Without its last block, the right padding that was added, it ends in the wrong one.
            return Arrays.copyOf(sealed, text.length);
        };
    }
}
