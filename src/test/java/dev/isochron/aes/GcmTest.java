package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.GCMModeCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** GCM: the contract of every AEAD mode, and what is GCM's own. */
class GcmTest extends AeadContract {

    @Override
    Aead mode(AesKey key) {
        return Aes.gcm(key);
    }

    @Override
    byte[] reference(byte[] key, byte[] nonce, byte[] aad, byte[] plaintext) throws Exception {
        return jdk(key, nonce, aad, plaintext);
    }

    private static byte[] jdk(byte[] key, byte[] nonce, byte[] aad, byte[] plaintext)
            throws Exception {
        Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
        gcm.init(
                Cipher.ENCRYPT_MODE,
                new SecretKeySpec(key, "AES"),
                new GCMParameterSpec(8 * TAG, nonce));
        gcm.updateAAD(aad);
        return gcm.doFinal(plaintext);
    }

    private static byte[] bouncyCastle(
            byte[] key, byte[] nonce, byte[] aad, byte[] plaintext, int tagLength)
            throws Exception {
        GCMModeCipher gcm = GCMBlockCipher.newInstance(AESEngine.newInstance());
        gcm.init(true, new AEADParameters(new KeyParameter(key), 8 * tagLength, nonce, aad));
        byte[] out = new byte[gcm.getOutputSize(plaintext.length)];
        int n = gcm.processBytes(plaintext, 0, plaintext.length, out, 0);
        gcm.doFinal(out, n);
        return out;
    }

    /** Random keys, nonces, data and lengths against two other implementations. */
    @ParameterizedTest
    @MethodSource("engines")
    void differsFromNoOther(String engine) throws Exception {
        Random random = new Random(2026);
        for (int round = 0; round < 2000; round++) {
            byte[] keyBytes = Samples.random(random, 16 + 8 * random.nextInt(3));
            byte[] nonce =
                    Samples.random(random, random.nextBoolean() ? 12 : 1 + random.nextInt(80));
            byte[] aad = Samples.random(random, random.nextInt(70));
            byte[] text =
                    Samples.random(random, random.nextInt(round % 40 == 0 ? 20_000 : 700));
            try (AesKey key = AesKey.of(keyBytes, engine)) {
                byte[] sealed = Aes.gcm(key).seal(nonce, aad, text);
                String which =
                        "round " + round + ", nonce of " + nonce.length + ", " + text.length
                                + " bytes";
                assertArrayEquals(bouncyCastle(keyBytes, nonce, aad, text, TAG), sealed, which);
                assertArrayEquals(jdk(keyBytes, nonce, aad, text), sealed, which);
                assertArrayEquals(text, Aes.gcm(key).open(nonce, aad, sealed), which);
            }
        }
    }

    @Test
    void nonceOfEveryLength() throws Exception {
        byte[] keyBytes = Samples.pattern(256, 32);
        Aead gcm = Aes.gcm(AesKey.of(keyBytes));
        for (int length = 1; length <= 300; length++) {
            byte[] nonce = Samples.pattern(length, length);
            byte[] text = Samples.pattern(length, 40);
            byte[] sealed = gcm.seal(nonce, nonce, text);
            assertArrayEquals(
                    bouncyCastle(keyBytes, nonce, nonce, text, TAG), sealed, length + " bytes");
        }
        for (Aead any : new Aead[] {gcm, Aes.gcm(AesKey.of(keyBytes), 12)}) {
            byte[] none = new byte[0];
            assertThrows(IllegalArgumentException.class, () -> any.seal(none, null, none));
            assertThrows(IllegalArgumentException.class, () -> any.open(none, null, none));
            assertThrows(IllegalArgumentException.class, () -> any.encryptor(none));
            assertThrows(IllegalArgumentException.class, () -> any.decryptor(none));
        }
    }

