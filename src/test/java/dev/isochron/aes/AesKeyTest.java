package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import org.bouncycastle.crypto.modes.gcm.BasicGCMMultiplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys: how they are made, which engine serves them, and what is left when they are closed. */
class AesKeyTest {

    private final byte[] nonce = Samples.pattern(1, 12);
    private final byte[] text = Samples.pattern(2, 300);

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    // ---- making them ---------------------------------------------------------------------------

    @Test
    void keysOfOtherLengthsAreRefused() {
        for (int length = 0; length <= 65; length++) {
            if (length == 16 || length == 24 || length == 32) {
                continue;
            }
            byte[] key = new byte[length];
            byte[] larger = new byte[100];
            int n = length;
            for (Callable<?> call :
                    List.<Callable<?>>of(
                            () -> AesKey.of(key),
                            () -> AesKey.of(key, Aes.engine()),
                            () -> AesKey.of(larger, 7, n))) {
                String message =
                        assertThrows(IllegalArgumentException.class, call::call).getMessage();
                assertTrue(message.contains("16, 24 or 32"), message);
                assertTrue(message.contains("had " + length), message);
            }
        }
        assertThrows(NullPointerException.class, () -> AesKey.of(null));
        assertThrows(NullPointerException.class, () -> AesKey.of(null, Aes.engine()));
        assertThrows(NullPointerException.class, () -> AesKey.of(null, 0, 16));
        int max = Integer.MAX_VALUE;
        for (int[] range : new int[][] {{-1, 16}, {85, 16}, {101, 0}, {0, -1}, {max, 16}, {16, max}}) {
            byte[] larger = new byte[100];
            assertThrows(
                    IndexOutOfBoundsException.class, () -> AesKey.of(larger, range[0], range[1]));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void aKeyIsACopy(int length) {
        byte[] bytes = Samples.pattern(3, length);
        byte[] larger = Samples.concat(new byte[9], bytes, new byte[5]);
        byte[] expected = Aes.gcm(AesKey.of(bytes.clone())).seal(nonce, null, text);
        AesKey whole = AesKey.of(bytes);
        AesKey part = AesKey.of(larger, 9, length);
        assertArrayEquals(Samples.pattern(3, length), bytes, "the caller's array");
        Arrays.fill(bytes, (byte) 0);
        Arrays.fill(larger, (byte) 0);
        for (AesKey key : List.of(whole, part)) {
            assertEquals(8 * length, key.bits());
            assertArrayEquals(expected, Aes.gcm(key).seal(nonce, null, text));
        }
    }

    @Test
    void generatedKeysDiffer() {
        for (int bits : new int[] {128, 192, 256}) {
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                AesKey key = AesKey.generate(bits);
                assertEquals(bits, key.bits());
                assertEquals(Aes.engine(), key.engine());
                seen.add(TestVectors.hex(Aes.ctr(key).encrypt(new byte[16], new byte[16])));
            }
            assertEquals(50, seen.size());
        }
        for (int bits : new int[] {-128, 0, 16, 32, 127, 129, 160, 512}) {
            assertThrows(IllegalArgumentException.class, () -> AesKey.generate(bits));
        }
    }

    // ---- engines -------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("engines")
    void anEngineByName(String engine) {
        AesKey key = AesKey.of(new byte[16], engine);
        assertEquals(engine, key.engine());
        assertTrue(key.toString().contains(engine), key.toString());
        assertFalse(Aes.describe(engine).isBlank());
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "", "Permute", "permute "})
    void anUnknownEngineIsRefusedWithTheNamesThereAre(String name) {
        for (Callable<?> call :
                List.<Callable<?>>of(
                        () -> AesKey.of(new byte[16], name), () -> Aes.describe(name))) {
            String message = assertThrows(IllegalArgumentException.class, call::call).getMessage();
            assertTrue(message.contains('"' + name + '"'), message);
            for (String engine : Aes.engines()) {
                assertTrue(message.contains(engine), message);
            }
        }
        assertThrows(
                IllegalArgumentException.class, () -> AesKey.of(new byte[16], (String) null));
    }

    /** What a child JVM is asked: which engine it runs, why, and for an answer from it. */
    static final class Probe {

        private Probe() {}

        public static void main(String[] args) {
            try (AesKey key = AesKey.of(Samples.pattern(1, 16))) {
                System.out.println(
                        String.join(
                                "|",
                                Aes.engine(),
                                key.engine(),
                                Aes.engineReason(),
                                String.join(",", Aes.engines()),
                                TestVectors.hex(
                                        Aes.ctr(key).encrypt(new byte[16], new byte[200]))));
            }
        }
    }

