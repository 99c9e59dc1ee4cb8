package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** XTS: the contract of all modes for one data unit, and what {@link XtsMode} promises beyond it. */
class XtsTest extends CipherModeContract {

    private static final int MAX_UNIT = 1 << 24;
    private static final int[] SHIFTS = {-700, -17, -16, -1, 0, 1, 3, 15, 16, 17, 64, 129, 700};

    private final byte[] keyBytes = Samples.pattern(256, 64);
    private final byte[] tweak = Samples.pattern(9, 16);
    private final XtsMode xts = Aes.xts(keyBytes);

    @Override
    Keyed keyed(byte[] key, String engine) {
        XtsMode mode = Aes.xts(key, engine);
        return new Keyed(mode, mode);
    }

    @Override
    int[] keyLengths() {
        return new int[] {32, 64};
    }

    /** Neither the JDK nor Bouncy Castle has the mode; the standard in code of our own stands in. */
    @Override
    List<Peers.Peer> peers() {
        return List.of(XtsTest::reference);
    }

    @Override
    boolean takes(int length) {
        return length >= 16;
    }

    @Override
    String refusedForItsLength() {
        return "data unit";
    }

    /** The last whole block waits, with what follows it. */
    @Override
    int released(boolean encrypting, int taken) {
        return Math.max(0, taken - 16) & -16;
    }

    // ---- the standard, as slow and plain as can be, on the JDK's block cipher and BigInteger -----

    private static byte[] reference(boolean encrypts, byte[] key, byte[] tweak, byte[] in)
            throws Exception {
        int half = key.length / 2;
        Cipher data = ecb(encrypts, Arrays.copyOf(key, half));
        byte[] start =
                ecb(true, Arrays.copyOfRange(key, half, key.length)).doFinal(tweak);
        int blocks = in.length / 16;
        int d = in.length % 16;
        byte[] out = new byte[in.length];
        int plain = d == 0 ? blocks : blocks - 1;
        BigInteger t = littleEndian(start);
        for (int j = 0; j < plain; j++) {
            byte[] one = Arrays.copyOfRange(in, 16 * j, 16 * j + 16);
            System.arraycopy(block(data, t, one), 0, out, 16 * j, 16);
            t = doubled(t);
        }
        if (d > 0) {
            int at = 16 * plain;
            BigInteger next = doubled(t);
            byte[] whole = Arrays.copyOfRange(in, at, at + 16);
            byte[] cc = block(data, encrypts ? t : next, whole);
            System.arraycopy(cc, 0, out, at + 16, d);
            System.arraycopy(in, at + 16, cc, 0, d);
            System.arraycopy(block(data, encrypts ? next : t, cc), 0, out, at, 16);
        }
        return out;
    }

    private static Cipher ecb(boolean encrypts, byte[] key) throws Exception {
        Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
        aes.init(
                encrypts ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE,
                new SecretKeySpec(key, "AES"));
        return aes;
    }

    private static byte[] block(Cipher aes, BigInteger tweak, byte[] in) throws Exception {
        byte[] t = littleEndian(tweak);
        return xor(aes.doFinal(xor(in, t)), t);
    }

    private static byte[] xor(byte[] x, byte[] y) {
        byte[] z = new byte[16];
        for (int i = 0; i < 16; i++) {
            z[i] = (byte) (x[i] ^ y[i]);
        }
        return z;
    }

    /** Times alpha, with the polynomial as a number. */
    private static BigInteger doubled(BigInteger t) {
        BigInteger twice = t.shiftLeft(1);
        return twice.testBit(128) ? twice.clearBit(128).xor(BigInteger.valueOf(0x87)) : twice;
    }

    private static BigInteger littleEndian(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return new BigInteger(1, reversed);
    }

    private static byte[] littleEndian(BigInteger number) {
        byte[] bytes = new byte[16];
        for (int i = 0; i < 16; i++) {
            bytes[i] = number.shiftRight(8 * i).byteValue();
        }
        return bytes;
    }

    /** The tweak {@code n} further on. */
    private static byte[] further(byte[] tweak, int n) {
        return littleEndian(littleEndian(tweak).add(BigInteger.valueOf(n)));
    }

