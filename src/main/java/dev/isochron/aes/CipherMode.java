package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.mode.Mode;
import dev.isochron.aes.internal.mode.Transform;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.crypto.BadPaddingException;
import javax.crypto.ShortBufferException;

/**
 * A mode without authentication under one key; {@link Aes} has the factories, which say what each is
 * for. Immutable and thread-safe.
 *
 * <p><b>Not authenticated:</b> whoever changes ciphertext changes plaintext, unnoticed. Use {@link
 * Aes#gcm} unless a format prescribes another mode.
 *
 * <p>Every form does the same: arrays, parts of arrays and buffers, input and output the same or
 * overlapping, and messages in pieces by {@link #encryptor} and {@link #decryptor}.
 */
public class CipherMode {

    final AesKey key;
    final Mode mode;

    CipherMode(AesKey key, Mode mode) {
        this.key = key;
        this.mode = mode;
    }

    /** The mode's name, as in its standard. */
    public final String mode() {
        return mode.name();
    }

    /** Mode and key size; nothing secret. */
    @Override
    public String toString() {
        return "AES-" + key.bits() + "-" + mode();
    }

    /** How many bytes an IV has; 0 if the mode takes none. */
    public final int ivLength() {
        return mode.ivLength();
    }

    /**
     * Encrypts a message.
     *
     * @param iv {@link #ivLength} bytes; if that is 0, null or empty
     * @param plaintext of a length that the mode takes
     * @return the ciphertext
     * @throws IllegalArgumentException for an IV of another length, or a plaintext of a length that
     *     the mode does not take
     */
    public final byte[] encrypt(byte[] iv, byte[] plaintext) {
        Objects.requireNonNull(plaintext, "plaintext");
        try (CipherOperation operation = encryptor(iv)) {
            return operation.doFinal(plaintext);
        } catch (BadPaddingException e) {
            throw new AssertionError("encryption finds no padding", e);
        }
    }

    /**
     * Decrypts a message.
     *
     * @param iv the one it was encrypted with
     * @param ciphertext of a length that encryption yields
     * @return the plaintext
     * @throws IllegalArgumentException for an IV of another length, or a ciphertext of a length that
     *     encryption does not yield
     * @throws BadPaddingException if the mode has padding and this one is not right
     */
    public byte[] decrypt(byte[] iv, byte[] ciphertext) throws BadPaddingException {
        Objects.requireNonNull(ciphertext, "ciphertext");
        try (CipherOperation operation = decryptor(iv)) {
            return operation.doFinal(ciphertext);
        }
    }

    /**
     * Encrypts from part of one array into part of another.
     *
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room
     * @throws IllegalArgumentException as {@link #encrypt(byte[], byte[])}
     */
    public final int encrypt(byte[] iv, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException {
        try (CipherOperation operation = encryptor(iv)) {
            return operation.doFinal(in, inOff, length, out, outOff);
        } catch (BadPaddingException e) {
            throw new AssertionError("encryption finds no padding", e);
        }
    }

    /**
     * Decrypts from part of one array into part of another.
     *
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room; with padding it needs as many
     *     bytes as the ciphertext has less one
     * @throws IllegalArgumentException as {@link #decrypt(byte[], byte[])}
     * @throws BadPaddingException if the mode has padding and this one is not right
     */
    public int decrypt(byte[] iv, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException, BadPaddingException {
        try (CipherOperation operation = decryptor(iv)) {
            return operation.doFinal(in, inOff, length, out, outOff);
        }
    }

    /**
     * Encrypts all that remains in one buffer into another.
     *
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room
     * @throws IllegalArgumentException as {@link #encrypt(byte[], byte[])}, if both buffers are one
     *     object, or {@code out} is read-only
     */
    public final int encrypt(byte[] iv, ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        try (CipherOperation operation = encryptor(iv)) {
            return operation.doFinal(in, out);
        } catch (BadPaddingException e) {
            throw new AssertionError("encryption finds no padding", e);
        }
    }

    /**
     * Decrypts all that remains in one buffer into another.
     *
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room
     * @throws IllegalArgumentException as {@link #decrypt(byte[], byte[])}, if both buffers are one
     *     object, or {@code out} is read-only
     * @throws BadPaddingException if the mode has padding and this one is not right
     */
    public int decrypt(byte[] iv, ByteBuffer in, ByteBuffer out)
            throws ShortBufferException, BadPaddingException {
        try (CipherOperation operation = decryptor(iv)) {
            return operation.doFinal(in, out);
        }
    }

    /**
     * Starts encrypting one message in pieces.
     *
     * @param iv {@link #ivLength} bytes, copied; if that is 0, null or empty
     * @throws IllegalArgumentException for an IV of another length
     */
    public final CipherOperation encryptor(byte[] iv) {
        byte[] own = checkedCopy(iv);
        return new Operation(key, own, mode.encryption(own));
    }

    /**
     * Starts decrypting one message in pieces.
     *
     * @param iv the one it was encrypted with, copied
     * @throws IllegalArgumentException for an IV of another length
     */
    public final CipherOperation decryptor(byte[] iv) {
        byte[] own = checkedCopy(iv);
        return new Operation(key, own, mode.decryption(own));
    }

    /** What messages call the IV. */
    String ivName() {
        return "iv";
    }

    /** The IV, checked and copied; refuses a closed key. */
    final byte[] checkedCopy(byte[] iv) {
        key.requireOpen();
        int length = mode.ivLength();
        if (iv == null && length == 0) {
            return new byte[0];
        }
        Objects.requireNonNull(iv, ivName());
        if (iv.length != length) {
            throw new IllegalArgumentException(
                    ivName() + " must have " + length + " bytes, had " + iv.length);
        }
        return Bytes.copy(iv, 0, length);
    }

    /** One message, over its {@link Transform}. */
    static final class Operation extends CipherOperation {

        private final Transform transform;

        Operation(AesKey key, byte[] iv, Transform transform) {
            super(key, iv);
            this.transform = transform;
        }

        @Override
        void checkLength(int length) {
            transform.checkLength(length);
        }

        @Override
        void checkFinish(int length) {
            transform.checkFinish(length);
        }

        @Override
        int held() {
            return transform.held();
        }

        @Override
        int updateSize(int length) {
            return transform.updateSize(length);
        }

        @Override
        int finalSize(int length) {
            return transform.finishSize(length);
        }

        @Override
        int process(byte[] in, int inOff, int length, byte[] out, int outOff) {
            return transform.update(in, inOff, length, out, outOff);
        }

        @Override
        int finish(byte[] in, int inOff, int length, byte[] out, int outOff)
                throws BadPaddingException {
            try {
                return transform.finish(in, inOff, length, out, outOff);
            } catch (BadPaddingException e) {
                // First: under a key closed meanwhile the verdict means nothing.
                requireKeyStillOpen(out, outOff, 0);
                throw e;
            }
        }

        @Override
        void wipe() {
            transform.close();
        }
    }
}
