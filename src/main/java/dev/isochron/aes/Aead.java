package dev.isochron.aes;

import dev.isochron.aes.internal.aead.AeadMessage;
import dev.isochron.aes.internal.aead.AeadMode;
import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Overlap;
import dev.isochron.aes.internal.bytes.Verdict;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import javax.crypto.ShortBufferException;

/**
 * Authenticated encryption with associated data under one key: {@code seal} encrypts and appends a
 * tag, {@code open} verifies and decrypts. Made by the factories of {@link Aes}. Immutable and
 * thread-safe.
 *
 * <p>What holds for every method:
 *
 * <ul>
 *   <li><b>A nonce must never serve two messages under one key.</b> {@link #sealWithRandomNonce} sees
 *       to that; the methods that take a nonce trust the caller.
 *   <li>{@code aad}, the associated data, is authenticated and not encrypted; {@code null} is the same
 *       as empty.
 *   <li>{@code open} releases nothing before the tag is verified: on failure the output is untouched
 *       and the error is {@link AEADBadTagException} with one message, whatever was wrong.
 *   <li>Arguments are checked before anything changes. Input and output may be one array, at the same
 *       or at overlapping places; input is never changed otherwise.
 *   <li>Once the key was closed, every call is an {@link IllegalStateException}.
 * </ul>
 */
public final class Aead {

    /** The nonce length of {@link #sealWithRandomNonce}. */
    private static final int RANDOM_NONCE_LENGTH = 12;

    private final AesKey key;
    private final AeadMode mode;
    private final int tagLength;

    Aead(AesKey key, AeadMode mode, int tagLength) {
        this.key = key;
        this.mode = mode;
        this.tagLength = tagLength;
    }

    static AEADBadTagException badTag() {
        return new AEADBadTagException("the message is not authentic");
    }

    /** The mode's name, such as {@code GCM}. */
    public String mode() {
        return mode.name();
    }

    /** How many bytes {@code seal} adds. */
    public int tagLength() {
        return tagLength;
    }

    /** Mode, tag length and key size; nothing secret. */
    @Override
    public String toString() {
        return "AES-" + key.bits() + "-" + mode.name() + "[tag " + tagLength + " bytes]";
    }

    /**
     * Seals a message.
     *
     * @param nonce never used before under this key; 12 bytes are usual
     * @param aad associated data, or null
     * @param plaintext any length
     * @return ciphertext and tag, {@code plaintext.length + tagLength()} bytes
     * @throws IllegalArgumentException for a nonce or length the mode does not take, or if no array can
     *     hold the result
     */
    public byte[] seal(byte[] nonce, byte[] aad, byte[] plaintext) {
        Objects.requireNonNull(plaintext, "plaintext");
        try (AeadMessage message = start(nonce, aad)) {
            message.checkLength(plaintext.length);
            byte[] out = Arguments.newOutput(sealedLength(plaintext.length));
            sealInto(message, plaintext, 0, plaintext.length, out, 0);
            return out;
        }
    }

    /**
     * Opens a message.
     *
     * @param nonce the one it was sealed with
     * @param aad the associated data it was sealed with, or null
     * @param sealed ciphertext and tag
     * @return the plaintext
     * @throws AEADBadTagException if anything of it is not what was sealed
     * @throws IllegalArgumentException for a nonce the mode does not take
     */
    public byte[] open(byte[] nonce, byte[] aad, byte[] sealed) throws AEADBadTagException {
        Objects.requireNonNull(sealed, "sealed");
        AeadMessage message = start(nonce, aad);
        byte[] out = new byte[Math.max(0, sealed.length - tagLength)];
        openInto(message, sealed, 0, sealed.length, out, 0);
        return out;
    }

