package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;
import javax.crypto.BadPaddingException;

/**
 * A message of a block mode, cut anywhere: gathers whole blocks for a {@link BlockRun} and keeps back
 * what the {@link Ending} needs.
 *
 * <p>{@code buffer} holds the {@code held} bytes of input that have not been processed, of {@code
 * total} bytes in all so far.
 */
final class BlockTransform implements Transform {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    private final BlockRun run;
    private final Ending ending;
    private final byte[] buffer = new byte[4 * BLOCK];
    private int held;
    private long total;

    BlockTransform(BlockRun run, Ending ending) {
        this.run = run;
        this.ending = ending;
    }

    @Override
    public int held() {
        return held;
    }

    @Override
    public int updateSize(int length) {
        return ready(length, ending.keep());
    }

    @Override
    public int finishSize(int length) {
        long left = (long) held + length;
        int whole = readyAtEnd(length);
        return (int) Math.min(whole + (long) ending.size((int) (left - whole)), Integer.MAX_VALUE);
    }

    @Override
    public void checkLength(int length) {
        ending.checkTotal(total + length);
    }

    @Override
    public void checkFinish(int length) {
        ending.check((long) held + length);
    }

    /** Bytes of whole blocks that can go ahead if so many wait. */
    private int ready(int length, int keep) {
        long ready = (long) held + length - keep;
        return ready < BLOCK ? 0 : (int) Math.min(ready & -BLOCK, Integer.MAX_VALUE);
    }

    private int readyAtEnd(int length) {
        return ready(length, ending.keepAtEnd((long) held + length));
    }

    @Override
    public int update(byte[] in, int inOff, int length, byte[] out, int outOff) {
        return take(updateSize(length), in, inOff, length, out, outOff);
    }

    /** Processes {@code ready} bytes, in whole blocks, and holds the rest. */
    private int take(int ready, byte[] in, int inOff, int length, byte[] out, int outOff) {
        total += length;
        int written = 0;
        int read = 0;
        if (ready > 0 && held > 0) {
            // First the blocks that start with what is held.
            written = Math.min((held + BLOCK - 1) & -BLOCK, ready);
            read = Math.max(0, written - held);
            Bytes.copy(in, inOff, buffer, held, read);
            run.run(buffer, 0, buffer, 0, written / BLOCK);
            int rest = held + read - written;
            // What comes out may lie where the next input is: that has been read only up to here.
            Bytes.copy(buffer, 0, out, outOff, written);
            Bytes.copy(buffer, written, buffer, 0, rest);
            held = rest;
        }
        int more = ready - written;
        run.run(in, inOff + read, out, outOff + written, more / BLOCK);
        read += more;
        Bytes.copy(in, inOff + read, buffer, held, length - read);
        held += length - read;
        return ready;
    }

    @Override
    public int finish(byte[] in, int inOff, int length, byte[] out, int outOff)
            throws BadPaddingException {
        int written = take(readyAtEnd(length), in, inOff, length, out, outOff);
        boolean ended = false;
        try {
            int last = ending.end(run, buffer, held, out, outOff + written);
            ended = true;
            return written + last;
        } finally {
            if (!ended) {
                Bytes.wipe(out, outOff, written);
            }
        }
    }

    @Override
    public void close() {
        run.close();
        Bytes.wipe(buffer);
        held = 0;
    }
}
