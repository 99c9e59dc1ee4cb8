package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.crypto.ShortBufferException;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.macs.CMac;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@link AesMac} promises, and CMAC against Bouncy Castle's. */
class CmacTest {

    private static final int TAG = 16;

    private final AesKey key = AesKey.of(Samples.pattern(128, 16));
    private final byte[] message = Samples.pattern(9, 53);
    private final byte[] tag = bouncyCastle(Samples.pattern(128, 16), message);

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    private static byte[] bouncyCastle(byte[] key, byte[] message) {
        CMac mac = new CMac(AESEngine.newInstance());
        mac.init(new KeyParameter(key));
        mac.update(message, 0, message.length);
        byte[] tag = new byte[TAG];
        mac.doFinal(tag, 0);
        return tag;
    }

    // ---- right results -------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("engines")
    void everyLength(String engine) {
        for (int bits : new int[] {128, 192, 256}) {
            AesMac mac = Aes.cmac(Samples.key(engine, bits));
            for (int length : Samples.lengths()) {
                byte[] text = Samples.pattern(length, length);
                byte[] expected = bouncyCastle(Samples.pattern(bits, bits / 8), text);
                assertArrayEquals(expected, mac.doFinal(text), length + " bytes");
                assertTrue(mac.verify(text, expected), length + " bytes");
                assertArrayEquals(Samples.pattern(length, length), text, "the caller's message");
            }
        }
    }

    /** So many keys that the doublings of their subkeys carry, and do not, in every combination. */
    @ParameterizedTest
    @MethodSource("engines")
    void differsFromNoOther(String engine) {
        Random random = new Random(38);
        for (int round = 0; round < 2000; round++) {
            byte[] keyBytes = Samples.random(random, 16 + 8 * random.nextInt(3));
            byte[] text = Samples.random(random, random.nextInt(round % 40 == 0 ? 20_000 : 300));
            try (AesKey own = AesKey.of(keyBytes, engine)) {
                AesMac mac = Aes.cmac(own);
                int at = 0;
                for (int piece : Samples.cuts(random, text.length)) {
                    mac.update(text, at, piece);
                    at += piece;
                }
                assertArrayEquals(bouncyCastle(keyBytes, text), mac.doFinal(), "round " + round);
            }
        }
    }

    /** Two cuts, at every two places. */
    @Test
    void everyCutInThree() {
        AesMac mac = Aes.cmac(key);
        for (int length = 0; length <= 66; length++) {
            byte[] text = Samples.pattern(length, length);
            byte[] expected = bouncyCastle(Samples.pattern(128, 16), text);
            for (int i = 0; i <= length; i++) {
                for (int j = i; j <= length; j++) {
                    mac.update(text, 0, i);
                    mac.update(text, i, j - i);
                    mac.update(text, j, length - j);
                    assertArrayEquals(expected, mac.doFinal(), i + " and " + j + " of " + length);
                }
            }
        }
    }

    @Test
    void buffersOfEveryKind() {
        AesMac mac = Aes.cmac(key);
        for (int length : new int[] {0, 1, 15, 16, 17, 100, 4095, 4096, 4097, 9000}) {
            byte[] text = Samples.pattern(length, length);
            byte[] expected = bouncyCastle(Samples.pattern(128, 16), text);
            for (ByteBuffer buffer : BufferContract.inputs(text)) {
                ByteBuffer before = buffer.duplicate();
                mac.update(buffer);
                assertEquals(buffer.limit(), buffer.position());
                assertArrayEquals(expected, mac.doFinal(), length + " bytes");
                byte[] unchanged = new byte[length];
                before.get(unchanged);
                assertArrayEquals(text, unchanged);
            }
        }
    }

    // ---- tags ----------------------------------------------------------------------------------

