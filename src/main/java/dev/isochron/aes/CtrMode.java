package dev.isochron.aes;

import dev.isochron.aes.internal.mode.Ctr;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.crypto.ShortBufferException;

/**
 * CTR (SP 800-38A section 6.5) under one key, which can also start inside a message. Immutable and
 * thread-safe.
 *
 * <p><b>Not authenticated:</b> whoever changes a bit of ciphertext changes the same bit of plaintext,
 * unnoticed. Use {@link Aes#gcm} unless a format prescribes CTR.
 *
 * <p>The IV is the first counter block, 16 bytes; the counter is the whole block, big-endian, and
 * carries modulo 2<sup>128</sup>, as in {@code AES/CTR/NoPadding} and OpenSSL. No counter block may
 * serve twice under one key. Encryption and decryption are the same operation, and {@code update}
 * returns every byte at once.
 */
public final class CtrMode extends CipherMode {

    private final Ctr ctr;

    CtrMode(AesKey key, Ctr ctr) {
        super(key, ctr);
        this.ctr = ctr;
    }

    /** As {@link #encrypt(byte[], byte[])}: in CTR both directions are the same. */
    @Override
    public byte[] decrypt(byte[] iv, byte[] ciphertext) {
        Objects.requireNonNull(ciphertext, "ciphertext");
        return encrypt(iv, ciphertext);
    }

    /** As {@link #encrypt(byte[], byte[], int, int, byte[], int)}. */
    @Override
    public int decrypt(byte[] iv, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException {
        return encrypt(iv, in, inOff, length, out, outOff);
    }

    /** As {@link #encrypt(byte[], ByteBuffer, ByteBuffer)}. */
    @Override
    public int decrypt(byte[] iv, ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        return encrypt(iv, in, out);
    }

    /**
     * Starts inside a message, at a block.
     *
     * @param iv the first counter block of the message, 16 bytes
     * @param firstBlock how many blocks of 16 bytes lie before, 0 or more
     * @throws IllegalArgumentException for an IV of another length or a negative block
     */
    public CipherOperation encryptor(byte[] iv, long firstBlock) {
        byte[] own = checkedCopy(iv);
        if (firstBlock < 0) {
            throw new IllegalArgumentException(
                    "first block must be 0 or more, was " + firstBlock);
        }
        return new Operation(key, own, ctr.from(own, firstBlock));
    }

    /** As {@link #encryptor(byte[], long)}. */
    public CipherOperation decryptor(byte[] iv, long firstBlock) {
        return encryptor(iv, firstBlock);
    }
}
