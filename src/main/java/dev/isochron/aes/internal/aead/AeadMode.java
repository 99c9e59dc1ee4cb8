package dev.isochron.aes.internal.aead;

/** An AEAD mode under one key: what does not change from message to message. Thread-safe. */
public interface AeadMode extends AutoCloseable {

    /** The mode's name, as in its standard. */
    String name();

    /**
     * Refuses a nonce this mode does not take.
     *
     * @throws IllegalArgumentException that says what it was and what is allowed
     */
    void checkNonce(byte[] nonce);

    /**
     * Starts a message.
     *
     * @param nonce already checked; not kept
     * @param tagLength bytes of tag, already checked
     */
    AeadMessage message(byte[] nonce, int tagLength);

    /** Wipes what was derived from the key. Idempotent. */
    @Override
    void close();
}
