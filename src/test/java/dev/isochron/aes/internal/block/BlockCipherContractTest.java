package dev.isochron.aes.internal.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Samples;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of {@link BlockCipher}, on every engine and key size, with the JDK's AES as the
 * reference.
 */
class BlockCipherContractTest {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;
    private static final int MAX_BLOCKS = 70;
    private static final int MANY_BLOCKS = 101;

    /** Counts of blocks around all that engines batch by: 4, 64, 96, 128, 512, and these together. */
    private static final int[] SEAMS =
            IntStream.concat(
                            IntStream.rangeClosed(1, 130),
                            IntStream.of(
                                    191, 192, 193, 255, 256, 257, 511, 512, 513, 514, 575, 576, 577,
                                    607, 608, 609, 610, 1023, 1024, 1025, 1026, 1100))
                    .toArray();

    private static byte[] key(int bits) {
        return Samples.pattern(bits + 1, bits / 8);
    }

    /** Runs a check on an engine's cipher. */
    private interface Check {
        void accept(BlockCipher cipher) throws Exception;
    }

    static Stream<Arguments> ciphers() {
        return Engines.all().stream()
                .flatMap(
                        engine ->
                                Stream.of(128, 192, 256)
                                        .map(bits -> Arguments.of(engine.name(), bits)));
    }

    private static void with(String engine, int bits, Check check) throws Exception {
        try (RoundKeys keys = RoundKeys.expand(key(bits));
                BlockCipher cipher = Engines.byName(engine).cipher(keys)) {
            check.accept(cipher);
        }
    }

    private static byte[] jdk(int direction, int bits, byte[] in) throws Exception {
        Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
        aes.init(direction, new SecretKeySpec(key(bits), "AES"));
        return aes.doFinal(in);
    }

    private static byte[] jdkCtr(int bits, byte[] counter, byte[] in) throws Exception {
        Cipher aes = Cipher.getInstance("AES/CTR/NoPadding");
        aes.init(
                Cipher.ENCRYPT_MODE,
                new SecretKeySpec(key(bits), "AES"),
                new IvParameterSpec(counter));
        return aes.doFinal(in);
    }

    private static byte[] counter(long high, long low) {
        return ByteBuffer.allocate(BLOCK).putLong(high).putLong(low).array();
    }

    @ParameterizedTest
    @MethodSource("ciphers")
    void distinctBlocksInABatchAreAsEachAlone(String engine, int bits) throws Exception {
        byte[] in = Samples.pattern(5, MANY_BLOCKS * BLOCK);
        with(
                engine,
                bits,
                cipher -> {
                    byte[] batch = new byte[in.length];
                    byte[] single = new byte[in.length];
                    cipher.encrypt(in, 0, batch, 0, MANY_BLOCKS);
                    for (int i = 0; i < MANY_BLOCKS; i++) {
                        cipher.encrypt(in, BLOCK * i, single, BLOCK * i, 1);
                    }
                    assertArrayEquals(single, batch);
                    cipher.decrypt(in, 0, batch, 0, MANY_BLOCKS);
                    for (int i = 0; i < MANY_BLOCKS; i++) {
                        cipher.decrypt(in, BLOCK * i, single, BLOCK * i, 1);
                    }
                    assertArrayEquals(single, batch);
                });
    }

    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("ciphers")
    void everyCountOfBlocksIsAsTheJdkSays(String engine, int bits) throws Exception {
        byte[] in = Samples.pattern(9, MAX_BLOCKS * BLOCK);
        byte[] encrypted = jdk(Cipher.ENCRYPT_MODE, bits, in);
        byte[] decrypted = jdk(Cipher.DECRYPT_MODE, bits, in);
        with(
                engine,
                bits,
                cipher -> {
                    for (int blocks = 0; blocks <= MAX_BLOCKS; blocks++) {
                        byte[] expected = new byte[in.length];
                        byte[] out = new byte[in.length];
                        System.arraycopy(encrypted, 0, expected, 0, BLOCK * blocks);
                        cipher.encrypt(in, 0, out, 0, blocks);
                        assertArrayEquals(expected, out, blocks + " blocks");
                        System.arraycopy(decrypted, 0, expected, 0, BLOCK * blocks);
                        cipher.decrypt(in, 0, out, 0, blocks);
                        assertArrayEquals(expected, out, blocks + " blocks");
                    }
                });
    }

