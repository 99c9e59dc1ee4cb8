package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Engines;
import dev.isochron.aes.internal.block.RoundKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
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

    @ParameterizedTest
    @MethodSource("engines")
    void ctr(String engine) {
        ctr(engine, 1);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void ctrHot(String engine) {
        ctr(engine, Samples.hotCalls());
    }

    private static void ctr(String engine, int calls) {
        TestVectors.forEach(
                "sp800-38a-ctr.txt",
                v -> {
                    v.text("name");
                    boolean encrypts = v.text("direction").equals("encrypt");
                    byte[] iv = v.bytes("iv");
                    byte[] pt = v.bytes("pt");
                    byte[] ct = v.bytes("ct");
                    try (AesKey key = AesKey.of(v.bytes("key"), engine)) {
                        CtrMode mode = Aes.ctr(key);
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

    /** One case of the GCM specification, ready to run again and again. */
    private record GcmCase(
            String name, AesKey key, Aead gcm, byte[] nonce, byte[] aad, byte[] pt, byte[] sealed) {

        static List<GcmCase> all(String engine) {
            List<GcmCase> cases = new ArrayList<>();
            TestVectors.forEach(
                    "gcm-spec.txt",
                    v -> {
                        AesKey key = AesKey.of(v.bytes("key"), engine);
                        cases.add(
                                new GcmCase(
                                        v.text("name"),
                                        key,
                                        Aes.gcm(key),
                                        v.bytes("nonce"),
                                        v.bytes("aad"),
                                        v.bytes("pt"),
                                        Samples.concat(v.bytes("ct"), v.bytes("tag"))));
                    });
            return cases;
        }

        void check() throws AEADBadTagException {
            assertArrayEquals(sealed, gcm.seal(nonce, aad, pt), name);
            assertArrayEquals(pt, gcm.open(nonce, aad, sealed), name);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void gcm(String engine) throws Exception {
        List<GcmCase> cases = GcmCase.all(engine);
        assertEquals(18, cases.size());
        for (GcmCase one : cases) {
            one.check();
        }
    }

    /** All cases in turn, so that compiled code cannot settle on one shape of message. */
    @ParameterizedTest
    @MethodSource("engines")
    void gcmHot(String engine) throws Exception {
        List<GcmCase> cases = GcmCase.all(engine);
        for (int i = 0; i < Samples.hotCalls(); i++) {
            cases.get(i % cases.size()).check();
        }
    }

    /** One shape of message only, so that compiled code does settle on it. */
    @ParameterizedTest
    @MethodSource("engines")
    void gcmHotOneCase(String engine) throws Exception {
        GcmCase last = GcmCase.all(engine).get(15);
        for (int i = 0; i < Samples.hotCalls(); i++) {
            last.check();
        }
    }
}