    // ---- right results -------------------------------------------------------------------------

    /** IEEE 1619-2018 section 5.2: the tweak after the longest run of doublings. */
    @Test
    void theLongestDataUnit() throws Exception {
        byte[] text = Samples.pattern(1, MAX_UNIT);
        byte[] out = xts.encrypt(tweak, text);
        assertArrayEquals(reference(true, keyBytes, tweak, text), out);
        assertArrayEquals(text, xts.decrypt(tweak, out));
    }

    // ---- runs of sectors -----------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("engines")
    void aRunIsItsSectors(String engine) throws Exception {
        XtsMode mode = Aes.xts(keyBytes, engine);
        int[][] sizesAndCounts = {{16, 1}, {16, 2}, {16, 511}, {16, 512}, {16, 513}, {16, 1100},
            {17, 5}, {31, 40}, {32, 300}, {33, 3}, {48, 200}, {512, 1}, {512, 16}, {512, 17},
            {512, 70}, {520, 20}, {528, 20}, {4096, 1}, {4096, 5}, {8192, 2}, {8208, 3}, {9000, 2}};
        byte[][] tweaks = {
            XtsMode.sector(0), XtsMode.sector(250), XtsMode.sector(Long.MAX_VALUE),
            TestVectors.hex("ff0000000000000000000000000000ff"),
            TestVectors.hex("f0ffffffffffffff0000000000000000"),
            TestVectors.hex("fdffffffffffffffffffffffffffffff"), tweak
        };
        for (int[] shape : sizesAndCounts) {
            int size = shape[0];
            int length = size * shape[1];
            byte[] text = Samples.pattern(size, length);
            for (byte[] first : tweaks) {
                byte[] before = first.clone();
                byte[] expected = new byte[length];
                for (int i = 0; i < shape[1]; i++) {
                    byte[] sector = Arrays.copyOfRange(text, size * i, size * (i + 1));
                    byte[] one = mode.encrypt(further(first, i), sector);
                    System.arraycopy(one, 0, expected, size * i, size);
                }
                String which = shape[1] + " sectors of " + size;
                byte[] out = new byte[length + 7];
                assertEquals(
                        length, mode.encryptSectors(first, size, text, 0, length, out, 5), which);
                assertArrayEquals(
                        Samples.concat(new byte[5], expected, new byte[2]), out, which);
                assertEquals(
                        length, mode.decryptSectors(first, size, out, 5, length, out, 5), which);
                assertArrayEquals(Samples.concat(new byte[5], text, new byte[2]), out, which);
                assertArrayEquals(before, first);
            }
        }
        assertEquals(0, mode.encryptSectors(tweak, 512, new byte[9], 4, 0, new byte[0], 0));
    }

    @Test
    void sectorNumbersAreLittleEndian() {
        assertArrayEquals(new byte[16], XtsMode.sector(0));
        assertArrayEquals(
                TestVectors.hex("9a785634120000000000000000000000"),
                XtsMode.sector(0x123456789aL));
        assertArrayEquals(
                TestVectors.hex("ffffffffffffff7f0000000000000000"),
                XtsMode.sector(Long.MAX_VALUE));
        for (long bad : new long[] {-1, Long.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> XtsMode.sector(bad));
        }
    }

