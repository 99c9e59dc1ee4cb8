package dev.isochron.aes.internal.mode;

/** A mode without authentication under one key. Thread-safe. */
public interface Mode {

    /** The mode's name, as in its standard. */
    String name();

    /** Bytes in an IV; 0 if the mode takes none. */
    int ivLength();

    /**
     * Starts encrypting a message.
     *
     * @param iv {@link #ivLength} bytes, already checked; not kept
     */
    Transform encryption(byte[] iv);

    /**
     * Starts decrypting a message.
     *
     * @param iv {@link #ivLength} bytes, already checked; not kept
     */
    Transform decryption(byte[] iv);
}
