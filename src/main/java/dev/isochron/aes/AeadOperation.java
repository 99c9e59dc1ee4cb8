package dev.isochron.aes;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A {@link CipherOperation} of an authenticated mode: associated data may be given before the first
 * byte of text. One that decrypts keeps the ciphertext until {@code doFinal} and releases the
 * plaintext only when the tag has been verified; for data too large for that see {@link
 * StreamingAead}.
 */
public abstract class AeadOperation extends CipherOperation {

    AeadOperation(AesKey key, byte[] nonce) {
        super(key, nonce);
    }

    /** Refuses associated data once text has come. */
    abstract void requireNoText();

    abstract void aad(byte[] aad, int off, int length);

    /** {@link #updateAAD(byte[], int, int)} of a whole array. */
    public final void updateAAD(byte[] aad) {
        Objects.requireNonNull(aad, "aad");
        updateAAD(aad, 0, aad.length);
    }

    /**
     * Takes a piece of the associated data, which is authenticated and not encrypted.
     *
     * @throws IllegalStateException if text has come before
     */
    public final void updateAAD(byte[] aad, int off, int length) {
        ready();
        requireNoText();
        Arguments.range("aad", aad, off, length);
        aad(aad, off, length);
    }

    /** As {@link #updateAAD(byte[], int, int)}, all that remains in a buffer; its position moves. */
    public final void updateAAD(ByteBuffer aad) {
        Objects.requireNonNull(aad, "aad");
        ready();
        requireNoText();
        if (aad.hasArray()) {
            aad(aad.array(), aad.arrayOffset() + aad.position(), aad.remaining());
            aad.position(aad.limit());
        } else {
            byte[] copy = new byte[aad.remaining()];
            aad.get(copy);
            aad(copy, 0, copy.length);
        }
    }
}