    private static String[] probe(String... options) throws Exception {
        ChildJvm.Result result = ChildJvm.run(List.of(options), Probe.class);
        assertEquals(0, result.exitCode(), result.output());
        // The JVM may say something of its own first.
        List<String> lines = result.output().lines().toList();
        return lines.get(lines.size() - 1).split("\\|");
    }

    @Test
    void thePropertyChoosesTheEngineOfAJvm() throws Exception {
        String[] byDefault = probe();
        assertEquals(Aes.engines().get(0), byDefault[0]);
        assertEquals(byDefault[0], byDefault[1]);
        assertEquals(String.join(",", Aes.engines()), byDefault[3]);
        for (String engine : Aes.engines()) {
            String[] forced = probe("-Disochron.engine=" + engine);
            assertEquals(engine, forced[0]);
            assertEquals(engine, forced[1]);
            assertTrue(forced[2].contains("isochron.engine"), forced[2]);
            assertFalse(forced[2].equals(byDefault[2]), forced[2]);
            assertEquals(byDefault[3], forced[3]);
            assertEquals(byDefault[4], forced[4], "the same answer from " + engine);
        }
        for (String unknown : new String[] {"table", ""}) {
            ChildJvm.Result refused =
                    ChildJvm.run(List.of("-Disochron.engine=" + unknown), Probe.class);
            assertTrue(refused.exitCode() != 0);
            assertTrue(refused.output().contains("isochron.engine"), refused.output());
            assertTrue(refused.output().contains('"' + unknown + '"'), refused.output());
            for (String engine : Aes.engines()) {
                assertTrue(refused.output().contains(engine), refused.output());
            }
        }
    }

    // ---- closing them --------------------------------------------------------------------------

    /** A call that must be refused. */
    private interface Action {
        void run() throws Exception;
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aClosedKeyServesNothing(String engine) throws Exception {
        AesKey key = Samples.key(engine, 192);
        CtrMode ctr = Aes.ctr(key);
        Aead gcm = Aes.gcm(key);
        byte[] iv = new byte[16];
        byte[] sealed = gcm.seal(nonce, null, text);
        byte[] own = gcm.sealWithRandomNonce(null, text);
        CipherOperation stream = ctr.encryptor(iv);
        AeadOperation encryptor = gcm.encryptor(nonce);
        AeadOperation decryptor = gcm.decryptor(nonce);
        for (CipherOperation operation : List.of(stream, encryptor, decryptor)) {
            operation.update(text, 0, 5);
        }
        assertFalse(key.isDestroyed());
        key.close();
        key.close();
        key.destroy();
        assertTrue(key.isDestroyed());
        assertEquals(192, key.bits());
        assertEquals(engine, key.engine());
        assertTrue(key.toString().contains("closed"), key.toString());

        byte[] out = new byte[400];
        List<Action> actions = new ArrayList<>();
        actions.addAll(
                List.of(
                        () -> Aes.ctr(key),
                        () -> Aes.gcm(key),
                        () -> Aes.gcm(key, 12),
                        () -> Aes.gcmShortTag(key, 8),
                        () -> ctr.encrypt(iv, text),
                        () -> ctr.decrypt(iv, text),
                        () -> ctr.encrypt(iv, text, 0, 300, out, 0),
                        () -> ctr.decrypt(iv, text, 0, 300, out, 0),
                        () -> ctr.encrypt(iv, ByteBuffer.wrap(text), ByteBuffer.wrap(out)),
                        () -> ctr.decrypt(iv, ByteBuffer.wrap(text), ByteBuffer.wrap(out)),
                        () -> ctr.encryptor(iv),
                        () -> ctr.encryptor(iv, 1),
                        () -> ctr.decryptor(iv),
                        () -> ctr.decryptor(iv, 1)));
        actions.addAll(
                List.of(
                        () -> gcm.seal(nonce, null, text),
                        () -> gcm.seal(nonce, null, text, 0, 300, out, 0),
                        () -> gcm.seal(nonce, null, ByteBuffer.wrap(text), ByteBuffer.wrap(out)),
                        () -> gcm.open(nonce, null, sealed),
                        () -> gcm.open(nonce, null, sealed, 0, sealed.length, out, 0),
                        () -> gcm.open(nonce, null, ByteBuffer.wrap(sealed), ByteBuffer.wrap(out)),
                        () -> gcm.sealWithRandomNonce(null, text),
                        () -> gcm.openWithNonce(null, own),
                        () -> gcm.openWithNonce(null, new byte[0]),
                        () -> gcm.encryptor(nonce),
                        () -> gcm.decryptor(nonce)));
        for (CipherOperation operation : List.of(stream, encryptor, decryptor)) {
            actions.addAll(
                    List.of(
                            () -> operation.update(text),
                            () -> operation.update(text, 0, 5),
                            () -> operation.update(text, 0, 300, out, 0),
                            () -> operation.update(ByteBuffer.wrap(text), ByteBuffer.wrap(out)),
                            operation::doFinal,
                            () -> operation.doFinal(text),
                            () -> operation.doFinal(text, 0, 5),
                            () -> operation.doFinal(text, 0, 300, out, 0),
                            () -> operation.doFinal(ByteBuffer.wrap(text), ByteBuffer.wrap(out))));
        }
        for (AeadOperation operation : List.of(encryptor, decryptor)) {
            actions.addAll(
                    List.of(
                            () -> operation.updateAAD(text),
                            () -> operation.updateAAD(text, 0, 1),
                            () -> operation.updateAAD(ByteBuffer.wrap(text))));
        }
        for (Action action : actions) {
            assertThrows(IllegalStateException.class, action::run);
        }
        assertArrayEquals(new byte[400], out);
        for (CipherOperation operation : List.of(stream, encryptor, decryptor)) {
            operation.close();
        }
    }

