package dev.isochron.aes.internal.mode;

/** A message of a mode that takes any length and gives every byte out at once. */
abstract class StreamTransform implements Transform {

    @Override
    public final int held() {
        return 0;
    }

    @Override
    public final int updateSize(int length) {
        return length;
    }

    @Override
    public final int finishSize(int length) {
        return length;
    }

    @Override
    public final void checkLength(int length) {
        // No limit that a caller could reach; GCM counts its text itself.
    }

    @Override
    public final void checkFinish(int length) {
        // Any length is right.
    }

    /** As {@link #update}, unless a mode can do better: there is nothing left to come out. */
    @Override
    public int finish(byte[] in, int inOff, int length, byte[] out, int outOff) {
        return update(in, inOff, length, out, outOff);
    }
}
