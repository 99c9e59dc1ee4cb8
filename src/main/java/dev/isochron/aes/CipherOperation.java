package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Overlap;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.crypto.BadPaddingException;
import javax.crypto.ShortBufferException;

/**
 * One message being encrypted or decrypted in pieces, with the verbs of {@link javax.crypto.Cipher}:
 * any number of {@code update} calls, then one {@code doFinal}. The result does not depend on how the
 * input is cut. An object serves one message in one direction; get another for the next. Not
 * thread-safe.
 *
 * <p>What holds for every method:
 *
 * <ul>
 *   <li>Arguments are checked before anything changes; after a refusal, {@link
 *       ShortBufferException} too, the call can be repeated with better ones.
 *   <li>Input and output may be the same array, at the same or at overlapping places; the input is
 *       read as if it had been copied first. Input is never changed otherwise.
 *   <li>After {@code doFinal}, a failed one too, or {@link #close}, every call that would take input
 *       is an {@link IllegalStateException}; so it is once the key was closed. {@link #iv}, {@link
 *       #outputSize} and {@code close} are answered at all times.
 * </ul>
 */
public abstract class CipherOperation implements AutoCloseable {

    private static final byte[] NONE = new byte[0];

    private final AesKey key;
    private final byte[] iv;
    private boolean finished;

    CipherOperation(AesKey key, byte[] iv) {
        this.key = key;
        this.iv = iv;
    }

    // ---- what a mode and direction fill in -----------------------------------------------------

    /** Refuses input beyond the mode's limit. */
    abstract void checkLength(int length);

    /** Refuses an end at which the message would have a length that the mode does not take. */
    void checkFinish(int length) {
        // Most modes take any length.
    }

    /** Bytes of earlier input that come out before the next. */
    abstract int held();

    /** Exactly how many bytes the next update writes. */
    abstract int updateSize(int length);

    /** Exactly how many bytes doFinal writes if it succeeds, or an upper bound. */
    abstract int finalSize(int length);

    abstract int process(byte[] in, int inOff, int length, byte[] out, int outOff);

    abstract int finish(byte[] in, int inOff, int length, byte[] out, int outOff)
            throws BadPaddingException;

    abstract void wipe();

    // ---- the verbs -----------------------------------------------------------------------------

    /** A copy of the nonce or IV. */
    public final byte[] iv() {
        return Bytes.copy(iv, 0, iv.length);
    }

    /**
     * Room that the next {@code update} or {@code doFinal} needs at most.
     *
     * @param inputLength bytes of input to come, 0 or more
     * @return bytes; {@link Integer#MAX_VALUE} if it is more than an {@code int} holds
     */
    public final int outputSize(int inputLength) {
        if (inputLength < 0) {
            throw new IllegalArgumentException(
                    "input length must be 0 or more, was " + inputLength);
        }
        return Math.max(updateSize(inputLength), finalSize(inputLength));
    }

    /** {@link #update(byte[], int, int)} of a whole array. */
    public final byte[] update(byte[] in) {
        Objects.requireNonNull(in, "input");
        return update(in, 0, in.length);
    }

    /**
     * Takes a piece.
     *
     * @return what came out, perhaps nothing; never null
     * @throws IllegalArgumentException if the message would exceed the mode's limit
     */
    public final byte[] update(byte[] in, int inOff, int length) {
        ready();
        Arguments.range("input", in, inOff, length);
        checkLength(length);
        byte[] out = Arguments.newOutput(updateSize(length));
        run(in, inOff, length, out, 0);
        return out;
    }

