package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.mac.Hkdf;
import dev.isochron.aes.internal.mode.Xts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nothing secret is left: not in what was closed, and not in what was used and dropped.
 *
 * <p>The work of {@link WipingScenario} is done in a JVM of its own, which dumps its heap before it, in
 * its middle, after everything was closed, and once more after secrets were left behind on purpose. No
 * garbage is collected meanwhile, and a dump has the garbage too: every array that a call allocated.
 * This JVM does the same work, with a cipher that takes down every block in and out, and collects all
 * that was derived from the keys, in each engine's form; then it searches the dumps. What it knows is
 * thus not in the heap that it looks at.
 *
 * <p>Apart from what is known, words betray themselves: after closing, all arrays of {@code long} that
 * the work has made, and all arrays of {@code int} of the sizes that the engines use, must be zero, and
 * of this project's objects every {@code int} and {@code long} that is not listed here as public.
 */
class WipingTest {

    private static final long SEED = 0x15EC2E7L;

    /** Array fields that hold nothing secret, or no part of the work at all. */
    private static final Set<String> PUBLIC_ARRAYS =
            Set.of("iv", "nonce", "lastNonce", "header", "aad", "sealed", "source", "notes");

    /** Fields of numbers that hold nothing secret: lengths, positions, counts and nonces. */
    private static final Set<String> PUBLIC_NUMBERS =
            Set.of(
                    "Aead.tagLength",
                    "AeadDecryptor.tagLength",
                    "AeadEncryptor.tagLength",
                    "AesKey.bits",
                    "AesMac.tagLength",
                    "BlockTransform.total",
                    // Ctr 0, which is made of the nonce.
                    "Ccm$Message.high",
                    "Ccm$Message.low",
                    "Ccm$Message.maxText",
                    "Ccm$Message.nonceLength",
                    "Ccm$Message.tagLength",
                    "Cfb$Base.used",
                    "CtrStream.counterMask",
                    "CtrStream.used",
                    "Eax$Message.tagLength",
                    "Enum.ordinal",
                    "Gcm$Message.aadLength",
                    "Gcm$Message.tagLength",
                    "Gcm$Message.textLength",
                    "Ghash.seen",
                    "Ocb$Message.tagLength",
                    "Ocb$Message.textLength",
                    "Ocb$Offset.i",
                    "Ofb$Keystream.used",
                    "SeekableSegments.loaded",
                    "SeekableSegments.loadedLength",
                    "SeekableSegments.position",
                    "SeekableSegments.sealedSize",
                    "SeekableSegments.segmentCount",
                    "SeekableSegments.segmentSize",
                    "SeekableSegments.start",
                    "SegmentReader.ahead",
                    "SegmentReader.index",
                    "SegmentReader.segmentSize",
                    "SegmentWriter.filled",
                    "SegmentWriter.index",
                    "Segments.segmentSize",
                    "StreamingAead.segmentSize",
                    "Xts$Direction.stolenFrom",
                    "Xts$Tweaks.left",
                    // The next tweak value, before it is encrypted.
                    "Xts$Tweaks.numberHigh",
                    "Xts$Tweaks.numberLow",
                    "Xts$Tweaks.start",
                    "Xts$Tweaks.unitBlocks",
                    "Xts$Tweaks.units");

    /** The key schedule, and keys and planes of LaneKernel. */
    private static final Set<String> ENGINES_INTS =
            Set.of(
                    "int[44]", "int[52]", "int[60]", "int[88]", "int[104]", "int[120]",
                    "int[6144]");

    /** In every Throwable, where it was made. */
    private static final String BACKTRACE = "long[32]";

