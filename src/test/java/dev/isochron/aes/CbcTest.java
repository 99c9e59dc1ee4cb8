package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.bouncycastle.crypto.DefaultBufferedBlockCipher;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.modes.NISTCTSBlockCipher;
import org.bouncycastle.crypto.paddings.PKCS7Padding;
import org.bouncycastle.crypto.paddings.PaddedBufferedBlockCipher;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CBC, with each of its five ends. */
class CbcTest {

    private final byte[] iv = Samples.pattern(9, 16);

    @Nested
    class WholeBlocks extends AesKeyModeContract {

        @Override
        CipherMode mode(AesKey key) {
            return Aes.cbcNoPadding(key);
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(
                    Peers.jdk("AES/CBC/NoPadding"),
                    Peers.bouncyCastle(
                            () ->
                                    new DefaultBufferedBlockCipher(
                                            CBCBlockCipher.newInstance(AESEngine.newInstance()))));
        }

        @Override
        boolean takes(int length) {
            return length % 16 == 0;
        }

        @Override
        int released(boolean encrypting, int taken) {
            return taken & -16;
        }
    }

    @Nested
    class Padded extends AesKeyModeContract {

        @Override
        CipherMode mode(AesKey key) {
            return Aes.cbc(key);
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(
                    Peers.jdk("AES/CBC/PKCS5Padding"),
                    Peers.bouncyCastle(
                            () ->
                                    new PaddedBufferedBlockCipher(
                                            CBCBlockCipher.newInstance(AESEngine.newInstance()),
                                            new PKCS7Padding())));
        }

        @Override
        boolean takes(int length) {
            return true;
        }

        @Override
        boolean pads() {
            return true;
        }

        @Override
        int released(boolean encrypting, int taken) {
            return encrypting ? taken & -16 : Math.max(0, taken - 1) & -16;
        }
    }

    /** What the three ways of stealing share. */
    private abstract static class Stealing extends AesKeyModeContract {

        @Override
        boolean takes(int length) {
            return length >= 16;
        }

        /** The last two blocks wait, the last of them 1 to 16 bytes long. */
        @Override
        int released(boolean encrypting, int taken) {
            return Math.max(0, taken - 17) & -16;
        }
    }

    private static Peers.Peer bouncyCastle(int variant) {
        return Peers.bouncyCastle(() -> new NISTCTSBlockCipher(variant, AESEngine.newInstance()));
    }

    @Nested
    class Cs1 extends Stealing {

        @Override
        CipherMode mode(AesKey key) {
            return Aes.cbcCs1(key);
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(bouncyCastle(NISTCTSBlockCipher.CS1));
        }
    }

    @Nested
    class Cs2 extends Stealing {

        @Override
        CipherMode mode(AesKey key) {
            return Aes.cbcCs2(key);
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(bouncyCastle(NISTCTSBlockCipher.CS2));
        }
    }

    @Nested
    class Cs3 extends Stealing {

        @Override
        CipherMode mode(AesKey key) {
            return Aes.cbcCs3(key);
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(Peers.jdk("AES/CTS/NoPadding"), bouncyCastle(NISTCTSBlockCipher.CS3));
        }
    }

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    /** The addendum's own words on how its variants relate to each other and to CBC. */
    @ParameterizedTest
    @MethodSource("engines")
    void variantsOfStealing(String engine) {
        AesKey key = Samples.key(engine, 192);
        for (int length = 16; length <= 1700; length++) {
            byte[] text = Samples.pattern(length, length);
            byte[] cs1 = Aes.cbcCs1(key).encrypt(iv, text);
            byte[] cs2 = Aes.cbcCs2(key).encrypt(iv, text);
            byte[] cs3 = Aes.cbcCs3(key).encrypt(iv, text);
            int d = length % 16 == 0 ? 16 : length % 16;
            byte[] padded = Arrays.copyOf(text, length - d + 16);
            byte[] cbc = Aes.cbcNoPadding(key).encrypt(iv, padded);
            if (length == 16) {
                assertArrayEquals(cbc, cs1);
                assertArrayEquals(cbc, cs2);
                assertArrayEquals(cbc, cs3);
                continue;
            }
            // CBC of the text padded with zeros, less what was stolen from the last block but one.
            int start = length - d - 16;
            byte[] head = Arrays.copyOf(cbc, start);
            byte[] stolenFrom = Arrays.copyOfRange(cbc, start, start + d);
            byte[] last = Arrays.copyOfRange(cbc, start + 16, start + 32);
            byte[] inOrder = Samples.concat(head, stolenFrom, last);
            byte[] exchanged = Samples.concat(head, last, stolenFrom);
            assertArrayEquals(inOrder, cs1, length + " bytes");
            assertArrayEquals(d == 16 ? inOrder : exchanged, cs2, length + " bytes");
            assertArrayEquals(exchanged, cs3, length + " bytes");
        }
    }

    /** A changed bit garbles its block and flips the same bit of the next, in batches too. */
    @ParameterizedTest
    @MethodSource("engines")
    void errorsSpreadAsTheStandardSays(String engine) throws Exception {
        CipherMode cbc = Aes.cbcNoPadding(Samples.key(engine, 128));
        byte[] text = Samples.pattern(1, 16 * 620);
        byte[] ciphertext = cbc.encrypt(iv, text);
        Random random = new Random(4);
        for (int round = 0; round < 300; round++) {
            int bit = random.nextInt(8 * ciphertext.length);
            byte[] changed = ciphertext.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            byte[] got = cbc.decrypt(iv, changed);
            int block = bit / 8 & -16;
            assertFalse(Arrays.equals(text, block, block + 16, got, block, block + 16));
            byte[] expected = text.clone();
            System.arraycopy(got, block, expected, block, 16);
            if (bit / 8 + 16 < text.length) {
                expected[bit / 8 + 16] ^= (byte) (1 << bit % 8);
            }
            assertArrayEquals(expected, got, "bit " + bit);
        }
        for (int bit = 0; bit < 128; bit++) {
            byte[] changed = iv.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            byte[] expected = text.clone();
            expected[bit / 8] ^= (byte) (1 << bit % 8);
            assertArrayEquals(expected, cbc.decrypt(changed, ciphertext));
        }
    }

    @Test
    void names() {
        AesKey key = AesKey.generate(256);
        assertEquals("CBC", Aes.cbc(key).mode());
        assertEquals("CBC", Aes.cbcNoPadding(key).mode());
        assertEquals("CBC-CS1", Aes.cbcCs1(key).mode());
        assertEquals("CBC-CS2", Aes.cbcCs2(key).mode());
        assertEquals("CBC-CS3", Aes.cbcCs3(key).mode());
        assertEquals(16, Aes.cbc(key).ivLength());
        assertEquals(16, Aes.cbcCs3(key).ivLength());
    }
}
