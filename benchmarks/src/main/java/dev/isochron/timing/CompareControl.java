package dev.isochron.timing;

/**
 * Comparing a tag with a guess whose first wrong byte is the first or the last: by a loop that stops at
 * the first difference, which must be found out in every tier, or by one that does not, which must not.
 */
final class CompareControl implements Experiment {

    private static final int TAG = 16;

    private final boolean earlyExit;
    private final Slots tags = new Slots(TAG);
    private final Slots guesses = new Slots(TAG);

    CompareControl(boolean earlyExit) {
        this.earlyExit = earlyExit;
    }

    @Override
    public void prepare(byte[] classes, Inputs random) {
        tags.resize(classes.length);
        guesses.resize(classes.length);
        for (int i = 0; i < classes.length; i++) {
            byte[] tag = random.bytes(TAG);
            tags.set(i, tag);
            FailureExperiment.spoil(tag, 0, classes[i] == FIXED ? 0 : TAG - 1, TAG, random);
            guesses.set(i, tag);
        }
    }

    @Override
    public void load(int slot) {
        tags.load(slot);
        guesses.load(slot);
    }

    @Override
    public int run() {
        boolean equal =
                earlyExit
                        ? equalEarlyExit(tags.current(), guesses.current())
                        : equalConstantTime(tags.current(), guesses.current());
        return equal ? 1 : 0;
    }

    private static boolean equalEarlyExit(byte[] x, byte[] y) {
        for (int i = 0; i < x.length; i++) {
            if (x[i] != y[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalConstantTime(byte[] x, byte[] y) {
        int difference = 0;
        for (int i = 0; i < x.length; i++) {
            difference |= x[i] ^ y[i];
        }
        return difference == 0;
    }
}
