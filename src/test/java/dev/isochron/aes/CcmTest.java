package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.CCMBlockCipher;
import org.bouncycastle.crypto.modes.CCMModeCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CCM: the contract of every AEAD mode, and what is CCM's own. */
class CcmTest extends AeadContract {

    private static final byte FILL = (byte) 0xA5;

    @Override
    Aead mode(AesKey key) {
        return Aes.ccm(key);
    }

    @Override
    byte[] reference(byte[] key, byte[] nonce, byte[] aad, byte[] plaintext) throws Exception {
        return bouncyCastle(key, nonce, aad, plaintext, TAG);
    }

    private static byte[] bouncyCastle(
            byte[] key, byte[] nonce, byte[] aad, byte[] plaintext, int tagLength)
            throws Exception {
        CCMModeCipher ccm = CCMBlockCipher.newInstance(AESEngine.newInstance());
        ccm.init(true, new AEADParameters(new KeyParameter(key), 8 * tagLength, nonce, aad));
        byte[] out = new byte[ccm.getOutputSize(plaintext.length)];
        int n = ccm.processBytes(plaintext, 0, plaintext.length, out, 0);
        ccm.doFinal(out, n);
        return out;
    }

    /**
     * CCM of the JDK's parts, as it has none of its own: the tag is the last block of CBC over what
     * RFC 3610 section 2.2 writes down, and all is encrypted by CTR, tag first.
     */
    private static byte[] jdk(
            byte[] key, byte[] nonce, byte[] aad, byte[] plaintext, int tagLength)
            throws Exception {
        int sizeOfLength = 15 - nonce.length;
        ByteArrayOutputStream blocks = new ByteArrayOutputStream();
        int hasData = aad.length > 0 ? 1 : 0;
        blocks.write(64 * hasData + 8 * ((tagLength - 2) / 2) + sizeOfLength - 1);
        blocks.write(nonce);
        for (int i = sizeOfLength - 1; i >= 0; i--) {
            blocks.write(i < 4 ? plaintext.length >>> 8 * i : 0);
        }
        if (aad.length >= 0xFF00) {
            blocks.write(ByteBuffer.allocate(6).putShort((short) 0xFFFE).putInt(aad.length).array());
        } else if (aad.length > 0) {
            blocks.write(ByteBuffer.allocate(2).putShort((short) aad.length).array());
        }
        blocks.write(aad);
        blocks.write(new byte[-blocks.size() & 15]);
        blocks.write(plaintext);
        blocks.write(new byte[-blocks.size() & 15]);
        SecretKeySpec secret = new SecretKeySpec(key, "AES");
        Cipher cbc = Cipher.getInstance("AES/CBC/NoPadding");
        cbc.init(Cipher.ENCRYPT_MODE, secret, new IvParameterSpec(new byte[16]));
        byte[] chain = cbc.doFinal(blocks.toByteArray());
        byte[] tag = Arrays.copyOfRange(chain, chain.length - 16, chain.length);

        byte[] counter = new byte[16];
        counter[0] = (byte) (sizeOfLength - 1);
        System.arraycopy(nonce, 0, counter, 1, nonce.length);
        Cipher ctr = Cipher.getInstance("AES/CTR/NoPadding");
        ctr.init(Cipher.ENCRYPT_MODE, secret, new IvParameterSpec(counter));
        byte[] tagAndText = ctr.doFinal(Samples.concat(tag, plaintext));
        return Samples.concat(
                Arrays.copyOfRange(tagAndText, 16, tagAndText.length),
                Arrays.copyOf(tagAndText, tagLength));
    }

    // ---- against others ------------------------------------------------------------------------

    /** Random keys, nonces, tags, data and lengths against two other implementations. */
    @ParameterizedTest
    @MethodSource("engines")
    void differsFromNoOther(String engine) throws Exception {
        Random random = new Random(2026);
        for (int round = 0; round < 2000; round++) {
            byte[] keyBytes = Samples.random(random, 16 + 8 * random.nextInt(3));
            byte[] nonce = Samples.random(random, 7 + random.nextInt(7));
            int tagLength = 4 + 2 * random.nextInt(7);
            byte[] aad = Samples.random(random, random.nextInt(70));
            byte[] text =
                    Samples.random(random, random.nextInt(round % 40 == 0 ? 20_000 : 700));
            try (AesKey key = AesKey.of(keyBytes, engine)) {
                Aead ccm = Aes.ccm(key, tagLength);
                byte[] sealed = ccm.seal(nonce, aad, text);
                String which =
                        "round " + round + ", nonce of " + nonce.length + ", tag of " + tagLength
                                + ", " + text.length + " bytes";
                assertArrayEquals(
                        bouncyCastle(keyBytes, nonce, aad, text, tagLength), sealed, which);
                assertArrayEquals(jdk(keyBytes, nonce, aad, text, tagLength), sealed, which);
                assertArrayEquals(text, ccm.open(nonce, aad, sealed), which);
            }
        }
    }

