package dev.isochron.aes;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.mode.CtrStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.crypto.BadPaddingException;
import javax.crypto.ShortBufferException;

/**
 * CTR (SP 800-38A section 6.5) under one key. Immutable and thread-safe.
 *
 * <p><b>Not authenticated:</b> whoever changes a bit of ciphertext changes the same bit of plaintext,
 * unnoticed. Use {@link Aes#gcm} unless a format prescribes CTR.
 *
 * <p>The IV is the first counter block, 16 bytes; the counter is the whole block, big-endian, and
 * carries modulo 2<sup>128</sup>, as in {@code AES/CTR/NoPadding} and OpenSSL. No counter block may
 * serve twice under one key. Encryption and decryption are the same operation.
 */
public final class CtrMode {

    private static final int IV_LENGTH = BlockCipher.BLOCK_SIZE;

    private final AesKey key;

    CtrMode(AesKey key) {
        this.key = key;
    }

    /**
     * Encrypts a message.
     *
     * @param iv the first counter block, 16 bytes
     * @param plaintext any length
     * @return ciphertext of the same length
     * @throws IllegalArgumentException for an IV of another length
     */
    public byte[] encrypt(byte[] iv, byte[] plaintext) {
        Objects.requireNonNull(plaintext, "plaintext");
        byte[] out = new byte[plaintext.length];
        try (CipherOperation operation = encryptor(iv)) {
            operation.doFinal(plaintext, 0, plaintext.length, out, 0);
        } catch (ShortBufferException | BadPaddingException e) {
            throw new AssertionError("CTR has no padding and the output fits", e);
        }
        return out;
    }

    /** As {@link #encrypt(byte[], byte[])}: in CTR both directions are the same. */
    public byte[] decrypt(byte[] iv, byte[] ciphertext) {
        Objects.requireNonNull(ciphertext, "ciphertext");
        return encrypt(iv, ciphertext);
    }

    /**
     * Encrypts from part of one array into part of another.
     *
     * @return how many bytes were written: {@code length}
     * @throws ShortBufferException if {@code out} has too little room
     * @throws IllegalArgumentException for an IV of another length
     */
    public int encrypt(byte[] iv, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException {
        try (CipherOperation operation = encryptor(iv)) {
            return operation.doFinal(in, inOff, length, out, outOff);
        } catch (BadPaddingException e) {
            throw new AssertionError("CTR has no padding", e);
        }
    }

    /** As {@link #encrypt(byte[], byte[], int, int, byte[], int)}. */
    public int decrypt(byte[] iv, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException {
        return encrypt(iv, in, inOff, length, out, outOff);
    }

    /**
     * Encrypts all that remains in one buffer into another.
     *
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room
     * @throws IllegalArgumentException for an IV of another length, if both buffers are one object, or
     *     {@code out} is read-only
     */
    public int encrypt(byte[] iv, ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        try (CipherOperation operation = encryptor(iv)) {
            return operation.doFinal(in, out);
        } catch (BadPaddingException e) {
            throw new AssertionError("CTR has no padding", e);
        }
    }

    /** As {@link #encrypt(byte[], ByteBuffer, ByteBuffer)}. */
    public int decrypt(byte[] iv, ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        return encrypt(iv, in, out);
    }

    /** Starts encrypting one message in pieces; {@code update} returns every byte at once. */
    public CipherOperation encryptor(byte[] iv) {
        return encryptor(iv, 0);
    }

    /**
     * Starts inside a message, at a block.
     *
     * @param iv the first counter block of the message, 16 bytes
     * @param firstBlock how many blocks of 16 bytes lie before, 0 or more
     * @throws IllegalArgumentException for an IV of another length or a negative block
     */
    public CipherOperation encryptor(byte[] iv, long firstBlock) {
        key.requireOpen();
        Objects.requireNonNull(iv, "iv");
        if (iv.length != IV_LENGTH) {
            throw new IllegalArgumentException("iv must have 16 bytes, had " + iv.length);
        }
        if (firstBlock < 0) {
            throw new IllegalArgumentException(
                    "first block must be 0 or more, was " + firstBlock);
        }
        byte[] own = Bytes.copy(iv, 0, IV_LENGTH);
        long low = Bytes.getLong(own, 8);
        long first = low + firstBlock;
        long carry = Long.compareUnsigned(first, low) < 0 ? 1 : 0;
        return new Operation(
                key, own, CtrStream.counter128(key.cipher(), Bytes.getLong(own, 0) + carry, first));
    }

    /** As {@link #encryptor(byte[])}. */
    public CipherOperation decryptor(byte[] iv) {
        return encryptor(iv);
    }

    /** As {@link #encryptor(byte[], long)}. */
    public CipherOperation decryptor(byte[] iv, long firstBlock) {
        return encryptor(iv, firstBlock);
    }

    private static final class Operation extends CipherOperation {

        private final CtrStream keystream;

        Operation(AesKey key, byte[] iv, CtrStream keystream) {
            super(key, iv);
            this.keystream = keystream;
        }

        @Override
        void checkLength(int length) {
            // 2^128 blocks: no input is too long.
        }

        @Override
        int held() {
            return 0;
        }

        @Override
        int updateSize(int length) {
            return length;
        }

        @Override
        int finalSize(int length) {
            return length;
        }

        @Override
        int process(byte[] in, int inOff, int length, byte[] out, int outOff) {
            keystream.update(in, inOff, length, out, outOff);
            return length;
        }

        @Override
        int finish(byte[] in, int inOff, int length, byte[] out, int outOff) {
            keystream.finish(in, inOff, length, out, outOff);
            return length;
        }

        @Override
        void wipe() {
            keystream.close();
        }
    }
}
