package dev.isochron.timing;

import java.security.GeneralSecurityException;
import java.util.Arrays;

/**
 * A mode with a fixed or a random secret, the plaintext or the key. All else is the same in both
 * classes, so that the class {@link #FIXED} does one computation over and over.
 */
final class ModeExperiment implements Experiment {

    /** Which input is fixed in the class {@link #FIXED}, and random in the other. */
    enum Secret {
        /** The plaintext; all messages under one key. */
        TEXT,
        /** The key; all messages are one. */
        KEY
    }

    private final Scheme scheme;
    private final Secret secret;
    private final boolean sealing;
    private final Scheme.Keyed oneKey;
    private final byte[] fixedKey;
    private final byte[] nonce;
    private final byte[] fixedText;
    private final Slots inputs;
    private final byte[] out;
    private Scheme.Keyed[] keys = new Scheme.Keyed[0];
    private Scheme.Keyed current;

    ModeExperiment(Scheme scheme, boolean sealing, Secret secret, Inputs random)
            throws GeneralSecurityException {
        this.scheme = scheme;
        this.secret = secret;
        this.sealing = sealing;
        fixedKey = fixedKey(scheme.keyLength());
        out = new byte[scheme.textLength() + Scheme.MOST_ADDED];
        nonce = random.bytes(scheme.nonceLength());
        fixedText = new byte[scheme.textLength()];
        oneKey = scheme.keyed().apply(random.bytes(scheme.keyLength()));
        int sealed = oneKey.seal(nonce, fixedText, out);
        inputs = new Slots(sealing ? scheme.textLength() : sealed);
    }

    /** Zeros, the value most likely to take a short cut; but XTS refuses equal halves. */
    static byte[] fixedKey(int length) {
        byte[] key = new byte[length];
        key[length - 1] = 1;
        return key;
    }

    @Override
    public void prepare(byte[] classes, Inputs random) throws GeneralSecurityException {
        inputs.resize(classes.length);
        if (keys.length != classes.length) {
            keys = new Scheme.Keyed[classes.length];
        }
        for (int i = 0; i < classes.length; i++) {
            // Both are drawn for both classes: preparing, too, leaves the same traces.
            byte[] randomKey = random.bytes(scheme.keyLength());
            byte[] randomText = random.bytes(scheme.textLength());
            boolean fixed = classes[i] == FIXED;
            boolean keyVaries = secret == Secret.KEY;
            keys[i] = keyVaries ? scheme.keyed().apply(fixed ? fixedKey : randomKey) : oneKey;
            byte[] text = keyVaries || fixed ? fixedText : randomText;
            if (sealing) {
                inputs.set(i, text);
            } else {
                int sealed = keys[i].seal(nonce, text, out);
                inputs.set(i, Arrays.copyOf(out, sealed));
            }
        }
    }

    @Override
    public void load(int slot) {
        inputs.load(slot);
        current = keys[slot];
    }

    @Override
    public int run() throws GeneralSecurityException {
        return sealing
                ? current.seal(nonce, inputs.current(), out) + out[0]
                : current.open(nonce, inputs.current(), out) + out[0];
    }
}
