package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Engines;
import dev.isochron.aes.internal.block.RoundKeys;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every case of {@code known-faults.txt} on every engine: the right result by each way there is to
 * call. The cases are shared out by the length of their text alone, so none can be left out; what a
 * case asks for beyond its result is in {@link KnownFaultsBehaviourTest}.
 */
class KnownFaultsTest {

    static final String FILE = "known-faults.txt";

    private static final int PIECE = 1 << 20;

    /** Who checks a case. */
    private enum Share {
        /** In every tier of the JVM. */
        SHORT,
        /** In the compilers' usual mixture. */
        LONG,
        /** In pieces, since the whole is too large for most ways to call. */
        STREAMED,
        /** In pieces, on the default engine alone, and apart from the other tests. */
        HUGE;

        static Share of(TestVectors.Vector v) {
            long length = Math.max(length(v.peek("pt")), length(v.peek("aad")));
            if (length <= Samples.longestShortText()) {
                return SHORT;
            }
            if (length <= 1 << 21) {
                return LONG;
            }
            return length <= 1 << 30 ? STREAMED : HUGE;
        }
    }

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    private static long length(String text) {
        int colon = text.lastIndexOf(':');
        return colon < 0 ? text.length() / 2 : Long.parseLong(text.substring(colon + 1));
    }

    /** The cases that have a result, by their ids. */
    private static final String RECORDED =
            """
            CTR 01 03 05 07 09 13 14 17 18
            GCN 01 05 08
            LEN 01 04
            AAD 01 04 05
            CCM 01 05 07 08 10
            OCB 01 03 05 08 10 12
            XTS 01 02 04 10 11
            EAX 01 03 05 08
            FB 01 03 05 07 10
            BLK 01 03 05 08 11
            MAC 01 03
            TAG 01 04 06 07 10 11
            BUF 01 03 06 08 12 13
            ST 01 02 08 11 14 16
            JIT 01 04 06 07 10 12
            """;

    /** Those that have none, and the tests of what they ask for. */
    private static final Map<String, String> BEHAVIOUR =
            Map.of(
                    "GCN-06", "KnownFaultsBehaviourTest.aNonceOfNoBytesIsRefused",
                    "LEN-06", "KnownFaultsBehaviourTest.promisedSizesDoNotOverflow",
                    "CCM-04", "CcmTest.longestText",
                    "XTS-07", "XtsTest.aTweakIsNeeded",
                    "BLK-13", "KnownFaultsBehaviourTest.partsOfBlocksAreRefused",
                    "ST-05", "KnownFaultsBehaviourTest.theIvIsTheOneThatWasUsed",
                    "ST-07", "KnownFaultsBehaviourTest.aKeyIsNeeded");

    /** No case got lost from the file, nor the test of one that has no result to record. */
    @Test
    void everyCaseIsHere() throws Exception {
        Set<String> recorded = new TreeSet<>();
        for (String line : RECORDED.lines().toList()) {
            String[] words = line.split(" ");
            for (int i = 1; i < words.length; i++) {
                recorded.add(words[0] + "-" + words[i]);
            }
        }
        Set<String> inFile = new TreeSet<>();
        TestVectors.load(FILE).forEach(v -> inFile.add(v.peek("id")));
        assertEquals(recorded, inFile);
        for (String test : BEHAVIOUR.values()) {
            String[] name = test.split("\\.");
            Class<?> type = Class.forName(getClass().getPackageName() + '.' + name[0]);
            assertTrue(
                    Stream.of(type.getDeclaredMethods())
                            .filter(method -> method.getName().equals(name[1]))
                            .anyMatch(KnownFaultsTest::isTest),
                    test);
        }
    }

