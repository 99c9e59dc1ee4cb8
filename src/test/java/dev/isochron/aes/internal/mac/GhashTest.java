package dev.isochron.aes.internal.mac;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.internal.bytes.Bytes;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bouncycastle.crypto.modes.gcm.Tables4kGCMMultiplier;
import org.junit.jupiter.api.Test;

/** GHASH against published values, a bit-by-bit reference and Bouncy Castle. */
class GhashTest {

    /** More blocks than two runs of lanes, and a few over. */
    private static final int MANY_BYTES = 16 * (2 * GhashLanes.POWERS + 5);

    private static byte[] hex(String s) {
        return HexFormat.of().parseHex(s);
    }

    private static byte[] random(int n, long seed) {
        byte[] a = new byte[n];
        new Random(seed).nextBytes(a);
        return a;
    }

    private static Ghash ghash(byte[] h) {
        return new Ghash(Bytes.getLong(h, 0), Bytes.getLong(h, 8));
    }

    /** A key that has seen enough text to use lanes for the next that is long enough. */
    private static Ghash patient(byte[] h) {
        Ghash ghash = ghash(h);
        update(ghash, new byte[16 * Ghash.PATIENCE], 0, 16 * Ghash.PATIENCE);
        return ghash;
    }

    private static byte[] bytes(long[] state) {
        byte[] y = new byte[16];
        Bytes.putLong(y, 0, state[0]);
        Bytes.putLong(y, 8, state[1]);
        return y;
    }

    private static byte[] update(Ghash ghash, byte[] data, int off, int len) {
        long[] state = new long[2];
        ghash.update(state, data, off, len);
        return bytes(state);
    }

    /** Algorithm 1 of SP 800-38D, one bit at a time: Z = X * Y. */
    private static byte[] times(byte[] x, byte[] y) {
        byte[] z = new byte[16];
        byte[] v = y.clone();
        for (int i = 0; i < 128; i++) {
            if ((x[i / 8] >>> (7 - i % 8) & 1) == 1) {
                for (int j = 0; j < 16; j++) {
                    z[j] ^= v[j];
                }
            }
            boolean odd = (v[15] & 1) == 1;
            for (int j = 15; j > 0; j--) {
                v[j] = (byte) ((v[j] & 0xff) >>> 1 | v[j - 1] << 7);
            }
            v[0] = (byte) ((v[0] & 0xff) >>> 1);
            if (odd) {
                v[0] ^= (byte) 0xe1;
            }
        }
        return z;
    }

    /** Algorithm 2 of SP 800-38D over {@code data} padded with zeros, starting from {@code y}. */
    private static byte[] reference(byte[] h, byte[] y, byte[] data, int off, int len) {
        byte[] z = y.clone();
        for (int i = 0; i < len; i += 16) {
            for (int j = 0; j < Math.min(16, len - i); j++) {
                z[j] ^= data[off + i + j];
            }
            z = times(z, h);
        }
        return z;
    }

    private static byte[] bouncyCastle(byte[] h, byte[] data, int off, int len) {
        Tables4kGCMMultiplier multiplier = new Tables4kGCMMultiplier();
        multiplier.init(h);
        byte[] z = new byte[16];
        for (int i = 0; i < len; i += 16) {
            for (int j = 0; j < Math.min(16, len - i); j++) {
                z[j] ^= data[off + i + j];
            }
            multiplier.multiplyH(z);
        }
        return z;
    }

    /** Test case 2 of McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B. */
    @Test
    void gcmSpecificationTestCase2() {
        Ghash ghash = ghash(hex("66e94bd4ef8a2c3b884cfa59ca342b2e"));
        long[] state = new long[2];
        ghash.update(state, hex("0388dace60b6a392f328c2b971b2fe78"), 0, 16);
        assertArrayEquals(hex("5e2ec746917062882c85b0685353deb7"), bytes(state));
        ghash.update(state, 0, 0x80);
        assertArrayEquals(hex("f38cbb1ad69223dcc3457ae5b6b0f885"), bytes(state));
    }

