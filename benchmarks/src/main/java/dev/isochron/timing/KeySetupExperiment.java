package dev.isochron.timing;

import java.util.function.ToIntFunction;

/** Setting up a fixed or a random key, whatever is derived from it included, and wiping it. */
final class KeySetupExperiment implements Experiment {

    private final byte[] fixedKey;
    private final Slots keys;
    private final ToIntFunction<byte[]> setup;

    /**
     * @param keyLength bytes of the key
     * @param setup what is timed
     */
    KeySetupExperiment(int keyLength, ToIntFunction<byte[]> setup) {
        fixedKey = ModeExperiment.fixedKey(keyLength);
        keys = new Slots(keyLength);
        this.setup = setup;
    }

    @Override
    public void prepare(byte[] classes, Inputs random) {
        keys.resize(classes.length);
        for (int i = 0; i < classes.length; i++) {
            byte[] randomKey = random.bytes(fixedKey.length);
            keys.set(i, classes[i] == FIXED ? fixedKey : randomKey);
        }
    }

    @Override
    public void load(int slot) {
        keys.load(slot);
    }

    @Override
    public int run() {
        return setup.applyAsInt(keys.current());
    }
}
