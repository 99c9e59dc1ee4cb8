package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;

/** No padding: a message is a number of whole blocks. */
final class WholeBlocks implements Ending {

    private final String mode;

    WholeBlocks(String mode) {
        this.mode = mode;
    }

    @Override
    public int keep() {
        return 0;
    }

    @Override
    public void check(long left) {
        if (left % BlockCipher.BLOCK_SIZE != 0) {
            throw new IllegalArgumentException(
                    mode + " without padding takes whole blocks of " + BlockCipher.BLOCK_SIZE
                            + " bytes, the last one had " + left % BlockCipher.BLOCK_SIZE);
        }
    }

    @Override
    public int size(int tail) {
        return 0;
    }

    @Override
    public int end(BlockRun run, byte[] tail, int length, byte[] out, int outOff) {
        return 0;
    }
}
