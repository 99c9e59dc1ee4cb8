package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.internal.aead.AeadMessage;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.crypto.AEADBadTagException;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.OCBBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** OCB: the contract of every AEAD mode, and what is OCB's own. */
class OcbTest extends AeadContract {

    private static final int[] TAG_LENGTHS = {8, 12, 16};

    @Override
    Aead mode(AesKey key) {
        return Aes.ocb(key);
    }

    @Override
    byte[] reference(byte[] key, byte[] nonce, byte[] aad, byte[] plaintext) throws Exception {
        return bouncyCastle(key, nonce, aad, plaintext, TAG);
    }

    private static byte[] bouncyCastle(
            byte[] key, byte[] nonce, byte[] aad, byte[] plaintext, int tagLength)
            throws Exception {
        OCBBlockCipher ocb =
                new OCBBlockCipher(AESEngine.newInstance(), AESEngine.newInstance());
        ocb.init(true, new AEADParameters(new KeyParameter(key), 8 * tagLength, nonce, aad));
        byte[] out = new byte[plaintext.length + tagLength];
        int n = ocb.processBytes(plaintext, 0, plaintext.length, out, 0);
        assertEquals(out.length, n + ocb.doFinal(out, n));
        return out;
    }

    /** Random keys, nonces, data, lengths and tags against another implementation. */
    @ParameterizedTest
    @MethodSource("engines")
    void differsFromNoOther(String engine) throws Exception {
        Random random = new Random(7253);
        for (int round = 0; round < 2000; round++) {
            byte[] keyBytes = Samples.random(random, 16 + 8 * random.nextInt(3));
            byte[] nonce = Samples.random(random, 1 + random.nextInt(15));
            boolean large = round % 40 == 0;
            byte[] aad = Samples.random(random, random.nextInt(large ? 20_000 : 100));
            byte[] text = Samples.random(random, random.nextInt(large ? 30_000 : 700));
            int tagLength = TAG_LENGTHS[random.nextInt(3)];
            try (AesKey key = AesKey.of(keyBytes, engine)) {
                Aead ocb = Aes.ocb(key, tagLength);
                byte[] sealed = ocb.seal(nonce, aad, text);
                String which =
                        "round " + round + ", nonce of " + nonce.length + ", tag of " + tagLength
                                + ", " + aad.length + " and " + text.length + " bytes";
                assertArrayEquals(
                        bouncyCastle(keyBytes, nonce, aad, text, tagLength), sealed, which);
                assertArrayEquals(text, ocb.open(nonce, aad, sealed), which);
            }
        }
    }

    /** Text and associated data around the ends of one and two batches, whole and cut. */
    @ParameterizedTest
    @MethodSource("engines")
    void batchEdges(String engine) throws Exception {
        byte[] keyBytes = Samples.pattern(256, 32);
        byte[] nonce = Samples.pattern(1, 12);
        Random random = new Random(5);
        try (AesKey key = AesKey.of(keyBytes, engine)) {
            Aead ocb = Aes.ocb(key);
            for (int blocks : new int[] {510, 511, 512, 513, 514, 515, 1023, 1024, 1025, 1537}) {
                for (int rest : new int[] {0, 1, 15}) {
                    byte[] text = Samples.pattern(blocks, 16 * blocks + rest);
                    byte[] aad = Samples.pattern(rest, text.length - 3);
                    byte[] sealed = bouncyCastle(keyBytes, nonce, aad, text, TAG);
                    String which = blocks + " blocks and " + rest;
                    assertArrayEquals(sealed, ocb.seal(nonce, aad, text), which);
                    assertArrayEquals(text, ocb.open(nonce, aad, sealed), which);

                    byte[] array = Arrays.copyOf(text, sealed.length);
                    ocb.seal(nonce, aad, array, 0, text.length, array, 0);
                    assertArrayEquals(sealed, array, which + ", in place");
                    ocb.open(nonce, aad, array, 0, array.length, array, 0);
                    assertArrayEquals(
                            text, Arrays.copyOf(array, text.length), which + ", in place");

                    int head = random.nextInt(text.length);
                    byte[] own = Samples.random(random, 12);
                    try (AeadOperation operation = ocb.encryptor(own)) {
                        operation.updateAAD(aad, 0, head / 2);
                        operation.updateAAD(aad, head / 2, aad.length - head / 2);
                        byte[] first = operation.update(text, 0, head);
                        assertEquals(head - head % 16, first.length);
                        byte[] last = operation.doFinal(text, head, text.length - head);
                        assertArrayEquals(
                                bouncyCastle(keyBytes, own, aad, text, TAG),
                                Samples.concat(first, last),
                                which + ", cut at " + head);
                    }
                }
            }
        }
    }

