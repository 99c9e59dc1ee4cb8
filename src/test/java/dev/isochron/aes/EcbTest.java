package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.bouncycastle.crypto.DefaultBufferedBlockCipher;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.paddings.PKCS7Padding;
import org.bouncycastle.crypto.paddings.PaddedBufferedBlockCipher;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** ECB, of whole blocks and with padding. */
class EcbTest {

    @Nested
    class WholeBlocks extends AesKeyModeContract {

        @Override
        CipherMode mode(AesKey key) {
            return Aes.ecb(key);
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(
                    Peers.jdk("AES/ECB/NoPadding"),
                    Peers.bouncyCastle(
                            () -> new DefaultBufferedBlockCipher(AESEngine.newInstance())));
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
            return Aes.ecbPadded(key);
        }

        @Override
        List<Peers.Peer> peers() {
            return List.of(
                    Peers.jdk("AES/ECB/PKCS5Padding"),
                    Peers.bouncyCastle(
                            () ->
                                    new PaddedBufferedBlockCipher(
                                            AESEngine.newInstance(), new PKCS7Padding())));
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

    /** SP 800-38A section 6.1: equal blocks come out equal, wherever they stand. */
    @Test
    void aBlockIsOnItsOwn() {
        CipherMode ecb = Aes.ecb(Samples.key(Aes.engine(), 256));
        byte[] block = Samples.pattern(5, 16);
        byte[] text = new byte[16 * 700];
        for (int i = 0; i < text.length; i += 16) {
            System.arraycopy(block, 0, text, i, 16);
        }
        byte[] one = ecb.encrypt(null, block);
        byte[] all = ecb.encrypt(new byte[0], text);
        for (int i = 0; i < text.length; i += 16) {
            assertArrayEquals(one, Arrays.copyOfRange(all, i, i + 16));
        }
    }

    @Test
    void names() {
        AesKey key = AesKey.generate(128);
        for (CipherMode mode : List.of(Aes.ecb(key), Aes.ecbPadded(key))) {
            assertEquals("ECB", mode.mode());
            assertEquals(0, mode.ivLength());
            assertEquals(0, mode.encryptor(null).iv().length);
        }
    }
}