    /** Batches of every size, full ones and what is left after them, encrypted and decrypted. */
    @ParameterizedTest
    @MethodSource("ciphers")
    void everySeamBetweenBatches(String engine, int bits) throws Exception {
        seams(engine, bits, SEAMS);
    }

    /** Few of the seams, for the lanes where all would take too long. */
    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("ciphers")
    void someSeamsBetweenBatches(String engine, int bits) throws Exception {
        seams(engine, bits, new int[] {97, 129, 513});
    }

    private static void seams(String engine, int bits, int[] counts) throws Exception {
        byte[] text = Samples.random(new Random(bits), counts[counts.length - 1] * BLOCK);
        byte[] encrypted = jdk(Cipher.ENCRYPT_MODE, bits, text);
        byte[] decrypted = jdk(Cipher.DECRYPT_MODE, bits, text);
        with(
                engine,
                bits,
                cipher -> {
                    for (int blocks : counts) {
                        seam(cipher::encrypt, text, encrypted, blocks);
                        seam(cipher::decrypt, text, decrypted, blocks);
                    }
                });
    }

    /** Encryption or decryption. */
    private interface Direction {
        void run(byte[] in, int inOff, byte[] out, int outOff, int blocks);
    }

    /** So many blocks from one array to another at other offsets, and within one array. */
    private static void seam(Direction direction, byte[] text, byte[] expected, int blocks) {
        int n = BLOCK * blocks;
        int inOff = 1 + blocks % 23;
        int outOff = 1 + blocks % 19;
        byte[] in = new byte[inOff + n + 3];
        Arrays.fill(in, (byte) 0x5A);
        byte[] wanted = new byte[outOff + n + 5];
        Arrays.fill(wanted, (byte) 0xA5);
        byte[] out = Samples.concat(wanted);
        System.arraycopy(text, 0, in, inOff, n);
        System.arraycopy(expected, 0, wanted, outOff, n);
        byte[] before = Samples.concat(in);

        direction.run(in, inOff, out, outOff, blocks);
        assertArrayEquals(wanted, out, blocks + " blocks");
        assertArrayEquals(before, in, "the input of " + blocks + " blocks");

        System.arraycopy(expected, 0, before, inOff, n);
        direction.run(in, inOff, in, inOff, blocks);
        assertArrayEquals(before, in, blocks + " blocks in place");

        System.arraycopy(text, 0, in, inOff, n);
        direction.run(in, inOff, in, 0, blocks);
        assertTrue(
                Arrays.equals(expected, 0, n, in, 0, n),
                blocks + " blocks, output " + inOff + " before input");
    }

    /** CBC from a start, apart and in place, {@code links} being the start and all ciphertext. */
    private static void cbcIs(
            BlockCipher cipher, byte[] start, byte[] in, byte[] links, int blocks) {
        int length = BLOCK * blocks;
        byte[] state = start.clone();
        byte[] out = new byte[length + 3];
        cipher.encryptCbc(state, in, 0, out, 1, blocks);
        assertArrayEquals(Arrays.copyOfRange(links, length, length + BLOCK), state);
        byte[] expected = new byte[length + 3];
        System.arraycopy(links, BLOCK, expected, 1, length);
        assertArrayEquals(expected, out, blocks + " blocks of CBC");
        byte[] inPlace = new byte[length + 3];
        System.arraycopy(in, 0, inPlace, 2, length);
        state = start.clone();
        cipher.encryptCbc(state, inPlace, 2, inPlace, 1, blocks);
        assertArrayEquals(
                Arrays.copyOf(expected, length + 1), Arrays.copyOf(inPlace, length + 1));
    }

