package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Verdict;
import dev.isochron.aes.internal.mac.Cmac;
import dev.isochron.aes.internal.mac.CmacStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.crypto.ShortBufferException;

/**
 * A message authentication code: a tag that only holders of the key can make, for messages that stay
 * readable. {@link Aes#cmac} makes one that computes CMAC (SP 800-38B, RFC 4493). With the verbs of
 * {@link javax.crypto.Mac}: any number of {@code update} calls, then {@code doFinal}, which returns the
 * tag, or {@link #verify}, which compares it. The tag does not depend on how the message is cut. Not
 * thread-safe: give each thread its own; they are cheap.
 *
 * <p>What it is not: it hides nothing (use an {@link Aead} for that), it does not stop a message from
 * being sent again, and whoever can verify can also make tags. Do not use a key for CMAC and for a mode
 * of encryption alike.
 *
 * <p>What holds for every method:
 *
 * <ul>
 *   <li>Arguments are checked before anything changes; after a refusal the call can be repeated with
 *       better ones.
 *   <li>After {@code doFinal}, {@code verify} or {@link #reset} the object is ready for another message.
 *   <li>After {@link #close}, or once the key was closed, every call but {@code close}, {@link
 *       #tagLength} and {@link #toString} is an {@link IllegalStateException}.
 * </ul>
 */
public final class AesMac implements AutoCloseable {

    private static final int FULL = 16;

    /** Bytes of a buffer without an array that are copied at a time. */
    private static final int PIECE = 4096;

    private final AesKey key;
    private final CmacStream stream;
    private final int tagLength;
    private boolean closed;

    AesMac(AesKey key, Cmac cmac, int tagLength) {
        this.key = key;
        this.stream = new CmacStream(cmac);
        this.tagLength = tagLength;
    }

    /** Bytes in a tag. */
    public int tagLength() {
        return tagLength;
    }

    /** Algorithm, tag length and key size; nothing secret. */
    @Override
    public String toString() {
        return "AES-" + key.bits() + "-CMAC[tag " + tagLength + " bytes]";
    }

    /** {@link #update(byte[], int, int)} of a whole array. */
    public void update(byte[] in) {
        Objects.requireNonNull(in, "input");
        update(in, 0, in.length);
    }

    /**
     * Takes a piece of the message.
     *
     * @param in holds the piece
     * @param inOff where it starts
     * @param length its length in bytes, 0 or more
     * @throws IndexOutOfBoundsException if the range is not inside the array
     */
    public void update(byte[] in, int inOff, int length) {
        ready();
        Arguments.range("input", in, inOff, length);
        stream.update(in, inOff, length);
    }

    /** As {@link #update(byte[], int, int)}, all that remains in a buffer; its position moves on. */
    public void update(ByteBuffer in) {
        Objects.requireNonNull(in, "input");
        ready();
        if (in.hasArray()) {
            stream.update(in.array(), in.arrayOffset() + in.position(), in.remaining());
            in.position(in.limit());
            return;
        }
        byte[] piece = new byte[Math.min(PIECE, in.remaining())];
        while (in.hasRemaining()) {
            int n = Math.min(piece.length, in.remaining());
            in.get(piece, 0, n);
            stream.update(piece, 0, n);
        }
        Bytes.wipe(piece);
    }

    /**
     * Ends the message.
     *
     * @return its tag, {@link #tagLength()} bytes
     */
    public byte[] doFinal() {
        ready();
        byte[] tag = new byte[tagLength];
        finish(tag, 0);
        return tag;
    }

    /** Takes the last piece, or the whole message, and returns the tag. */
    public byte[] doFinal(byte[] in) {
        update(in);
        return doFinal();
    }

    /**
     * Ends the message.
     *
     * @param out takes the tag
     * @param outOff where it goes
     * @return how many bytes were written: {@link #tagLength()}
     * @throws ShortBufferException if {@code out} has too little room; nothing has changed
     * @throws IndexOutOfBoundsException if {@code outOff} is not inside the array
     */
    public int doFinal(byte[] out, int outOff) throws ShortBufferException {
        ready();
        Arguments.output(out, outOff, tagLength);
        finish(out, outOff);
        return tagLength;
    }

    /**
     * Ends the message and compares its tag with one that came with it, in time that does not depend on
     * where they differ. Never compare tags with {@link java.util.Arrays#equals}.
     *
     * @param tag the tag to check; one that has not {@link #tagLength()} bytes is wrong
     * @return whether the message is authentic
     */
    public boolean verify(byte[] tag) {
        ready();
        Objects.requireNonNull(tag, "tag");
        byte[] right = new byte[tagLength];
        // First: under a key closed meanwhile the verdict means nothing.
        finish(right, 0);
        int compared = Math.min(tagLength, tag.length);
        int difference =
                Bytes.difference(right, 0, tag, 0, compared) | (tagLength ^ tag.length);
        Bytes.wipe(right);
        return Verdict.accept(difference, "whether a tag is right");
    }

    /** Takes the last piece, or the whole message, and compares its tag; see {@link #verify(byte[])}. */
    public boolean verify(byte[] in, byte[] tag) {
        Objects.requireNonNull(tag, "tag");
        update(in);
        return verify(tag);
    }

    /** Forgets what came of the message. */
    public void reset() {
        ready();
        stream.reset();
    }

    /** Wipes the state and ends the object. Idempotent. */
    @Override
    public void close() {
        closed = true;
        stream.close();
    }

    private void ready() {
        if (closed) {
            throw new IllegalStateException("this MAC was closed");
        }
        key.requireOpen();
    }

    private void finish(byte[] out, int outOff) {
        byte[] tag = new byte[FULL];
        stream.finish(tag);
        Bytes.copy(tag, 0, out, outOff, tagLength);
        Bytes.wipe(tag);
        key.requireStillOpen(out, outOff, tagLength);
    }
}
