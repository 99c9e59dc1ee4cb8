package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.DefaultBufferedBlockCipher;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.CFBBlockCipher;
import org.bouncycastle.crypto.modes.OFBBlockCipher;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CFB128, CFB8 and OFB: the contract of all modes, and what sets the three apart. */
class FeedbackModesTest {

    private final byte[] iv = Samples.pattern(9, 16);

    /** What the three share: any length, and every byte at once. */
    private abstract static class Feedback extends AesKeyModeContract {

        @Override
        boolean takes(int length) {
            return true;
        }

        @Override
        int released(boolean encrypting, int taken) {
            return taken;
        }
    }

    private static BlockCipher aes() {
        return AESEngine.newInstance();
    }

    @Nested
    class Cfb128 extends Feedback {

        @Override
        CipherMode mode(AesKey key) {
            return Aes.cfb(key);
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(
                    Peers.jdk("AES/CFB/NoPadding"),
                    Peers.bouncyCastle(
                            () ->
                                    new DefaultBufferedBlockCipher(
                                            CFBBlockCipher.newInstance(aes(), 128))));
        }
    }

    @Nested
    class Cfb8 extends Feedback {

        @Override
        CipherMode mode(AesKey key) {
            return Aes.cfb8(key);
        }

        @Override
        int longest() {
            return 2_100;
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(
                    Peers.jdk("AES/CFB8/NoPadding"),
                    Peers.bouncyCastle(
                            () ->
                                    new DefaultBufferedBlockCipher(
                                            CFBBlockCipher.newInstance(aes(), 8))));
        }
    }

    @Nested
    class Ofb extends Feedback {

        @Override
        CipherMode mode(AesKey key) {
            return Aes.ofb(key);
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(
                    Peers.jdk("AES/OFB/NoPadding"),
                    Peers.bouncyCastle(
                            () -> new DefaultBufferedBlockCipher(new OFBBlockCipher(aes(), 128))));
        }
    }

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    /** FB-05, FB-07, FB-10: the modes agree as far as they must, and no further. */
    @ParameterizedTest
    @MethodSource("engines")
    void theModesAreThreeModes(String engine) throws Exception {
        for (int bits : new int[] {128, 192, 256}) {
            AesKey key = Samples.key(engine, bits);
            byte[] text = Samples.pattern(1, 48);
            byte[] cfb = Aes.cfb(key).encrypt(iv, text);
            byte[] cfb8 = Aes.cfb8(key).encrypt(iv, text);
            byte[] ofb = Aes.ofb(key).encrypt(iv, text);
            assertEquals(0, Arrays.compare(cfb, 0, 16, ofb, 0, 16));
            assertNotEquals(0, Arrays.compare(cfb, 16, 32, ofb, 16, 32));
            assertEquals(cfb[0], cfb8[0]);
            assertNotEquals(0, Arrays.compare(cfb, 1, 16, cfb8, 1, 16));
        }
        assertEquals("CFB128", Aes.cfb(Samples.key(engine, 128)).mode());
        assertEquals("CFB8", Aes.cfb8(Samples.key(engine, 128)).mode());
        assertEquals("OFB", Aes.ofb(Samples.key(engine, 128)).mode());
    }

    /** What each mode is worth: CFB8 finds its way again after a lost byte, the others do not. */
    @Test
    void cfb8SynchronizesItself() throws Exception {
        CipherMode mode = Aes.cfb8(AesKey.of(new byte[16]));
        byte[] text = Samples.pattern(3, 100);
        byte[] sent = mode.encrypt(iv, text);
        byte[] received = Samples.concat(Arrays.copyOf(sent, 40), Arrays.copyOfRange(sent, 41, 100));
        byte[] read = mode.decrypt(iv, received);
        assertEquals(40, Arrays.mismatch(text, read));
        assertArrayEquals(
                Arrays.copyOfRange(text, 57, 100), Arrays.copyOfRange(read, 56, 99));
        assertFalse(Arrays.equals(Arrays.copyOfRange(text, 41, 57), Arrays.copyOfRange(read, 40, 56)));
    }
}
