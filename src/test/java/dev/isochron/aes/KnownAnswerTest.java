package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Engines;
import dev.isochron.aes.internal.block.RoundKeys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The standards' own answers on every engine: once, as a program's first call would be, and hot,
 * because a fault of the JIT compiler shows only after it has compiled.
 */
@Tag("known-answer")
class KnownAnswerTest {

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void blockCipher(String engine) {
        TestVectors.forEach(
                "fips-197.txt",
                v -> {
                    v.text("name");
                    checkBlock(engine, v.bytes("key"), v.bytes("pt"), v.bytes("ct"), 1);
                });
    }

    @ParameterizedTest
    @MethodSource("engines")
    void blockCipherHot(String engine) {
        TestVectors.forEach(
                "fips-197.txt",
                v -> {
                    v.text("name");
                    byte[] key = v.bytes("key");
                    checkBlock(engine, key, v.bytes("pt"), v.bytes("ct"), Samples.hotCalls());
                });
    }

    private static void checkBlock(String engine, byte[] key, byte[] pt, byte[] ct, int calls) {
        try (RoundKeys keys = RoundKeys.expand(key);
                BlockCipher cipher = Engines.byName(engine).cipher(keys)) {
            for (int i = 0; i < calls; i++) {
                byte[] out = new byte[16];
                cipher.encrypt(pt, 0, out, 0, 1);
                assertArrayEquals(ct, out);
                cipher.decrypt(out, 0, out, 0, 1);
                assertArrayEquals(pt, out);
            }
        }
    }

    /** The key schedule hot as well: a fresh key for every block. */
    @ParameterizedTest
    @MethodSource("engines")
    void keySetupHot(String engine) {
        TestVectors.forEach(
                "fips-197.txt",
                v -> {
                    v.text("name");
                    byte[] key = v.bytes("key");
                    for (int i = 0; i < Samples.hotCalls(); i++) {
                        checkBlock(engine, key, v.bytes("pt"), v.bytes("ct"), 1);
                    }
                });
    }

    private static final List<String> MODES_OF_SP800_38A =
            List.of("ECB", "CBC", "CFB8", "CFB128", "OFB", "CTR");

    /** The modes of SP 800-38A, each on every engine. */
    static Stream<Arguments> modesOfSp80038a() {
        return MODES_OF_SP800_38A.stream()
                .flatMap(mode -> engines().map(engine -> Arguments.of(mode, engine)));
    }

    @ParameterizedTest
    @MethodSource("modesOfSp80038a")
    void sp80038a(String mode, String engine) {
        sp80038a(mode, engine, 1);
    }

    @ParameterizedTest
    @MethodSource("modesOfSp80038a")
    void sp80038aHot(String mode, String engine) {
        sp80038a(mode, engine, Samples.hotCalls());
    }