    /** The chain ends in the last block that CBC gives from the same start. */
    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("ciphers")
    void chainOfEveryLengthIsAsTheJdkSays(String engine, int bits) throws Exception {
        byte[] in = Samples.pattern(9, MAX_BLOCKS * BLOCK);
        byte[] start = Samples.pattern(3, BLOCK);
        Cipher cbc = Cipher.getInstance("AES/CBC/NoPadding");
        cbc.init(
                Cipher.ENCRYPT_MODE,
                new SecretKeySpec(key(bits), "AES"),
                new IvParameterSpec(start));
        byte[] links = Samples.concat(start, cbc.doFinal(in));
        with(
                engine,
                bits,
                cipher -> {
                    for (int blocks = 0; blocks <= MAX_BLOCKS; blocks++) {
                        byte[] state = start.clone();
                        cipher.chain(state, in, 0, blocks);
                        int at = BLOCK * blocks;
                        byte[] link = Arrays.copyOfRange(links, at, at + BLOCK);
                        assertArrayEquals(link, state, blocks + " blocks");
                        cbcIs(cipher, start, in, links, blocks);
                        cipher.chain(state, in, at, MAX_BLOCKS - blocks);
                        assertArrayEquals(
                                Arrays.copyOfRange(links, in.length, links.length), state);
                    }
                    assertArrayEquals(Samples.pattern(9, MAX_BLOCKS * BLOCK), in);
                });
    }

    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("ciphers")
    void ctrOfEveryLengthIsAsTheJdkSays(String engine, int bits) throws Exception {
        byte[] in = Samples.pattern(11, MAX_BLOCKS * BLOCK);
        long high = 0x0102030405060708L;
        long low = 0x1112131415161718L;
        byte[] expected = jdkCtr(bits, counter(high, low), in);
        with(
                engine,
                bits,
                cipher -> {
                    for (int length = 0; length <= in.length; length += Samples.lengthStep()) {
                        byte[] out = new byte[length + 20];
                        cipher.ctr(high, low, in, 0, out, 0, length);
                        assertTrue(
                                Arrays.equals(expected, 0, length, out, 0, length),
                                length + " bytes");
                        assertArrayEquals(
                                new byte[20],
                                Arrays.copyOfRange(out, length, length + 20),
                                "nothing after " + length + " bytes");
                    }
                });
    }

    /** A carry out of 32, 64, 96 and 128 bits, at every place in runs of every count of blocks. */
    @ParameterizedTest
    @MethodSource("ciphers")
    void ctrCarriesAnywhere(String engine, int bits) throws Exception {
        byte[] in = Samples.pattern(13, MAX_BLOCKS * BLOCK);
        long[][] lastBeforeCarry = {
            {0x8877665544332211L, 0x00112233FFFFFFFFL},
            {0x8877665544332211L, 0xFFFFFFFFFFFFFFFFL},
            {0x88776655FFFFFFFFL, 0xFFFFFFFFFFFFFFFFL},
            {0xFFFFFFFFFFFFFFFFL, 0xFFFFFFFFFFFFFFFFL},
            {0x8877665544332211L, 0x7FFFFFFFFFFFFFFFL},
            {0x8877665544332211L, 0x001122337FFFFFFFL},
        };
        with(
                engine,
                bits,
                cipher -> {
                    for (long[] last : lastBeforeCarry) {
                        for (int place = 0; place < MAX_BLOCKS; place++) {
                            long low = last[1] - place;
                            byte[] expected = jdkCtr(bits, counter(last[0], low), in);
                            for (int blocks = place + 1; blocks <= MAX_BLOCKS; blocks++) {
                                byte[] out = new byte[BLOCK * blocks];
                                cipher.ctr(last[0], low, in, 0, out, 0, out.length);
                                assertTrue(
                                        Arrays.equals(expected, 0, out.length, out, 0, out.length),
                                        "carry after block " + place + " of " + blocks);
                            }
                        }
                    }
                });
    }

    /**
     * Batches of every size whose counter wraps near their start, in the middle or near their end:
     * one of 32 bits, as in GCM, and the lower half of one of 128.
     */
    @ParameterizedTest
    @MethodSource("ciphers")
    void ctrWrapsAtEverySeam(String engine, int bits) throws Exception {
        for (long mask : new long[] {Counter.BITS_32, Counter.BITS_128}) {
            for (long rest : new long[] {0x0123456789ABCDEFL, -1}) {
                wraps(engine, bits, mask, rest, SEAMS, 8);
            }
        }
    }

    /** Few of them, for the lanes where all would take too long. */
    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("ciphers")
    void ctrWrapsAtSomeSeams(String engine, int bits) throws Exception {
        for (long mask : new long[] {Counter.BITS_32, Counter.BITS_128}) {
            wraps(engine, bits, mask, -1, new int[] {5, 97, 513}, 0);
        }
    }