    /** Past 2^16 blocks: the masks that only a long message and long associated data need. */
    @Test
    void longMessages() throws Exception {
        byte[] keyBytes = Samples.pattern(128, 16);
        byte[] nonce = Samples.pattern(1, 12);
        byte[] text = Samples.pattern(2, (1 << 20) + 37);
        byte[] aad = Samples.pattern(3, (1 << 20) + 20);
        Aead ocb = Aes.ocb(AesKey.of(keyBytes));
        byte[] sealed = ocb.seal(nonce, aad, text);
        assertArrayEquals(bouncyCastle(keyBytes, nonce, aad, text, TAG), sealed);
        assertArrayEquals(text, ocb.open(nonce, aad, sealed));
    }

    /** Pieces in place: what was held comes out before the piece, into the same array. */
    @Test
    void piecesInPlace() throws Exception {
        byte[] keyBytes = Samples.pattern(128, 16);
        Aead ocb = Aes.ocb(AesKey.of(keyBytes));
        Random random = new Random(11);
        for (int round = 0; round < 500; round++) {
            byte[] text = Samples.random(random, random.nextInt(round % 20 == 0 ? 20_000 : 300));
            byte[] nonce = Samples.random(random, 12);
            byte[] array = Arrays.copyOf(text, text.length + TAG);
            AeadOperation operation = ocb.encryptor(nonce);
            int from = 0;
            int to = 0;
            for (int piece : Samples.cuts(random, text.length)) {
                to += operation.update(array, from, piece, array, to);
                from += piece;
            }
            to += operation.doFinal(array, from, 0, array, to);
            assertEquals(array.length, to);
            assertArrayEquals(
                    bouncyCastle(keyBytes, nonce, new byte[0], text, TAG), array, "round " + round);
        }
    }

    @Test
    void nonceOfEveryLength() throws Exception {
        byte[] keyBytes = Samples.pattern(256, 32);
        Aead ocb = Aes.ocb(AesKey.of(keyBytes));
        byte[] text = Samples.pattern(9, 40);
        for (int length = 1; length <= 15; length++) {
            for (int value : new int[] {0, 1, 63, 64, 128, 255}) {
                byte[] nonce = new byte[length];
                Arrays.fill(nonce, (byte) value);
                byte[] sealed = ocb.seal(nonce, nonce, text);
                assertArrayEquals(
                        bouncyCastle(keyBytes, nonce, nonce, text, TAG),
                        sealed,
                        length + " bytes of " + value);
                assertArrayEquals(text, ocb.open(nonce, nonce, sealed));
            }
        }
        for (int length : new int[] {0, 16, 17, 300}) {
            byte[] nonce = new byte[length];
            for (Callable<?> call :
                    Set.<Callable<?>>of(
                            () -> ocb.seal(nonce, null, text),
                            () -> ocb.open(nonce, null, new byte[40]),
                            () -> ocb.encryptor(nonce),
                            () -> ocb.decryptor(nonce))) {
                String message =
                        assertThrows(IllegalArgumentException.class, call::call).getMessage();
                assertTrue(message.contains("1 to 15") && message.contains("" + length), message);
            }
        }
    }

    /** The last six bits of the nonce shift the stretch: by every count. */
    @Test
    void everyBottom() throws Exception {
        byte[] keyBytes = Samples.pattern(192, 24);
        Aead ocb = Aes.ocb(AesKey.of(keyBytes));
        byte[] text = Samples.pattern(9, 40);
        for (int bottom = 0; bottom < 256; bottom++) {
            byte[] nonce = Samples.pattern(4, 12);
            nonce[11] = (byte) bottom;
            assertArrayEquals(
                    bouncyCastle(keyBytes, nonce, text, text, TAG), ocb.seal(nonce, text, text));
        }
    }