    /**
     * Takes a piece.
     *
     * @return how many bytes were written to {@code out}
     * @throws ShortBufferException if {@code out} has too little room; nothing has changed
     * @throws IllegalArgumentException if the message would exceed the mode's limit
     */
    public final int update(byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException {
        ready();
        Arguments.range("input", in, inOff, length);
        checkLength(length);
        Arguments.output(out, outOff, updateSize(length));
        return run(in, inOff, length, out, outOff);
    }

    /**
     * Takes all that remains in a buffer. Heap, direct and read-only input are all right; both
     * positions move on.
     *
     * @return how many bytes were written to {@code out}
     * @throws ShortBufferException if {@code out} has too little room; nothing has changed
     * @throws IllegalArgumentException if both are one object, {@code out} is read-only, or the
     *     message would exceed the mode's limit
     */
    public final int update(ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        ready();
        Buffers.check(in, out);
        checkLength(in.remaining());
        return Buffers.run(in, out, updateSize(in.remaining()), this::run);
    }

    /** {@link #doFinal(byte[], int, int)} with no more input. */
    public final byte[] doFinal() throws BadPaddingException {
        return doFinal(NONE, 0, 0);
    }

    /** {@link #doFinal(byte[], int, int)} of a whole array. */
    public final byte[] doFinal(byte[] in) throws BadPaddingException {
        Objects.requireNonNull(in, "input");
        return doFinal(in, 0, in.length);
    }

    /**
     * Takes the last piece and ends the message.
     *
     * @return what came out; never null
     * @throws javax.crypto.AEADBadTagException if an authenticated message is not what was sealed;
     *     nothing was released
     */
    public final byte[] doFinal(byte[] in, int inOff, int length) throws BadPaddingException {
        ready();
        Arguments.range("input", in, inOff, length);
        checkLength(length);
        checkFinish(length);
        byte[] out = Arguments.newOutput(finalSize(length));
        int written = runFinal(in, inOff, length, out, 0);
        if (written == out.length) {
            return out;
        }
        byte[] exact = Bytes.copy(out, 0, written);
        Bytes.wipe(out);
        return exact;
    }

    /**
     * Takes the last piece and ends the message.
     *
     * @return how many bytes were written to {@code out}
     * @throws ShortBufferException if {@code out} has too little room; nothing has changed
     * @throws javax.crypto.AEADBadTagException if an authenticated message is not what was sealed;
     *     {@code out} was not touched
     */
    public final int doFinal(byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException, BadPaddingException {
        ready();
        Arguments.range("input", in, inOff, length);
        checkLength(length);
        checkFinish(length);
        Arguments.output(out, outOff, finalSize(length));
        return runFinal(in, inOff, length, out, outOff);
    }

    /**
     * Takes all that remains in a buffer and ends the message; as {@link #update(ByteBuffer,
     * ByteBuffer)}. After a failure the positions are what they were.
     *
     * @return how many bytes were written to {@code out}
     * @throws ShortBufferException if {@code out} has too little room; nothing has changed
     * @throws javax.crypto.AEADBadTagException if an authenticated message is not what was sealed;
     *     {@code out} was not touched
     */
    public final int doFinal(ByteBuffer in, ByteBuffer out)
            throws ShortBufferException, BadPaddingException {
        ready();
        Buffers.check(in, out);
        checkLength(in.remaining());
        checkFinish(in.remaining());
        return Buffers.<BadPaddingException>run(
                in, out, finalSize(in.remaining()), this::runFinal);
    }

    /** Wipes the operation's state and ends it. Idempotent. */
    @Override
    public final void close() {
        finished = true;
        wipe();
    }

    /** Refuses a call on an operation that has ended or whose key was closed. */
    final void ready() {
        if (finished) {
            throw new IllegalStateException(
                    "the operation has ended; every message needs a new one");
        }
        key.requireOpen();
    }

    /** Refuses, and wipes, output made under a key that was closed meanwhile. */
    final void requireKeyStillOpen(byte[] out, int outOff, int written) {
        key.requireStillOpen(out, outOff, written);
    }

    private int run(byte[] in, int inOff, int length, byte[] out, int outOff) {
        int written;
        if (Overlap.overtakes(in, inOff, length, out, outOff, held())) {
            byte[] copy = Bytes.copy(in, inOff, length);
            try {
                written = process(copy, 0, length, out, outOff);
            } finally {
                Bytes.wipe(copy);
            }
        } else {
            written = process(in, inOff, length, out, outOff);
        }
        requireKeyStillOpen(out, outOff, written);
        return written;
    }

    private int runFinal(byte[] in, int inOff, int length, byte[] out, int outOff)
            throws BadPaddingException {
        finished = true;
        int written;
        try {
            if (Overlap.overtakes(in, inOff, length, out, outOff, held())) {
                byte[] copy = Bytes.copy(in, inOff, length);
                try {
                    written = finish(copy, 0, length, out, outOff);
                } finally {
                    Bytes.wipe(copy);
                }
            } else {
                written = finish(in, inOff, length, out, outOff);
            }
        } finally {
            wipe();
        }
        requireKeyStillOpen(out, outOff, written);
        return written;
    }
}