    /** What must be found amid the work, or the search is none. */
    private static final Set<String> IN_USE =
            Set.of(
                    "BlockTransform.buffer",
                    "Cfb$Base.segment",
                    "Cmac$Prefix.chain",
                    "Cmac.subkeys",
                    "CmacStream.chain",
                    "CmacStream.waiting",
                    "CtrStream.keystream",
                    "Eax$Message.nonceMac",
                    "Ghash.key",
                    "GhashLanes.powers",
                    "GhashStream.state",
                    "GrowingBuffer.bytes",
                    "Ocb$Pieces.partial",
                    "Ocb.l",
                    "Ofb$Keystream.block",
                    "RoundKeys.bulk",
                    "RoundKeys.tower",
                    "SeekableSegments.text",
                    "SegmentReader.mainKey",
                    "SegmentReader.text",
                    "SegmentWriter.text",
                    "StreamingAead.mainKey",
                    "Xts$Tweaks.starts",
                    "input of the cipher",
                    "keystream",
                    "main key",
                    "output of the cipher",
                    "text or key of the caller");

    /** What must be found after it was left behind on purpose. */
    private static final Set<String> PLANTED =
            Set.of(
                    "RoundKeys.bulk", "RoundKeys.tower", "Ocb.l", "round keys of FIPS 197",
                    "text or key of the caller", "a long array", "int[6144]", "Ocb$Offset.high");

    private static Notes notes;

    // ---- the JVM that does the work ------------------------------------------------------------

    /** Does the work and dumps its heap. */
    static final class Worker {

        private static byte[] planted;

        private Worker() {}

        /**
         * Runs.
         *
         * @param arguments where the dumps go; how many milliseconds to repeat the work first, under
         *     other keys, so that it is compiled; once at least, so that the JDK has all its tables
         */
        public static void main(String[] arguments) throws Exception {
            Security.insertProviderAt(new Drawn(), 1);
            Path directory = Path.of(arguments[0]);
            long warm = System.nanoTime() + 1_000_000 * Long.parseLong(arguments[1]);
            long seed = SEED;
            do {
                seed += 100;
                int engine = (int) (seed / 100 % Aes.engines().size());
                close(work(Aes.engines().get(engine), seed));
            } while (System.nanoTime() < warm);
            System.gc();
            dump(directory, "before", false);
            long collections = collections();
            List<AutoCloseable> open = new ArrayList<>();
            for (String engine : Aes.engines()) {
                open.addAll(work(engine, SEED));
            }
            dump(directory, "open", false);
            close(open);
            dump(directory, "closed", false);
            plant();
            dump(directory, "planted", false);
            if (collections() != collections) {
                throw new AssertionError("garbage was collected, and so not seen");
            }
            planted = null;
            dump(directory, "reachable", true);
            // Reachable until here.
            close(open);
        }

        private static List<AutoCloseable> work(String engine, long seed) throws Exception {
            // For keys that are made inside, as those of streams.
            System.setProperty("isochron.engine", engine);
            WipingScenario scenario = new WipingScenario(new Wiper(), engine, seed);
            scenario.run();
            return scenario.open();
        }

        private static void close(List<AutoCloseable> all) throws Exception {
            for (AutoCloseable each : all) {
                each.close();
            }
        }

        /** Leaves secrets behind: one that can be reached, and garbage. */
        private static void plant() {
            String engine = Aes.engines().get(0);
            byte[] bytes = new WipingScenario(new Wiper(), engine, SEED).key();
            AesKey key = AesKey.of(bytes, engine);
            Aes.ocb(key).encryptor(Samples.pattern(1, 12));
            int[] planes = new int[6144];
            planes[99] = 1;
            planted = roundKeys(bytes);
        }

        private static void dump(Path directory, String name, boolean live) throws IOException {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpHeap(directory.resolve(name + ".hprof").toString(), live);
        }

