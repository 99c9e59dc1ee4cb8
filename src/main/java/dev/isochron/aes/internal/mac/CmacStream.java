package dev.isochron.aes.internal.mac;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * CMAC of one message after another, for input that comes in pieces (SP 800-38B section 6.2).
 *
 * <p>The last block is treated differently, so a block waits, whole or not, until it is known that
 * more follows: {@code waiting} holds its {@code held} bytes. {@code held} is 0 only while nothing has
 * come. {@code chain} is C over all blocks before it, a prefix included.
 *
 * <p>Not thread-safe.
 */
public final class CmacStream implements AutoCloseable {

    private static final int BLOCK = Cmac.BLOCK;

    private final Cmac cmac;
    private final Cmac.Prefix prefix;
    private final byte[] chain = new byte[BLOCK];
    private final byte[] waiting = new byte[BLOCK];
    private int held;

    /** Ready for a message. */
    public CmacStream(Cmac cmac) {
        this(cmac, null);
    }

    /** Ready for the rest of a message that starts with a known block. */
    public CmacStream(Cmac cmac, Cmac.Prefix prefix) {
        this.cmac = cmac;
        this.prefix = prefix;
        reset();
    }

    /** Absorbs a piece of the message. */
    public void update(byte[] data, int off, int length) {
        int done = Math.min(length, BLOCK - held);
        Bytes.copy(data, off, waiting, held, done);
        held += done;
        if (done == length) {
            return;
        }
        cmac.absorb(chain, waiting, 0, 1);
        // All whole blocks but the last one, even if nothing is left after it.
        int whole = (length - done - 1) & -BLOCK;
        cmac.absorb(chain, data, off + done, whole / BLOCK);
        done += whole;
        held = length - done;
        Bytes.copy(data, off + done, waiting, 0, held);
    }

    /**
     * Ends the message; ready for another.
     *
     * @param tag takes the 16 bytes of the tag
     */
    public void finish(byte[] tag) {
        if (held == 0 && prefix != null) {
            // The first block is the last as well.
            Bytes.wipe(chain);
            Bytes.copy(prefix.block, 0, waiting, 0, BLOCK);
            held = BLOCK;
        }
        cmac.absorbLast(chain, waiting, held);
        Bytes.copy(chain, 0, tag, 0, BLOCK);
        reset();
    }

    /** Forgets what came of the message; ready for another. */
    public void reset() {
        close();
        if (prefix != null) {
            Bytes.copy(prefix.chain, 0, chain, 0, BLOCK);
        }
    }

    @Override
    public void close() {
        Bytes.wipe(chain);
        Bytes.wipe(waiting);
        held = 0;
    }
}
