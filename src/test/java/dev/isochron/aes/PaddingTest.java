package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.crypto.BadPaddingException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * PKCS #7 padding as RFC 5652 section 6.3 has it: which last blocks decryption accepts, and what is
 * left when it refuses one. The blocks are encrypted without padding, so that they can be any.
 */
class PaddingTest {

    private static final byte FILL = (byte) 0xA5;
    private static final String REFUSAL = "the padding is not right";

    /** What an operation shares with others, and its IV, which is public. */
    private static final Set<String> NO_STATE = Set.of("key", "iv", "cipher", "this$0");

    private final byte[] iv = Samples.pattern(9, 16);

    static Stream<Arguments> modes() {
        return Aes.engines().stream()
                .flatMap(
                        engine ->
                                Stream.of("ECB", "CBC").map(mode -> Arguments.of(engine, mode)));
    }

    private byte[] iv(String mode) {
        return mode.equals("ECB") ? new byte[0] : iv;
    }

    /** How many bytes of padding end a text; 0 if it is not right. The plain way, by the RFC. */
    private static int padding(byte[] text) {
        int n = text[text.length - 1] & 0xFF;
        if (n < 1 || n > 16) {
            return 0;
        }
        for (int i = text.length - n; i < text.length; i++) {
            if (text[i] != n) {
                return 0;
            }
        }
        return n;
    }

    /** A mode with padding, and the same without, under one key. */
    private final class Pair {

        final byte[] iv;
        final CipherMode padded;
        final CipherMode plain;

        Pair(String engine, String mode) {
            AesKey key = Samples.key(engine, 128);
            iv = iv(mode);
            padded = Modes.of(mode + "-PKCS7", key);
            plain = Modes.of(mode, key);
        }

        /** Decrypts what this text, padding and all, would be the ciphertext of. */
        void check(byte[] text) throws Exception {
            byte[] ciphertext = plain.encrypt(iv, text);
            int padding = padding(text);
            String which = TestVectors.hex(text);
            if (padding == 0) {
                assertRefused(() -> padded.decrypt(iv, ciphertext), which);
            } else {
                byte[] expected = Arrays.copyOf(text, text.length - padding);
                assertArrayEquals(expected, padded.decrypt(iv, ciphertext), which);
            }
        }
    }

    private static void assertRefused(Callable<?> call, String which) {
        BadPaddingException refusal = assertThrows(BadPaddingException.class, call::call, which);
        assertSame(BadPaddingException.class, refusal.getClass(), which);
        assertEquals(REFUSAL, refusal.getMessage(), which);
        assertNull(refusal.getCause(), which);
    }

    /** Every value of the last byte, after as many equal bytes as there can be. */
    @ParameterizedTest
    @MethodSource("modes")
    void everyLastByte(String engine, String mode) throws Exception {
        Pair pair = new Pair(engine, mode);
        for (int blocks : new int[] {1, 2, 5}) {
            for (int last = 0; last < 256; last++) {
                for (int equal = 1; equal <= 16; equal++) {
                    byte[] text = Samples.pattern(200, 16 * blocks);
                    Arrays.fill(text, text.length - equal, text.length, (byte) last);
                    if (equal < 16) {
                        text[text.length - equal - 1] = (byte) (last + 1);
                    }
                    pair.check(text);
                }
            }
        }
    }

    /** Each right padding with each byte of the block changed to each other value. */
    @ParameterizedTest
    @MethodSource("modes")
    void everyChangeOfARightPadding(String engine, String mode) throws Exception {
        Pair pair = new Pair(engine, mode);
        for (int padding = 1; padding <= 16; padding++) {
            for (int place = 0; place < 16; place++) {
                byte[] text = Samples.pattern(200, 32);
                Arrays.fill(text, 32 - padding, 32, (byte) padding);
                for (int value = 0; value < 256; value++) {
                    text[16 + place] = (byte) value;
                    pair.check(text);
                }
            }
        }
    }