    private static boolean isTest(Method method) {
        return method.isAnnotationPresent(Test.class)
                || method.isAnnotationPresent(ParameterizedTest.class);
    }

    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("engines")
    void shortTexts(String engine) {
        TestVectors.forEach(FILE, v -> Share.of(v) == Share.SHORT, v -> check(engine, v));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void longTexts(String engine) {
        TestVectors.forEach(FILE, v -> Share.of(v) == Share.LONG, v -> check(engine, v));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void streamedTexts(String engine) {
        TestVectors.forEach(FILE, v -> Share.of(v) == Share.STREAMED, v -> stream(engine, v, PIECE));
    }

    /** The first piece as large as an array can be, so that its own length comes near an int's end. */
    @Tag("long")
    @ParameterizedTest
    @MethodSource("defaultEngine")
    void hugeTexts(String engine) {
        TestVectors.forEach(
                FILE,
                v -> Share.of(v) == Share.HUGE,
                v -> stream(engine, v, Integer.MAX_VALUE - 8));
    }

    static Stream<String> defaultEngine() {
        return engines().limit(1);
    }

    private static void check(String engine, TestVectors.Vector v) throws Exception {
        v.text("id");
        String mode = v.text("mode");
        switch (mode) {
            case "ECB" -> {
                checkBlocks(engine, v);
                checkMode(engine, v, mode);
            }
            case "CBC", "CBC-PKCS7", "CBC-CS1", "CBC-CS2", "CBC-CS3", "CTR", "CFB128", "CFB8", "OFB",
                    "XTS" ->
                    checkMode(engine, v, mode);
            case "CBC-PKCS7-REFUSED" -> checkRefused(engine, v);
            case "CTR-KEYSTREAM" -> checkKeystream(engine, v);
            case "GCM", "CCM", "EAX", "OCB" -> checkAead(engine, v, mode);
            case "CMAC" -> checkCmac(engine, v);
            default -> throw new AssertionError("no test for this mode: " + v);
        }
    }

    private static void checkBlocks(String engine, TestVectors.Vector v) throws Exception {
        byte[] pt = v.bytes("pt");
        int blocks = pt.length / 16;
        try (RoundKeys keys = RoundKeys.expand(v.bytes("key"));
                BlockCipher cipher = Engines.byName(engine).cipher(keys)) {
            byte[] batch = new byte[pt.length];
            cipher.encrypt(pt, 0, batch, 0, blocks);
            assertTrue(Samples.matches(v.text("ct"), batch), "encrypted as a batch");
            byte[] single = new byte[pt.length];
            for (int i = 0; i < pt.length; i += 16) {
                cipher.encrypt(pt, i, single, i, 1);
            }
            assertArrayEquals(batch, single, "encrypted one by one");
            cipher.decrypt(batch, 0, batch, 0, blocks);
            assertArrayEquals(pt, batch, "decrypted in place as a batch");
            for (int i = 0; i < pt.length; i += 16) {
                cipher.decrypt(single, i, single, i, 1);
            }
            assertArrayEquals(pt, single, "decrypted in place one by one");
        }
    }

    private static void checkMode(String engine, TestVectors.Vector v, String name)
            throws Exception {
        byte[] iv = v.has("iv") ? v.bytes("iv") : new byte[0];
        byte[] ivBefore = iv.clone();
        byte[] pt = v.bytes("pt");
        int n = pt.length;
        CipherMode mode = Modes.of(name, v.bytes("key"), engine);
        byte[] ct = mode.encrypt(iv, pt);
        assertTrue(Samples.matches(v.text("ct"), ct), "encrypted");
        assertArrayEquals(pt, mode.decrypt(iv, ct), "decrypted");
        assertArrayEquals(ivBefore, iv, "the caller's IV");
        assertArrayEquals(v.bytes("pt"), pt, "the caller's plaintext");
        assertArrayEquals(ct, inPieces(mode.encryptor(iv), pt, ct.length), "pieces");
        assertArrayEquals(
                pt, inPieces(mode.decryptor(iv), ct, ct.length, n), "pieces decrypted");
        for (int shift : new int[] {0, 1, -1, 16, -16}) {
            byte[] array = new byte[ct.length + 40];
            System.arraycopy(pt, 0, array, 19, n);
            mode.encrypt(iv, array, 19, n, array, 19 + shift);
            assertArrayEquals(
                    ct,
                    Arrays.copyOfRange(array, 19 + shift, 19 + shift + ct.length),
                    "output " + shift + " bytes after input");
            System.arraycopy(ct, 0, array, 19, ct.length);
            mode.decrypt(iv, array, 19, ct.length, array, 19 + shift);
            assertArrayEquals(
                    pt,
                    Arrays.copyOfRange(array, 19 + shift, 19 + shift + n),
                    "output " + shift + " bytes after ciphertext");
        }
        for (boolean directIn : new boolean[] {false, true}) {
            for (boolean directOut : new boolean[] {false, true}) {
                ByteBuffer out = buffer(directOut, ct.length);
                mode.encrypt(iv, filled(directIn, pt), out);
                assertEquals(ByteBuffer.wrap(ct), out.flip(), "buffers");
                ByteBuffer back = buffer(directOut, ct.length);
                mode.decrypt(iv, filled(directIn, ct), back);
                assertEquals(ByteBuffer.wrap(pt), back.flip(), "buffers, decrypted");
            }
        }
        for (int cut = 0; cut <= n && n <= 200; cut += Samples.lengthStep()) {
            CipherOperation encryptor = mode.encryptor(iv);
            byte[] head = encryptor.update(pt, 0, cut);
            byte[] tail = encryptor.doFinal(pt, cut, n - cut);
            assertArrayEquals(ct, Samples.concat(head, tail), "cut at " + cut);
        }
        for (int cut = 0; cut <= ct.length && n <= 200; cut += Samples.lengthStep()) {
            CipherOperation decryptor = mode.decryptor(iv);
            byte[] head = decryptor.update(ct, 0, cut);
            byte[] tail = decryptor.doFinal(ct, cut, ct.length - cut);
            assertArrayEquals(pt, Samples.concat(head, tail), "cut at " + cut);
        }
    }

    private static void checkRefused(String engine, TestVectors.Vector v) throws Exception {
        byte[] iv = v.bytes("iv");
        byte[] ct = v.bytes("ct");
        try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
            CipherMode mode = Aes.cbc(key);
            byte[] out = new byte[ct.length];
            assertThrows(BadPaddingException.class, () -> mode.decrypt(iv, ct));
            assertThrows(
                    BadPaddingException.class, () -> mode.decrypt(iv, ct, 0, ct.length, out, 0));
            assertThrows(BadPaddingException.class, () -> mode.decryptor(iv).doFinal(ct));
            assertArrayEquals(new byte[ct.length], out);
        }
    }

    private static void checkKeystream(String engine, TestVectors.Vector v) throws Exception {
        long offset = v.has("block") ? 16 * v.number("block") : v.number("offset");
        int skip = (int) (offset % 16);
        byte[] expected = v.bytes("keystream");
        try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
            CipherOperation operation = Aes.ctr(key).encryptor(v.bytes("iv"), offset / 16);
            operation.update(new byte[skip]);
            assertArrayEquals(expected, operation.doFinal(new byte[expected.length]));
        }
    }

