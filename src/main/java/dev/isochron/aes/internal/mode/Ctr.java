package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Counter;
import dev.isochron.aes.internal.bytes.Bytes;

/** CTR (SP 800-38A section 6.5) under one key; see {@link CtrStream}. */
public final class Ctr implements Mode {

    private final BlockCipher cipher;

    /** CTR with this cipher, which remains the caller's. */
    public Ctr(BlockCipher cipher) {
        this.cipher = cipher;
    }

    @Override
    public String name() {
        return "CTR";
    }

    @Override
    public int ivLength() {
        return BlockCipher.BLOCK_SIZE;
    }

    @Override
    public Transform encryption(byte[] iv) {
        return from(iv, 0);
    }

    @Override
    public Transform decryption(byte[] iv) {
        return from(iv, 0);
    }

    /** Either direction, from inside a message: {@code firstBlock} blocks lie before, 0 or more. */
    public Transform from(byte[] iv, long firstBlock) {
        long high = Bytes.getLong(iv, 0);
        long low = Bytes.getLong(iv, 8);
        return CtrStream.counter128(
                cipher,
                Counter.high(Counter.BITS_128, high, low, firstBlock),
                Counter.low(Counter.BITS_128, low, firstBlock));
    }
}