    /** The tag's length is part of the nonce block: a shorter tag is not the start of a longer one. */
    @Test
    void tagsOfEveryLength() throws Exception {
        byte[] keyBytes = Samples.pattern(128, 16);
        AesKey key = AesKey.of(keyBytes);
        byte[] nonce = Samples.pattern(1, 12);
        byte[] aad = Samples.pattern(2, 20);
        byte[] text = Samples.pattern(3, 45);
        Set<String> ciphertexts = new HashSet<>();
        for (int length = -1; length <= 33; length++) {
            int tagLength = length;
            if (length != 8 && length != 12 && length != 16) {
                String message =
                        assertThrows(
                                        IllegalArgumentException.class,
                                        () -> Aes.ocb(key, tagLength))
                                .getMessage();
                assertTrue(message.endsWith("was " + length), message);
                continue;
            }
            Aead ocb = Aes.ocb(key, length);
            assertEquals(length, ocb.tagLength());
            byte[] sealed = ocb.seal(nonce, aad, text);
            assertArrayEquals(bouncyCastle(keyBytes, nonce, aad, text, length), sealed);
            assertTrue(ciphertexts.add(TestVectors.hex(Arrays.copyOf(sealed, 16))));
            assertArrayEquals(text, ocb.open(nonce, aad, sealed));
            AeadOperation decryptor = ocb.decryptor(nonce);
            decryptor.updateAAD(aad);
            decryptor.update(sealed, 0, sealed.length - 1);
            assertArrayEquals(text, decryptor.doFinal(sealed, sealed.length - 1, 1));
            for (int bit = 0; bit < 8 * length; bit++) {
                byte[] bad = sealed.clone();
                bad[text.length + bit / 8] ^= (byte) (1 << bit % 8);
                assertThrows(AEADBadTagException.class, () -> ocb.open(nonce, aad, bad));
            }
            for (int cut = 0; cut < sealed.length; cut++) {
                byte[] bad = Arrays.copyOf(sealed, cut);
                assertThrows(AEADBadTagException.class, () -> ocb.open(nonce, aad, bad));
            }
            for (int other : TAG_LENGTHS) {
                byte[] same = Arrays.copyOf(sealed, text.length + other);
                if (other != length) {
                    assertThrows(
                            AEADBadTagException.class,
                            () -> Aes.ocb(key, other).open(nonce, aad, same));
                }
            }
        }
        assertEquals(3, ciphertexts.size());
    }

    /** Exactly what each update writes, for every state it may find. */
    @Test
    void updateWritesWholeBlocks() throws Exception {
        Aead ocb = Aes.ocb(Samples.key(Aes.engine(), 128));
        Random random = new Random(8);
        for (int held = 0; held < 16; held++) {
            for (int length = 0; length < 70; length++) {
                AeadOperation operation = ocb.encryptor(Samples.random(random, 12));
                assertEquals(0, operation.update(new byte[held]).length);
                int size = held + length;
                assertEquals(size + TAG, operation.outputSize(length));
                assertEquals(size - size % 16, operation.update(new byte[length]).length);
                assertEquals(size % 16 + TAG, operation.doFinal().length);
            }
        }
    }

    /** A forged long text, in place: not a byte of plaintext, in any batch. */
    @ParameterizedTest
    @MethodSource("engines")
    void aWrongTagReleasesNothing(String engine) throws Exception {
        Aead ocb = Aes.ocb(Samples.key(engine, 256));
        byte[] nonce = Samples.pattern(1, 12);
        byte[] sealed = ocb.seal(nonce, null, Samples.pattern(2, 16 * 1100 + 5));
        for (int at : new int[] {0, 8192, 16 * 1100, sealed.length - 1}) {
            byte[] array = sealed.clone();
            array[at] ^= 1;
            byte[] before = array.clone();
            assertThrows(
                    AEADBadTagException.class,
                    () -> ocb.open(nonce, null, array, 0, array.length, array, 0));
            assertArrayEquals(before, array);
        }
    }

