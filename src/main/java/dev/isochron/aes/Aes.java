package dev.isochron.aes;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Engines;
import dev.isochron.aes.internal.mode.Cbc;
import dev.isochron.aes.internal.mode.Cfb;
import dev.isochron.aes.internal.mode.Cfb8;
import dev.isochron.aes.internal.mode.Ctr;
import dev.isochron.aes.internal.mode.Ecb;
import dev.isochron.aes.internal.mode.Ofb;
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

    /**
     * EAX (Bellare, Rogaway, Wagner, 2004) with a tag of 16 bytes: for formats that prescribe it, or
     * where nonces are long or of many lengths. A nonce has 1 byte or more, 16 are usual; a message may
     * have any length. Its MAC is serial, so {@link #gcm} is faster on long messages.
     */
    public static Aead eax(AesKey key) {
        return eax(key, 16);
    }

    /**
     * EAX with a shorter tag. A forger succeeds with one of 2<sup>8 tagLength</sup> tries: below 8
     * bytes count, and limit, the failures under a key.
     *
     * @param tagLength 4 to 16 bytes
     * @throws IllegalArgumentException for another length
     */
    public static Aead eax(AesKey key, int tagLength) {
        Objects.requireNonNull(key, "key");
        if (tagLength < 4 || tagLength > 16) {
            throw new IllegalArgumentException(
                    "tag length must be 4 to 16 bytes, was " + tagLength);
        }
        return new Aead(key, key.eax(), tagLength);
    }

    /**
     * CMAC (SP 800-38B, RFC 4493) with a tag of 16 bytes: authenticates messages of any length, and
     * hides nothing.
     *
     * @return a new object for one message after another; not thread-safe
     */
    public static AesMac cmac(AesKey key) {
        return cmac(key, 16);
    }

    /**
     * CMAC with a shorter tag. A forger succeeds with one of 2<sup>8 tagLength</sup> tries: below 8
     * bytes count, and limit, the failures under a key (SP 800-38B appendix A).
     *
     * @param tagLength 4 to 16 bytes
     * @throws IllegalArgumentException for another length
     */
    public static AesMac cmac(AesKey key, int tagLength) {
        Objects.requireNonNull(key, "key");
        if (tagLength < 4 || tagLength > 16) {
            throw new IllegalArgumentException(
                    "tag length must be 4 to 16 bytes, was " + tagLength);
        }
        return new AesMac(key, key.cmac(), tagLength);
    }

    /**
     * CCM (SP 800-38C, RFC 3610) with a tag of 16 bytes, for formats that prescribe it: {@link #gcm} is
     * several times as fast.
     *
     * <p>A nonce has 7 to 13 bytes; the shorter it is, the longer a message may be: with n bytes, less
     * than 2<sup>8(15 - n)</sup>, so 65,535 bytes with 13 and 16,777,215 with 12. Longer ones cannot be
     * sealed, and are no authentic messages when opened.
     *
     * <p>The tag begins with the message's length. So an encryptor keeps all it is given, associated
     * data and text, and everything comes out of {@code doFinal}; opening takes as much memory again as
     * the text.
     */
    public static Aead ccm(AesKey key) {
        return ccm(key, 16);
    }

    /**
     * CCM with a shorter tag. The tag's length is part of what is authenticated. SP 800-38C appendix B
     * advises against fewer than 8 bytes.
     *
     * @param tagLength 4, 6, 8, 10, 12, 14 or 16 bytes
     * @throws IllegalArgumentException for another length
     */
    public static Aead ccm(AesKey key, int tagLength) {
        Objects.requireNonNull(key, "key");
        if (tagLength < 4 || tagLength > 16 || tagLength % 2 != 0) {
            throw new IllegalArgumentException(
                    "tag length must be 4, 6, 8, 10, 12, 14 or 16 bytes, was " + tagLength);
        }
        return new Aead(key, key.ccm(), tagLength);
    }

    /**
     * OCB (OCB3, RFC 7253) with a tag of 16 bytes: the fastest authenticated mode here, for formats
     * that both sides agree on; no standard of NIST. A nonce has 1 to 15 bytes, 12 are usual; one key
     * should serve at most 2<sup>48</sup> blocks (4 PiB), all messages and associated data together. A
     * nonce used twice gives away equal blocks of the texts and lets forgeries through.
     *
     * <p>Opening takes as much memory again as the message has: the tag is made from the plaintext,
     * which is kept back until it is verified.
     */
    public static Aead ocb(AesKey key) {
        return ocb(key, 16);
    }

    /**
     * OCB with a shorter tag. The tag's length changes the ciphertext too.
     *
     * @param tagLength 8, 12 or 16 bytes
     * @throws IllegalArgumentException for another length
     */
    public static Aead ocb(AesKey key, int tagLength) {
        Objects.requireNonNull(key, "key");
        if (tagLength != 8 && tagLength != 12 && tagLength != 16) {
            throw new IllegalArgumentException(
                    "tag length must be 8, 12 or 16 bytes, was " + tagLength);
        }
        return new Aead(key, key.ocb(), tagLength);
    }

    /** CTR (SP 800-38A section 6.5). Not authenticated: prefer {@link #gcm}. */
    public static CtrMode ctr(AesKey key) {
        return new CtrMode(key, new Ctr(cipher(key)));
    }

    /**
     * CBC (SP 800-38A section 6.2) with PKCS #7 padding. Not authenticated, and worse than that: who
     * may send ciphertexts and learns which ones have a right padding can read any message. Where a
     * format prescribes CBC, check its MAC first. The IV is 16 bytes that nobody can predict.
     */
    public static CipherMode cbc(AesKey key) {
        return cbc(key, Cbc.Style.PKCS7);
    }

    /** As {@link #cbc}, without padding: a message is a number of whole blocks of 16 bytes. */
    public static CipherMode cbcNoPadding(AesKey key) {
        return cbc(key, Cbc.Style.NO_PADDING);
    }

    /**
     * CBC with ciphertext stealing, CBC-CS1 of the addendum to SP 800-38A: a ciphertext as long as the
     * plaintext, which has 16 bytes or more. Not authenticated.
     */
    public static CipherMode cbcCs1(AesKey key) {
        return cbc(key, Cbc.Style.CS1);
    }

    /** As {@link #cbcCs1}, CBC-CS2: the last two blocks exchanged unless the last is whole. */
    public static CipherMode cbcCs2(AesKey key) {
        return cbc(key, Cbc.Style.CS2);
    }

    /** As {@link #cbcCs1}, CBC-CS3: the last two blocks always exchanged, as in Kerberos. */
    public static CipherMode cbcCs3(AesKey key) {
        return cbc(key, Cbc.Style.CS3);
    }

    private static CipherMode cbc(AesKey key, Cbc.Style style) {
        return new CipherMode(key, new Cbc(cipher(key), style));
    }

    /**
     * ECB (SP 800-38A section 6.1), the block cipher itself: whole blocks of 16 bytes, no IV. Not
     * authenticated, and equal blocks of plaintext show as equal blocks of ciphertext: a building
     * block for other constructions, not for messages.
     */
    public static CipherMode ecb(AesKey key) {
        return new CipherMode(key, new Ecb(cipher(key), false));
    }

    /** As {@link #ecb}, with PKCS #7 padding. */
    public static CipherMode ecbPadded(AesKey key) {
        return new CipherMode(key, new Ecb(cipher(key), true));
    }

    /**
     * CFB with 128-bit feedback (SP 800-38A section 6.3), any length, every byte out at once. Not
     * authenticated. The IV is 16 bytes that nobody can predict. For formats that prescribe it, such
     * as older OpenPGP; {@link #gcm} otherwise.
     */
    public static CipherMode cfb(AesKey key) {
        return new CipherMode(key, new Cfb(cipher(key)));
    }

    /**
     * CFB with 8-bit feedback (SP 800-38A section 6.3): as {@link #cfb}, at sixteen times the cost,
     * since every byte takes a block of its own. It finds its way again when bytes get lost.
     */
    public static CipherMode cfb8(AesKey key) {
        return new CipherMode(key, new Cfb8(cipher(key)));
    }

    /**
     * OFB (SP 800-38A section 6.4), any length, every byte out at once. Not authenticated: whoever
     * changes a bit of ciphertext changes the same bit of plaintext. The IV is 16 bytes that must
     * never serve twice under a key. {@link #ctr} does the same faster.
     */
    public static CipherMode ofb(AesKey key) {
        return new CipherMode(key, new Ofb(cipher(key)));
    }

    /** What modes without authentication run on; refuses null and a closed key. */
    private static BlockCipher cipher(AesKey key) {
        Objects.requireNonNull(key, "key");
        key.requireOpen();
        return key.cipher();
    }

    /**
     * XTS (IEEE 1619-2018, SP 800-38E), for sectors of storage. Not authenticated; see {@link
     * XtsMode}.
     *
     * @param key 32 bytes for XTS-AES-128 or 64 for XTS-AES-256, copied: half for the data, half for
     *     the tweaks
     * @throws IllegalArgumentException for another length, or if the halves are equal
     */
    public static XtsMode xts(byte[] key) {
        return xts(key, engine());
    }

    /**
     * As {@link #xts(byte[])}, bound to an engine by name.
     *
     * @param engine one of {@link #engines}
     * @throws IllegalArgumentException also for an unknown engine
     */
    public static XtsMode xts(byte[] key, String engine) {
        return XtsMode.of(key, engine);
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