    /** Short and long texts first, so that whatever is derived on demand has been derived. */
    @ParameterizedTest
    @MethodSource("engines")
    void closingWipesWhatWasDerived(String engine) throws Exception {
        AesKey key = Samples.key(engine, 256);
        Aes.gcm(key).seal(nonce, text, text);
        Aes.gcm(key).seal(nonce, text, new byte[20_000]);
        Aes.ctr(key).encrypt(new byte[16], new byte[20_000]);
        Aes.gcm(key).encryptor(nonce).close();
        Aes.eax(key).seal(nonce, text, text);
        Aes.ocb(key).seal(nonce, text, text);
        Aes.cmac(key).doFinal(text);
        List<Object> arrays = Secrets.arrays(key, "lastNonce"::equals);
        // Round keys, powers of H, the tweaks of EAX and the chains after them, L, K1 and K2.
        long filled = arrays.stream().filter(array -> !Secrets.isBlank(array)).count();
        assertTrue(filled >= 10, filled + " arrays in use");
        key.close();
        for (Object array : arrays) {
            assertTrue(Secrets.isBlank(array), array + " after closing");
        }
        for (Object array : Secrets.arrays(key, "lastNonce"::equals)) {
            assertTrue(Secrets.isBlank(array), array + " after closing");
        }
    }

    /**
     * J0 of a nonce that has not 12 bytes comes from the hash key, and E(J0) is the tag's mask: no
     * field, no counter made from J0 and no array has it once the message is over.
     */
    @ParameterizedTest
    @MethodSource("engines")
    void endingAnOperationForgetsJ0(String engine) throws Exception {
        AesKey key = Samples.key(engine, 128);
        Aead gcm = Aes.gcm(key);
        byte[] own = Samples.pattern(5, 16);
        byte[] sealed = gcm.seal(own, null, text);
        ByteBuffer j0 = j0(key, own);
        byte[] forged = Arrays.copyOf(sealed, 200);
        assertForgets(j0, gcm.encryptor(own), CipherOperation::close);
        gcm.encryptor(nonce).close();
        assertForgets(j0, gcm.encryptor(own), operation -> operation.doFinal(text));
        gcm.encryptor(nonce).close();
        assertForgets(
                j0,
                gcm.encryptor(own),
                operation -> {
                    operation.update(text);
                    operation.close();
                });
        assertForgets(j0, gcm.decryptor(own), CipherOperation::close);
        assertForgets(j0, gcm.decryptor(own), operation -> operation.doFinal(sealed));
        assertForgets(
                j0,
                gcm.decryptor(own),
                operation ->
                        assertThrows(
                                AEADBadTagException.class, () -> operation.doFinal(forged)));
    }

    /** What ends an operation. */
    private interface End {
        void of(CipherOperation operation) throws Exception;
    }

    private static void assertForgets(ByteBuffer j0, CipherOperation operation, End end)
            throws Exception {
        assertTrue(holds(operation, j0), "J0 is somewhere in an operation under way");
        end.of(operation);
        assertFalse(holds(operation, j0), "J0 is left in " + operation);
    }

