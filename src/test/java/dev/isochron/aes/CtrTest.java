package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.crypto.DefaultBufferedBlockCipher;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CTR: the contract of all modes, its counter and its seeking. */
class CtrTest extends AesKeyModeContract {

    private static final Peers.Peer JDK = Peers.jdk("AES/CTR/NoPadding");

    private final byte[] keyBytes = Samples.pattern(256, 32);
    private final byte[] iv = Samples.pattern(9, 16);
    private final AesKey key = AesKey.of(keyBytes);
    private final CtrMode ctr = Aes.ctr(key);

    @Override
    CipherMode mode(AesKey key) {
        return Aes.ctr(key);
    }

    @Override
    List<Peers.Peer> peers() {
        return List.of(
                JDK,
                Peers.bouncyCastle(
                        () ->
                                new DefaultBufferedBlockCipher(
                                        SICBlockCipher.newInstance(AESEngine.newInstance()))));
    }

    @Override
    boolean takes(int length) {
        return true;
    }

    @Override
    int released(boolean encrypting, int taken) {
        return taken;
    }

    private static byte[] jdk(byte[] key, byte[] iv, byte[] in) throws Exception {
        return JDK.encrypt(key, iv, in);
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

    /** Pieces of one size, for every size, and two pieces, for every cut, across a carry. */
    @ParameterizedTest
    @MethodSource("engines")
    void everyChunkingAcrossACarry(String engine) throws Exception {
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
}
