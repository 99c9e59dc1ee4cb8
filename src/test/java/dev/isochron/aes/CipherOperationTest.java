package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What all operations share, whatever the mode. */
class CipherOperationTest {

    private final AesKey key = Samples.key(Aes.engine(), 128);
    private final byte[] iv = Samples.pattern(1, 16);

    private List<CipherOperation> operations(AesKey key) {
        Aead gcm = Aes.gcm(key);
        return List.of(Aes.ctr(key).encryptor(iv), gcm.encryptor(iv), gcm.decryptor(iv));
    }

    private static void assertNamed(String name, Executable call) {
        assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
    }

    /** Whoever passes null is told for what. */
    @Test
    void nullsAreNamed() {
        CtrMode ctr = Aes.ctr(key);
        Aead gcm = Aes.gcm(key);
        List<Map.Entry<String, Executable>> calls =
                List.of(
                        Map.entry("key", () -> AesKey.of(null)),
                        Map.entry("key", () -> AesKey.of(null, 0, 16)),
                        Map.entry("key", () -> AesKey.of(null, Aes.engine())),
                        Map.entry("key", () -> Aes.gcm(null)),
                        Map.entry("key", () -> Aes.gcm(null, 13)),
                        Map.entry("key", () -> Aes.gcmShortTag(null, 8)),
                        Map.entry("key", () -> Aes.ctr(null)),
                        Map.entry("iv", () -> ctr.encrypt(null, iv)),
                        Map.entry("iv", () -> ctr.decryptor(null)),
                        Map.entry("plaintext", () -> ctr.encrypt(iv, null)),
                        Map.entry("ciphertext", () -> ctr.decrypt(iv, null)),
                        Map.entry("nonce", () -> gcm.seal(null, null, iv)),
                        Map.entry("nonce", () -> gcm.encryptor(null)),
                        Map.entry("plaintext", () -> gcm.seal(iv, null, null)),
                        Map.entry("sealed", () -> gcm.open(iv, null, null)),
                        Map.entry("plaintext", () -> gcm.sealWithRandomNonce(null, null)),
                        Map.entry("sealed", () -> gcm.openWithNonce(null, null)));
        calls.forEach(call -> assertNamed(call.getKey(), call.getValue()));
        ByteBuffer buffer = ByteBuffer.allocate(100);
        for (CipherOperation operation : operations(key)) {
            assertNamed("input", () -> operation.update(null));
            assertNamed("input", () -> operation.update(null, 0, 0));
            assertNamed("input", () -> operation.update(null, 0, 0, new byte[9], 0));
            assertNamed("output", () -> operation.update(iv, 0, 5, null, 0));
            assertNamed("input", () -> operation.update(null, buffer));
            assertNamed("output", () -> operation.update(buffer, null));
            assertNamed("input", () -> operation.doFinal(null));
            assertNamed("input", () -> operation.doFinal(null, 0, 0));
            assertNamed("output", () -> operation.doFinal(iv, 0, 16, null, 0));
            assertNamed("input", () -> operation.doFinal(null, buffer));
            assertNamed("output", () -> operation.doFinal(buffer, null));
        }
    }

    /** What takes no input is answered after the end, and after the key's. */
    @Test
    void ivAndOutputSizeOutliveTheEnd() {
        for (boolean closesKey : new boolean[] {false, true}) {
            AesKey own = AesKey.generate(128);
            for (CipherOperation operation : operations(own)) {
                int before = operation.outputSize(100);
                if (closesKey) {
                    own.close();
                } else {
                    operation.close();
                }
                assertThrows(IllegalStateException.class, () -> operation.update(iv));
                assertThrows(IllegalStateException.class, operation::doFinal);
                assertArrayEquals(iv, operation.iv());
                assertNotSame(operation.iv(), operation.iv());
                assertEquals(before, operation.outputSize(100));
            }
        }
    }

    /** An operation that fails in the middle, and keeps what it was given. */
    private static final class Failing extends CipherOperation {

        private byte[] given;

        Failing(AesKey key) {
            super(key, new byte[16]);
        }

        @Override
        void checkLength(int length) {}

        @Override
        int held() {
            return 0;
        }

        @Override
        int updateSize(int length) {
            return length;
        }

        @Override
        int finalSize(int length) {
            return length;
        }

        @Override
        int process(byte[] in, int inOff, int length, byte[] out, int outOff) {
            given = in;
            throw new ArithmeticException();
        }

        @Override
        int finish(byte[] in, int inOff, int length, byte[] out, int outOff) {
            return process(in, inOff, length, out, outOff);
        }

        @Override
        void wipe() {}
    }

    /** Where output overtakes input, the input is copied first, and the copy wiped in any case. */
    @Test
    void copiesAreWipedAfterFailuresToo() {
        byte[] array = Samples.pattern(7, 100);
        for (boolean last : new boolean[] {false, true}) {
            Failing operation = new Failing(key);
            assertThrows(
                    ArithmeticException.class,
                    () -> {
                        if (last) {
                            operation.doFinal(array, 0, 50, array, 10);
                        } else {
                            operation.update(array, 0, 50, array, 10);
                        }
                    });
            assertNotSame(array, operation.given);
            assertArrayEquals(new byte[50], operation.given);
        }
        assertArrayEquals(Samples.pattern(7, 100), array);
    }
}