    @Test
    void refusesOtherSectors() throws Exception {
        byte[] data = new byte[64];
        ByteBuffer buffer = ByteBuffer.wrap(data);
        for (int size : new int[] {Integer.MIN_VALUE, -16, 0, 1, 15, MAX_UNIT + 1,
            Integer.MAX_VALUE, 17, 63, 65}) {
            for (Callable<?> call :
                    List.<Callable<?>>of(
                            () -> xts.encryptSectors(tweak, size, data, 0, 64, data, 0),
                            () -> xts.decryptSectors(tweak, size, data, 0, 64, data, 0),
                            () -> xts.encryptSectors(tweak, size, buffer, buffer.duplicate()),
                            () -> xts.decryptSectors(tweak, size, buffer, buffer.duplicate()))) {
                String refusal =
                        assertThrows(IllegalArgumentException.class, call::call).getMessage();
                assertTrue(refusal.contains(Integer.toString(size)), refusal);
            }
        }
        for (int length : new int[] {0, 1, 8, 12, 15, 17, 32}) {
            byte[] bad = new byte[length];
            for (Callable<?> call :
                    List.<Callable<?>>of(
                            () -> xts.encryptSectors(bad, 16, data, 0, 64, data, 0),
                            () -> xts.encrypt(bad, data),
                            () -> xts.decryptor(bad))) {
                assertEquals(
                        "tweak must have 16 bytes, had " + length,
                        assertThrows(IllegalArgumentException.class, call::call).getMessage());
            }
        }
        assertThrows(
                NullPointerException.class,
                () -> xts.decryptSectors(null, 16, data, 0, 64, data, 0));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> xts.encryptSectors(tweak, 16, data, 1, 64, data, 0));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> xts.encryptSectors(tweak, 16, data, 0, 64, data, 65));
        assertThrows(
                ShortBufferException.class,
                () -> xts.encryptSectors(tweak, 16, data, 0, 64, data, 1));
        assertThrows(
                ShortBufferException.class,
                () -> xts.decryptSectors(tweak, 16, buffer, ByteBuffer.allocate(63)));
        assertThrows(
                IllegalArgumentException.class,
                () -> xts.encryptSectors(tweak, 16, buffer, buffer));
        assertThrows(
                IllegalArgumentException.class,
                () -> xts.encryptSectors(tweak, 16, buffer, buffer.asReadOnlyBuffer()));
        assertArrayEquals(new byte[64], data);
        assertEquals(0, buffer.position());
        assertEquals(
                MAX_UNIT,
                xts.encryptSectors(
                        tweak, MAX_UNIT, new byte[MAX_UNIT], 0, MAX_UNIT, new byte[MAX_UNIT], 0));
    }

    // ---- where input and output lie ------------------------------------------------------------

    /** A call from one range of an array to another. */
    private interface ArrayCall {
        int apply(byte[] in, int inOff, int length, byte[] out, int outOff) throws Exception;
    }

    private static void assertOverlaps(byte[] from, byte[] to, ArrayCall call) throws Exception {
        int n = from.length;
        for (int shift : SHIFTS) {
            byte[] array = new byte[n + 1500];
            System.arraycopy(from, 0, array, 700, n);
            assertEquals(n, call.apply(array, 700, n, array, 700 + shift));
            assertArrayEquals(
                    to,
                    Arrays.copyOfRange(array, 700 + shift, 700 + shift + n),
                    () -> n + " bytes, shift " + shift);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void overlapOfSectors(String engine) throws Exception {
        XtsMode mode = Aes.xts(keyBytes, engine);
        for (int[] shape : new int[][] {{16, 70}, {40, 9}, {512, 3}}) {
            int size = shape[0];
            byte[] pt = Samples.pattern(size, size * shape[1]);
            byte[] ct = new byte[pt.length];
            mode.encryptSectors(tweak, size, pt, 0, pt.length, ct, 0);
            assertOverlaps(
                    pt, ct, (in, i, n, out, o) -> mode.encryptSectors(tweak, size, in, i, n, out, o));
            assertOverlaps(
                    ct, pt, (in, i, n, out, o) -> mode.decryptSectors(tweak, size, in, i, n, out, o));
        }
    }

    @Test
    void sectorsInBuffersOfEveryKind() throws Exception {
        for (int length : new int[] {16, 37, 64, 600}) {
            byte[] pt = Samples.pattern(length, length);
            byte[] ct = reference(true, keyBytes, tweak, pt);
            BufferContract.check(pt, ct, (in, out) -> xts.encryptSectors(tweak, length, in, out));
            BufferContract.check(ct, pt, (in, out) -> xts.decryptSectors(tweak, length, in, out));
        }
    }

    // ---- known faults --------------------------------------------------------------------------

    /** XTS-11: with the first of two consecutive units the second, by the run of sectors. */
    @Test
    void knownFaultOfTheNextUnit() throws Exception {
        List<TestVectors.Vector> units =
                TestVectors.load(KnownFaultsTest.FILE).stream()
                        .filter(v -> v.peek("id").equals("XTS-11"))
                        .toList();
        assertEquals(4, units.size());
        for (int i = 0; i < 4; i += 2) {
            TestVectors.Vector one = units.get(i);
            TestVectors.Vector next = units.get(i + 1);
            byte[] both = Samples.concat(one.bytes("pt"), next.bytes("pt"));
            Aes.xts(one.bytes("key"))
                    .encryptSectors(one.bytes("iv"), 32, both, 0, 64, both, 0);
            assertArrayEquals(Samples.concat(one.bytes("ct"), next.bytes("ct")), both);
        }
    }

    /** XTS-07: no tweak, or one of another size, is no tweak of zeros. */
    @Test
    void aTweakIsNeeded() {
        byte[] text = new byte[32];
        for (Callable<?> call :
                List.<Callable<?>>of(
                        () -> xts.encrypt(null, text),
                        () -> xts.decrypt(null, text),
                        () -> xts.encryptor(null),
                        () -> xts.decryptor(null))) {
            assertThrows(NullPointerException.class, call::call);
        }
        for (int length : new int[] {0, 1, 8, 12, 15, 17, 32}) {
            byte[] bad = new byte[length];
            for (Callable<?> call :
                    List.<Callable<?>>of(
                            () -> xts.encrypt(bad, text),
                            () -> xts.decrypt(bad, text),
                            () -> xts.encryptor(bad),
                            () -> xts.decryptor(bad))) {
                assertThrows(IllegalArgumentException.class, call::call);
            }
        }
    }

    // ---- limits and refusals -------------------------------------------------------------------

    @Test
    void aDataUnitHasAtLeastOneBlock() throws Exception {
        for (int length = 0; length < 16; length++) {
            byte[] text = new byte[length];
            CipherOperation encryptor = xts.encryptor(tweak);
            CipherOperation decryptor = xts.decryptor(tweak);
            encryptor.update(text);
            for (Callable<?> call :
                    List.<Callable<?>>of(
                            () -> xts.encrypt(tweak, text),
                            () -> xts.decrypt(tweak, text),
                            () -> xts.encrypt(tweak, text, 0, text.length, new byte[20], 0),
                            () -> xts.decrypt(
                                    tweak, ByteBuffer.wrap(text), ByteBuffer.allocate(20)),
                            encryptor::doFinal,
                            () -> decryptor.doFinal(text))) {
                String refusal =
                        assertThrows(IllegalArgumentException.class, call::call).getMessage();
                assertTrue(refusal.contains("16") && refusal.contains("" + length), refusal);
            }
            // After the refusal, more can be given.
            byte[] more = new byte[16 - length];
            assertArrayEquals(xts.encrypt(tweak, new byte[16]), encryptor.doFinal(more));
            assertArrayEquals(
                    xts.decrypt(tweak, new byte[16]),
                    decryptor.doFinal(Samples.concat(text, more)));
        }
    }

    @Test
    void aDataUnitHasAtMostTwoToTheTwentyBlocks() throws Exception {
        byte[] text = Samples.pattern(5, MAX_UNIT + 1);
        CipherOperation encryptor = xts.encryptor(tweak);
        byte[] head = encryptor.update(text, 0, MAX_UNIT - 5);
        for (Callable<?> call :
                List.<Callable<?>>of(
                        () -> xts.encrypt(tweak, text),
                        () -> xts.decrypt(tweak, text),
                        () -> encryptor.update(new byte[6]),
                        () -> encryptor.doFinal(new byte[6]))) {
            String refusal = assertThrows(IllegalArgumentException.class, call::call).getMessage();
            assertTrue(refusal.contains("16777216"), refusal);
        }
        byte[] tail = encryptor.doFinal(text, MAX_UNIT - 5, 5);
        assertArrayEquals(
                xts.encrypt(tweak, Arrays.copyOf(text, MAX_UNIT)), Samples.concat(head, tail));
    }

    @Test
    void refusesOtherKeys() {
        for (int length : new int[] {0, 1, 16, 24, 31, 33, 48, 63, 65, 128}) {
            String refusal =
                    assertThrows(
                                    IllegalArgumentException.class,
                                    () -> Aes.xts(Samples.pattern(1, length)))
                            .getMessage();
            assertTrue(refusal.contains(Integer.toString(length)), refusal);
        }
        assertThrows(NullPointerException.class, () -> Aes.xts(null));
        assertThrows(IllegalArgumentException.class, () -> Aes.xts(keyBytes, "none"));
        for (int half : new int[] {16, 32}) {
            byte[] key = Samples.concat(Samples.pattern(2, half), Samples.pattern(2, half));
            String refusal =
                    assertThrows(IllegalArgumentException.class, () -> Aes.xts(key)).getMessage();
            assertFalse(refusal.contains(TestVectors.hex(key)));
            // One bit of difference, wherever, is enough.
            for (int bit = 0; bit < 16 * half; bit++) {
                key[bit / 8] ^= (byte) (1 << bit % 8);
                Aes.xts(key).close();
                key[bit / 8] ^= (byte) (1 << bit % 8);
            }
        }
        assertThrows(IllegalArgumentException.class, () -> Aes.xts(new byte[32]));
    }

    // ---- the object ----------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("engines")
    void saysWhatItIs(String engine) {
        XtsMode small = Aes.xts(Samples.pattern(1, 32), engine);
        XtsMode large = Aes.xts(Samples.pattern(1, 64), engine);
        assertEquals("XTS", small.mode());
        assertEquals(16, small.ivLength());
        assertEquals(128, small.bits());
        assertEquals(256, large.bits());
        assertEquals(engine, small.engine());
        assertEquals("XTS-AES-128", small.toString());
        assertEquals("XTS-AES-256", large.toString());
        large.close();
        assertEquals("XTS-AES-256[closed]", large.toString());
    }

    @ParameterizedTest
    @MethodSource("engines")
    void closingWipesBothKeys(String engine) throws Exception {
        byte[] key = Samples.pattern(1, 64);
        XtsMode mode = Aes.xts(key, engine);
        Arrays.fill(key, (byte) 0);
        byte[] text = Samples.pattern(2, 40);
        assertArrayEquals(
                reference(true, Samples.pattern(1, 64), tweak, text), mode.encrypt(tweak, text));
        CipherOperation ended = mode.decryptor(tweak);
        CipherOperation closed = mode.encryptor(tweak);
        CipherOperation orphan = mode.encryptor(tweak);
        for (CipherOperation operation : List.of(ended, closed)) {
            operation.update(text);
            assertFalse(stateIsBlank(operation), "there was a state");
        }
        ended.doFinal(text);
        closed.close();
        assertTrue(stateIsBlank(ended) && stateIsBlank(closed));
        List<Object> secrets = Secrets.arrays(mode, field -> false);
        assertTrue(secrets.size() >= 2 && secrets.stream().noneMatch(Secrets::isBlank));
        assertFalse(mode.isDestroyed());
        mode.close();
        mode.destroy();
        assertTrue(mode.isDestroyed());
        assertTrue(secrets.stream().allMatch(Secrets::isBlank));
        byte[] out = new byte[40];
        for (Callable<?> call :
                List.<Callable<?>>of(
                        () -> mode.encrypt(tweak, text),
                        () -> mode.decrypt(tweak, text),
                        () -> mode.encryptor(tweak),
                        () -> mode.encryptSectors(tweak, 40, text, 0, 40, out, 0),
                        () -> mode.decryptSectors(tweak, 20, text, 0, 40, out, 0),
                        () -> mode.encryptSectors(
                                tweak, 40, ByteBuffer.wrap(text), ByteBuffer.wrap(out)),
                        () -> orphan.update(text),
                        orphan::doFinal)) {
            assertThrows(IllegalStateException.class, call::call);
        }
        assertArrayEquals(new byte[40], out);
    }

    private static boolean stateIsBlank(CipherOperation operation) throws Exception {
        List<Object> arrays =
                Secrets.arrays(
                        operation,
                        field ->
                                List.of("key", "iv", "cipher", "direction").contains(field));
        return arrays.stream().allMatch(Secrets::isBlank);
    }
}
