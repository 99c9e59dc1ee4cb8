package dev.isochron.aes.internal.mac;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;

/**
 * CBC-MAC of one message, for input that comes in pieces (SP 800-38C section 6.1 steps 2 and 3): X0 =
 * 0, Xi = E(Xi-1 ^ Bi). Secure only where a mode encodes its input without a prefix of another, as
 * CCM does, or treats the last block apart, as CMAC does. Serial by nature: one block after another.
 *
 * <p>{@code state} is Xi with the {@code held} bytes (0 to 16) of the next block combined into it; so
 * padding with zeros is no work at all. A whole block is enciphered when it must be, and until then may
 * find company, see {@link #encipherWith}.
 *
 * <p>Constant-time: {@link BlockCipher} and exclusive or, steered by lengths alone.
 */
public final class CbcMac implements AutoCloseable {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    private final BlockCipher cipher;
    private final byte[] state = new byte[BLOCK];
    private int held;

    /** The MAC of nothing yet, with this cipher, which remains the caller's. */
    public CbcMac(BlockCipher cipher) {
        this.cipher = cipher;
    }

    /** Absorbs a piece. */
    public void update(byte[] in, int off, int length) {
        int done = absorb(in, off, length);
        if (done == length) {
            return;
        }
        encipher();
        // All whole blocks but the last one, even if nothing is left after it.
        int blocks = (length - done - 1) / BLOCK;
        cipher.chain(state, in, off + done, blocks);
        done += BLOCK * blocks;
        absorb(in, off + done, length - done);
    }

    /** Takes what the block under way has room for. */
    private int absorb(byte[] in, int off, int length) {
        int n = Math.min(length, BLOCK - held);
        Bytes.xor(in, off, state, held, state, held, n);
        held += n;
        return n;
    }

    /** Fills the block under way, if there is one, with zeros. */
    public void pad() {
        if (held > 0) {
            held = BLOCK;
        }
    }

    private void encipher() {
        cipher.encrypt(state, 0, state, 0, 1);
        held = 0;
    }

    /**
     * Enciphers the block that is whole now together with others, which are independent of it.
     *
     * @param batch blocks to encipher in place, and a free one at the end
     */
    public void encipherWith(byte[] batch) {
        int last = batch.length - BLOCK;
        Bytes.copy(state, 0, batch, last, BLOCK);
        cipher.encrypt(batch, 0, batch, 0, batch.length / BLOCK);
        Bytes.copy(batch, last, state, 0, BLOCK);
        held = 0;
    }

    /**
     * The MAC: Xi of the padded input. Ends the message.
     *
     * @return 16 bytes, not a copy
     */
    public byte[] finish() {
        if (held > 0) {
            encipher();
        }
        return state;
    }

    @Override
    public void close() {
        Bytes.wipe(state);
        held = 0;
    }
}