    @Test
    void tagsOfEveryLength() throws Exception {
        for (int length = -1; length <= 20; length++) {
            int tagLength = length;
            if (length < 4 || length > 16) {
                String refusal =
                        assertThrows(
                                        IllegalArgumentException.class,
                                        () -> Aes.cmac(key, tagLength))
                                .getMessage();
                assertTrue(refusal.endsWith("4 to 16 bytes, was " + length), refusal);
                continue;
            }
            AesMac mac = Aes.cmac(key, length);
            assertEquals(length, mac.tagLength());
            byte[] expected = Arrays.copyOf(tag, length);
            assertArrayEquals(expected, mac.doFinal(message));
            byte[] out = new byte[30];
            mac.update(message);
            assertEquals(length, mac.doFinal(out, 5));
            byte[] around = new byte[30];
            System.arraycopy(expected, 0, around, 5, length);
            assertArrayEquals(around, out, "nothing written beside the tag");
            for (int n = 0; n <= 20; n++) {
                assertEquals(n == length, mac.verify(message, Arrays.copyOf(tag, n)), n + " bytes");
            }
        }
    }

    @Test
    void refusesEveryFlippedBit() {
        AesMac mac = Aes.cmac(key);
        for (int bit = 0; bit < 8 * TAG; bit++) {
            byte[] bad = tag.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertFalse(mac.verify(message, bad), "bit " + bit + " of the tag");
        }
        for (int bit = 0; bit < 8 * message.length; bit++) {
            byte[] bad = message.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertFalse(mac.verify(bad, tag), "bit " + bit + " of the message");
        }
        for (int length = 0; length < message.length; length++) {
            assertFalse(mac.verify(Arrays.copyOf(message, length), tag), length + " bytes");
        }
        assertFalse(mac.verify(Arrays.copyOf(message, message.length + 1), tag));
        assertTrue(mac.verify(message, tag), "after failures");
    }

    /** Padding is no part of the message: one that ends as padding would has another tag. */
    @Test
    void paddingIsNoMessage() {
        AesMac mac = Aes.cmac(key);
        byte[] padded = new byte[16];
        padded[3] = (byte) 0x80;
        assertFalse(mac.verify(padded, mac.doFinal(new byte[3])));
        byte[] onlyPadding = new byte[16];
        onlyPadding[0] = (byte) 0x80;
        assertFalse(mac.verify(onlyPadding, mac.doFinal()));
    }

    // ---- arguments -----------------------------------------------------------------------------

