package dev.isochron.timing;

import dev.isochron.aes.Aead;
import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import dev.isochron.aes.AesMac;
import dev.isochron.aes.CipherMode;
import dev.isochron.aes.StreamingAead;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.crypto.AEADBadTagException;

/**
 * A mode of Isochron and the message it is timed with: as much as makes both engines of the hybrid
 * work, a bulk batch of four blocks and a single one. AES-256 throughout; XTS has two such keys.
 *
 * @param name for people
 * @param keyLength bytes of a key
 * @param nonceLength bytes of a nonce, IV or tweak; 0 if there is none
 * @param textLength bytes of a plaintext
 * @param opens whether there is a way back
 * @param keyed the mode under a key
 */
record Scheme(
        String name,
        int keyLength,
        int nonceLength,
        int textLength,
        boolean opens,
        Function<byte[], Keyed> keyed) {

    /** A mode under a key. */
    interface Keyed {

        /** Encrypts a whole array, and authenticates it if the mode does; returns the length. */
        int seal(byte[] nonce, byte[] in, byte[] out) throws GeneralSecurityException;

        /** Decrypts a whole array; returns the length. */
        int open(byte[] nonce, byte[] in, byte[] out) throws GeneralSecurityException;
    }

    private static final int KEY = 32;
    private static final int BLOCK = 16;
    private static final int WHOLE = 5 * BLOCK;
    private static final int BROKEN = WHOLE - 3;

    /** CFB8 takes a block of its own for each. */
    private static final int FIVE_BYTES = 5;

    /** Room for what any mode adds to a text. */
    static final int MOST_ADDED = 64;

    /** Public, so both classes have it; some, so that its path runs. */
    private static final byte[] AAD = "associated data".getBytes(StandardCharsets.US_ASCII);

    static final Scheme GCM = aead("GCM", 12, Aes::gcm);
    static final Scheme CCM = aead("CCM", 12, Aes::ccm);
    static final Scheme EAX = aead("EAX", 16, Aes::eax);
    static final Scheme OCB = aead("OCB", 12, Aes::ocb);
    static final Scheme CBC_NO_PADDING = plain("CBC", BLOCK, WHOLE, Aes::cbcNoPadding);
    static final Scheme CBC_PKCS7 = plain("CBC-PKCS7", BLOCK, BROKEN, Aes::cbc);
    static final Scheme ECB_NO_PADDING = plain("ECB", 0, WHOLE, Aes::ecb);
    static final Scheme ECB_PKCS7 = plain("ECB-PKCS7", 0, BROKEN, Aes::ecbPadded);

    /** CMAC with the text before the tag, as a message that can be opened; opening only verifies. */
    static final Scheme CMAC_VERIFIED =
            new Scheme("CMAC", KEY, 0, BROKEN, true, Scheme::cmacVerified);

    /** The authenticated modes. */
    static List<Scheme> aeads() {
        return List.of(GCM, CCM, EAX, OCB);
    }

    /** Every mode. */
    static List<Scheme> all() {
        List<Scheme> all = new ArrayList<>(aeads());
        all.addAll(
                List.of(
                        new Scheme("XTS", 2 * KEY, BLOCK, BROKEN, true, Scheme::xts),
                        plain("CTR", BLOCK, BROKEN, Aes::ctr),
                        CBC_NO_PADDING,
                        CBC_PKCS7,
                        plain("CBC-CS1", BLOCK, BROKEN, Aes::cbcCs1),
                        plain("CBC-CS2", BLOCK, BROKEN, Aes::cbcCs2),
                        plain("CBC-CS3", BLOCK, BROKEN, Aes::cbcCs3),
                        plain("CFB", BLOCK, BROKEN, Aes::cfb),
                        plain("CFB8", BLOCK, FIVE_BYTES, Aes::cfb8),
                        plain("OFB", BLOCK, BROKEN, Aes::ofb),
                        ECB_NO_PADDING,
                        ECB_PKCS7,
                        new Scheme("CMAC", KEY, 0, BROKEN, false, Scheme::cmac),
                        new Scheme("StreamingAead", KEY, 0, BROKEN, true, Scheme::streaming)));
        return all;
    }

    private static Scheme aead(String name, int nonceLength, Function<AesKey, Aead> factory) {
        return new Scheme(
                name, KEY, nonceLength, BROKEN, true, key -> authenticated(key, factory));
    }

    private static Scheme plain(
            String name, int nonceLength, int textLength, Function<AesKey, CipherMode> factory) {
        return new Scheme(
                name,
                KEY,
                nonceLength,
                textLength,
                true,
                key -> unauthenticated(factory.apply(AesKey.of(key))));
    }

    private static Keyed xts(byte[] key) {
        return unauthenticated(Aes.xts(key));
    }

    private static Keyed unauthenticated(CipherMode mode) {
        return new Keyed() {
            @Override
            public int seal(byte[] nonce, byte[] in, byte[] out) throws GeneralSecurityException {
                return mode.encrypt(nonce, in, 0, in.length, out, 0);
            }

            @Override
            public int open(byte[] nonce, byte[] in, byte[] out) throws GeneralSecurityException {
                return mode.decrypt(nonce, in, 0, in.length, out, 0);
            }
        };
    }

    private static Keyed authenticated(byte[] key, Function<AesKey, Aead> factory) {
        Aead aead = factory.apply(AesKey.of(key));
        return new Keyed() {
            @Override
            public int seal(byte[] nonce, byte[] in, byte[] out) throws GeneralSecurityException {
                return aead.seal(nonce, AAD, in, 0, in.length, out, 0);
            }

            @Override
            public int open(byte[] nonce, byte[] in, byte[] out) throws GeneralSecurityException {
                return aead.open(nonce, AAD, in, 0, in.length, out, 0);
            }
        };
    }

    private static Keyed cmac(byte[] key) {
        AesMac mac = Aes.cmac(AesKey.of(key));
        return new Keyed() {
            @Override
            public int seal(byte[] nonce, byte[] in, byte[] out) throws GeneralSecurityException {
                mac.update(in, 0, in.length);
                return mac.doFinal(out, 0);
            }

            @Override
            public int open(byte[] nonce, byte[] in, byte[] out) {
                throw new UnsupportedOperationException("CMAC opens nothing");
            }
        };
    }

    private static Keyed cmacVerified(byte[] key) {
        AesMac mac = Aes.cmac(AesKey.of(key));
        byte[] tag = new byte[BLOCK];
        return new Keyed() {
            @Override
            public int seal(byte[] nonce, byte[] in, byte[] out) throws GeneralSecurityException {
                System.arraycopy(in, 0, out, 0, in.length);
                mac.update(in, 0, in.length);
                return in.length + mac.doFinal(out, in.length);
            }

            @Override
            public int open(byte[] nonce, byte[] in, byte[] out) throws GeneralSecurityException {
                int length = in.length - BLOCK;
                System.arraycopy(in, length, tag, 0, BLOCK);
                mac.update(in, 0, length);
                if (!mac.verify(tag)) {
                    throw new AEADBadTagException("wrong tag");
                }
                return length;
            }
        };
    }

    private static Keyed streaming(byte[] key) {
        StreamingAead streaming = StreamingAead.segments4KB(key);
        return new Keyed() {
            @Override
            public int seal(byte[] nonce, byte[] in, byte[] out) {
                ByteArrayOutputStream sink = new ByteArrayOutputStream(out.length);
                try (OutputStream sealing = streaming.sealing(sink, AAD)) {
                    sealing.write(in, 0, in.length);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                byte[] sealed = sink.toByteArray();
                System.arraycopy(sealed, 0, out, 0, sealed.length);
                return sealed.length;
            }

            @Override
            public int open(byte[] nonce, byte[] in, byte[] out) {
                try (InputStream opening =
                        streaming.opening(new ByteArrayInputStream(in), AAD)) {
                    return opening.readNBytes(out, 0, out.length);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }
}