    /**
     * CTR against the JDK's single blocks, by SP 800-38A section 6.5 to the letter.
     *
     * @param rest what the bits beside the counted ones are taken from
     * @param near how far from both ends of a batch every place of the wrap is tried
     */
    private static void wraps(
            String engine, int bits, long mask, long rest, int[] counts, int near)
            throws Exception {
        int most = counts[counts.length - 1];
        ByteBuffer counters = ByteBuffer.allocate(2 * most * BLOCK);
        for (int i = -most; i < most; i++) {
            boolean is32 = mask == Counter.BITS_32;
            counters.putLong(is32 || i < 0 ? rest : rest + 1);
            counters.putLong(is32 ? (rest << 32) | (i & 0xFFFFFFFFL) : i);
        }
        byte[] keystream = jdk(Cipher.ENCRYPT_MODE, bits, counters.array());
        byte[] text = Samples.random(new Random(bits), most * BLOCK);
        with(
                engine,
                bits,
                cipher -> {
                    for (int blocks : counts) {
                        for (int before = 1; before <= blocks; before++) {
                            if (before > near
                                    && before < blocks - near
                                    && before != blocks / 2 + 1) {
                                continue;
                            }
                            int from = BLOCK * (most - before);
                            int length = BLOCK * blocks - before % BLOCK;
                            byte[] out = new byte[length];
                            long high = counters.getLong(from);
                            long low = counters.getLong(from + 8);
                            cipher.ctr(mask, high, low, text, 0, out, 0, length);
                            for (int i = 0; i < length; i++) {
                                out[i] ^= keystream[from + i];
                            }
                            assertTrue(
                                    Arrays.equals(text, 0, length, out, 0, length),
                                    before + " of " + blocks + " blocks before the wrap");
                        }
                    }
                });
    }

    /** No offset matters, nothing around the output changes, and the input stays. */
    @ParameterizedTest
    @MethodSource("ciphers")
    void offsets(String engine, int bits) throws Exception {
        with(
                engine,
                bits,
                cipher -> {
                    for (int blocks : new int[] {1, 3, 4, 7, 8, 9, 33}) {
                        int n = BLOCK * blocks;
                        byte[] text = Samples.pattern(blocks, n);
                        byte[] expected = jdk(Cipher.ENCRYPT_MODE, bits, text);
                        for (int off = 0; off < 18; off++) {
                            byte[] in = new byte[n + 40];
                            System.arraycopy(text, 0, in, off, n);
                            byte[] before = Samples.concat(in);
                            byte[] out = new byte[n + 40];
                            Arrays.fill(out, (byte) 0xA5);
                            byte[] wanted = Samples.concat(out);
                            int outOff = 17 - off;

                            cipher.encrypt(in, off, out, outOff, blocks);
                            System.arraycopy(expected, 0, wanted, outOff, n);
                            assertArrayEquals(wanted, out);
                            assertArrayEquals(before, in);

                            cipher.decrypt(out, outOff, out, outOff, blocks);
                            System.arraycopy(text, 0, wanted, outOff, n);
                            assertArrayEquals(wanted, out);
                        }
                    }
                });
    }

    /** Output at, or anywhere before, its input, in one array. */
    @ParameterizedTest
    @MethodSource("ciphers")
    void inPlaceAndOverlappingBackward(String engine, int bits) throws Exception {
        with(
                engine,
                bits,
                cipher -> {
                    for (int blocks : new int[] {1, 2, 4, 5, 8, 13, 32, 64, 70}) {
                        int n = BLOCK * blocks;
                        byte[] text = Samples.pattern(blocks + 3, n);
                        byte[] encrypted = jdk(Cipher.ENCRYPT_MODE, bits, text);
                        byte[] decrypted = jdk(Cipher.DECRYPT_MODE, bits, text);
                        byte[] ctr = jdkCtr(bits, counter(7, -2), text);
                        for (int shift : new int[] {0, 1, 7, 8, 15, 16, 17, 31, 32, 48, 64, 100}) {
                            byte[] array = new byte[shift + n];
                            System.arraycopy(text, 0, array, shift, n);
                            cipher.encrypt(array, shift, array, 0, blocks);
                            assertPrefix(encrypted, array, "encrypt", blocks, shift);
                            System.arraycopy(text, 0, array, shift, n);
                            cipher.decrypt(array, shift, array, 0, blocks);
                            assertPrefix(decrypted, array, "decrypt", blocks, shift);
                            System.arraycopy(text, 0, array, shift, n);
                            cipher.ctr(7, -2, array, shift, array, 0, n - 3);
                            assertPrefix(Arrays.copyOf(ctr, n - 3), array, "ctr", blocks, shift);
                        }
                    }
                });
    }

    private static void assertPrefix(
            byte[] expected, byte[] array, String what, int blocks, int shift) {
        assertTrue(
                Arrays.equals(expected, 0, expected.length, array, 0, expected.length),
                () -> what + " of " + blocks + " blocks, output " + shift + " before input");
    }