    /** Blocks of small bytes, so that paddings of every kind of wrongness come by chance. */
    @ParameterizedTest
    @MethodSource("modes")
    void manyBlocksOfSmallBytes(String engine, String mode) throws Exception {
        Pair pair = new Pair(engine, mode);
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            byte[] text = new byte[16];
            int least = random.nextInt(17);
            int kinds = 1 + random.nextInt(3);
            for (int i = 0; i < 16; i++) {
                text[i] = (byte) (least + random.nextInt(kinds));
            }
            pair.check(text);
        }
    }

    /** Where a padding is not right nothing is left of the text, in any form of the call. */
    @ParameterizedTest
    @MethodSource("modes")
    void aRefusalLeavesNoPlaintext(String engine, String mode) throws Exception {
        Pair pair = new Pair(engine, mode);
        CipherMode padded = pair.padded;
        byte[] own = pair.iv;
        for (int blocks : new int[] {1, 2, 3, 5, 97, 600}) {
            int n = 16 * blocks;
            byte[] text = Samples.pattern(3, n);
            text[n - 1] = 17;
            byte[] bad = pair.plain.encrypt(own, text);
            int whole = n - 16;
            // What doFinal wrote is wiped; beside it nothing was touched.
            byte[] wiped = filled(n + 20);
            Arrays.fill(wiped, 3, 3 + whole, (byte) 0);

            byte[] out = filled(n + 20);
            assertRefused(() -> padded.decrypt(own, bad, 0, n, out, 3), n + " bytes");
            assertArrayEquals(wiped, out);

            ByteBuffer heap = ByteBuffer.wrap(filled(n + 20)).position(3);
            ByteBuffer in = ByteBuffer.wrap(bad);
            assertRefused(() -> padded.decrypt(own, in, heap), n + " bytes");
            assertEquals(0, in.position());
            assertEquals(3, heap.position());
            assertArrayEquals(wiped, heap.array());

            ByteBuffer direct = ByteBuffer.allocateDirect(n + 20);
            assertRefused(() -> padded.decrypt(own, in, direct), n + " bytes");
            assertEquals(0, direct.position());
            assertEquals(ByteBuffer.allocate(n + 20), direct);

            byte[] inPlace = bad.clone();
            assertRefused(() -> padded.decrypt(own, inPlace, 0, n, inPlace, 0), n + " bytes");
            byte[] left = bad.clone();
            Arrays.fill(left, 0, whole, (byte) 0);
            assertArrayEquals(left, inPlace);

            for (int head : new int[] {0, 1, 16, 17, n - 1, n}) {
                if (head <= n) {
                    refuseInPieces(padded.decryptor(own), bad, head);
                }
            }
        }
    }

    /** What update gave out before is the caller's; doFinal adds nothing, and ends the message. */
    private static void refuseInPieces(CipherOperation operation, byte[] bad, int head)
            throws Exception {
        int n = bad.length;
        int before = operation.update(bad, 0, head).length;
        byte[] out = filled(n + 20);
        byte[] wiped = filled(n + 20);
        Arrays.fill(wiped, 3, 3 + n - 16 - before, (byte) 0);
        assertRefused(() -> operation.doFinal(bad, head, n - head, out, 3), "from " + head);
        assertArrayEquals(wiped, out);
        assertThrows(IllegalStateException.class, operation::doFinal);
        assertThrows(IllegalStateException.class, () -> operation.update(bad));
        for (Object array : Secrets.arrays(operation, NO_STATE::contains)) {
            assertTrue(Secrets.isBlank(array), "from " + head);
        }
        operation.close();
    }

    private static byte[] filled(int n) {
        byte[] array = new byte[n];
        Arrays.fill(array, FILL);
        return array;
    }

    /** Encryption adds what the RFC says, a whole block after whole blocks. */
    @ParameterizedTest
    @MethodSource("modes")
    void whatEncryptionAdds(String engine, String mode) throws Exception {
        Pair pair = new Pair(engine, mode);
        for (int length = 0; length <= 70; length++) {
            byte[] text = Samples.pattern(length, length);
            byte[] full = pair.plain.decrypt(pair.iv, pair.padded.encrypt(pair.iv, text));
            int added = 16 - length % 16;
            byte[] expected = Arrays.copyOf(text, length + added);
            Arrays.fill(expected, length, expected.length, (byte) added);
            assertArrayEquals(expected, full, length + " bytes");
        }
    }
}
