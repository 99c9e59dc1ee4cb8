package dev.isochron.aes;

import dev.isochron.aes.internal.block.BlockCipher;
import java.util.Arrays;

/**
 * A cipher that takes down what goes in and out of another one: all that a mode makes of a key. Chains
 * are those of the interface, block by block, so that every value of theirs is seen. Blocks that a mode
 * forms around its nonce are public, and left out.
 */
final class BlockRecorder implements BlockCipher {

    private final BlockCipher cipher;
    private final Fingerprints notes;
    private byte[] nonce = {};

    BlockRecorder(BlockCipher cipher, Fingerprints notes) {
        this.cipher = cipher;
        this.notes = notes;
    }

    /** Sets the nonce of the calls to come. */
    void nonce(byte[] now) {
        nonce = now;
    }

    @Override
    public void encrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        for (int i = inOff; i < inOff + BLOCK_SIZE * blocks; i += BLOCK_SIZE) {
            if (!hasNonce(in, i)) {
                notes.addBlocks("input of the cipher", in, i, BLOCK_SIZE);
            }
        }
        cipher.encrypt(in, inOff, out, outOff, blocks);
        notes.addBlocks("output of the cipher", out, outOff, BLOCK_SIZE * blocks);
    }

    @Override
    public void decrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        notes.addBlocks("input of the inverse cipher", in, inOff, BLOCK_SIZE * blocks);
        cipher.decrypt(in, inOff, out, outOff, blocks);
        notes.addBlocks("output of the inverse cipher", out, outOff, BLOCK_SIZE * blocks);
    }

    @Override
    public void ctr(
            long counterMask,
            long counterHigh,
            long counterLow,
            byte[] in,
            int inOff,
            byte[] out,
            int outOff,
            int length) {
        byte[] keystream = new byte[(length + BLOCK_SIZE - 1) & -BLOCK_SIZE];
        cipher.ctr(
                counterMask, counterHigh, counterLow, keystream, 0, keystream, 0, keystream.length);
        notes.addBlocks("keystream", keystream, 0, keystream.length);
        cipher.ctr(counterMask, counterHigh, counterLow, in, inOff, out, outOff, length);
    }

    @Override
    public void close() {
        cipher.close();
    }

    /** Whether six bytes of the nonce are there: OCB changes the last one. */
    private boolean hasNonce(byte[] in, int off) {
        int most = Math.min(6, nonce.length);
        for (int i = off; most == 6 && i <= off + BLOCK_SIZE - most; i++) {
            if (Arrays.equals(in, i, i + most, nonce, 0, most)) {
                return true;
            }
        }
        return false;
    }
}