    /** Where the text becomes long enough for another way of working; in place as well. */
    @ParameterizedTest
    @MethodSource("engines")
    void aroundTheLongText(String engine) throws Exception {
        byte[] nonce = Samples.pattern(1, 11);
        byte[] aad = Samples.pattern(2, 17);
        Aead ccm = Aes.ccm(Samples.key(engine, 128));
        for (int length = 1480; length <= 1600; length++) {
            byte[] text = Samples.pattern(length, length);
            byte[] sealed = bouncyCastle(Samples.pattern(128, 16), nonce, aad, text, TAG);
            byte[] array = Arrays.copyOf(text, sealed.length);
            ccm.seal(nonce, aad, array, 0, length, array, 0);
            assertArrayEquals(sealed, array, length + " bytes");
            ccm.open(nonce, aad, array, 0, array.length, array, 0);
            assertArrayEquals(text, Arrays.copyOf(array, length), length + " bytes");
        }
    }

    /** Where the encoding of its length changes, in one piece and in several. */
    @Test
    void muchAssociatedData() throws Exception {
        byte[] keyBytes = Samples.pattern(9, 32);
        byte[] nonce = Samples.pattern(1, 11);
        byte[] text = Samples.pattern(2, 50);
        Aead ccm = Aes.ccm(AesKey.of(keyBytes));
        for (int length :
                new int[] {0xFEFE, 0xFEFF, 0xFF00, 0xFF01, 0xFF0A, 0xFFFF, 0x10000, 0x10001, 200_000}) {
            byte[] aad = Samples.pattern(length, length);
            byte[] sealed = ccm.seal(nonce, aad, text);
            assertArrayEquals(bouncyCastle(keyBytes, nonce, aad, text, TAG), sealed);
            assertArrayEquals(jdk(keyBytes, nonce, aad, text, TAG), sealed);
            assertArrayEquals(text, ccm.open(nonce, aad, sealed));
            AeadOperation decryptor = ccm.decryptor(nonce);
            decryptor.updateAAD(aad, 0, 0xFEFE);
            decryptor.updateAAD(aad, 0xFEFE, length - 0xFEFE);
            assertArrayEquals(text, decryptor.doFinal(sealed));
            aad[length - 1] ^= 1;
            assertThrows(AEADBadTagException.class, () -> ccm.open(nonce, aad, sealed));
        }
    }

    // ---- parameters ----------------------------------------------------------------------------

    @Test
    void nonceOfEveryLength() throws Exception {
        byte[] keyBytes = Samples.pattern(256, 32);
        Aead ccm = Aes.ccm(AesKey.of(keyBytes));
        byte[] text = Samples.pattern(4, 40);
        for (int length = 0; length <= 32; length++) {
            byte[] nonce = Samples.pattern(length, length);
            if (length >= 7 && length <= 13) {
                byte[] sealed = ccm.seal(nonce, nonce, text);
                assertArrayEquals(bouncyCastle(keyBytes, nonce, nonce, text, TAG), sealed);
                AeadOperation encryptor = ccm.encryptor(nonce);
                encryptor.updateAAD(nonce);
                assertArrayEquals(sealed, encryptor.doFinal(text));
                continue;
            }
            for (Callable<?> call :
                    List.<Callable<?>>of(
                            () -> ccm.seal(nonce, null, text),
                            () -> ccm.open(nonce, null, text),
                            () -> ccm.encryptor(nonce),
                            () -> ccm.decryptor(nonce))) {
                assertEquals(
                        "nonce must have 7 to 13 bytes, had " + length,
                        assertThrows(IllegalArgumentException.class, call::call).getMessage());
            }
        }
    }