    /** What an engine remembers of one key never shows under another. */
    @ParameterizedTest
    @MethodSource("ciphers")
    void ciphersOfOneEngineAreIndependent(String engine, int bits) throws Exception {
        byte[] in = Samples.pattern(1, 16 * BLOCK);
        byte[] expected = jdk(Cipher.ENCRYPT_MODE, bits, in);
        with(
                engine,
                bits,
                cipher -> {
                    try (RoundKeys otherKeys = RoundKeys.expand(new byte[bits / 8]);
                            BlockCipher other = Engines.byName(engine).cipher(otherKeys)) {
                        byte[] out = new byte[in.length];
                        other.encrypt(in, 0, out, 0, 16);
                        cipher.encrypt(in, 0, out, 0, 16);
                        assertArrayEquals(expected, out);
                    }
                    byte[] out = new byte[in.length];
                    cipher.encrypt(in, 0, out, 0, 16);
                    assertArrayEquals(expected, out, "after another one was closed");
                });
    }

    @ParameterizedTest
    @MethodSource("ciphers")
    void closesTwice(String engine, int bits) {
        RoundKeys keys = RoundKeys.expand(key(bits));
        BlockCipher cipher = Engines.byName(engine).cipher(keys);
        byte[] out = new byte[BLOCK];
        cipher.encrypt(out, 0, out, 0, 1);
        cipher.close();
        cipher.close();
        keys.close();
        keys.close();
    }

    /** Tens of thousands of calls of changing sizes, each result checked. */
    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("ciphers")
    void hot(String engine, int bits) throws Exception {
        int[] counts = {1, 1, 2, 1, 4, 1, 3, 1, 8, 1, 5, 1, 17};
        List<byte[]> texts = new ArrayList<>();
        List<byte[]> encrypted = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            texts.add(Samples.random(new Random(i), BLOCK * counts[i]));
            encrypted.add(jdk(Cipher.ENCRYPT_MODE, bits, texts.get(i)));
        }
        with(
                engine,
                bits,
                cipher -> {
                    for (int i = 0; i < Samples.hotCalls(); i++) {
                        int which = i % counts.length;
                        byte[] text = texts.get(which);
                        byte[] out = new byte[text.length];
                        cipher.encrypt(text, 0, out, 0, counts[which]);
                        assertArrayEquals(encrypted.get(which), out);
                        cipher.decrypt(out, 0, out, 0, counts[which]);
                        assertArrayEquals(text, out);
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("ciphers")
    void ctrHot(String engine, int bits) throws Exception {
        byte[] in = Samples.pattern(21, 150);
        byte[] expected = jdkCtr(bits, counter(3, -4), in);
        with(
                engine,
                bits,
                cipher -> {
                    for (int i = 0; i < Samples.hotCalls(); i++) {
                        int length = i % (in.length + 1);
                        byte[] out = new byte[length];
                        cipher.ctr(3, -4, in, 0, out, 0, length);
                        assertTrue(Arrays.equals(expected, 0, length, out, 0, length));
                    }
                });
    }

    @Test
    void enginesAreKnownByName() {
        for (Engines.Engine engine : Engines.all()) {
            assertEquals(engine, Engines.byName(engine.name()));
        }
        String message =
                assertThrows(IllegalArgumentException.class, () -> Engines.byName("table"))
                        .getMessage();
        for (Engines.Engine engine : Engines.all()) {
            assertTrue(message.contains(engine.name()), message);
        }
    }

    @Test
    void thePropertyForcesAnEngine() {
        String before = System.getProperty(Engines.PROPERTY);
        try {
            System.clearProperty(Engines.PROPERTY);
            assertEquals(Engines.all().get(0), Engines.active());
            String byDefault = Engines.reason();
            for (Engines.Engine engine : Engines.all()) {
                System.setProperty(Engines.PROPERTY, engine.name());
                assertEquals(engine, Engines.active());
                assertTrue(!Engines.reason().equals(byDefault));
            }
            System.setProperty(Engines.PROPERTY, "table");
            String message =
                    assertThrows(IllegalArgumentException.class, Engines::active).getMessage();
            assertTrue(message.contains("table"), message);
            assertTrue(message.contains(Engines.all().get(0).name()), message);
        } finally {
            if (before == null) {
                System.clearProperty(Engines.PROPERTY);
            } else {
                System.setProperty(Engines.PROPERTY, before);
            }
        }
    }
}