        private static long collections() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                    .sum();
        }
    }

    /** Wipes what is the caller's. */
    private static final class Wiper implements WipingScenario.Witness {

        @Override
        public AesKey key(byte[] key, String engine) {
            return AesKey.of(key, engine);
        }

        @Override
        public XtsMode xts(byte[] key, String engine) {
            return Aes.xts(key, engine);
        }

        @Override
        public void secret(byte[] bytes) {
            Bytes.wipe(bytes);
        }

        @Override
        public void shown(byte[] bytes) {
            // Anyone may see it.
        }

        @Override
        public void nonce(byte[] nonce) {
            // Anyone may see it.
        }
    }

    /** What a {@link SecureRandom} draws in that JVM; known here, unlike chance. */
    private static byte[] drawn(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(SEED - length).nextBytes(bytes);
        return bytes;
    }

    /** The source of {@link #drawn}, as the first provider's. */
    private static final class Drawn extends Provider {

        private static final long serialVersionUID = 1L;

        Drawn() {
            super("Drawn", "1", "the same for every draw");
            putService(
                    new Service(
                            this, "SecureRandom", "Drawn", Source.class.getName(), null, null));
        }

        /** Made by the provider. */
        public static final class Source extends SecureRandomSpi {

            private static final long serialVersionUID = 1L;

            @Override
            protected void engineSetSeed(byte[] seed) {
                // It has its seed.
            }

            @Override
            protected void engineNextBytes(byte[] bytes) {
                byte[] drawn = drawn(bytes.length);
                Bytes.copy(drawn, 0, bytes, 0, bytes.length);
                Bytes.wipe(drawn);
            }

            @Override
            protected byte[] engineGenerateSeed(int length) {
                return drawn(length);
            }
        }
    }

    // ---- the JVM that looks on -----------------------------------------------------------------

    /** Takes down all that is secret. */
    private static final class Notes implements WipingScenario.Witness {

        private final Fingerprints fingerprints = new Fingerprints();
        private final List<AesKey> keys = new ArrayList<>();
        private final List<BlockRecorder> recorders = new ArrayList<>();

        /** A key whose cipher is listened to. */
        @Override
        public AesKey key(byte[] bytes, String engine) {
            AesKey key = AesKey.of(bytes, engine);
            try {
                Field cipher = AesKey.class.getDeclaredField("cipher");
                cipher.setAccessible(true);
                BlockRecorder recorder =
                        new BlockRecorder((BlockCipher) cipher.get(key), fingerprints);
                cipher.set(key, recorder);
                recorders.add(recorder);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
            keys.add(key);
            fingerprints.add("round keys of FIPS 197", roundKeys(bytes));
            return key;
        }

        /** As {@link XtsMode#of}, of two such keys. */
        @Override
        public XtsMode xts(byte[] pair, String engine) {
            int half = pair.length / 2;
            AesKey data = key(Bytes.copy(pair, 0, half), engine);
            AesKey tweak = key(Bytes.copy(pair, half, half), engine);
            try {
                Constructor<XtsMode> constructor =
                        XtsMode.class.getDeclaredConstructor(
                                AesKey.class, AesKey.class, Xts.class);
                constructor.setAccessible(true);
                return constructor.newInstance(
                        data, tweak, new Xts(data.cipher(), tweak.cipher()));
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void secret(byte[] bytes) {
            fingerprints.add("text or key of the caller", bytes);
        }

        @Override
        public void shown(byte[] bytes) {
            fingerprints.show(bytes);
        }

        @Override
        public void nonce(byte[] nonce) {
            fingerprints.show(nonce);
            recorders.forEach(recorder -> recorder.nonce(nonce));
        }

        /** The arrays that hold what was derived from the keys so far, in every engine's form. */
        void derived(List<? extends Object> roots) throws Exception {
            for (Object root : roots) {
                Secrets.owned(root, PUBLIC_ARRAYS::contains)
                        .forEach((array, owner) -> fingerprints.addArray(owner, array));
            }
        }

        /**
         * What the other JVM's streams are sealed with (RFC 5869, and {@link Segments}). The key
         * depends on what was drawn, so here they had others.
         */
        void streams(byte[] mainKey, byte[] text) throws Exception {
            fingerprints.add("main key", mainKey);
            byte[] random = drawn(39);
            fingerprints.show(random);
            byte[] salt = Bytes.copy(random, 0, 32);
            Mac extract = Mac.getInstance("HmacSHA256");
            extract.init(new SecretKeySpec(salt, "HmacSHA256"));
            byte[] prk = extract.doFinal(mainKey);
            fingerprints.add("PRK of HKDF", prk);
            for (int pad : new int[] {0x36, 0x5c}) {
                byte[] padded = Bytes.copy(prk, 0, 32);
                for (int i = 0; i < padded.length; i++) {
                    padded[i] ^= (byte) pad;
                }
                fingerprints.add("PRK of HKDF", padded);
            }
            byte[] derived = Hkdf.sha256(mainKey, salt, WipingScenario.AAD, 32);
            fingerprints.add("key of a stream", derived);
            AesKey key = key(derived, Aes.engine());
            byte[] nonce = new byte[12];
            Bytes.copy(random, 32, nonce, 0, 7);
            int first = 4096 - Segments.HEADER_LENGTH - Segments.TAG_LENGTH;
            Aead gcm = Aes.gcm(key);
            fingerprints.show(gcm.seal(nonce, null, Bytes.copy(text, 0, first)));
            // Segment 1, the last.
            Bytes.putInt(nonce, 8, 0x101);
            fingerprints.show(
                    gcm.seal(nonce, null, Bytes.copy(text, first, text.length - first)));
        }
    }

    @BeforeAll
    static void takeNotes() throws Exception {
        notes = new Notes();
        for (String engine : Aes.engines()) {
            WipingScenario scenario = new WipingScenario(notes, engine, SEED);
            scenario.run();
            notes.derived(scenario.open());
            notes.streams(scenario.mainKey(), scenario.streamText());
        }
        notes.derived(notes.keys);
        notes.fingerprints.add("drawn key", drawn(WipingScenario.GENERATED / 8));
        notes.fingerprints.show(drawn(12));
    }

    @AfterAll
    static void forget() {
        notes = null;
    }

    @ParameterizedTest
    @ValueSource(strings = {"interpreted", "compiled"})
    void nothingIsLeftInTheHeap(String how, @TempDir Path directory) throws Exception {
        boolean compiled = how.equals("compiled");
        List<String> options =
                List.of(
                        "-XX:+UseSerialGC",
                        "-Xmx96m",
                        "-Xms96m",
                        "-Xmn64m",
                        // Every object where the dump finds it, and nothing to fill gaps with.
                        "-XX:-UseTLAB",
                        compiled ? "-Xmixed" : "-Xint");
        String warmUp = compiled ? "3000" : "0";
        ChildJvm.Result result =
                ChildJvm.run(options, Worker.class, directory.toString(), warmUp);
        assertEquals(0, result.exitCode(), result.output());

        Set<Long> before = new HashSet<>();
        HeapDump.read(directory.resolve("before.hprof"), item -> before.add(item.id()));
        assertEquals(Map.of(), found(directory, "closed", before));
        assertEquals(Map.of(), found(directory, "reachable", null));
        Set<String> missed = new TreeSet<>(IN_USE);
        missed.removeAll(found(directory, "open", before).keySet());
        assertEquals(Set.of(), missed, "not found amid the work");
        missed.addAll(PLANTED);
        missed.removeAll(found(directory, "planted", before).keySet());
        assertEquals(Set.of(), missed, "planted and not found");
    }

    /** The secrets in a dump, and what holds them. */
    private static Map<String, Set<String>> found(Path directory, String name, Set<Long> before)
            throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        HeapDump.read(
                directory.resolve(name + ".hprof"),
                item -> {
                    for (String secret : secrets(item, before)) {
                        found.computeIfAbsent(secret, s -> new TreeSet<>()).add(item.toString());
                    }
                });
        return found;
    }

    /** What in an object is secret by its content or, in a new one, by its kind. */
    private static Set<String> secrets(HeapDump.Item item, Set<Long> before) {
        Set<String> secrets = notes.fingerprints.find(item.content());
        boolean fresh = before != null && !before.contains(item.id());
        if (fresh && !item.isBlank()) {
            if (item.type().startsWith("long[") && !item.type().equals(BACKTRACE)) {
                secrets.add("a long array");
            }
            if (ENGINES_INTS.contains(item.type())) {
                secrets.add(item.type());
            }
        }
        if (isProduct(item.type())) {
            item.numbers().forEach(
                    (field, value) -> {
                        if (value != 0 && !PUBLIC_NUMBERS.contains(field)) {
                            secrets.add(field);
                        }
                    });
        }
        return secrets;
    }

    private static boolean isProduct(String type) {
        return type.startsWith("dev.isochron.aes.")
                && !type.contains("Test")
                && !type.contains("Wiping")
                && !type.contains("StreamForms");
    }

    // ---- by reflection -------------------------------------------------------------------------

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    /** Whoever still has an array of a closed object has an array of zeros. */
    @ParameterizedTest
    @MethodSource("engines")
    void closingBlanksEveryArray(String engine) throws Exception {
        WipingScenario scenario = new WipingScenario(new Wiper(), engine, SEED);
        scenario.run();
        Map<Object, String> arrays = new IdentityHashMap<>();
        for (AutoCloseable each : scenario.open()) {
            arrays.putAll(Secrets.owned(each, PUBLIC_ARRAYS::contains));
        }
        long filled = arrays.keySet().stream().filter(array -> !Secrets.isBlank(array)).count();
        assertTrue(filled >= 100, filled + " arrays in use");
        for (AutoCloseable each : scenario.open()) {
            each.close();
        }
        for (AutoCloseable each : scenario.open()) {
            arrays.putAll(Secrets.owned(each, PUBLIC_ARRAYS::contains));
        }
        Set<String> left = new TreeSet<>();
        arrays.forEach(
                (array, owner) -> {
                    if (!Secrets.isBlank(array)) {
                        left.add(owner);
                    }
                });
        assertEquals(Set.of(), left);
    }

    /** A stream's own key is enough to go on. */
    @Test
    void aReaderForgetsTheMainKeyWithTheFirstSegment() throws Exception {
        byte[] mainKey = drawn(32);
        byte[] sealed =
                StreamForms.Sealing.STREAM_AT_ONCE.seal(
                        StreamingAead.segments4KB(mainKey), mainKey, null);
        InputStream opening =
                StreamingAead.segments4KB(mainKey)
                        .opening(new ByteArrayInputStream(sealed), null);
        List<Object> copies = new ArrayList<>();
        Secrets.owned(opening, PUBLIC_ARRAYS::contains)
                .forEach(
                        (array, owner) -> {
                            if (owner.equals("SegmentReader.mainKey")) {
                                copies.add(array);
                            }
                        });
        assertEquals(1, copies.size());
        assertArrayEquals(mainKey, (byte[]) copies.get(0));
        opening.read();
        assertTrue(Secrets.isBlank(copies.get(0)));
    }

    // ---- FIPS 197 once more --------------------------------------------------------------------

    /** The round keys of FIPS 197 section 5.2, as bytes. */
    private static byte[] roundKeys(byte[] key) {
        int n = key.length;
        byte[] w = new byte[16 * (n / 4 + 7)];
        Bytes.copy(key, 0, w, 0, n);
        byte[] word = new byte[4];
        int constant = 1;
        for (int i = n; i < w.length; i += 4) {
            boolean first = i % n == 0;
            for (int j = 0; j < 4; j++) {
                byte before = w[i - 4 + (first ? (j + 1) % 4 : j)];
                word[j] = first || n == 32 && i % n == 16 ? sBox(before) : before;
            }
            if (first) {
                word[0] ^= (byte) constant;
                constant = times(constant, 2);
            }
            Bytes.xor(w, i - n, word, 0, w, i, 4);
        }
        return w;
    }

    private static byte sBox(byte b) {
        int inverse = 1;
        for (int i = 0; i < 254; i++) {
            inverse = times(inverse, b & 0xFF);
        }
        int s = 0x63;
        for (int i = 0; i < 5; i++) {
            s ^= inverse << i | inverse >> (8 - i);
        }
        return (byte) s;
    }

    private static int times(int x, int y) {
        int product = 0;
        for (int i = 7; i >= 0; i--) {
            product = product << 1 ^ (product >> 7) * 0x11B ^ (y >> i & 1) * x;
        }
        return product & 0xFF;
    }
}
