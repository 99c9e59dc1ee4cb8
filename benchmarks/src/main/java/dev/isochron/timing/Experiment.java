package dev.isochron.timing;

import java.security.GeneralSecurityException;

/**
 * Something to be timed with inputs of two classes. {@link Worker} calls, over and over, {@code prepare}
 * for a batch of slots, and then for each slot {@code load} and, timed, {@code run} once or more.
 *
 * <p>What the two classes share decides whether the test says anything:
 *
 * <ul>
 *   <li><b>Memory.</b> A fixed input that is one hot object, beside random ones that are cold, differs
 *       by its cache lines, not by its bytes. So each slot has its own copy, fixed ones too, written in
 *       the order of the slots; and {@code load} copies it into the one array that {@code run} reads.
 *       Where the secret is a key, each slot has its own key object for the same reason.
 *   <li><b>The path.</b> Nothing after {@code prepare} knows the class of a slot; both classes succeed
 *       or both fail, and lengths are the same.
 *   <li><b>Everything else.</b> What is not the secret is the same for all slots. A nonce drawn anew
 *       would blur what is to be seen: CBC encrypts the exclusive or of the text and the IV, and with a
 *       random IV a fixed text is as random as any.
 *   <li><b>Freshness.</b> Every batch is made anew. A slot measured twice would bring its place in
 *       memory twice, and the statistics take samples for independent.
 * </ul>
 */
interface Experiment {

    /** The class whose inputs are all alike. */
    int FIXED = 0;

    /** The class whose inputs are drawn at random; or, where two ways to fail are compared, the second. */
    int RANDOM = 1;

    /**
     * Makes the inputs of slots 0 to {@code classes.length} - 1.
     *
     * @param classes the class of each, {@link #FIXED} or {@link #RANDOM}
     * @param random for everything drawn
     */
    void prepare(byte[] classes, Inputs random) throws GeneralSecurityException;

    /** How often {@code run} may be called for one sample. */
    default int mostCalls() {
        return Integer.MAX_VALUE;
    }

    /** Puts a slot's input where {@code run} reads it. Not timed. */
    void load(int slot);

    /**
     * What is timed: may be called several times for one slot, and does the same each time.
     *
     * @return something that depends on the result, so that no compiler leaves the work out
     */
    int run() throws GeneralSecurityException;
}