    /**
     * Seals a message from part of one array into part of another.
     *
     * @param nonce never used before under this key; 12 bytes are usual
     * @param aad associated data, or null
     * @param in holds the plaintext
     * @param inOff where it starts
     * @param length its length in bytes
     * @param out takes ciphertext and tag, {@code length + tagLength()} bytes
     * @param outOff where they go
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room
     * @throws IllegalArgumentException for a nonce or length the mode does not take
     */
    public int seal(
            byte[] nonce, byte[] aad, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException {
        Arguments.range("input", in, inOff, length);
        Arguments.output(out, outOff, sealedLength(length));
        try (AeadMessage message = start(nonce, aad)) {
            message.checkLength(length);
            return sealInto(message, in, inOff, length, out, outOff);
        }
    }

    /**
     * Opens a message from part of one array into part of another.
     *
     * @param nonce the one it was sealed with
     * @param aad the associated data it was sealed with, or null
     * @param in holds ciphertext and tag
     * @param inOff where they start
     * @param length their length in bytes
     * @param out takes the plaintext, {@code length - tagLength()} bytes
     * @param outOff where it goes
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room
     * @throws AEADBadTagException if anything of it is not what was sealed
     * @throws IllegalArgumentException for a nonce the mode does not take
     */
    public int open(
            byte[] nonce, byte[] aad, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException, AEADBadTagException {
        Arguments.range("input", in, inOff, length);
        Arguments.output(out, outOff, Math.max(0, length - tagLength));
        return openInto(start(nonce, aad), in, inOff, length, out, outOff);
    }

    /**
     * Seals all that remains in one buffer into another: heap, direct, and read-only input are all
     * right. Positions move only on success.
     *
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room
     * @throws IllegalArgumentException if both are one object, {@code out} is read-only, or for a
     *     nonce or length the mode does not take
     */
    public int seal(byte[] nonce, byte[] aad, ByteBuffer in, ByteBuffer out)
            throws ShortBufferException {
        Buffers.check(in, out);
        return Buffers.<ShortBufferException>run(
                in,
                out,
                sealedLength(in.remaining()),
                (from, off, length, to, at) -> seal(nonce, aad, from, off, length, to, at));
    }

    /**
     * Opens all that remains in one buffer into another: heap, direct, and read-only input are all
     * right. Positions move only on success.
     *
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room
     * @throws AEADBadTagException if anything of it is not what was sealed
     * @throws IllegalArgumentException if both are one object, {@code out} is read-only, or for a
     *     nonce the mode does not take
     */
    public int open(byte[] nonce, byte[] aad, ByteBuffer in, ByteBuffer out)
            throws ShortBufferException, AEADBadTagException {
        Buffers.check(in, out);
        return Buffers.<AEADBadTagException>run(
                in,
                out,
                Math.max(0, in.remaining() - tagLength),
                (from, off, length, to, at) -> open(nonce, aad, from, off, length, to, at));
    }

    /**
     * Seals a message under a fresh random nonce of 12 bytes, which is put in front.
     *
     * @param aad associated data, or null
     * @param plaintext any length
     * @return nonce, ciphertext and tag
     * @throws IllegalArgumentException for a length the mode does not take, or if no array can hold
     *     the result
     * @throws IllegalStateException at the 2<sup>32</sup>nd message under this key object: with
     *     random nonces a key must not serve more (SP 800-38D section 8.3)
     */
    public byte[] sealWithRandomNonce(byte[] aad, byte[] plaintext) {
        Objects.requireNonNull(plaintext, "plaintext");
        key.requireOpen();
        int length = sealedLength(plaintext.length);
        byte[] out = Arguments.newOutput(Arguments.saturatedSum(RANDOM_NONCE_LENGTH, length));
        byte[] nonce = key.drawNonce(RANDOM_NONCE_LENGTH);
        try (AeadMessage message = start(nonce, aad)) {
            message.checkLength(plaintext.length);
            key.countRandomNonce();
            Bytes.copy(nonce, 0, out, 0, RANDOM_NONCE_LENGTH);
            sealInto(message, plaintext, 0, plaintext.length, out, RANDOM_NONCE_LENGTH);
            return out;
        }
    }

    /**
     * Opens what {@link #sealWithRandomNonce} made.
     *
     * @param aad the associated data it was sealed with, or null
     * @param sealed nonce, ciphertext and tag
     * @return the plaintext
     * @throws AEADBadTagException if anything of it is not what was sealed
     */
    public byte[] openWithNonce(byte[] aad, byte[] sealed) throws AEADBadTagException {
        Objects.requireNonNull(sealed, "sealed");
        key.requireOpen();
        int length = sealed.length - RANDOM_NONCE_LENGTH;
        if (length < tagLength) {
            throw badTag();
        }
        byte[] nonce =
                Verdict.publish(
                        sealed, 0, RANDOM_NONCE_LENGTH, "a nonce was sent with its message");
        byte[] out = new byte[length - tagLength];
        openInto(start(nonce, aad), sealed, RANDOM_NONCE_LENGTH, length, out, 0);
        return out;
    }

    /**
     * Starts sealing one message in pieces.
     *
     * @param nonce never used before under this key; copied
     * @throws IllegalArgumentException for a nonce the mode does not take
     * @throws IllegalStateException if the encryptor before under this key object had the same nonce
     */
    public AeadOperation encryptor(byte[] nonce) {
        byte[] own = checkedCopy(nonce);
        key.claimNonce(own);
        return new AeadEncryptor(key, own, mode.message(own, tagLength), tagLength);
    }

    /**
     * Starts opening one message in pieces.
     *
     * @param nonce the one it was sealed with; copied
     * @throws IllegalArgumentException for a nonce the mode does not take
     */
    public AeadOperation decryptor(byte[] nonce) {
        byte[] own = checkedCopy(nonce);
        return new AeadDecryptor(key, own, mode.message(own, tagLength), tagLength);
    }

    private byte[] checkedCopy(byte[] nonce) {
        key.requireOpen();
        Objects.requireNonNull(nonce, "nonce");
        mode.checkNonce(nonce);
        return Bytes.copy(nonce, 0, nonce.length);
    }

    private int sealedLength(int length) {
        return Arguments.saturatedSum(length, tagLength);
    }

    private AeadMessage start(byte[] nonce, byte[] aad) {
        key.requireOpen();
        Objects.requireNonNull(nonce, "nonce");
        mode.checkNonce(nonce);
        AeadMessage message = mode.message(nonce, tagLength);
        if (aad != null) {
            message.aad(aad, 0, aad.length);
        }
        return message;
    }

    private int sealInto(
            AeadMessage message, byte[] in, int inOff, int length, byte[] out, int outOff) {
        int written;
        if (Overlap.overtakes(in, inOff, length, out, outOff, 0)) {
            byte[] copy = Bytes.copy(in, inOff, length);
            try {
                written = message.seal(copy, 0, length, out, outOff);
            } finally {
                Bytes.wipe(copy);
            }
        } else {
            written = message.seal(in, inOff, length, out, outOff);
        }
        key.requireStillOpen(out, outOff, written);
        return written;
    }

    private int openInto(
            AeadMessage message, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws AEADBadTagException {
        try (message) {
            byte[] from = in;
            int off = inOff;
            if (Overlap.overtakes(in, inOff, length, out, outOff, 0)) {
                from = Bytes.copy(in, inOff, length);
                off = 0;
            }
            boolean accepted =
                    length >= tagLength && message.open(from, off, length, out, outOff);
            int written = accepted ? length - tagLength : 0;
            // First: under a key closed meanwhile the verdict means nothing.
            key.requireStillOpen(out, outOff, written);
            if (!accepted) {
                throw badTag();
            }
            return written;
        }
    }
}
