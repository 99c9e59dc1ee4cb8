package dev.isochron.timing;

/**
 * The inputs of a batch, all of one length, side by side in one array in the order of their slots, and
 * the working copy of the one that is measured.
 */
final class Slots {

    private final int length;
    private final byte[] current;
    private byte[] all = new byte[0];

    Slots(int length) {
        this.length = length;
        this.current = new byte[length];
    }

    /** Makes room for so many inputs. */
    void resize(int count) {
        if (all.length < count * length) {
            all = new byte[count * length];
        }
    }

    /** Stores an input. */
    void set(int slot, byte[] input) {
        if (input.length != length) {
            throw new AssertionError(
                    "an input has " + input.length + " bytes, the slots have " + length);
        }
        System.arraycopy(input, 0, all, slot * length, length);
    }

    /** Copies an input into the working copy. */
    void load(int slot) {
        System.arraycopy(all, slot * length, current, 0, length);
    }

    /** The working copy: always the same array. */
    byte[] current() {
        return current;
    }
}