    /** The tag's length is authenticated too: a short tag is not the start of a longer one. */
    @Test
    void tagsOfEveryLength() throws Exception {
        byte[] keyBytes = Samples.pattern(128, 16);
        AesKey key = AesKey.of(keyBytes);
        byte[] nonce = Samples.pattern(1, 12);
        byte[] aad = Samples.pattern(2, 20);
        byte[] text = Samples.pattern(3, 45);
        byte[] full = Aes.ccm(key).seal(nonce, aad, text);
        for (int length = -2; length <= 20; length++) {
            int tagLength = length;
            if (length < 4 || length > 16 || length % 2 != 0) {
                String message =
                        assertThrows(
                                        IllegalArgumentException.class,
                                        () -> Aes.ccm(key, tagLength))
                                .getMessage();
                assertTrue(message.endsWith("was " + length), message);
                continue;
            }
            Aead ccm = Aes.ccm(key, length);
            assertEquals(length, ccm.tagLength());
            byte[] sealed = ccm.seal(nonce, aad, text);
            assertEquals(45 + length, sealed.length);
            assertEquals(length == 16, Arrays.equals(Arrays.copyOf(full, sealed.length), sealed));
            assertArrayEquals(bouncyCastle(keyBytes, nonce, aad, text, length), sealed);
            assertArrayEquals(text, ccm.open(nonce, aad, sealed));
            AeadOperation decryptor = ccm.decryptor(nonce);
            decryptor.updateAAD(aad);
            decryptor.update(sealed, 0, sealed.length - 1);
            assertArrayEquals(text, decryptor.doFinal(sealed, sealed.length - 1, 1));
            for (int bit = 0; bit < 8 * length; bit++) {
                byte[] bad = sealed.clone();
                bad[text.length + bit / 8] ^= (byte) (1 << bit % 8);
                assertThrows(AEADBadTagException.class, () -> ccm.open(nonce, aad, bad));
            }
            for (int cut = 0; cut < sealed.length; cut++) {
                byte[] bad = Arrays.copyOf(sealed, cut);
                assertThrows(AEADBadTagException.class, () -> ccm.open(nonce, aad, bad));
            }
        }
    }

    /**
     * CCM-04: the longest text of a nonce of 13 and of 12 bytes, and one byte more, in one piece and
     * in several. What is too long is refused with what it was and what is allowed, changes nothing,
     * and when opened is no authentic message.
     */
    @ParameterizedTest
    @ValueSource(ints = {13, 12})
    void longestText(int nonceLength) throws Exception {
        byte[] keyBytes = TestVectors.hex("67599d5d26162e167cda844eaad5b627");
        byte[] nonce = Arrays.copyOf(TestVectors.hex("49f0973ee58c33da8128cf761d"), nonceLength);
        int max = nonceLength == 13 ? 65_535 : 16_777_215;
        Aead ccm = Aes.ccm(AesKey.of(keyBytes));
        byte[] tooLong = Samples.pattern(34, max + 1);
        byte[] longest = Arrays.copyOf(tooLong, max);
        byte[] out = new byte[max + 1 + TAG];

        AeadOperation encryptor = ccm.encryptor(nonce);
        List<Callable<?>> calls =
                new ArrayList<>(
                        List.of(
                                () -> ccm.seal(nonce, null, tooLong),
                                () -> ccm.seal(nonce, null, tooLong, 0, max + 1, out, 0),
                                () ->
                                        ccm.seal(
                                                nonce,
                                                null,
                                                ByteBuffer.wrap(tooLong),
                                                ByteBuffer.wrap(out)),
                                () -> encryptor.update(tooLong),
                                () -> encryptor.doFinal(tooLong)));
        if (nonceLength == 12) {
            calls.add(() -> ccm.sealWithRandomNonce(null, tooLong));
        }
        for (Callable<?> call : calls) {
            assertEquals(
                    "a CCM message with a nonce of " + nonceLength + " bytes has at most " + max
                            + " bytes, had 0 and was given " + (max + 1) + " more",
                    assertThrows(IllegalArgumentException.class, call::call).getMessage());
        }
        byte[] sealed = ccm.seal(nonce, null, longest);
        assertArrayEquals(jdk(keyBytes, nonce, new byte[0], longest, TAG), sealed);
        assertArrayEquals(longest, ccm.open(nonce, null, sealed));

        assertEquals(0, encryptor.update(longest, 0, max - 1).length);
        for (Callable<?> call :
                List.<Callable<?>>of(
                        () -> encryptor.update(new byte[2]),
                        () -> encryptor.update(new byte[2], 0, 2, out, 0),
                        () -> encryptor.doFinal(new byte[2]),
                        () -> encryptor.doFinal(ByteBuffer.allocate(2), ByteBuffer.wrap(out)))) {
            String message =
                    assertThrows(IllegalArgumentException.class, call::call).getMessage();
            assertTrue(message.endsWith("had " + (max - 1) + " and was given 2 more"), message);
        }
        assertArrayEquals(new byte[out.length], out, "nothing was released");
        assertArrayEquals(sealed, encryptor.doFinal(longest, max - 1, 1));

        byte[] opened = new byte[out.length];
        assertThrows(AEADBadTagException.class, () -> ccm.open(nonce, null, out));
        assertThrows(
                AEADBadTagException.class,
                () -> ccm.open(nonce, null, out, 0, out.length, opened, 0));
        AeadOperation decryptor = ccm.decryptor(nonce);
        decryptor.update(out, 0, max);
        assertThrows(
                AEADBadTagException.class,
                () -> decryptor.doFinal(out, max, out.length - max, opened, 0));
        assertArrayEquals(new byte[out.length], opened);
    }