    private static void checkAead(String engine, TestVectors.Vector v, String name)
            throws Exception {
        byte[] nonce = v.bytes("iv");
        byte[] aad = v.bytes("aad");
        byte[] pt = v.bytes("pt");
        byte[] tag = v.bytes("tag");
        int n = pt.length;
        try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
            Aead mode = Modes.aead(name, key, tag.length);
            byte[] sealed = mode.seal(nonce, aad, pt);
            assertTrue(Samples.matches(v.text("ct"), Arrays.copyOf(sealed, n)), "sealed");
            assertArrayEquals(tag, Arrays.copyOfRange(sealed, n, sealed.length), "tag");
            assertArrayEquals(pt, mode.open(nonce, aad, sealed), "opened");
            assertArrayEquals(v.bytes("iv"), nonce, "the caller's nonce");
            assertArrayEquals(v.bytes("aad"), aad, "the caller's associated data");
            assertArrayEquals(v.bytes("pt"), pt, "the caller's plaintext");

            AeadOperation encryptor = mode.encryptor(nonce);
            encryptor.updateAAD(aad, 0, aad.length / 2);
            encryptor.updateAAD(ByteBuffer.wrap(aad).position(aad.length / 2));
            assertArrayEquals(sealed, inPieces(encryptor, pt, sealed.length), "sealed in pieces");
            AeadOperation decryptor = mode.decryptor(nonce);
            decryptor.updateAAD(aad);
            assertArrayEquals(pt, inPieces(decryptor, sealed, n), "opened in pieces");

            byte[] array = new byte[sealed.length + 7];
            System.arraycopy(pt, 0, array, 3, n);
            mode.seal(nonce, aad, array, 3, n, array, 3);
            assertArrayEquals(
                    sealed, Arrays.copyOfRange(array, 3, 3 + sealed.length), "sealed in place");
            mode.open(nonce, aad, array, 3, sealed.length, array, 3);
            assertArrayEquals(pt, Arrays.copyOfRange(array, 3, 3 + n), "opened in place");

            for (boolean directIn : new boolean[] {false, true}) {
                for (boolean directOut : new boolean[] {false, true}) {
                    ByteBuffer out = buffer(directOut, sealed.length);
                    mode.seal(nonce, aad, filled(directIn, pt), out);
                    assertEquals(ByteBuffer.wrap(sealed), out.flip(), "sealed in buffers");
                    ByteBuffer back = buffer(directOut, n);
                    mode.open(nonce, aad, filled(directIn, sealed), back);
                    assertEquals(ByteBuffer.wrap(pt), back.flip(), "opened in buffers");
                }
            }

            sealed[sealed.length - 1] ^= 1;
            assertThrows(AEADBadTagException.class, () -> mode.open(nonce, aad, sealed));
        }
    }

    private static void checkCmac(String engine, TestVectors.Vector v) throws Exception {
        byte[] message = v.bytes("pt");
        byte[] tag = v.bytes("tag");
        try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
            AesMac mac = Aes.cmac(key, tag.length);
            assertArrayEquals(tag, mac.doFinal(message), "whole");
            assertTrue(mac.verify(message, tag), "verified");
            for (int piece = 1; piece <= message.length; piece++) {
                for (int at = 0; at < message.length; at += piece) {
                    mac.update(message, at, Math.min(piece, message.length - at));
                }
                mac.update(new byte[0]);
                assertArrayEquals(tag, mac.doFinal(), "pieces of " + piece);
            }
            for (int cut = 0; cut <= message.length; cut++) {
                mac.update(ByteBuffer.wrap(message, 0, cut));
                mac.update(filled(true, message).position(cut));
                assertArrayEquals(tag, mac.doFinal(), "cut at " + cut);
            }
        }
    }

    private static byte[] inPieces(CipherOperation operation, byte[] in, int outLength)
            throws Exception {
        return inPieces(operation, in, outLength, outLength);
    }

    /** Pieces of 0, 1, 2, 3, ... bytes, into an output with this much room. */
    private static byte[] inPieces(CipherOperation operation, byte[] in, int room, int outLength)
            throws Exception {
        byte[] out = new byte[room];
        int from = 0;
        int to = 0;
        for (int piece = 0; from + piece < in.length; piece++) {
            to += operation.update(in, from, piece, out, to);
            from += piece;
        }
        to += operation.doFinal(in, from, in.length - from, out, to);
        assertEquals(outLength, to);
        return Arrays.copyOf(out, to);
    }

    private static ByteBuffer buffer(boolean direct, int size) {
        return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    }

    private static ByteBuffer filled(boolean direct, byte[] content) {
        return buffer(direct, content.length).put(content).flip();
    }

    /** In pieces of 1 MiB after a first one of up to {@code first} bytes, each in place. */
    private static void stream(String engine, TestVectors.Vector v, int first) throws Exception {
        v.text("id");
        byte[] iv = v.bytes("iv");
        switch (v.text("mode")) {
            case "GCM" -> {
                byte[] tag = v.bytes("tag");
                AesKey key = AesKey.of(v.bytes("key"), engine);
                AeadOperation encryptor = Aes.gcm(key, tag.length).encryptor(iv);
                encryptor.updateAAD(v.bytes("aad"));
                MessageDigest digest = update(encryptor, v, first);
                assertArrayEquals(tag, encryptor.doFinal(), "tag");
                assertCiphertext(v, digest);
            }
            case "XTS" -> {
                CipherOperation encryptor = Aes.xts(v.bytes("key"), engine).encryptor(iv);
                MessageDigest digest = update(encryptor, v, first);
                digest.update(encryptor.doFinal());
                assertCiphertext(v, digest);
            }
            default -> throw new AssertionError("no test for this mode: " + v);
        }
    }

    private static MessageDigest update(CipherOperation operation, TestVectors.Vector v, int first)
            throws Exception {
        String[] text = v.text("pt").split(":");
        long total = length(v.peek("pt"));
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        int size = first;
        for (long done = 0; done < total; ) {
            int n = (int) Math.min(size, total - done);
            byte[] piece =
                    switch (text[0]) {
                        case "P" -> Samples.pattern(Integer.parseInt(text[1]), (int) done, n);
                        case "Z" -> new byte[n];
                        default -> throw new AssertionError("no such text: " + v);
                    };
            digest.update(piece, 0, operation.update(piece, 0, n, piece, 0));
            done += n;
            size = PIECE;
        }
        return digest;
    }

    private static void assertCiphertext(TestVectors.Vector v, MessageDigest digest) {
        assertEquals(
                v.text("ct"),
                "sha256:"
                        + HexFormat.of().formatHex(digest.digest())
                        + ":"
                        + length(v.peek("pt")));
    }
}
