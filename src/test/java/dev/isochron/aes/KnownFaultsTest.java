package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Engines;
import dev.isochron.aes.internal.block.RoundKeys;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Tag;
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
            long length = textLength(v);
            if (length <= 20_000) {
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

    private static long textLength(TestVectors.Vector v) {
        String text = v.peek("pt");
        int colon = text.lastIndexOf(':');
        return colon < 0 ? text.length() / 2 : Long.parseLong(text.substring(colon + 1));
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

    static void check(String engine, TestVectors.Vector v) throws Exception {
        v.text("id");
        switch (v.text("mode")) {
            case "ECB" -> checkBlocks(engine, v);
            case "CTR" -> checkCtr(engine, v);
            case "CTR-KEYSTREAM" -> checkKeystream(engine, v);
            case "GCM" -> checkGcm(engine, v);
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

    private static void checkCtr(String engine, TestVectors.Vector v) throws Exception {
        byte[] iv = v.bytes("iv");
        byte[] pt = v.bytes("pt");
        int n = pt.length;
        try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
            CtrMode ctr = Aes.ctr(key);
            byte[] ct = ctr.encrypt(iv, pt);
            assertTrue(Samples.matches(v.text("ct"), ct), "encrypted");
            assertArrayEquals(pt, ctr.decrypt(iv, ct), "decrypted");
            assertArrayEquals(v.bytes("iv"), iv, "the caller's IV");
            assertArrayEquals(v.bytes("pt"), pt, "the caller's plaintext");
            assertArrayEquals(ct, inPieces(ctr.encryptor(iv), pt, n), "pieces");
            for (int shift : new int[] {0, 1, -1, 16, -16}) {
                byte[] array = new byte[n + 40];
                System.arraycopy(pt, 0, array, 19, n);
                ctr.encrypt(iv, array, 19, n, array, 19 + shift);
                assertArrayEquals(
                        ct,
                        Arrays.copyOfRange(array, 19 + shift, 19 + shift + n),
                        "output " + shift + " bytes after input");
            }
            for (boolean directIn : new boolean[] {false, true}) {
                for (boolean directOut : new boolean[] {false, true}) {
                    ByteBuffer out = buffer(directOut, n);
                    ctr.encrypt(iv, filled(directIn, pt), out);
                    assertEquals(ByteBuffer.wrap(ct), out.flip(), "buffers");
                }
            }
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

    private static void checkGcm(String engine, TestVectors.Vector v) throws Exception {
        byte[] nonce = v.bytes("iv");
        byte[] aad = v.bytes("aad");
        byte[] pt = v.bytes("pt");
        byte[] tag = v.bytes("tag");
        int n = pt.length;
        try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
            Aead gcm = Aes.gcm(key, tag.length);
            byte[] sealed = gcm.seal(nonce, aad, pt);
            assertTrue(Samples.matches(v.text("ct"), Arrays.copyOf(sealed, n)), "sealed");
            assertArrayEquals(tag, Arrays.copyOfRange(sealed, n, sealed.length), "tag");
            assertArrayEquals(pt, gcm.open(nonce, aad, sealed), "opened");
            assertArrayEquals(v.bytes("iv"), nonce, "the caller's nonce");
            assertArrayEquals(v.bytes("aad"), aad, "the caller's associated data");
            assertArrayEquals(v.bytes("pt"), pt, "the caller's plaintext");

            AeadOperation encryptor = gcm.encryptor(nonce);
            encryptor.updateAAD(aad, 0, aad.length / 2);
            encryptor.updateAAD(ByteBuffer.wrap(aad).position(aad.length / 2));
            assertArrayEquals(sealed, inPieces(encryptor, pt, sealed.length), "sealed in pieces");
            AeadOperation decryptor = gcm.decryptor(nonce);
            decryptor.updateAAD(aad);
            assertArrayEquals(pt, inPieces(decryptor, sealed, n), "opened in pieces");

            byte[] array = new byte[sealed.length + 7];
            System.arraycopy(pt, 0, array, 3, n);
            gcm.seal(nonce, aad, array, 3, n, array, 3);
            assertArrayEquals(
                    sealed, Arrays.copyOfRange(array, 3, 3 + sealed.length), "sealed in place");
            gcm.open(nonce, aad, array, 3, sealed.length, array, 3);
            assertArrayEquals(pt, Arrays.copyOfRange(array, 3, 3 + n), "opened in place");

            for (boolean directIn : new boolean[] {false, true}) {
                for (boolean directOut : new boolean[] {false, true}) {
                    ByteBuffer out = buffer(directOut, sealed.length);
                    gcm.seal(nonce, aad, filled(directIn, pt), out);
                    assertEquals(ByteBuffer.wrap(sealed), out.flip(), "sealed in buffers");
                    ByteBuffer back = buffer(directOut, n);
                    gcm.open(nonce, aad, filled(directIn, sealed), back);
                    assertEquals(ByteBuffer.wrap(pt), back.flip(), "opened in buffers");
                }
            }

            sealed[sealed.length - 1] ^= 1;
            assertThrows(AEADBadTagException.class, () -> gcm.open(nonce, aad, sealed));
        }
    }

    /** Pieces of 0, 1, 2, 3, ... bytes. */
    private static byte[] inPieces(CipherOperation operation, byte[] in, int outLength)
            throws Exception {
        byte[] out = new byte[outLength];
        int from = 0;
        int to = 0;
        for (int piece = 0; from + piece < in.length; piece++) {
            to += operation.update(in, from, piece, out, to);
            from += piece;
        }
        to += operation.doFinal(in, from, in.length - from, out, to);
        assertEquals(outLength, to);
        return out;
    }

    private static ByteBuffer buffer(boolean direct, int size) {
        return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    }

    private static ByteBuffer filled(boolean direct, byte[] content) {
        return buffer(direct, content.length).put(content).flip();
    }

    /** GCM in pieces of 1 MiB after a first one of up to {@code first} bytes, each in place. */
    private static void stream(String engine, TestVectors.Vector v, int first) throws Exception {
        v.text("id");
        assertEquals("GCM", v.text("mode"));
        String[] text = v.text("pt").split(":");
        long total = textLength(v);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] tag = v.bytes("tag");
        try (AesKey key = AesKey.of(v.bytes("key"), engine);
                AeadOperation encryptor = Aes.gcm(key, tag.length).encryptor(v.bytes("iv"))) {
            encryptor.updateAAD(v.bytes("aad"));
            long done = 0;
            int size = first;
            while (done < total) {
                int n = (int) Math.min(size, total - done);
                byte[] piece = switch (text[0]) {
                    case "P" -> Samples.pattern(Integer.parseInt(text[1]), (int) done, n);
                    case "Z" -> new byte[n];
                    default -> throw new AssertionError("no such text: " + v);
                };
                assertEquals(n, encryptor.update(piece, 0, n, piece, 0));
                digest.update(piece);
                done += n;
                size = PIECE;
            }
            assertArrayEquals(tag, encryptor.doFinal(), "tag");
        }
        assertEquals(
                v.text("ct"),
                "sha256:" + HexFormat.of().formatHex(digest.digest()) + ":" + total);
    }
}