    /** Everything comes at the end, and is as long as was promised. */
    @Test
    void anEncryptorHoldsTheMessage() throws Exception {
        Aead ccm = Aes.ccm(AesKey.of(Samples.pattern(1, 16)));
        byte[] nonce = Samples.pattern(2, 13);
        byte[] text = Samples.pattern(3, 1000);
        AeadOperation encryptor = ccm.encryptor(nonce);
        byte[] out = new byte[0];
        for (int at = 0; at < 990; at += 33) {
            assertEquals(0, encryptor.update(text, at, 33).length);
            assertEquals(0, encryptor.update(text, at, 0, out, 0));
            assertEquals(at + 33 + 10 + TAG, encryptor.outputSize(10));
        }
        assertThrows(
                ShortBufferException.class,
                () -> encryptor.doFinal(text, 990, 10, new byte[1015], 0));
        assertArrayEquals(ccm.seal(nonce, null, text), encryptor.doFinal(text, 990, 10));
    }

    /** What an encryptor and a decryptor kept is wiped with them, and so is what it outgrew. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endingAnOperationWipesWhatItKept(boolean closes) throws Exception {
        Aead ccm = Aes.ccm(AesKey.of(Samples.pattern(1, 16)));
        byte[] nonce = Samples.pattern(2, 13);
        byte[] text = Samples.pattern(3, 50);
        byte[] sealed = ccm.seal(nonce, text, text);
        for (AeadOperation operation : List.of(ccm.encryptor(nonce), ccm.decryptor(nonce))) {
            byte[] in = operation.outputSize(0) > 0 ? text : sealed;
            operation.updateAAD(text);
            operation.update(in, 0, 20);
            List<Object> arrays = kept(operation);
            assertEquals(2, arrays.stream().filter(array -> !Secrets.isBlank(array)).count());
            operation.update(in, 20, 29);
            assertEquals(1, arrays.stream().filter(array -> !Secrets.isBlank(array)).count());
            arrays.addAll(kept(operation));
            if (closes) {
                operation.close();
            } else {
                operation.doFinal(in, 49, in.length - 49);
            }
            arrays.addAll(kept(operation));
            assertTrue(arrays.stream().allMatch(Secrets::isBlank));
        }
    }

    private static List<Object> kept(AeadOperation operation) throws Exception {
        Set<String> others = Set.of("key", "iv", "cipher", "this$0");
        return new ArrayList<>(Secrets.arrays(operation, others::contains));
    }

    /** A message that is too long for the nonce is refused before it counts as sealed. */
    @Test
    void aRefusedMessageIsNotCounted() throws Exception {
        AesKey key = AesKey.of(new byte[16]);
        var field = AesKey.class.getDeclaredField("randomNonces");
        field.setAccessible(true);
        AtomicLong count = (AtomicLong) field.get(key);
        byte[] tooLong = new byte[1 << 24];
        assertThrows(
                IllegalArgumentException.class,
                () -> Aes.ccm(key).sealWithRandomNonce(null, tooLong));
        assertEquals(0, count.get());
        Aes.ccm(key).sealWithRandomNonce(null, new byte[3]);
        assertEquals(1, count.get());
    }
}
