package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lengths near the end of an {@code int} and of what the modes allow: right, or a clear refusal, never
 * an overflow. Cases LEN-01 and LEN-04, with texts as long, are in {@link KnownFaultsTest}.
 */
class LongInputTest {

    private static final int MAX = Integer.MAX_VALUE;

    private final byte[] nonce = Samples.pattern(1, 12);
    private final byte[] iv = Samples.pattern(2, 16);
    private final AesKey key = AesKey.of(Samples.pattern(3, 16));
    private final Aead gcm = Aes.gcm(key);

    /** LEN-06: promised sizes are never negative, and stop at the largest int. */
    @Test
    void promisedSizesDoNotOverflow() throws Exception {
        for (int held = 0; held <= 40; held++) {
            AeadOperation encryptor = gcm.encryptor(Samples.pattern(held, 12));
            AeadOperation decryptor = gcm.decryptor(nonce);
            CipherOperation stream = Aes.ctr(key).encryptor(iv);
            for (CipherOperation operation : List.of(encryptor, decryptor, stream)) {
                operation.update(new byte[held]);
            }
            for (int less = 0; less <= 60; less++) {
                int length = MAX - less;
                assertEquals(
                        Math.min(MAX, length + 16L),
                        encryptor.outputSize(length),
                        "sealing, after " + held + " of " + length);
                assertEquals(
                        Math.min(MAX, (long) held + length) - 16,
                        decryptor.outputSize(length),
                        "opening, after " + held + " of " + length);
                assertEquals(length, stream.outputSize(length));
            }
            assertEquals(16, encryptor.outputSize(0));
            assertEquals(Math.max(0, held - 16), decryptor.outputSize(0));
        }
        assertEquals(MAX, gcm.encryptor(iv).outputSize(MAX - 16));
    }