    /** The refusal one byte past 2^48 blocks; nobody waits for the bytes before. */
    @Test
    void textBeyondTheLimitIsRefused() throws Exception {
        AeadOperation operation =
                Aes.ocb(Samples.key(Aes.engine(), 128)).encryptor(Samples.pattern(3, 12));
        Field field = operation.getClass().getDeclaredField("message");
        field.setAccessible(true);
        AeadMessage message = (AeadMessage) field.get(operation);
        Field length = message.getClass().getDeclaredField("textLength");
        length.setAccessible(true);
        length.setLong(message, (1L << 52) - 17);
        assertThrows(IllegalArgumentException.class, () -> operation.update(new byte[18]));
        assertThrows(IllegalArgumentException.class, () -> operation.doFinal(new byte[18]));
        assertEquals(16, operation.update(new byte[17]).length);
        String refusal =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> operation.update(new byte[1]))
                        .getMessage();
        assertTrue(refusal.contains("" + (1L << 52)), refusal);
        assertEquals(1 + TAG, operation.doFinal().length);
    }

    /** An encrypted message in pieces of every size, hot, so that compilers settle. */
    @ParameterizedTest
    @MethodSource("engines")
    void smallPiecesHot(String engine) throws Exception {
        byte[] keyBytes = Samples.pattern(128, 16);
        Aead ocb = Aes.ocb(AesKey.of(keyBytes, engine));
        byte[] text = Samples.pattern(1, 100);
        for (int i = 0; i < Samples.hotCalls() / 10; i++) {
            byte[] nonce = Samples.pattern(i, 12);
            nonce[0] = (byte) (i >> 8);
            AeadOperation operation = ocb.encryptor(nonce);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            int piece = 1 + i % 33;
            for (int at = 0; at < text.length; at += piece) {
                out.write(operation.update(text, at, Math.min(piece, text.length - at)));
            }
            out.write(operation.doFinal());
            byte[] sealed = out.toByteArray();
            assertArrayEquals(ocb.seal(nonce, null, text), sealed);
            assertFalse(Arrays.equals(text, 0, 16, sealed, 0, 16));
            assertArrayEquals(text, ocb.open(nonce, null, sealed));
        }
    }

    // ---- known faults of others ----------------------------------------------------------------

    /** A recorded case, with its objects made. */
    private record Case(Aead ocb, byte[] nonce, byte[] aad, byte[] pt, byte[] sealed) {

        static List<Case> all(String id, String engine) {
            List<Case> cases =
                    TestVectors.load(KnownFaultsTest.FILE).stream()
                            .filter(v -> v.peek("mode").equals("OCB"))
                            .filter(v -> v.peek("id").equals(id))
                            .filter(v -> !v.peek("ct").startsWith("sha256"))
                            .map(v -> of(v, engine))
                            .toList();
            assertFalse(cases.isEmpty(), id);
            return cases;
        }

        private static Case of(TestVectors.Vector v, String engine) {
            return new Case(
                    Aes.ocb(AesKey.of(v.bytes("key"), engine), v.bytes("tag").length),
                    v.bytes("iv"),
                    v.bytes("aad"),
                    v.bytes("pt"),
                    Samples.concat(v.bytes("ct"), v.bytes("tag")));
        }

        /** As if no encryptor had had this nonce before. */
        AeadOperation encryptor() {
            ocb.encryptor(new byte[1]).close();
            AeadOperation operation = ocb.encryptor(nonce);
            operation.updateAAD(aad);
            return operation;
        }

        AeadOperation decryptor() {
            AeadOperation operation = ocb.decryptor(nonce);
            operation.updateAAD(aad);
            return operation;
        }
    }

    /** OCB-01: no block comes out as it went in, in place or into an array that was in use. */
    @ParameterizedTest
    @MethodSource("engines")
    void everyBlockIsEncrypted(String engine) throws Exception {
        for (Case one : Case.all("OCB-01", engine)) {
            int n = one.pt.length;
            byte[] apart = new byte[n + TAG];
            Arrays.fill(apart, (byte) 0x5A);
            one.ocb.seal(one.nonce, one.aad, one.pt, 0, n, apart, 0);
            assertArrayEquals(one.sealed, apart);
            byte[] inPlace = Arrays.copyOf(one.pt, n + TAG);
            one.ocb.seal(one.nonce, one.aad, inPlace, 0, n, inPlace, 0);
            assertArrayEquals(one.sealed, inPlace);
            for (int at = 0; at < n; at += 16) {
                assertFalse(Arrays.equals(apart, at, at + 16, one.pt, at, at + 16), "at " + at);
            }
        }
    }

    /** OCB-03: every split in two and in three, both ways. */
    @Test
    void everySplit() throws Exception {
        Case one = Case.all("OCB-03", Aes.engine()).get(0);
        for (int a = 0; a <= one.sealed.length; a++) {
            for (int b = a; b <= one.sealed.length; b++) {
                if (b <= one.pt.length) {
                    AeadOperation encryptor = one.encryptor();
                    byte[] out = new byte[one.sealed.length];
                    int n = encryptor.update(one.pt, 0, a, out, 0);
                    n += encryptor.update(one.pt, a, b - a, out, n);
                    n += encryptor.doFinal(one.pt, b, one.pt.length - b, out, n);
                    assertEquals(out.length, n);
                    assertArrayEquals(one.sealed, out, "cut at " + a + " and " + b);
                }
                AeadOperation decryptor = one.decryptor();
                decryptor.update(one.sealed, 0, a);
                decryptor.update(one.sealed, a, b - a);
                assertArrayEquals(
                        one.pt, decryptor.doFinal(one.sealed, b, one.sealed.length - b));
            }
        }
    }

    /** OCB-05: the checksum is of the plaintext, in place too and in every cut. */
    @Test
    void theChecksumIsOfThePlaintext() throws Exception {
        Case one = Case.all("OCB-05", Aes.engine()).get(0);
        int n = one.pt.length;
        for (int cut = 0; cut <= n; cut++) {
            byte[] array = Arrays.copyOf(one.pt, one.sealed.length);
            AeadOperation encryptor = one.encryptor();
            int written = encryptor.update(array, 0, cut, array, 0);
            encryptor.doFinal(array, cut, n - cut, array, written);
            assertArrayEquals(one.sealed, array, "cut at " + cut);
        }
    }

    /** OCB-08: every byte of the longest nonce counts. */
    @Test
    void everyByteOfTheNonceCounts() throws Exception {
        Case one = Case.all("OCB-08", Aes.engine()).get(0);
        assertEquals(15, one.nonce.length);
        Set<String> seen = new HashSet<>();
        for (int bit = 0; bit < 120; bit++) {
            byte[] other = one.nonce.clone();
            other[bit / 8] ^= (byte) (1 << bit % 8);
            byte[] sealed = one.ocb.seal(other, one.aad, one.pt);
            assertTrue(seen.add(TestVectors.hex(Arrays.copyOf(sealed, 16))), "bit " + bit);
            assertThrows(
                    AEADBadTagException.class, () -> one.ocb.open(other, one.aad, one.sealed));
        }
    }

    /** OCB-10: ciphertexts under tags of two lengths have no block in common. */
    @Test
    void theTagLengthChangesTheCiphertext() {
        List<Case> cases = Case.all("OCB-10", Aes.engine());
        assertEquals(3, cases.size());
        Set<String> blocks = new HashSet<>();
        for (Case one : cases) {
            assertTrue(blocks.add(TestVectors.hex(Arrays.copyOf(one.sealed, 16))));
            assertTrue(blocks.add(TestVectors.hex(Arrays.copyOfRange(one.sealed, 16, 20))));
        }
    }

    // ---- wiping --------------------------------------------------------------------------------

    /** Offsets, checksum, hash and held text: nothing of them is left, however a message ends. */
    @ParameterizedTest
    @MethodSource("engines")
    void endingAnOperationWipesItsOffsets(String engine) throws Exception {
        AesKey key = Samples.key(engine, 128);
        Set<String> others = Set.of("key", "iv", "cipher", "l", "roundKeys");
        Aead ocb = Aes.ocb(key);
        byte[] sealed = ocb.seal(Samples.pattern(1, 12), Samples.pattern(2, 21), new byte[37]);
        for (int end = 0; end < 4; end++) {
            byte[] nonce = Samples.pattern(end == 2 ? 1 : 40 + end, 12);
            AeadOperation operation = end < 2 ? ocb.encryptor(nonce) : ocb.decryptor(nonce);
            operation.updateAAD(Samples.pattern(2, 21));
            operation.update(end < 2 ? Samples.pattern(3, 21) : sealed);
            List<Object> arrays = Secrets.arrays(operation, others::contains);
            assertTrue(arrays.stream().anyMatch(array -> !Secrets.isBlank(array)));
            assertTrue(large(operation, others) > 2, "offsets and sums in use");
            switch (end) {
                case 0 -> operation.close();
                case 1, 2 -> operation.doFinal();
                default -> assertThrows(AEADBadTagException.class, operation::doFinal);
            }
            for (Object array : Secrets.arrays(operation, others::contains)) {
                assertTrue(Secrets.isBlank(array), "end " + end);
            }
            assertEquals(0, large(operation, others), "end " + end);
        }
        Object derived = key.ocb();
        assertTrue(Secrets.arrays(derived, "cipher"::equals).stream()
                .anyMatch(array -> !Secrets.isBlank(array)));
        key.close();
        for (Object array : Secrets.arrays(derived, field -> false)) {
            assertTrue(Secrets.isBlank(array), "L after closing");
        }
    }

    /** How many fields have a value that is no count. */
    private static long large(Object root, Set<String> others) throws Exception {
        return Secrets.fields(root, others::contains).values().stream()
                .filter(value -> value < 0 || value > 1_000_000)
                .count();
    }
}
