package dev.isochron.timing;

import java.util.function.Function;

/**
 * One block of AES with cold caches: before each sample a sweep through more memory than the caches next
 * to the core hold, as other work between two messages would do. Then a table has to be fetched again,
 * and how much of it, and in which order, depends on the secret. Bouncy Castle's table-driven AES under
 * this treatment is a control, and Isochron under the very same its clean twin.
 */
final class BlockExperiment implements Experiment {

    /** One block under one key. */
    interface Block {
        void encrypt(byte[] in, byte[] out);
    }

    private static final int KEY = 32;
    private static final int BLOCK = 16;

    private final ModeExperiment.Secret secret;
    private final Function<byte[], Block> cipher;
    private final byte[] fixedKey = ModeExperiment.fixedKey(KEY);
    private final Slots inputs = new Slots(BLOCK);
    private final byte[] out = new byte[BLOCK];
    private final byte[] swept;
    private final byte[] sweepTarget;
    private final Block oneKey;
    private Block[] keys = new Block[0];
    private Block current;

    BlockExperiment(
            ModeExperiment.Secret secret,
            int sweep,
            Function<byte[], Block> cipher,
            Inputs random) {
        this.secret = secret;
        this.cipher = cipher;
        swept = new byte[sweep / 2];
        sweepTarget = new byte[sweep / 2];
        oneKey = cipher.apply(random.bytes(KEY));
    }

    @Override
    public void prepare(byte[] classes, Inputs random) {
        inputs.resize(classes.length);
        if (keys.length != classes.length) {
            keys = new Block[classes.length];
        }
        byte[] fixedText = new byte[BLOCK];
        for (int i = 0; i < classes.length; i++) {
            byte[] randomKey = random.bytes(KEY);
            byte[] randomText = random.bytes(BLOCK);
            boolean fixed = classes[i] == FIXED;
            boolean keyVaries = secret == ModeExperiment.Secret.KEY;
            keys[i] = keyVaries ? cipher.apply(fixed ? fixedKey : randomKey) : oneKey;
            inputs.set(i, keyVaries || fixed ? fixedText : randomText);
        }
    }

    /** The second call would find the caches warm. */
    @Override
    public int mostCalls() {
        return 1;
    }

    @Override
    public void load(int slot) {
        inputs.load(slot);
        current = keys[slot];
        // A copy is quick in the interpreter, too.
        System.arraycopy(swept, 0, sweepTarget, 0, swept.length);
    }

    @Override
    public int run() {
        current.encrypt(inputs.current(), out);
        return out[0];
    }
}
