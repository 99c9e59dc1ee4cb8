package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CTR: what {@link CtrMode} and {@link CipherOperation} promise. */
class CtrTest {

    private final byte[] keyBytes = Samples.pattern(256, 32);
    private final byte[] iv = Samples.pattern(9, 16);
    private final AesKey key = AesKey.of(keyBytes);
    private final CtrMode ctr = Aes.ctr(key);

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    private static byte[] jdk(byte[] key, byte[] iv, byte[] in) throws Exception {
        Cipher aes = Cipher.getInstance("AES/CTR/NoPadding");
        aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(iv));
        return aes.doFinal(in);
    }

    private static byte[] bouncyCastle(byte[] key, byte[] iv, byte[] in) {
        var aes = SICBlockCipher.newInstance(AESEngine.newInstance());
        aes.init(true, new ParametersWithIV(new KeyParameter(key), iv));
        byte[] out = new byte[in.length];
        aes.processBytes(in, 0, in.length, out, 0);
        return out;
    }

    @ParameterizedTest
    @MethodSource("engines")
    void everyLength(String engine) throws Exception {
        for (int bits : new int[] {128, 192, 256}) {
            CtrMode mode = Aes.ctr(Samples.key(engine, bits));
            for (int length : Samples.lengths()) {
                byte[] text = Samples.pattern(length, length);
                byte[] before = text.clone();
                byte[] expected = jdk(Samples.pattern(bits, bits / 8), iv, text);
                assertArrayEquals(expected, mode.encrypt(iv, text), length + " bytes");
                assertArrayEquals(text, mode.decrypt(iv, expected), length + " bytes");
                assertArrayEquals(before, text);
            }
        }
        assertArrayEquals(Samples.pattern(9, 16), iv);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void differsFromNoOther(String engine) throws Exception {
        Random random = new Random(38);
        for (int round = 0; round < 2000; round++) {
            byte[] own = Samples.random(random, 16 + 8 * random.nextInt(3));
            byte[] counter = Samples.random(random, 16);
            Arrays.fill(counter, random.nextInt(16), 15, (byte) 0xFF);
            byte[] text = Samples.random(random, random.nextInt(round % 40 == 0 ? 30_000 : 700));
            byte[] expected = bouncyCastle(own, counter, text);
            assertArrayEquals(expected, jdk(own, counter, text));
            try (AesKey fresh = AesKey.of(own, engine)) {
                CtrMode mode = Aes.ctr(fresh);
                assertArrayEquals(expected, mode.encrypt(counter, text), "round " + round);
                CipherOperation operation = mode.encryptor(counter);
                byte[] out = new byte[text.length];
                int at = 0;
                for (int piece : Samples.cuts(random, text.length)) {
                    assertEquals(piece, operation.update(text, at, piece, out, at));
                    at += piece;
                }
                assertEquals(0, operation.doFinal().length);
                assertArrayEquals(expected, out, "round " + round);
            }
        }
    }

    /** Carries at every place, in runs of every count of blocks, in one call and in two. */
    @ParameterizedTest
    @MethodSource("engines")
    void carriesAnywhere(String engine) throws Exception {
        byte[] text = Samples.pattern(4, 16 * 70);
        CtrMode mode = Aes.ctr(AesKey.of(keyBytes, engine));
        for (int width : new int[] {4, 8, 12, 16}) {
            for (int place = 0; place < 70; place++) {
                byte[] counter = lastBeforeCarry(width, place);
                byte[] expected = jdk(keyBytes, counter, text);
                for (int blocks = 1; blocks <= 70; blocks++) {
                    byte[] head = Arrays.copyOf(text, 16 * blocks);
                    assertArrayEquals(
                            Arrays.copyOf(expected, head.length),
                            mode.encrypt(counter, head),
                            () -> "a carry in " + head.length + " bytes");
                }
                CipherOperation operation = mode.encryptor(counter);
                int cut = 16 * place + place % 17;
                byte[] head = operation.update(text, 0, cut);
                byte[] tail = operation.doFinal(text, cut, text.length - cut);
                assertArrayEquals(expected, Samples.concat(head, tail), "cut at " + cut);
            }
        }
    }

    /**
     * The same in long runs, of every count of blocks up to 600, so that every engine and the hybrid
     * meet a carry in a whole batch, in a part of one and at the seam between two.
     */
    @ParameterizedTest
    @MethodSource("engines")
    void carriesInLongRuns(String engine) throws Exception {
        byte[] text = Samples.pattern(6, 16 * 600);
        CtrMode mode = Aes.ctr(AesKey.of(keyBytes, engine));
        for (int blocks = 1; blocks <= 600; blocks++) {
            for (int width : new int[] {4, 8, 12, 16}) {
                int[] places = {blocks - 1, blocks * 5 % 601 % blocks, blocks & -32};
                for (int place : places) {
                    byte[] counter = lastBeforeCarry(width, place);
                    int length = 16 * blocks - place % 16;
                    byte[] expected = jdk(keyBytes, counter, Arrays.copyOf(text, length));
                    byte[] out = new byte[length];
                    mode.encrypt(counter, text, 0, length, out, 0);
                    assertTrue(
                            Arrays.equals(expected, out),
                            () -> "carry of " + width + " bytes after block " + place + " in "
                                    + length + " bytes");
                }
            }
        }
    }

    /** A counter whose last {@code width} bytes are all ones {@code place} blocks later. */
    private static byte[] lastBeforeCarry(int width, int place) {
        byte[] counter = Samples.pattern(1, 16);
        Arrays.fill(counter, 16 - width, 16, (byte) 0xFF);
        ByteBuffer.wrap(counter).putInt(12, -1 - place);
        return counter;
    }

    /** Pieces of one size, for every size, and two pieces, for every cut. */
    @ParameterizedTest
    @MethodSource("engines")
    void everyChunking(String engine) throws Exception {
        CtrMode mode = Aes.ctr(AesKey.of(keyBytes, engine));
        byte[] counter = TestVectors.hex("00112233445566778899aabbfffffff0");
        byte[] text = Samples.pattern(12, 3001);
        byte[] expected = jdk(keyBytes, counter, text);
        for (int size = 1; size <= 1100; size++) {
            byte[] out = new byte[text.length];
            CipherOperation operation = mode.encryptor(counter);
            int at = 0;
            while (text.length - at > size) {
                assertEquals(size, operation.update(text, at, size, out, at));
                at += size;
            }
            operation.doFinal(text, at, text.length - at, out, at);
            assertArrayEquals(expected, out, "pieces of " + size);
        }
        for (int cut = 0; cut <= 1400; cut++) {
            CipherOperation operation = mode.decryptor(counter);
            byte[] head = operation.update(expected, 0, cut);
            byte[] tail = operation.doFinal(expected, cut, 1400 - cut);
            assertArrayEquals(
                    Arrays.copyOf(text, 1400), Samples.concat(head, tail), "cut at " + cut);
        }
    }

    /** Starting at block n is starting with the IV n further on, modulo 2^128. */
    @Test
    void seeksByBlock() throws Exception {
        byte[] text = Samples.pattern(3, 100);
        byte[][] ivs = {
            iv, TestVectors.hex("ffffffffffffffffffffffffffffffff"),
            TestVectors.hex("0000000000000000fffffffffffffff0"),
            TestVectors.hex("101112131415161718191a1b1c1d1e70"),
            TestVectors.hex("00112233445566778899aabb7ffffff0"), new byte[16]
        };
        long[] blocks = {0, 1, 2, 15, 16, 17, 127, 128, 255, 256, 65535, 65536, (1L << 31) - 1,
            1L << 31, 1L << 32, 1L << 62, Long.MAX_VALUE};
        for (byte[] first : ivs) {
            for (long block : blocks) {
                byte[] there =
                        new BigInteger(1, first)
                                .add(BigInteger.valueOf(block))
                                .mod(BigInteger.ONE.shiftLeft(128))
                                .toByteArray();
                byte[] counter = new byte[16];
                int n = Math.min(16, there.length);
                System.arraycopy(there, there.length - n, counter, 16 - n, n);
                byte[] expected = jdk(keyBytes, counter, text);
                CipherOperation operation = ctr.encryptor(first, block);
                assertArrayEquals(first, operation.iv());
                assertArrayEquals(expected, operation.doFinal(text), "block " + block);
                assertArrayEquals(text, ctr.decryptor(first, block).doFinal(expected));
            }
        }
        byte[] whole = ctr.encrypt(iv, new byte[16 * 300]);
        for (int block = 0; block < 300; block++) {
            assertArrayEquals(
                    Arrays.copyOfRange(whole, 16 * block, whole.length),
                    ctr.encryptor(iv, block).doFinal(new byte[whole.length - 16 * block]));
        }
        assertThrows(IllegalArgumentException.class, () -> ctr.encryptor(iv, -1));
        assertThrows(IllegalArgumentException.class, () -> ctr.decryptor(iv, Long.MIN_VALUE));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void overlapInArrays(String engine) throws Exception {
        CtrMode mode = Aes.ctr(AesKey.of(keyBytes, engine));
        for (int length : new int[] {0, 1, 15, 16, 17, 40, 64, 129, 512, 700}) {
            byte[] text = Samples.pattern(length, length);
            byte[] expected = jdk(keyBytes, iv, text);
            for (int shift : new int[] {-700, -65, -17, -16, -1, 0, 1, 3, 15, 16, 17, 64, 129, 700}) {
                byte[] array = new byte[2200];
                System.arraycopy(text, 0, array, 700, length);
                assertEquals(length, mode.encrypt(iv, array, 700, length, array, 700 + shift));
                assertArrayEquals(
                        expected,
                        Arrays.copyOfRange(array, 700 + shift, 700 + shift + length),
                        () -> "length " + length + ", shift " + shift);
                System.arraycopy(text, 0, array, 700, length);
                CipherOperation operation = mode.encryptor(iv);
                int head = length / 3;
                byte[] first = operation.update(array, 700, head);
                int rest = length - head;
                operation.update(array, 700 + head, rest, array, 700 + head + shift);
                assertArrayEquals(
                        expected,
                        Samples.concat(
                                first,
                                Arrays.copyOfRange(
                                        array, 700 + head + shift, 700 + length + shift)),
                        () -> "second piece, length " + length + ", shift " + shift);
            }
        }
    }

    @Test
    void buffersOfEveryKind() throws Exception {
        for (int length : new int[] {0, 1, 16, 37, 64, 600}) {
            byte[] text = Samples.pattern(length, length);
            byte[] expected = jdk(keyBytes, iv, text);
            BufferContract.check(text, expected, (in, out) -> ctr.encrypt(iv, in, out));
            BufferContract.check(expected, text, (in, out) -> ctr.decrypt(iv, in, out));
            BufferContract.check(
                    text, expected, (in, out) -> ctr.encryptor(iv).update(in, out));
            BufferContract.check(
                    text,
                    expected,
                    (in, out) -> {
                        CipherOperation operation = ctr.encryptor(iv);
                        int limit = in.limit();
                        in.limit(in.position() + length / 3);
                        int head = operation.update(in, out);
                        in.limit(limit);
                        return head + operation.doFinal(in, out);
                    });
        }
    }

    /** Nothing but the output changes, whatever the offsets. */
    @ParameterizedTest
    @MethodSource("engines")
    void offsets(String engine) throws Exception {
        CtrMode mode = Aes.ctr(AesKey.of(keyBytes, engine));
        for (int length : new int[] {0, 1, 15, 16, 31, 100, 129, 600}) {
            byte[] text = Samples.pattern(length, length);
            byte[] expected = jdk(keyBytes, iv, text);
            for (int off = 0; off < 20; off++) {
                byte[] in = Samples.concat(new byte[off], text, new byte[40 - off]);
                byte[] inBefore = in.clone();
                byte[] out = Samples.pattern(7, length + 40);
                byte[] wanted = out.clone();
                System.arraycopy(expected, 0, wanted, 19 - off, length);
                mode.encrypt(iv, in, off, length, out, 19 - off);
                assertArrayEquals(wanted, out);
                assertArrayEquals(inBefore, in);
            }
        }
    }

    @Test
    void overlapInBuffers() throws Exception {
        byte[] text = Samples.pattern(44, 112);
        byte[] expected = jdk(keyBytes, iv, text);
        for (boolean direct : new boolean[] {false, true}) {
            for (int shift = -40; shift <= 40; shift++) {
                for (boolean readOnly : new boolean[] {false, true}) {
                    ByteBuffer memory =
                            direct ? ByteBuffer.allocateDirect(300) : ByteBuffer.allocate(300);
                    memory.position(50).put(text);
                    ByteBuffer in = memory.duplicate().position(50).limit(162).slice();
                    in = readOnly ? in.asReadOnlyBuffer() : in;
                    ByteBuffer out = memory.duplicate().position(50 + shift).slice();
                    String which = "direct " + direct + ", shift " + shift;
                    assertEquals(112, ctr.encrypt(iv, in, out), which);
                    assertEquals(112, in.position());
                    assertEquals(112, out.position());
                    byte[] got = new byte[112];
                    out.flip().get(got);
                    assertArrayEquals(expected, got, which);
                }
            }
        }
        ByteBuffer one = ByteBuffer.allocate(9);
        assertThrows(IllegalArgumentException.class, () -> ctr.encrypt(iv, one, one));
        assertThrows(
                IllegalArgumentException.class,
                () -> ctr.encrypt(iv, one, ByteBuffer.allocate(9).asReadOnlyBuffer()));
        assertThrows(
                ShortBufferException.class, () -> ctr.encrypt(iv, one, ByteBuffer.allocate(8)));
        assertEquals(0, one.position());
    }

    @Test
    void refusesBadArgumentsAndGoesOn() throws Exception {
        byte[] text = Samples.pattern(1, 50);
        for (int length : new int[] {0, 1, 8, 12, 15, 17, 32}) {
            byte[] bad = new byte[length];
            assertThrows(IllegalArgumentException.class, () -> ctr.encrypt(bad, text));
            assertThrows(IllegalArgumentException.class, () -> ctr.decryptor(bad));
        }
        assertThrows(NullPointerException.class, () -> ctr.encrypt(null, text));
        assertThrows(NullPointerException.class, () -> ctr.encrypt(iv, null));
        assertThrows(NullPointerException.class, () -> Aes.ctr(null));
        CipherOperation operation = ctr.encryptor(iv);
        for (int[] range : new int[][] {{-1, 5}, {0, -1}, {46, 5}, {51, 0},
            {5, Integer.MAX_VALUE}, {Integer.MAX_VALUE, 5}}) {
            assertOutside(() -> operation.update(text, range[0], range[1]));
            assertOutside(() -> operation.update(text, range[0], range[1], new byte[60], 0));
            assertOutside(() -> operation.doFinal(text, range[0], range[1]));
            assertOutside(() -> ctr.encrypt(iv, text, range[0], range[1], new byte[60], 0));
        }
        for (int room = 0; room < 50; room++) {
            byte[] small = new byte[room];
            assertThrows(
                    ShortBufferException.class, () -> operation.doFinal(text, 0, 50, small, 0));
            assertThrows(
                    ShortBufferException.class, () -> operation.update(text, 0, 50, small, 0));
        }
        assertEquals(Integer.MAX_VALUE, operation.outputSize(Integer.MAX_VALUE));
        assertEquals(0, operation.outputSize(0));
        assertThrows(IllegalArgumentException.class, () -> operation.outputSize(-1));
        assertArrayEquals(jdk(keyBytes, iv, text), operation.doFinal(text));
    }

    private static void assertOutside(Callable<?> call) {
        assertThrows(IndexOutOfBoundsException.class, call::call);
    }

    @Test
    void endedOperationsAndClosedKeysServeNothing() throws Exception {
        CipherOperation ended = ctr.encryptor(iv);
        ended.doFinal(new byte[5]);
        CipherOperation closed = ctr.encryptor(iv);
        closed.close();
        closed.close();
        CipherOperation orphan = ctr.encryptor(iv);
        key.close();
        byte[] out = new byte[40];
        for (CipherOperation operation : List.of(ended, closed, orphan)) {
            assertRefused(() -> operation.update(new byte[0]));
            assertRefused(() -> operation.update(out, 0, 5, out, 0));
            assertRefused(() -> operation.update(ByteBuffer.wrap(out), ByteBuffer.allocate(40)));
            assertRefused(operation::doFinal);
            assertRefused(() -> operation.doFinal(out, 0, 5, out, 0));
        }
        assertRefused(() -> ctr.encrypt(iv, out));
        assertRefused(() -> ctr.encrypt(iv, out, 0, 5, out, 0));
        assertRefused(() -> ctr.decrypt(iv, ByteBuffer.wrap(out), ByteBuffer.allocate(40)));
        assertRefused(() -> ctr.encryptor(iv));
        assertRefused(() -> Aes.ctr(key));
        assertArrayEquals(new byte[40], out);
    }

    private static void assertRefused(Callable<?> call) {
        assertThrows(IllegalStateException.class, call::call);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void manyThreadsShareOneObject(String engine) throws Exception {
        CtrMode mode = Aes.ctr(AesKey.of(keyBytes, engine));
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                byte[] counter = Samples.pattern(t, 16);
                byte[] text = Samples.pattern(t, 300 + 200 * t);
                byte[] expected = jdk(keyBytes, counter, text);
                all.add(
                        threads.submit(
                                () -> {
                                    for (int i = 0; i < 5000; i++) {
                                        assertArrayEquals(expected, mode.encrypt(counter, text));
                                    }
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
