package dev.isochron.aes;

import dev.isochron.aes.internal.block.Engines;
import java.util.List;
import java.util.Objects;

/**
 * Where everything starts: the modes of AES under an {@link AesKey}, and what runs them.
 *
 * <pre>{@code
 * try (AesKey key = AesKey.generate(256)) {
 *     Aead gcm = Aes.gcm(key);
 *     byte[] sealed = gcm.sealWithRandomNonce(aad, plaintext);
 *     byte[] opened = gcm.openWithNonce(aad, sealed);
 * }
 * }</pre>
 *
 * <p>Everything here is constant-time: no branch and no memory address depends on a key, a plaintext
 * or anything made from them, in the interpreter and in compiled code alike.
 */
public final class Aes {

    private Aes() {}

    /**
     * GCM (SP 800-38D) with a tag of 16 bytes. A nonce has 1 byte or more, 12 are usual and fastest; a
     * message at most 2<sup>36</sup> - 32 bytes.
     */
    public static Aead gcm(AesKey key) {
        return gcm(key, 16);
    }

    /**
     * GCM with a shorter tag.
     *
     * @param tagLength 12 to 16 bytes
     * @throws IllegalArgumentException for another length
     */
    public static Aead gcm(AesKey key, int tagLength) {
        Objects.requireNonNull(key, "key");
        if (tagLength < 12 || tagLength > 16) {
            throw new IllegalArgumentException(
                    "tag length must be 12 to 16 bytes, was " + tagLength
                            + " (4 and 8 by gcmShortTag alone)");
        }
        return new Aead(key, key.gcm(), tagLength);
    }

    /**
     * GCM with a tag so short that a forger succeeds after 2<sup>32</sup> tries or fewer. For formats
     * that prescribe it, within the limits of SP 800-38D appendix C.
     *
     * @param tagLength 4 or 8 bytes
     * @throws IllegalArgumentException for another length
     */
    public static Aead gcmShortTag(AesKey key, int tagLength) {
        Objects.requireNonNull(key, "key");
        if (tagLength != 4 && tagLength != 8) {
            throw new IllegalArgumentException(
                    "short tag length must be 4 or 8 bytes, was " + tagLength);
        }
        return new Aead(key, key.gcm(), tagLength);
    }

    /** CTR (SP 800-38A section 6.5). Not authenticated: prefer {@link #gcm}. */
    public static CtrMode ctr(AesKey key) {
        Objects.requireNonNull(key, "key");
        key.requireOpen();
        return new CtrMode(key);
    }

    /**
     * The name of the engine that new keys get: the default, or the one forced with {@code
     * -Disochron.engine=NAME}.
     *
     * @throws IllegalArgumentException if the property names no engine; the message lists the names
     */
    public static String engine() {
        return Engines.active().name();
    }

    /** Why {@link #engine} is what it is, in a few words. */
    public static String engineReason() {
        return Engines.reason();
    }

    /** The names of all engines this JVM can run, the default first. */
    public static List<String> engines() {
        return Engines.all().stream().map(Engines.Engine::name).toList();
    }

    /**
     * What an engine is, in one line.
     *
     * @throws IllegalArgumentException if there is no engine of that name
     */
    public static String describe(String engine) {
        return Engines.byName(engine).description();
    }
}
