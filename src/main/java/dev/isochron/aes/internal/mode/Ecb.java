package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;

/**
 * ECB (SP 800-38A section 6.1) under one key: every block on its own.
 *
 * <p>Constant-time: nothing but {@link BlockCipher}.
 */
public final class Ecb implements Mode {

    private static final String NAME = "ECB";

    private final BlockCipher cipher;
    private final boolean padded;

    /** ECB with this cipher, which remains the caller's. */
    public Ecb(BlockCipher cipher, boolean padded) {
        this.cipher = cipher;
        this.padded = padded;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int ivLength() {
        return 0;
    }

    @Override
    public Transform encryption(byte[] iv) {
        return new BlockTransform(
                cipher::encrypt, padded ? Pkcs7.ADD : new WholeBlocks(NAME));
    }

    @Override
    public Transform decryption(byte[] iv) {
        return new BlockTransform(
                cipher::decrypt, padded ? Pkcs7.remove(NAME) : new WholeBlocks(NAME));
    }
}