    @Test
    void tagsOfEveryLength() throws Exception {
        byte[] keyBytes = Samples.pattern(128, 16);
        AesKey key = AesKey.of(keyBytes);
        byte[] nonce = Samples.pattern(1, 12);
        byte[] aad = Samples.pattern(2, 20);
        byte[] text = Samples.pattern(3, 45);
        byte[] full = Aes.gcm(key).seal(nonce, aad, text);
        for (int length = -1; length <= 20; length++) {
            int tagLength = length;
            Aead gcm;
            if (length >= 12 && length <= 16) {
                gcm = Aes.gcm(key, length);
                assertThrows(
                        IllegalArgumentException.class, () -> Aes.gcmShortTag(key, tagLength));
            } else {
                assertThrows(IllegalArgumentException.class, () -> Aes.gcm(key, tagLength));
                if (length != 4 && length != 8) {
                    assertThrows(
                            IllegalArgumentException.class, () -> Aes.gcmShortTag(key, tagLength));
                    continue;
                }
                gcm = Aes.gcmShortTag(key, length);
            }
            assertEquals(length, gcm.tagLength());
            byte[] sealed = gcm.seal(nonce, aad, text);
            assertArrayEquals(Arrays.copyOf(full, text.length + length), sealed);
            if (length >= 4) {
                assertArrayEquals(bouncyCastle(keyBytes, nonce, aad, text, length), sealed);
            }
            assertArrayEquals(text, gcm.open(nonce, aad, sealed));
            AeadOperation decryptor = gcm.decryptor(nonce);
            decryptor.updateAAD(aad);
            decryptor.update(sealed, 0, sealed.length - 1);
            assertArrayEquals(text, decryptor.doFinal(sealed, sealed.length - 1, 1));
            for (int bit = 0; bit < 8 * length; bit++) {
                byte[] bad = sealed.clone();
                bad[text.length + bit / 8] ^= (byte) (1 << bit % 8);
                assertThrows(AEADBadTagException.class, () -> gcm.open(nonce, aad, bad));
            }
            for (int cut = 0; cut < sealed.length; cut++) {
                byte[] bad = Arrays.copyOf(sealed, cut);
                assertThrows(AEADBadTagException.class, () -> gcm.open(nonce, aad, bad));
            }
        }
    }

    /**
     * The 32-bit counter wraps after every count of blocks a batch may have, whatever the message's
     * length and however it is cut. The nonce that leads to a wanted J0 comes from inverting GHASH:
     * for one block N of nonce, J0 = (N H + L) H with L the block of lengths, so N = (J0 / H + L) / H.
     */
    @ParameterizedTest
    @MethodSource("engines")
    void counterWrapsInsideTheMessage(String engine) throws Exception {
        byte[] keyBytes = Samples.pattern(77, 16);
        byte[] text = Samples.pattern(5, 16 * 72 + 5);
        byte[] aad = Samples.pattern(6, 3);
        Random random = new Random(3);
        try (AesKey key = AesKey.of(keyBytes, engine)) {
            Aead gcm = Aes.gcm(key);
            for (int before = 0; before <= 72; before++) {
                byte[] j0 = Samples.pattern(before, 16);
                ByteBuffer.wrap(j0).putInt(12, -1 - before);
                byte[] nonce = nonceFor(keyBytes, j0);
                byte[] sealed = bouncyCastle(keyBytes, nonce, aad, text, TAG);
                assertArrayEquals(sealed, gcm.seal(nonce, aad, text), "wrap after " + before);
                assertArrayEquals(text, gcm.open(nonce, aad, sealed), "wrap after " + before);
                int at = 0;
                byte[] out = new byte[sealed.length];
                AeadOperation encryptor = gcm.encryptor(nonce);
                encryptor.updateAAD(aad);
                for (int piece : Samples.cuts(random, text.length)) {
                    encryptor.update(text, at, piece, out, at);
                    at += piece;
                }
                encryptor.doFinal(text, at, 0, out, at);
                assertArrayEquals(sealed, out, "pieces, wrap after " + before);
                for (int blocks = Math.max(0, before - 2); blocks < before + 4; blocks++) {
                    byte[] head = Arrays.copyOf(text, Math.min(text.length, 16 * blocks + 9));
                    assertArrayEquals(
                            bouncyCastle(keyBytes, nonce, aad, head, TAG),
                            gcm.seal(nonce, aad, head),
                            head.length + " bytes, wrap after " + before);
                }
            }
        }
    }

