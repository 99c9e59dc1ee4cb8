package dev.isochron.aes.internal.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Samples;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The hybrid: its results against the JDK, its policy with a bulk engine that counts. */
class CtrHybridTest {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    private static final byte[] KEY = Samples.pattern(1, 32);

    private final RoundKeys keys = RoundKeys.expand(KEY);
    private int made;
    private int closed;

    private final BlockCipher hybrid = new CtrHybrid(keys, PermuteEngine::new, Counting::new);

    /** The permute engine as the bulk engine: what matters is when it is made and closed. */
    private final class Counting implements BlockCipher {

        private final BlockCipher cipher;

        Counting(RoundKeys keys) {
            cipher = new PermuteEngine(keys);
            made++;
        }

        @Override
        public void encrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
            cipher.encrypt(in, inOff, out, outOff, blocks);
        }

        @Override
        public void decrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
            cipher.decrypt(in, inOff, out, outOff, blocks);
        }

        @Override
        public void ctr(
                long mask,
                long high,
                long low,
                byte[] in,
                int inOff,
                byte[] out,
                int outOff,
                int length) {
            cipher.ctr(mask, high, low, in, inOff, out, outOff, length);
        }

        @Override
        public void close() {
            cipher.close();
            closed++;
        }
    }

    @AfterEach
    void noConvertedKeyOutlivesItsCall() {
        assertEquals(made, closed);
    }

    /** Whichever engine a length goes to, and wherever the seams are, the result is the JDK's. */
    @Test
    void theResultDoesNotDependOnTheEngine() throws Exception {
        byte[] in = Samples.pattern(2, 620 * BLOCK);
        byte[] encrypted = jdk("AES/ECB/NoPadding", Cipher.ENCRYPT_MODE, null, in);
        byte[] decrypted = jdk("AES/ECB/NoPadding", Cipher.DECRYPT_MODE, null, in);
        byte[] iv = new byte[BLOCK];
        iv[7] = 5;
        Arrays.fill(iv, 8, BLOCK, (byte) -1);
        byte[] ctr =
                jdk("AES/CTR/NoPadding", Cipher.ENCRYPT_MODE, new IvParameterSpec(iv), in);
        try (BlockCipher real = new CtrHybrid(keys, PermuteEngine::new, BitslicedEngine::new)) {
            for (BlockCipher cipher : List.of(real, hybrid)) {
                for (int blocks = 0; blocks < 620; blocks++) {
                    byte[] got = new byte[BLOCK * blocks];
                    cipher.encrypt(in, 0, got, 0, blocks);
                    assertPrefix(encrypted, got, "encrypt");
                    cipher.decrypt(in, 0, got, 0, blocks);
                    assertPrefix(decrypted, got, "decrypt");
                    for (int tail : new int[] {0, 1, BLOCK - 1}) {
                        got = new byte[BLOCK * blocks + tail];
                        cipher.ctr(5, -1, in, 0, got, 0, got.length);
                        assertPrefix(ctr, got, "ctr");
                    }
                    assertEquals(made, closed);
                }
            }
        }
    }

    private static byte[] jdk(
            String transformation, int direction, AlgorithmParameterSpec iv, byte[] in)
            throws GeneralSecurityException {
        Cipher aes = Cipher.getInstance(transformation);
        aes.init(direction, new SecretKeySpec(KEY, "AES"), iv);
        return aes.doFinal(in);
    }

    private static void assertPrefix(byte[] expected, byte[] got, String what) {
        assertTrue(
                Arrays.equals(expected, 0, got.length, got, 0, got.length),
                () -> what + " of " + got.length + " bytes");
    }

    @Test
    void littleDataPaysForNoConversionAndMuchDataForOne() {
        byte[] data = new byte[1000 * BLOCK];
        hybrid.encrypt(data, 0, data, 0, 1);
        hybrid.decrypt(data, 0, data, 0, 1);
        hybrid.ctr(0, 0, data, 0, data, 0, 1);
        hybrid.ctr(0, 0, data, 0, data, 0, BLOCK);
        assertEquals(0, made);
        hybrid.encrypt(data, 0, data, 0, 1000);
        hybrid.decrypt(data, 0, data, 0, 1000);
        hybrid.ctr(0, 0, data, 0, data, 0, data.length);
        assertEquals(3, made);
    }

    @Test
    void aFailedCallWipesTheConvertedKeyToo() {
        byte[] tooShort = new byte[10];
        byte[] data = new byte[1000 * BLOCK];
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> hybrid.encrypt(data, 0, tooShort, 0, 1000));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> hybrid.ctr(0, 0, data, 0, tooShort, 0, data.length));
        assertTrue(made > 0);
    }
}
