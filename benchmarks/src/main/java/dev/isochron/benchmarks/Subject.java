package dev.isochron.benchmarks;

import java.security.GeneralSecurityException;
import java.util.List;

/**
 * What is measured: one mode of one provider under one key. One implementation per provider, each
 * doing what a careful user of that provider does: objects are made once, the key is set once (but
 * for {@link #BOUNCY_CASTLE_REKEYED}), every message brings a nonce of its own.
 */
interface Subject {

    /** Bouncy Castle's light-weight API. */
    String BOUNCY_CASTLE = "bouncycastle";

    /** The same, given the key with every message. */
    String BOUNCY_CASTLE_REKEYED = "bouncycastle-rekeyed";

    /** The JDK's own provider. */
    String JDK = "jdk";

    /** The same in a JVM whose compiler was told not to use AES and GHASH instructions. */
    String JDK_NO_INTRINSICS = "jdk-no-intrinsics";

    /** The peers of Isochron's engines. */
    List<String> PEERS = List.of(BOUNCY_CASTLE, BOUNCY_CASTLE_REKEYED, JDK, JDK_NO_INTRINSICS);

    /** Bytes in the tag of every authenticated mode here. */
    int TAG_LENGTH = 16;

    /**
     * Takes a new key of {@link AesMode#keyLength} bytes. A provider may defer the work to the next
     * message.
     */
    void key(byte[] key);

    /**
     * Encrypts a message, and appends a tag if the mode has one; CMAC writes the tag alone.
     *
     * @param nonce {@link AesMode#nonceLength} bytes; never the one of the call before
     * @param in the plaintext, {@code length} bytes from the start
     * @param length its length in bytes
     * @param out takes the result from its start
     * @return how many bytes were written
     */
    int seal(byte[] nonce, byte[] in, int length, byte[] out) throws GeneralSecurityException;

    /**
     * Decrypts a message, and verifies the tag if the mode has one. CMAC has no such direction.
     *
     * @param nonce the one it was sealed with
     * @param in what {@code seal} wrote, {@code length} bytes from the start
     * @param length its length in bytes, the tag included
     * @param out takes the plaintext from its start
     * @return how many bytes were written
     */
    int open(byte[] nonce, byte[] in, int length, byte[] out) throws GeneralSecurityException;

    /**
     * A subject by name, without a key yet.
     *
     * @param engine one of {@link #PEERS}, or the name of one of Isochron's engines
     * @param mode one that the engine has; see {@link AesMode#shownBy}
     */
    static Subject of(String engine, AesMode mode) throws GeneralSecurityException {
        return switch (engine) {
            case BOUNCY_CASTLE -> BouncyCastleSubject.of(mode, false);
            case BOUNCY_CASTLE_REKEYED -> BouncyCastleSubject.of(mode, true);
            case JDK, JDK_NO_INTRINSICS -> JdkSubject.of(mode, engine);
            default -> IsochronSubject.of(mode, engine);
        };
    }

    /** Who tells what is right: the JDK, Bouncy Castle where that lacks the mode. */
    static Subject oracle(AesMode mode) throws GeneralSecurityException {
        if (mode == AesMode.XTS) {
            return new XtsOracle();
        }
        return of(mode.jdkTransformation() == null ? BOUNCY_CASTLE : JDK, mode);
    }

    /** The error for a mode that a subject does not have. */
    static IllegalArgumentException noMode(String subject, AesMode mode) {
        return new IllegalArgumentException(subject + " has no " + mode);
    }
}
