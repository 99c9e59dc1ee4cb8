package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.EAXBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** EAX: the contract of every AEAD mode, and what is EAX's own. */
class EaxTest extends AeadContract {

    @Override
    Aead mode(AesKey key) {
        return Aes.eax(key);
    }

    @Override
    byte[] reference(byte[] key, byte[] nonce, byte[] aad, byte[] plaintext) throws Exception {
        return bouncyCastle(key, nonce, aad, plaintext, TAG);
    }

    private static byte[] bouncyCastle(
            byte[] key, byte[] nonce, byte[] aad, byte[] plaintext, int tagLength)
            throws Exception {
        EAXBlockCipher eax = new EAXBlockCipher(AESEngine.newInstance());
        eax.init(true, new AEADParameters(new KeyParameter(key), 8 * tagLength, nonce, aad));
        byte[] out = new byte[eax.getOutputSize(plaintext.length)];
        int n = eax.processBytes(plaintext, 0, plaintext.length, out, 0);
        eax.doFinal(out, n);
        return out;
    }

    /** Random keys, nonces, data, tags and lengths against another implementation. */
    @ParameterizedTest
    @MethodSource("engines")
    void differsFromNoOther(String engine) throws Exception {
        Random random = new Random(2026);
        for (int round = 0; round < 2000; round++) {
            byte[] keyBytes = Samples.random(random, 16 + 8 * random.nextInt(3));
            byte[] nonce = Samples.random(random, 1 + random.nextInt(80));
            byte[] aad = Samples.random(random, random.nextInt(70));
            byte[] text =
                    Samples.random(random, random.nextInt(round % 40 == 0 ? 20_000 : 700));
            int tagLength = 4 + random.nextInt(13);
            try (AesKey key = AesKey.of(keyBytes, engine)) {
                Aead eax = Aes.eax(key, tagLength);
                byte[] sealed = eax.seal(nonce, aad, text);
                String which =
                        "round " + round + ", nonce of " + nonce.length + ", " + text.length
                                + " bytes, tag of " + tagLength;
                assertArrayEquals(
                        bouncyCastle(keyBytes, nonce, aad, text, tagLength), sealed, which);
                assertArrayEquals(text, eax.open(nonce, aad, sealed), which);
            }
        }
    }

    @Test
    void nonceOfEveryLength() throws Exception {
        byte[] keyBytes = Samples.pattern(256, 32);
        Aead eax = Aes.eax(AesKey.of(keyBytes));
        for (int length = 1; length <= 300; length++) {
            byte[] nonce = Samples.pattern(length, length);
            byte[] text = Samples.pattern(length, 40);
            byte[] sealed = eax.seal(nonce, nonce, text);
            assertArrayEquals(
                    bouncyCastle(keyBytes, nonce, nonce, text, TAG), sealed, length + " bytes");
            assertArrayEquals(text, eax.open(nonce, nonce, sealed));
        }
        for (Aead any : new Aead[] {eax, Aes.eax(AesKey.of(keyBytes), 12)}) {
            byte[] none = new byte[0];
            assertThrows(IllegalArgumentException.class, () -> any.seal(none, null, none));
            assertThrows(IllegalArgumentException.class, () -> any.open(none, null, none));
            assertThrows(IllegalArgumentException.class, () -> any.encryptor(none));
            assertThrows(IllegalArgumentException.class, () -> any.decryptor(none));
        }
    }

    /** EAX-05: every tag is the beginning of one; 0, 17 and all else is refused. */
    @Test
    void tagsOfEveryLength() throws Exception {
        byte[] keyBytes = Samples.pattern(128, 16);
        AesKey key = AesKey.of(keyBytes);
        byte[] nonce = Samples.pattern(1, 12);
        byte[] aad = Samples.pattern(2, 20);
        byte[] text = Samples.pattern(3, 45);
        byte[] full = Aes.eax(key).seal(nonce, aad, text);
        for (int length = -1; length <= 20; length++) {
            int tagLength = length;
            if (length < 4 || length > 16) {
                String message =
                        assertThrows(
                                        IllegalArgumentException.class,
                                        () -> Aes.eax(key, tagLength))
                                .getMessage();
                assertTrue(message.endsWith("4 to 16 bytes, was " + length), message);
                continue;
            }
            Aead eax = Aes.eax(key, length);
            assertEquals(length, eax.tagLength());
            byte[] sealed = eax.seal(nonce, aad, text);
            assertArrayEquals(Arrays.copyOf(full, text.length + length), sealed);
            assertArrayEquals(text, eax.open(nonce, aad, sealed));
            AeadOperation decryptor = eax.decryptor(nonce);
            decryptor.updateAAD(aad);
            decryptor.update(sealed, 0, sealed.length - 1);
            assertArrayEquals(text, decryptor.doFinal(sealed, sealed.length - 1, 1));
            for (int bit = 0; bit < 8 * length; bit++) {
                byte[] bad = sealed.clone();
                bad[text.length + bit / 8] ^= (byte) (1 << bit % 8);
                assertThrows(AEADBadTagException.class, () -> eax.open(nonce, aad, bad));
            }
            for (int cut = 0; cut < sealed.length; cut++) {
                byte[] bad = Arrays.copyOf(sealed, cut);
                assertThrows(AEADBadTagException.class, () -> eax.open(nonce, aad, bad));
            }
        }
    }