    /** The same in texts long enough for whatever engines and GHASH do in bulk. */
    @ParameterizedTest
    @MethodSource("engines")
    void counterWrapsInsideALongMessage(String engine) throws Exception {
        byte[] keyBytes = Samples.pattern(78, 32);
        byte[] aad = Samples.pattern(6, 33);
        byte[] text = Samples.pattern(5, 16 * 600 + 5);
        Random random = new Random(4);
        try (AesKey key = AesKey.of(keyBytes, engine)) {
            Aead gcm = Aes.gcm(key);
            for (int before = 1; before < 600; before += 1 + random.nextInt(30)) {
                byte[] j0 = Samples.pattern(before, 16);
                ByteBuffer.wrap(j0).putInt(12, -1 - before);
                byte[] nonce = nonceFor(keyBytes, j0);
                byte[] sealed = bouncyCastle(keyBytes, nonce, aad, text, TAG);
                assertArrayEquals(sealed, gcm.seal(nonce, aad, text), "wrap after " + before);
                assertArrayEquals(text, gcm.open(nonce, aad, sealed), "wrap after " + before);
                AeadOperation encryptor = gcm.encryptor(nonce);
                encryptor.updateAAD(aad);
                int cut = random.nextInt(text.length);
                byte[] head = encryptor.update(text, 0, cut);
                byte[] tail = encryptor.doFinal(text, cut, text.length - cut);
                assertArrayEquals(sealed, Samples.concat(head, tail), "wrap after " + before);
                AeadOperation decryptor = gcm.decryptor(nonce);
                decryptor.updateAAD(aad);
                decryptor.update(sealed, 0, cut);
                assertArrayEquals(text, decryptor.doFinal(sealed, cut, sealed.length - cut));
            }
        }
    }

    private static byte[] nonceFor(byte[] keyBytes, byte[] j0) throws Exception {
        Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
        aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(keyBytes, "AES"));
        BigInteger inverse = inverse(element(aes.doFinal(new byte[16])));
        byte[] lengths = new byte[16];
        lengths[15] = (byte) 128;
        BigInteger n = times(times(element(j0), inverse).xor(element(lengths)), inverse);
        byte[] nonce = new byte[16];
        for (int i = 0; i < 128; i++) {
            if (n.testBit(i)) {
                nonce[i / 8] |= (byte) (0x80 >> i % 8);
            }
        }
        return nonce;
    }

    /** A block as a polynomial: bit 0, the highest of byte 0, is the coefficient of 1. */
    private static BigInteger element(byte[] block) {
        BigInteger e = BigInteger.ZERO;
        for (int i = 0; i < 128; i++) {
            if ((block[i / 8] & 0x80 >> i % 8) != 0) {
                e = e.setBit(i);
            }
        }
        return e;
    }

    private static BigInteger times(BigInteger a, BigInteger b) {
        BigInteger product = BigInteger.ZERO;
        for (int i = 0; i < 128; i++) {
            if (b.testBit(i)) {
                product = product.xor(a.shiftLeft(i));
            }
        }
        BigInteger modulus = BigInteger.ONE.shiftLeft(128).xor(BigInteger.valueOf(0x87));
        for (int i = product.bitLength() - 1; i >= 128; i--) {
            if (product.testBit(i)) {
                product = product.xor(modulus.shiftLeft(i - 128));
            }
        }
        return product;
    }

    /** a^(2^128 - 2). */
    private static BigInteger inverse(BigInteger a) {
        BigInteger power = BigInteger.ONE;
        BigInteger square = a;
        for (int i = 1; i < 128; i++) {
            square = times(square, square);
            power = times(power, square);
        }
        assertTrue(times(power, a).equals(BigInteger.ONE));
        return power;
    }
}