    /** Test case 4 of the same: associated data, and a text that ends inside a block. */
    @Test
    void gcmSpecificationTestCase4() {
        Ghash ghash = ghash(hex("b83b533708bf535d0aa6e52980d53b78"));
        byte[] aad = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
        byte[] text =
                hex(
                        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                                + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091");
        byte[] expected = hex("698e57f70e6ecc7fd9463b7260a9ae5f");
        long[] state = new long[2];
        ghash.update(state, aad, 0, aad.length);
        ghash.update(state, text, 0, text.length);
        ghash.update(state, 0xa0, 0x1e0);
        assertArrayEquals(expected, bytes(state));

        long[] fused = new long[2];
        ghash.update(fused, aad, 0, aad.length);
        ghash.finish(fused, text, 0, text.length, 0xa0, 0x1e0);
        assertArrayEquals(expected, bytes(fused));
    }

    @Test
    void everyLengthAgreesWithTheReference() {
        byte[] h = random(16, 1);
        byte[] y = random(16, 2);
        byte[] data = random(MANY_BYTES + 3, 3);
        byte[] unchanged = data.clone();
        try (Ghash ghash = patient(h)) {
            byte[] whole = y;
            for (int len = 0; len <= MANY_BYTES; len++) {
                int lastBlock = len & -16;
                byte[] expected = reference(h, whole, data, 3 + lastBlock, len - lastBlock);
                long[] state = {Bytes.getLong(y, 0), Bytes.getLong(y, 8)};
                ghash.update(state, data, 3, len);
                assertArrayEquals(expected, bytes(state), "length " + len);

                byte[] lengths = random(16, 4 + len);
                byte[] finished = reference(h, expected, lengths, 0, 16);
                long[] fused = {Bytes.getLong(y, 0), Bytes.getLong(y, 8)};
                ghash.finish(
                        fused, data, 3, len, Bytes.getLong(lengths, 0), Bytes.getLong(lengths, 8));
                assertArrayEquals(finished, bytes(fused), "length " + len + " and lengths");
                if (len % 16 == 15) {
                    whole = reference(h, whole, data, 3 + lastBlock, 16);
                }
            }
        }
        assertArrayEquals(unchanged, data);
    }

    @Test
    void everyWayOfCuttingAtBlockEdgesAgrees() {
        byte[] h = random(16, 5);
        int blocks = GhashLanes.POWERS + 5;
        byte[] data = random(16 * blocks, 6);
        byte[] expected = reference(h, new byte[16], data, 0, data.length);
        Random random = new Random(7);
        try (Ghash ghash = patient(h)) {
            for (int first = 0; first <= blocks; first++) {
                for (int second = first; second <= blocks; second++) {
                    long[] state = new long[2];
                    ghash.update(state, data, 0, 16 * first);
                    ghash.update(state, data, 16 * first, 16 * (second - first));
                    ghash.update(state, data, 16 * second, 16 * (blocks - second));
                    assertArrayEquals(expected, bytes(state), first + " and " + second);
                }
            }
            for (int round = 0; round < 300; round++) {
                long[] state = new long[2];
                for (int at = 0; at < blocks; ) {
                    int n = Math.min(blocks - at, random.nextInt(6));
                    if (n == 1 && random.nextBoolean()) {
                        ghash.update(
                                state,
                                Bytes.getLong(data, 16 * at),
                                Bytes.getLong(data, 16 * at + 8));
                    } else {
                        ghash.update(state, data, 16 * at, 16 * n);
                    }
                    at += n;
                }
                assertArrayEquals(expected, bytes(state));
            }
        }
    }

    /** Operands with the most ones make the largest sums, hence the longest carries. */
    @Test
    void denseOperandsDoNotOverflowTheHoles() {
        long[] dense = {
            -1L,
            0x1111111111111111L,
            0x3333333333333333L,
            0x5555555555555555L,
            0x7777777777777777L,
            0xEEEEEEEEEEEEEEEEL,
            0xF000000000000000L,
            0x0FFFFFFFFFFFFFFFL,
            0x8000000000000000L,
            1L,
            0L,
        };
        for (long high : dense) {
            for (long low : dense) {
                byte[] h = bytes(new long[] {high, low});
                try (Ghash ghash = patient(h)) {
                    for (long x : dense) {
                        byte[] data = new byte[16 * (GhashLanes.POWERS + 3)];
                        for (int i = 0; i < data.length; i += 8) {
                            Bytes.putLong(data, i, x);
                        }
                        for (int len : new int[] {16, 32, data.length}) {
                            assertArrayEquals(
                                    bouncyCastle(h, data, 0, len), update(ghash, data, 0, len));
                        }
                    }
                }
            }
        }
        byte[] ones = new byte[MANY_BYTES];
        Arrays.fill(ones, (byte) 0xff);
        byte[] h = hex("ffffffffffffffffffffffffffffffff");
        byte[] expected = reference(h, new byte[16], ones, 0, ones.length);
        assertArrayEquals(expected, update(patient(h), ones, 0, ones.length));
        // A new key has no lanes yet for a text this short.
        assertArrayEquals(expected, update(ghash(h), ones, 0, ones.length));
    }

    @Test
    void keysAndTextsOfOneBit() {
        byte[] data = random(16 * 9, 8);
        for (int bit = 0; bit < 128; bit++) {
            byte[] h = new byte[16];
            h[bit / 8] = (byte) (0x80 >>> bit % 8);
            try (Ghash ghash = ghash(h)) {
                assertArrayEquals(
                        reference(h, new byte[16], data, 0, data.length),
                        update(ghash, data, 0, data.length));
                for (int other = 0; other < 128; other++) {
                    byte[] x = new byte[16];
                    x[other / 8] = (byte) (0x80 >>> other % 8);
                    assertArrayEquals(times(x, h), update(ghash, x, 0, 16));
                }
            }
        }
    }

    @Test
    void keyZeroHashesEverythingToZero() {
        try (Ghash ghash = new Ghash(0, 0)) {
            for (int len : new int[] {1, 16, 17, MANY_BYTES}) {
                assertArrayEquals(new byte[16], update(ghash, random(len, 9), 0, len));
            }
        }
    }

    @Test
    void nothingToAbsorbLeavesTheStateAlone() {
        try (Ghash ghash = new Ghash(3, 4)) {
            long[] state = {1, 2};
            ghash.update(state, new byte[0], 0, 0);
            assertArrayEquals(new long[] {1, 2}, state);
        }
    }

    @Test
    void randomKeysAgreeWithBouncyCastle() {
        Random random = new Random(10);
        for (int round = 0; round < 2000; round++) {
            byte[] h = random(16, random.nextLong());
            int len = random.nextInt(1500);
            byte[] data = random(len + 7, random.nextLong());
            try (Ghash ghash = ghash(h)) {
                assertArrayEquals(
                        bouncyCastle(h, data, 7, len), update(ghash, data, 7, len), "length " + len);
            }
        }
    }

    /** The same answers again once the compilers have been at the code. */
    @Test
    void hotCodeGivesTheSameAnswers() {
        byte[] h = random(16, 11);
        byte[] data = random(MANY_BYTES, 12);
        int[] lengths = {1, 16, 17, 32, 48, 60, 64, 100, 256, 1024, 3100, MANY_BYTES};
        byte[][] expected = new byte[lengths.length][];
        byte[][] finished = new byte[lengths.length][];
        for (int i = 0; i < lengths.length; i++) {
            expected[i] = reference(h, new byte[16], data, 0, lengths[i]);
            byte[] block = bytes(new long[] {5, 8L * lengths[i]});
            finished[i] = reference(h, expected[i], block, 0, 16);
        }
        try (Ghash ghash = ghash(h)) {
            for (int round = 0; round < 40_000; round++) {
                int i = round % lengths.length;
                assertArrayEquals(expected[i], update(ghash, data, 0, lengths[i]));
                long[] state = new long[2];
                ghash.finish(state, data, 0, lengths[i], 5, 8L * lengths[i]);
                assertArrayEquals(finished[i], bytes(state));
            }
        }
    }

    @Test
    void oneKeyServesFourThreadsAtOnce() throws Exception {
        byte[] data = random(MANY_BYTES, 13);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int key = 0; key < 50; key++) {
                byte[] h = random(16, 1000 + key);
                byte[][] expected = new byte[MANY_BYTES / 16][];
                for (int i = 0; i < expected.length; i++) {
                    expected[i] = bouncyCastle(h, data, 0, 16 * i);
                }
                // A fresh key each time, so that the threads race to compute its powers.
                Ghash ghash = ghash(h);
                CountDownLatch start = new CountDownLatch(1);
                List<Future<Boolean>> results = new ArrayList<>();
                for (int t = 0; t < 4; t++) {
                    int shift = t;
                    Callable<Boolean> task =
                            () -> {
                                start.await();
                                for (int i = 0; i < expected.length; i++) {
                                    int n = (expected.length - 1 - i + shift) % expected.length;
                                    assertArrayEquals(
                                            expected[n], update(ghash, data, 0, 16 * n));
                                }
                                return true;
                            };
                    results.add(threads.submit(task));
                }
                start.countDown();
                for (Future<Boolean> result : results) {
                    assertTrue(result.get());
                }
                ghash.close();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void closeWipesEveryPower() throws Exception {
        Ghash small = ghash(random(16, 15));
        Ghash large = patient(random(16, 16));
        for (Ghash ghash : List.of(small, large)) {
            List<long[]> arrays = secrets(ghash);
            assertTrue(ghash == small ? arrays.size() == 1 : arrays.size() > 2);
            for (long[] array : arrays) {
                assertFalse(isZero(array));
            }
            ghash.close();
            ghash.close();
            for (long[] array : arrays) {
                assertTrue(isZero(array));
            }
        }
    }

    /** All arrays an object holds, itself or through others of this package. */
    private static List<long[]> secrets(Object holder) throws IllegalAccessException {
        List<long[]> arrays = new ArrayList<>();
        for (Field field : holder.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            field.setAccessible(true);
            Object value = field.get(holder);
            if (value instanceof long[] array) {
                arrays.add(array);
            } else if (value instanceof long[][] table) {
                arrays.addAll(List.of(table));
            } else if (value instanceof GhashLanes) {
                arrays.addAll(secrets(value));
            } else if (!field.getName().equals("seen") && !field.getName().equals("closed")) {
                // What is public is listed here; a secret must be in an array, to be wiped.
                assertNull(value, field.getName());
            }
        }
        return arrays;
    }

    @Test
    void aClosedKeyComputesNoNewPowers() throws IllegalAccessException {
        byte[] data = new byte[16 * Ghash.PATIENCE];
        Ghash ghash = ghash(random(16, 18));
        ghash.close();
        int before = secrets(ghash).size();
        // Not an error here: a key may be closed in the middle of a call, which then discards all.
        ghash.update(new long[] {1, 2}, data, 0, data.length);
        assertEquals(before, secrets(ghash).size());
    }

    private static boolean isZero(long[] a) {
        long any = 0;
        for (long v : a) {
            any |= v;
        }
        return any == 0;
    }
}