    /**
     * The counter is the whole block and carries out of its last 32 and 64 bits and, from all ones, to
     * zero. The nonce that leads to a wanted N' comes from the chain of CMAC backwards: for one block
     * of nonce, N' = E(E([0]) + N + K1).
     */
    @ParameterizedTest
    @MethodSource("engines")
    void counterCarriesThroughTheWholeBlock(String engine) throws Exception {
        byte[] keyBytes = Samples.pattern(77, 16);
        byte[] aad = Samples.pattern(6, 3);
        byte[] text = Samples.pattern(5, 16 * 130 + 5);
        long[] highs = {0x0123456789abcdefL, -1L};
        for (long high : highs) {
            for (long low : new long[] {0x00000000ffffffffL, -1L}) {
                for (int before : new int[] {0, 1, 2, 3, 4, 5, 33, 100, 129}) {
                    byte[] first =
                            ByteBuffer.allocate(16).putLong(high).putLong(low - before).array();
                    byte[] nonce = nonceFor(keyBytes, first);
                    byte[] sealed = bouncyCastle(keyBytes, nonce, aad, text, TAG);
                    try (AesKey key = AesKey.of(keyBytes, engine)) {
                        Aead eax = Aes.eax(key);
                        assertArrayEquals(
                                Aes.ctr(key).encrypt(first, text),
                                Arrays.copyOf(sealed, text.length),
                                "the nonce leads to the counter");
                        assertArrayEquals(sealed, eax.seal(nonce, aad, text));
                        assertArrayEquals(text, eax.open(nonce, aad, sealed));
                        AeadOperation encryptor = eax.encryptor(nonce);
                        encryptor.updateAAD(aad);
                        int cut = 16 * before + 7;
                        byte[] head = encryptor.update(text, 0, cut);
                        byte[] tail = encryptor.doFinal(text, cut, text.length - cut);
                        assertArrayEquals(sealed, Samples.concat(head, tail));
                    }
                }
            }
        }
    }

    private static byte[] nonceFor(byte[] keyBytes, byte[] nonceMac) throws Exception {
        SecretKeySpec key = new SecretKeySpec(keyBytes, "AES");
        Cipher encryptor = Cipher.getInstance("AES/ECB/NoPadding");
        encryptor.init(Cipher.ENCRYPT_MODE, key);
        Cipher decryptor = Cipher.getInstance("AES/ECB/NoPadding");
        decryptor.init(Cipher.DECRYPT_MODE, key);
        // E([0]) is L as well, and K1 its double.
        byte[] l = encryptor.doFinal(new byte[16]);
        byte[] nonce = decryptor.doFinal(nonceMac);
        for (int i = 0; i < 16; i++) {
            int next = i < 15 ? (l[i + 1] & 0xff) >> 7 : (l[0] < 0 ? 0x87 : 0);
            nonce[i] ^= (byte) (l[i] ^ (l[i] << 1) ^ next);
        }
        return nonce;
    }

    /** EAX-01: no associated data is the empty string, whose MAC counts, in every way to say so. */
    @ParameterizedTest
    @MethodSource("engines")
    void noAssociatedDataIsTheEmptyString(String engine) throws Exception {
        for (TestVectors.Vector v : cases("EAX-01")) {
            byte[] nonce = v.bytes("iv");
            byte[] sealed = Samples.concat(v.bytes("ct"), v.bytes("tag"));
            try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
                Aead eax = Aes.eax(key);
                assertArrayEquals(sealed, eax.seal(nonce, null, v.bytes("pt")));
                assertArrayEquals(sealed, eax.seal(nonce, new byte[0], v.bytes("pt")));
                AeadOperation encryptor = eax.encryptor(nonce);
                encryptor.updateAAD(new byte[0]);
                encryptor.updateAAD(ByteBuffer.allocateDirect(0));
                assertArrayEquals(sealed, encryptor.doFinal(v.bytes("pt")));
                assertArrayEquals(v.bytes("pt"), eax.decryptor(nonce).doFinal(sealed));
            }
        }
    }

    /** EAX-03: a message, whole or forged, leaves nothing behind for the next. */
    @ParameterizedTest
    @MethodSource("engines")
    void aMessageLeavesNothingBehind(String engine) throws Exception {
        List<TestVectors.Vector> both = cases("EAX-03");
        assertEquals(2, both.size());
        try (AesKey key = AesKey.of(both.get(0).bytes("key"), engine)) {
            Aead eax = Aes.eax(key);
            for (TestVectors.Vector v : both) {
                AeadOperation encryptor = eax.encryptor(v.bytes("iv"));
                encryptor.updateAAD(v.bytes("aad"));
                assertArrayEquals(sealed(v), encryptor.doFinal(v.bytes("pt")));
            }
            byte[] forged = sealed(both.get(0));
            forged[forged.length - 1] ^= 1;
            AeadOperation failing = eax.decryptor(both.get(0).bytes("iv"));
            failing.updateAAD(both.get(0).bytes("aad"));
            assertThrows(AEADBadTagException.class, () -> failing.doFinal(forged));
            AeadOperation decryptor = eax.decryptor(both.get(1).bytes("iv"));
            decryptor.updateAAD(both.get(1).bytes("aad"));
            assertArrayEquals(both.get(1).bytes("pt"), decryptor.doFinal(sealed(both.get(1))));
        }
    }

    private static List<TestVectors.Vector> cases(String id) {
        List<TestVectors.Vector> cases =
                TestVectors.load(KnownFaultsTest.FILE).stream()
                        .filter(v -> v.peek("id").equals(id))
                        .toList();
        assertFalse(cases.isEmpty(), id);
        return cases;
    }

    private static byte[] sealed(TestVectors.Vector v) {
        return Samples.concat(v.bytes("ct"), v.bytes("tag"));
    }
}