    /** J0 by SP 800-38D section 7.1 step 2, for a nonce of 16 bytes. */
    private static ByteBuffer j0(AesKey key, byte[] nonce) {
        BasicGCMMultiplier h = new BasicGCMMultiplier();
        h.init(Aes.ctr(key).encrypt(new byte[16], new byte[16]));
        byte[] x = nonce.clone();
        h.multiplyH(x);
        x[15] ^= (byte) 128;
        h.multiplyH(x);
        return ByteBuffer.wrap(x);
    }

    /** Whether anything that can be reached has the high half of J0, or the low but for its count. */
    private static boolean holds(Object root, ByteBuffer j0) throws Exception {
        Set<Long> numbers = new HashSet<>(Secrets.fields(root, field -> false).values());
        for (Object array : Secrets.arrays(root, field -> false)) {
            ByteBuffer bytes = ByteBuffer.allocate(8 * Array.getLength(array));
            for (int i = 0; i < Array.getLength(array); i++) {
                if (array instanceof byte[] all) {
                    bytes.put(all[i]);
                } else {
                    numbers.add(Array.getLong(array, i));
                }
            }
            for (int i = 0; i + 8 <= bytes.position(); i++) {
                numbers.add(bytes.getLong(i));
            }
        }
        return numbers.stream()
                .anyMatch(
                        number ->
                                number == j0.getLong(0) || number >>> 32 == j0.getLong(8) >>> 32);
    }

    /** Whoever is at work when a key is closed gets a right result or a refusal, nothing else. */
    @ParameterizedTest
    @MethodSource("engines")
    void closingDuringCalls(String engine) throws Exception {
        byte[] longText = Samples.pattern(4, 3000);
        byte[] sealed = Aes.gcm(Samples.key(engine, 128)).seal(nonce, null, longText);
        byte[] ct = Aes.ctr(Samples.key(engine, 128)).encrypt(new byte[16], text);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 300; round++) {
                AesKey key = Samples.key(engine, 128);
                Aead gcm = Aes.gcm(key);
                CtrMode ctr = Aes.ctr(key);
                CountDownLatch started = new CountDownLatch(2);
                List<Future<?>> all =
                        List.of(
                                untilRefused(
                                        threads,
                                        started,
                                        sealed,
                                        () -> gcm.seal(nonce, null, longText)),
                                untilRefused(
                                        threads, started, ct, () -> ctr.encrypt(new byte[16], text)));
                started.await();
                key.close();
                for (Future<?> one : all) {
                    one.get();
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Future<?> untilRefused(
            ExecutorService threads,
            CountDownLatch started,
            byte[] expected,
            Callable<byte[]> call) {
        return threads.submit(
                () -> {
                    assertArrayEquals(expected, call.call());
                    started.countDown();
                    while (true) {
                        byte[] result;
                        try {
                            result = call.call();
                        } catch (IllegalStateException e) {
                            return null;
                        }
                        assertArrayEquals(expected, result);
                    }
                });
    }

    // ---- counting ------------------------------------------------------------------------------

    /** The limit belongs to the key object, whatever mode objects are made from it. */
    @Test
    void randomNoncesAreCountedPerKey() throws Exception {
        AesKey key = AesKey.generate(128);
        var field = AesKey.class.getDeclaredField("randomNonces");
        field.setAccessible(true);
        AtomicLong count = (AtomicLong) field.get(key);
        Aes.gcm(key).sealWithRandomNonce(null, text);
        Aes.gcm(key, 13).sealWithRandomNonce(null, text);
        Aes.gcmShortTag(key, 8).sealWithRandomNonce(null, text);
        assertEquals(3, count.get());
        Aes.gcm(key).seal(nonce, null, text);
        assertEquals(3, count.get(), "the caller's own nonces do not count");
        count.set((1L << 32) - 2);
        Aes.gcm(key).sealWithRandomNonce(null, text);
        for (int i = 0; i < 3; i++) {
            assertThrows(
                    IllegalStateException.class,
                    () -> Aes.gcm(key).sealWithRandomNonce(null, text));
            assertThrows(
                    IllegalStateException.class,
                    () -> Aes.gcm(key, 12).sealWithRandomNonce(null, text));
        }
        // However often it is asked: refusals must not count on until the count wraps.
        count.set(Long.MAX_VALUE);
        for (int i = 0; i < 3; i++) {
            assertThrows(
                    IllegalStateException.class,
                    () -> Aes.gcm(key).sealWithRandomNonce(null, text));
        }
        Aes.gcm(AesKey.generate(128)).sealWithRandomNonce(null, text);
    }
}
