package dev.isochron.aes.internal.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Samples;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The hybrid's policy, with a bulk engine that counts. */
class CtrHybridTest {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    private final RoundKeys keys = RoundKeys.expand(Samples.pattern(1, 32));
    private final BlockCipher single = new PermuteEngine(keys);
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

    /** Whichever engine a length goes to, and wherever the seams are, the result is one. */
    @Test
    void theResultDoesNotDependOnTheEngine() {
        byte[] in = Samples.pattern(2, 100 * BLOCK);
        for (int length = 0; length <= in.length; length++) {
            byte[] expected = new byte[length];
            byte[] got = new byte[length];
            single.ctr(5, -3, in, 0, expected, 0, length);
            hybrid.ctr(5, -3, in, 0, got, 0, length);
            assertArrayEquals(expected, got, length + " bytes");
            assertEquals(made, closed);
            if (length % BLOCK == 0) {
                int blocks = length / BLOCK;
                single.encrypt(in, 0, expected, 0, blocks);
                hybrid.encrypt(in, 0, got, 0, blocks);
                assertArrayEquals(expected, got, blocks + " blocks encrypted");
                hybrid.decrypt(got, 0, got, 0, blocks);
                single.decrypt(expected, 0, expected, 0, blocks);
                assertArrayEquals(expected, got, blocks + " blocks decrypted");
                assertEquals(made, closed);
            }
        }
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