    /** A buffer of 2 GiB that takes no memory: a file that is all hole. */
    private static ByteBuffer hole(Path dir) throws IOException {
        try (FileChannel file =
                FileChannel.open(
                        dir.resolve("hole"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE)) {
            file.write(ByteBuffer.allocate(1), MAX - 1L);
            return file.map(FileChannel.MapMode.READ_ONLY, 0, MAX);
        }
    }

    /** Two gibibytes of input are refused for want of room, and nothing has changed. */
    @Test
    void muchInputAndLittleRoom(@TempDir Path dir) throws Exception {
        ByteBuffer in = hole(dir);
        ByteBuffer small = ByteBuffer.allocate(100);
        AeadOperation encryptor = gcm.encryptor(nonce);
        AeadOperation decryptor = gcm.decryptor(nonce);
        CipherOperation stream = Aes.ctr(key).encryptor(iv);
        byte[] head = encryptor.update(new byte[5]);
        decryptor.update(new byte[5]);
        stream.update(new byte[5]);
        for (Callable<?> call :
                List.<Callable<?>>of(
                        () -> gcm.seal(nonce, null, in, small),
                        () -> gcm.open(nonce, null, in, small),
                        () -> Aes.ctr(key).encrypt(iv, in, small),
                        () -> encryptor.update(in, small),
                        () -> encryptor.doFinal(in, small),
                        () -> stream.update(in, small),
                        () -> stream.doFinal(in, small))) {
            assertThrows(ShortBufferException.class, call::call);
        }
        assertThrows(IllegalArgumentException.class, () -> decryptor.update(in, small));
        assertThrows(IllegalArgumentException.class, () -> decryptor.doFinal(in, small));
        assertEquals(0, in.position());
        assertEquals(0, small.position());
        byte[] sealed = Samples.concat(head, encryptor.doFinal(new byte[4]));
        assertArrayEquals(gcm.seal(nonce, null, new byte[9]), sealed);
        assertArrayEquals(
                new byte[4], gcm.open(nonce, null, gcm.seal(nonce, null, new byte[4])));
    }

    private static Object get(Object object, Class<?> type, String name) throws Exception {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }

    private static void set(Object object, Class<?> type, String name, Object value)
            throws Exception {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }

    /** SP 800-38D section 5.2.1.1, with the count set so that 64 GiB seem to have gone before. */
    @Test
    void gcmEndsAtItsLimit() throws Exception {
        AeadOperation encryptor = gcm.encryptor(nonce);
        encryptor.update(new byte[16]);
        Object message = get(encryptor, AeadEncryptor.class, "message");
        long limit = (1L << 36) - 32;
        set(message, message.getClass(), "textLength", limit - 5);
        byte[] out = new byte[30];
        for (Callable<?> call :
                List.<Callable<?>>of(
                        () -> encryptor.update(new byte[6]),
                        () -> encryptor.update(out, 0, 6, out, 0),
                        () -> encryptor.update(ByteBuffer.allocate(6), ByteBuffer.wrap(out)),
                        () -> encryptor.doFinal(new byte[6]),
                        () -> encryptor.doFinal(out, 0, 6, out, 0),
                        () -> encryptor.doFinal(ByteBuffer.allocate(6), ByteBuffer.wrap(out)))) {
            String refusal = assertThrows(IllegalArgumentException.class, call::call).getMessage();
            assertTrue(refusal.contains(Long.toString(limit)), refusal);
        }
        assertArrayEquals(new byte[30], out);
        assertEquals(5, encryptor.update(new byte[5]).length);
        assertThrows(IllegalArgumentException.class, () -> encryptor.update(new byte[1]));
        assertEquals(16, encryptor.doFinal().length);
    }

    /** A decryptor keeps the ciphertext, so it ends where arrays end. */
    @Test
    void decryptorsEndWhereArraysEnd() throws Exception {
        AeadOperation decryptor = gcm.decryptor(nonce);
        Object buffer = get(decryptor, AeadDecryptor.class, "buffer");
        set(buffer, buffer.getClass(), "length", MAX - 8 - 5);
        for (Callable<?> call :
                List.<Callable<?>>of(
                        () -> decryptor.update(new byte[6]),
                        () -> decryptor.doFinal(new byte[6]))) {
            String refusal = assertThrows(IllegalArgumentException.class, call::call).getMessage();
            assertTrue(refusal.contains("StreamingAead"), refusal);
        }
        set(buffer, buffer.getClass(), "length", 0);
        assertArrayEquals(
                new byte[4], decryptor.doFinal(gcm.seal(nonce, null, new byte[4])));
    }

    /** Run in a JVM of its own: input of which no array can hold the result. */
    static final class NearlyTwoGibibytes {

        private NearlyTwoGibibytes() {}

        public static void main(String[] args) throws Exception {
            byte[] text = new byte[MAX - 8];
            try (AesKey key = AesKey.generate(128)) {
                Aead gcm = Aes.gcm(key);
                byte[] nonce = new byte[12];
                AeadOperation encryptor = gcm.encryptor(nonce);
                for (Callable<?> call :
                        List.<Callable<?>>of(
                                () -> gcm.seal(nonce, null, text),
                                () -> gcm.sealWithRandomNonce(null, text),
                                () -> encryptor.doFinal(text))) {
                    assertThrows(IllegalArgumentException.class, call::call);
                }
                assertThrows(
                        ShortBufferException.class,
                        () -> gcm.seal(nonce, null, text, 0, text.length, text, 0));
                assertThrows(
                        ShortBufferException.class,
                        () -> encryptor.doFinal(text, 0, text.length, text, 0));
                assertArrayEquals(gcm.seal(nonce, null, new byte[3]), encryptor.doFinal(new byte[3]));
            }
        }
    }

    @Tag("long")
    @Test
    void resultsTooLongForAnArrayAreRefused() throws Exception {
        ChildJvm.Result result = ChildJvm.run(List.of("-Xmx2200m"), NearlyTwoGibibytes.class);
        assertEquals(0, result.exitCode(), result.output());
    }

    /** More associated data than an int counts bits: 512 MiB and a little, against the JDK. */
    @Tag("long")
    @Test
    void muchAssociatedData() throws Exception {
        byte[] piece = Samples.pattern(7, 1 << 20);
        Cipher jdk = Cipher.getInstance("AES/GCM/NoPadding");
        jdk.init(
                Cipher.ENCRYPT_MODE,
                new SecretKeySpec(Samples.pattern(3, 16), "AES"),
                new GCMParameterSpec(128, nonce));
        AeadOperation encryptor = gcm.encryptor(nonce);
        for (int i = 0; i <= 512; i++) {
            encryptor.updateAAD(piece);
            jdk.updateAAD(piece);
        }
        byte[] text = Samples.pattern(8, 100);
        assertArrayEquals(jdk.doFinal(text), encryptor.doFinal(text));
    }
}