    @Test
    void refusalsChangeNothing() throws Exception {
        AesMac mac = Aes.cmac(key);
        mac.update(message, 0, 20);
        int[][] ranges = {{-1, 10}, {0, -1}, {44, 10}, {54, 0}, {53, 1}, {10, Integer.MAX_VALUE},
            {Integer.MAX_VALUE, 10}, {Integer.MIN_VALUE, 10}, {10, Integer.MIN_VALUE}};
        for (int[] range : ranges) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> mac.update(message, range[0], range[1]));
        }
        assertThrows(NullPointerException.class, () -> mac.update((byte[]) null));
        assertThrows(NullPointerException.class, () -> mac.update(null, 0, 0));
        assertThrows(NullPointerException.class, () -> mac.update((ByteBuffer) null));
        assertThrows(NullPointerException.class, () -> mac.doFinal(null));
        assertThrows(NullPointerException.class, () -> mac.doFinal(null, 0));
        assertThrows(NullPointerException.class, () -> mac.verify(null));
        assertThrows(NullPointerException.class, () -> mac.verify(null, tag));
        assertThrows(NullPointerException.class, () -> mac.verify(message, null));
        assertThrows(NullPointerException.class, () -> Aes.cmac(null));
        for (int room = 0; room < TAG; room++) {
            byte[] small = new byte[room];
            assertThrows(ShortBufferException.class, () -> mac.doFinal(small, 0));
            assertArrayEquals(new byte[room], small);
            byte[] out = new byte[TAG];
            int outOff = TAG - room;
            assertThrows(ShortBufferException.class, () -> mac.doFinal(out, outOff));
        }
        for (int outOff : new int[] {-1, 17, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> mac.doFinal(new byte[16], outOff));
        }
        mac.update(message, 20, message.length - 20);
        assertArrayEquals(tag, mac.doFinal());
    }

    @Test
    void argumentsAreNotKept() {
        AesMac mac = Aes.cmac(key);
        byte[] head = Arrays.copyOf(message, 21);
        mac.update(head);
        Arrays.fill(head, (byte) 0);
        assertArrayEquals(tag, mac.doFinal(Arrays.copyOfRange(message, 21, message.length)));
    }

    /** The tag may go over the message. */
    @Test
    void theTagOverItsMessage() throws Exception {
        AesMac mac = Aes.cmac(key);
        byte[] array = message.clone();
        mac.update(array);
        mac.doFinal(array, 11);
        assertArrayEquals(tag, Arrays.copyOfRange(array, 11, 27));
    }

    // ---- states --------------------------------------------------------------------------------

    @Test
    void everyEndMakesReadyForAnother() throws Exception {
        AesMac mac = Aes.cmac(key);
        byte[] empty = bouncyCastle(Samples.pattern(128, 16), new byte[0]);
        for (int i = 0; i < 3; i++) {
            assertArrayEquals(empty, mac.doFinal());
            assertArrayEquals(tag, mac.doFinal(message));
            mac.update(message);
            mac.reset();
            assertArrayEquals(tag, mac.doFinal(message));
            assertTrue(mac.verify(message, tag));
            assertTrue(mac.verify(empty));
            assertFalse(mac.verify(message, empty));
            mac.update(message);
            assertEquals(TAG, mac.doFinal(new byte[TAG], 0));
        }
    }

    private static void assertEnded(AesMac mac) {
        byte[] out = new byte[30];
        ByteBuffer buffer = ByteBuffer.allocate(3);
        for (Executable call :
                List.<Executable>of(
                        () -> mac.update(out),
                        () -> mac.update(out, 0, 0),
                        () -> mac.update(buffer),
                        mac::doFinal,
                        () -> mac.doFinal(new byte[3]),
                        () -> mac.doFinal(out, 0),
                        () -> mac.verify(out),
                        () -> mac.verify(out, out),
                        mac::reset)) {
            assertThrows(IllegalStateException.class, call);
        }
        assertArrayEquals(new byte[30], out);
        assertEquals(0, buffer.position());
        mac.close();
    }

    @Test
    void aClosedOneServesNothing() {
        AesMac mac = Aes.cmac(key);
        mac.update(message);
        mac.close();
        assertEnded(mac);
        assertArrayEquals(tag, Aes.cmac(key).doFinal(message), "others go on");
    }

    @Test
    void aClosedKeyServesNothing() {
        AesMac mac = Aes.cmac(key);
        mac.update(message);
        key.close();
        assertEnded(mac);
        assertThrows(IllegalStateException.class, () -> Aes.cmac(key));
        assertThrows(IllegalStateException.class, () -> Aes.cmac(key, 8));
    }

    @Test
    void wipesItsState() throws Exception {
        for (boolean closes : new boolean[] {true, false}) {
            AesMac mac = Aes.cmac(key);
            mac.update(message);
            List<Object> arrays = Secrets.arrays(mac, Set.of("key", "cmac")::contains);
            assertEquals(2, arrays.stream().filter(array -> !Secrets.isBlank(array)).count());
            if (closes) {
                mac.close();
            } else {
                mac.doFinal();
            }
            for (Object array : arrays) {
                assertTrue(Secrets.isBlank(array));
            }
        }
    }

    @Test
    void showsNothingSecret() {
        AesMac mac = Aes.cmac(key, 12);
        assertEquals("AES-128-CMAC[tag 12 bytes]", mac.toString());
        assertFalse(Serializable.class.isInstance(mac));
    }

    /** Objects are each thread's own; the subkeys under them are shared. */
    @ParameterizedTest
    @MethodSource("engines")
    void manyThreadsShareOneKey(String engine) throws Exception {
        AesKey shared = Samples.key(engine, 256);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                byte[] text = Samples.pattern(t, 133 + 100 * t);
                byte[] expected = bouncyCastle(Samples.pattern(256, 32), text);
                all.add(
                        threads.submit(
                                () -> {
                                    AesMac mac = Aes.cmac(shared);
                                    for (int i = 0; i < 2000; i++) {
                                        assertArrayEquals(expected, mac.doFinal(text));
                                    }
                                    return null;
                                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
