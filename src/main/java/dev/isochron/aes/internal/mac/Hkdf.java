package dev.isochron.aes.internal.mac;

import dev.isochron.aes.internal.bytes.Bytes;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * HKDF (RFC 5869) over HMAC (RFC 2104) with SHA-256 (FIPS 180-4).
 *
 * <p><b>Constant-time.</b> SHA-256 is additions, rotations and bitwise functions of 32-bit words in a
 * fixed order; the JDK's own implementation, interpreted, compiled or as an intrinsic, has no table
 * and no branch that data could steer. The number of compressions depends on the lengths alone,
 * which are public, and so does everything this class adds to them: a salt of more than 64 bytes,
 * say, is hashed first (RFC 2104 section 2).
 *
 * <p><b>Wiping.</b> Every array that held a key, a pad or an output block is overwritten before the
 * method returns. The digest's internal buffers belong to the JDK; {@code reset} clears its state.
 */
public final class Hkdf {

    private static final int HASH_SIZE = 32;
    private static final int HASH_BLOCK_SIZE = 64;

    /** The longest output, RFC 5869 section 2.3. */
    private static final int MAX_LENGTH = 255 * HASH_SIZE;

    private Hkdf() {}

    /**
     * Extracts a key from the input and expands it (RFC 5869 sections 2.2 and 2.3).
     *
     * @param ikm the input keying material, any length
     * @param salt the salt; an empty one stands for 32 zero bytes
     * @param info the context the output is bound to, any length
     * @param length how many bytes to make, 0 to 8160
     * @return the output keying material, {@code length} bytes, the caller's to wipe
     * @throws IllegalArgumentException if {@code length} is out of range
     */
    public static byte[] sha256(byte[] ikm, byte[] salt, byte[] info, int length) {
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "length is " + length + ", allowed are 0 to " + MAX_LENGTH);
        }
        byte[] prk = new byte[HASH_SIZE];
        try {
            extract(salt, ikm, prk);
            return expand(prk, info, length);
        } finally {
            Bytes.wipe(prk);
        }
    }

    /** PRK = HMAC(salt, IKM), section 2.2. */
    private static void extract(byte[] salt, byte[] ikm, byte[] prk) {
        try (Hmac hmac = new Hmac(salt)) {
            hmac.update(ikm, ikm.length);
            hmac.doFinal(prk);
        }
    }

    /** OKM = T(1) | T(2) | ..., section 2.3. */
    private static byte[] expand(byte[] prk, byte[] info, int length) {
        byte[] okm = new byte[length];
        byte[] t = new byte[HASH_SIZE];
        byte[] counter = new byte[1];
        try (Hmac hmac = new Hmac(prk)) {
            for (int done = 0; done < length; done += HASH_SIZE) {
                // T(i) = HMAC(PRK, T(i - 1) | info | i), with T(0) empty.
                counter[0]++;
                hmac.update(t, done == 0 ? 0 : HASH_SIZE);
                hmac.update(info, info.length);
                hmac.update(counter, 1);
                hmac.doFinal(t);
                Bytes.copy(t, 0, okm, done, Math.min(HASH_SIZE, length - done));
            }
        } finally {
            Bytes.wipe(t);
        }
        return okm;
    }

    /** HMAC-SHA-256 under one key, for any number of messages, one after the other (RFC 2104). */
    private static final class Hmac implements AutoCloseable {

        private final MessageDigest digest = newDigest();

        /** K xor ipad, the first block of the inner hash. */
        private final byte[] innerPad = new byte[HASH_BLOCK_SIZE];

        /** K xor opad, the first block of the outer hash. */
        private final byte[] outerPad = new byte[HASH_BLOCK_SIZE];

        Hmac(byte[] key) {
            if (key.length > HASH_BLOCK_SIZE) {
                digest.update(key, 0, key.length);
                digestInto(innerPad);
            } else {
                Bytes.copy(key, 0, innerPad, 0, key.length);
            }
            for (int i = 0; i < HASH_BLOCK_SIZE; i++) {
                outerPad[i] = (byte) (innerPad[i] ^ 0x5c);
                innerPad[i] ^= 0x36;
            }
            digest.update(innerPad, 0, HASH_BLOCK_SIZE);
        }

        void update(byte[] data, int length) {
            digest.update(data, 0, length);
        }

        /** Writes the 32 bytes of the tag over the start of {@code out}; ready for a new message. */
        void doFinal(byte[] out) {
            digestInto(out);
            digest.update(outerPad, 0, HASH_BLOCK_SIZE);
            digest.update(out, 0, HASH_SIZE);
            digestInto(out);
            digest.update(innerPad, 0, HASH_BLOCK_SIZE);
        }

        @Override
        public void close() {
            digest.reset();
            Bytes.wipe(innerPad);
            Bytes.wipe(outerPad);
        }

        private void digestInto(byte[] out) {
            try {
                digest.digest(out, 0, HASH_SIZE);
            } catch (DigestException e) {
                throw new IllegalStateException("SHA-256 refused an output of 32 bytes", e);
            }
        }

        private static MessageDigest newDigest() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                // Every Java platform must have SHA-256: see java.security.MessageDigest.
                throw new IllegalStateException("this JVM has no SHA-256", e);
            }
        }
    }
}
