package dev.isochron.aes;

import dev.isochron.aes.internal.aead.AeadMode;
import dev.isochron.aes.internal.aead.Ccm;
import dev.isochron.aes.internal.aead.Eax;
import dev.isochron.aes.internal.aead.Gcm;
import dev.isochron.aes.internal.aead.Ocb;
import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Engines;
import dev.isochron.aes.internal.block.RoundKeys;
import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Verdict;
import dev.isochron.aes.internal.mac.Cmac;
import java.lang.invoke.VarHandle;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.Destroyable;

/**
 * An AES key of 128, 192 or 256 bits, expanded and ready (FIPS 197). Thread-safe.
 *
 * <p>The key's bytes are copied in and never come out: there is no getter, and neither {@link
 * #toString} nor serialization shows them. {@link #close} wipes the expanded key and everything
 * derived from it; every later use of the key, or of a mode made from it, is an {@link
 * IllegalStateException}. A call under way in another thread when the key is closed fails the same
 * way, and its output is wiped. (A JVM may have moved the memory before; see SECURITY.md.)
 */
public final class AesKey implements Destroyable, AutoCloseable {

    /** SP 800-38D section 8.3: at most 2<sup>32</sup> invocations with random nonces. */
    private static final long MAX_RANDOM_NONCES = 1L << 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final int bits;
    private final Engines.Engine engine;
    private final RoundKeys roundKeys;
    private final BlockCipher cipher;
    private final AtomicLong randomNonces = new AtomicLong();
    private AeadMode gcm;
    private AeadMode eax;
    private Cmac cmac;
    private AeadMode ocb;
    private byte[] lastNonce;
    private volatile boolean destroyed;

    private AesKey(byte[] key, Engines.Engine engine) {
        this.bits = 8 * key.length;
        this.engine = engine;
        this.roundKeys = RoundKeys.expand(key);
        this.cipher = engine.cipher(roundKeys);
    }

    /**
     * A key from its bytes, which are copied.
     *
     * @param key 16, 24 or 32 bytes
     * @throws IllegalArgumentException for another length
     */
    public static AesKey of(byte[] key) {
        return make(key, Engines.active());
    }

    /**
     * A key from part of an array, which is copied.
     *
     * @param array holds the key
     * @param off where the key starts
     * @param length 16, 24 or 32
     * @throws IllegalArgumentException for another length
     * @throws IndexOutOfBoundsException if the range is not inside the array
     */
    public static AesKey of(byte[] array, int off, int length) {
        Arguments.range("key", array, off, length);
        byte[] key = Bytes.copy(array, off, length);
        try {
            return of(key);
        } finally {
            Bytes.wipe(key);
        }
    }

    /**
     * A key bound to an engine by name, for comparisons and tests; {@link #of(byte[])} chooses well.
     *
     * @param key 16, 24 or 32 bytes
     * @param engine one of {@link Aes#engines}
     * @throws IllegalArgumentException for another length or an unknown engine
     */
    public static AesKey of(byte[] key, String engine) {
        return make(key, Engines.byName(engine));
    }

    private static AesKey make(byte[] key, Engines.Engine engine) {
        Objects.requireNonNull(key, "key");
        if (key.length != 16 && key.length != 24 && key.length != 32) {
            throw new IllegalArgumentException(
                    "key must have 16, 24 or 32 bytes, had " + key.length);
        }
        return new AesKey(key, engine);
    }

    /**
     * A new random key from the platform's {@link SecureRandom}.
     *
     * @param bits 128, 192 or 256
     * @throws IllegalArgumentException for another size
     */
    public static AesKey generate(int bits) {
        if (bits != 128 && bits != 192 && bits != 256) {
            throw new IllegalArgumentException("key size must be 128, 192 or 256 bits, was " + bits);
        }
        Engines.Engine engine = Engines.active();
        byte[] key = new byte[bits / 8];
        try {
            RANDOM.nextBytes(key);
            return make(key, engine);
        } finally {
            Bytes.wipe(key);
        }
    }

    /** The key's size: 128, 192 or 256. */
    public int bits() {
        return bits;
    }

    /** The name of the engine that serves this key. */
    public String engine() {
        return engine.name();
    }

    /** The key's size and engine; nothing secret. */
    @Override
    public String toString() {
        return "AesKey[" + bits + " bits, " + engine.name() + (destroyed ? ", closed]" : "]");
    }

    @Override
    public boolean isDestroyed() {
        return destroyed;
    }

    /** Wipes the expanded key and what was derived from it. Idempotent. */
    @Override
    public synchronized void destroy() {
        destroyed = true;
        // Readers check the flag after their last use: the wiping must not be seen before it.
        VarHandle.fullFence();
        cipher.close();
        roundKeys.close();
        if (gcm != null) {
            gcm.close();
        }
        if (eax != null) {
            eax.close();
        }
        if (cmac != null) {
            cmac.close();
        }
        if (ocb != null) {
            ocb.close();
        }
    }

    /** As {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    BlockCipher cipher() {
        return cipher;
    }

    /** GCM under this key, derived once. */
    synchronized AeadMode gcm() {
        requireOpen();
        if (gcm == null) {
            gcm = new Gcm(cipher);
        }
        return gcm;
    }

    /** EAX under this key, derived once. */
    synchronized AeadMode eax() {
        requireOpen();
        if (eax == null) {
            eax = new Eax(cipher);
        }
        return eax;
    }

    /** CMAC under this key, derived once. */
    synchronized Cmac cmac() {
        requireOpen();
        if (cmac == null) {
            cmac = new Cmac(cipher);
        }
        return cmac;
    }

    /** CCM under this key; nothing is derived for it. */
    AeadMode ccm() {
        requireOpen();
        return new Ccm(cipher);
    }

    /** OCB under this key, derived once. */
    synchronized AeadMode ocb() {
        requireOpen();
        if (ocb == null) {
            ocb = new Ocb(cipher);
        }
        return ocb;
    }

    void requireOpen() {
        if (destroyed) {
            throw new IllegalStateException("the key was closed");
        }
    }

    /**
     * After a call: refuses and wipes its output if the key was closed meanwhile, since parts of it
     * may have been made with a wiped key.
     */
    void requireStillOpen(byte[] out, int off, int length) {
        VarHandle.acquireFence();
        if (destroyed) {
            Bytes.wipe(out, off, length);
            throw new IllegalStateException("the key was closed during the call");
        }
    }

    /** A fresh random nonce, not yet counted. */
    byte[] drawNonce(int length) {
        byte[] nonce = new byte[length];
        RANDOM.nextBytes(nonce);
        return Verdict.publish(nonce, 0, length, "a nonce is sent with its message");
    }

    /** Counts a message under a random nonce and refuses the 2<sup>32</sup>nd. */
    void countRandomNonce() {
        // Once the limit is passed the count stays passed: 2^63 refusals would wrap it.
        if (randomNonces.get() >= MAX_RANDOM_NONCES - 1
                || randomNonces.incrementAndGet() >= MAX_RANDOM_NONCES) {
            throw new IllegalStateException(
                    "this key has sealed 2^32 - 1 messages under random nonces; use a new key");
        }
    }

    /** Refuses the nonce that the last encryptor of this key used; else remembers this one. */
    synchronized void claimNonce(byte[] nonce) {
        requireOpen();
        if (lastNonce != null && MessageDigest.isEqual(lastNonce, nonce)) {
            throw new IllegalStateException(
                    "nonce must be new for every message under a key; this one was just used");
        }
        lastNonce = Bytes.copy(nonce, 0, nonce.length);
    }
}