    /** A mode of SP 800-38A, on the vectors of its appendix F. */
    private static void sp80038a(String name, String engine, int calls) {
        TestVectors.forEach(
                "sp800-38a-" + name.toLowerCase(Locale.ROOT) + ".txt",
                v -> {
                    v.text("name");
                    boolean encrypts = v.text("direction").equals("encrypt");
                    byte[] iv = v.has("iv") ? v.bytes("iv") : new byte[0];
                    byte[] pt = v.bytes("pt");
                    byte[] ct = v.bytes("ct");
                    try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
                        CipherMode mode = Modes.of(name, key);
                        for (int i = 0; i < calls; i++) {
                            if (encrypts) {
                                assertArrayEquals(ct, mode.encrypt(iv, pt));
                            } else {
                                assertArrayEquals(pt, mode.decrypt(iv, ct));
                            }
                        }
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("engines")
    void ciphertextStealing(String engine) {
        ciphertextStealing(engine, 1);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void ciphertextStealingHot(String engine) {
        ciphertextStealing(engine, Samples.hotCalls() / 5);
    }

    private static void ciphertextStealing(String engine, int calls) {
        TestVectors.forEach(
                "cbc-cts.txt",
                v -> {
                    v.text("name");
                    byte[] iv = v.bytes("iv");
                    byte[] pt = v.bytes("pt");
                    byte[] ct = v.bytes("ct");
                    try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
                        CipherMode mode = Modes.of(v.text("mode"), key);
                        for (int i = 0; i < calls; i++) {
                            assertArrayEquals(ct, mode.encrypt(iv, pt));
                            assertArrayEquals(pt, mode.decrypt(iv, ct));
                        }
                    }
                });
    }

    /** A unit of XTS, ready to run again and again. */
    private record XtsUnit(String name, XtsMode xts, byte[] tweak, byte[] pt, byte[] ct) {

        static List<XtsUnit> all(String engine) {
            List<XtsUnit> units = new ArrayList<>();
            TestVectors.forEach(
                    "ieee1619-xts.txt",
                    v ->
                            units.add(
                                    new XtsUnit(
                                            v.text("name"),
                                            Aes.xts(v.bytes("key"), engine),
                                            v.bytes("tweak"),
                                            v.bytes("pt"),
                                            v.bytes("ct"))));
            return units;
        }

        void check() {
            assertArrayEquals(ct, xts.encrypt(tweak, pt), name);
            assertArrayEquals(pt, xts.decrypt(tweak, ct), name);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void xts(String engine) throws Exception {
        for (XtsUnit unit : XtsUnit.all(engine)) {
            unit.check();
            int n = unit.pt.length;
            byte[] array = new byte[n + 3];
            System.arraycopy(unit.pt, 0, array, 3, n);
            unit.xts.encryptSectors(unit.tweak, n, array, 3, n, array, 3);
            assertArrayEquals(unit.ct, Arrays.copyOfRange(array, 3, n + 3), unit.name);
            unit.xts.decryptSectors(unit.tweak, n, array, 3, n, array, 3);
            assertArrayEquals(unit.pt, Arrays.copyOfRange(array, 3, n + 3), unit.name);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void xtsHot(String engine) {
        List<XtsUnit> units = XtsUnit.all(engine);
        for (int i = 0; i < Samples.hotCalls(); i++) {
            units.get(i % units.size()).check();
        }
    }

    /** A file of answers of a mode with authentication. */
    private record AeadFile(String mode, String name) {}

    private static final List<AeadFile> AEAD_FILES =
            List.of(
                    new AeadFile("GCM", "gcm-spec.txt"),
                    new AeadFile("CCM", "sp800-38c.txt"),
                    new AeadFile("CCM", "rfc3610-ccm.txt"),
                    new AeadFile("EAX", "eax.txt"),
                    new AeadFile("OCB", "rfc7253-ocb.txt"));

    /** Each of these files, on every engine. */
    static Stream<Arguments> aeadFiles() {
        return AEAD_FILES.stream()
                .flatMap(file -> engines().map(e -> Arguments.of(file.mode, file.name, e)));
    }

    /** One message of a mode with authentication, ready to run again and again. */
    private record Message(
            String name, Aead aead, byte[] nonce, byte[] aad, byte[] pt, byte[] sealed) {

        static List<Message> all(String mode, String file, String engine) {
            List<Message> messages = new ArrayList<>();
            TestVectors.forEach(
                    file,
                    v -> {
                        byte[] tag = v.bytes("tag");
                        messages.add(
                                new Message(
                                        v.text("name"),
                                        Modes.aead(
                                                mode,
                                                AesKey.of(v.bytes("key"), engine),
                                                tag.length),
                                        v.bytes("nonce"),
                                        v.has("aad") ? v.bytes("aad") : repeated(v),
                                        v.bytes("pt"),
                                        Samples.concat(v.bytes("ct"), tag)));
                    });
            return messages;
        }

        private static byte[] repeated(TestVectors.Vector v) {
            byte[] once = v.bytes("aad-256-times");
            return Samples.concat(Collections.nCopies(256, once).toArray(byte[][]::new));
        }

        void check() throws AEADBadTagException {
            assertArrayEquals(sealed, aead.seal(nonce, aad, pt), name);
            assertArrayEquals(pt, aead.open(nonce, aad, sealed), name);
        }
    }

    @ParameterizedTest
    @MethodSource("aeadFiles")
    void aead(String mode, String file, String engine) throws Exception {
        for (Message message : Message.all(mode, file, engine)) {
            message.check();
        }
    }

    /**
     * All messages in turn, so that compiled code cannot settle on one shape; but for the one with
     * 64 KiB of associated data.
     */
    @ParameterizedTest
    @MethodSource("aeadFiles")
    void aeadHot(String mode, String file, String engine) throws Exception {
        List<Message> messages = Message.all(mode, file, engine);
        messages.removeIf(message -> message.aad.length >= 65_536);
        for (int i = 0; i < Samples.hotCalls(); i++) {
            messages.get(i % messages.size()).check();
        }
    }

    /** One shape of message only, the longest, so that compiled code does settle on it. */
    @ParameterizedTest
    @MethodSource("aeadFiles")
    void aeadHotOneMessage(String mode, String file, String engine) throws Exception {
        List<Message> messages = Message.all(mode, file, engine);
        messages.removeIf(message -> message.aad.length >= 65_536);
        Message longest =
                Collections.max(messages, Comparator.comparingInt(one -> one.sealed.length));
        for (int i = 0; i < Samples.hotCalls(); i++) {
            longest.check();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void cmac(String engine) {
        cmac(engine, 1);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void cmacHot(String engine) {
        cmac(engine, Samples.hotCalls() / 5);
    }

    private static void cmac(String engine, int calls) {
        TestVectors.forEach(
                "sp800-38b.txt",
                v -> {
                    v.text("name");
                    byte[] message = v.bytes("message");
                    byte[] tag = v.bytes("tag");
                    try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
                        AesMac mac = Aes.cmac(key);
                        for (int i = 0; i < calls; i++) {
                            assertArrayEquals(tag, mac.doFinal(message));
                            assertTrue(mac.verify(message, tag));
                        }
                    }
                });
    }

    /** RFC 7253 appendix A: the tag over what 384 messages of zeros were sealed to. */
    @ParameterizedTest
    @MethodSource("engines")
    void ocbIterated(String engine) {
        TestVectors.forEach(
                "rfc7253-ocb-iterated.txt",
                v -> {
                    int tagBits = (int) v.number("taglen");
                    byte[] keyBytes = new byte[(int) v.number("keylen") / 8];
                    keyBytes[keyBytes.length - 1] = (byte) tagBits;
                    try (AesKey key = AesKey.of(keyBytes, engine)) {
                        Aead ocb = Aes.ocb(key, tagBits / 8);
                        byte[] none = new byte[0];
                        byte[] all = none;
                        for (int i = 0; i < 128; i++) {
                            byte[] s = new byte[i];
                            all =
                                    Samples.concat(
                                            all,
                                            ocb.seal(number(3 * i + 1), s, s),
                                            ocb.seal(number(3 * i + 2), none, s),
                                            ocb.seal(number(3 * i + 3), s, none));
                        }
                        assertEquals(128 * 127 + 384 * tagBits / 8, all.length);
                        byte[] output = v.bytes("output");
                        assertEquals(tagBits / 8, output.length);
                        assertArrayEquals(output, ocb.seal(number(385), all, none));
                        assertArrayEquals(none, ocb.open(number(385), all, output));
                    }
                });
    }

    /** Every answer once but the iterated one, for a JVM with settings of its own. */
    void each(String engine) throws Exception {
        blockCipher(engine);
        for (String mode : MODES_OF_SP800_38A) {
            sp80038a(mode, engine);
        }
        ciphertextStealing(engine);
        xts(engine);
        for (AeadFile file : AEAD_FILES) {
            aead(file.mode, file.name, engine);
        }
        cmac(engine);
    }

    private static byte[] number(int n) {
        return ByteBuffer.allocate(12).putInt(8, n).array();
    }
}
