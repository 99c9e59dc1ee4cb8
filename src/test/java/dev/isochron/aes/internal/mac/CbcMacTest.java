package dev.isochron.aes.internal.mac;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.isochron.aes.Aes;
import dev.isochron.aes.Samples;
import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Engines;
import dev.isochron.aes.internal.block.RoundKeys;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CBC-MAC against the JDK's CBC, of which it is the last block. */
class CbcMacTest {

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void isTheLastBlockOfCbc(String engine) throws Exception {
        byte[] keyBytes = Samples.pattern(1, 24);
        Random random = new Random(7);
        try (RoundKeys keys = RoundKeys.expand(keyBytes);
                BlockCipher cipher = Engines.byName(engine).cipher(keys)) {
            for (int length = 1; length < 400; length++) {
                byte[] in = Samples.pattern(length, length);
                byte[] expected = lastBlock(keyBytes, in);
                try (CbcMac mac = new CbcMac(cipher)) {
                    int at = 0;
                    for (int piece = random.nextInt(40);
                            at < length;
                            piece = Math.min(length - at, random.nextInt(40))) {
                        int n = Math.min(piece, length - at);
                        mac.update(in, at, n);
                        at += n;
                    }
                    mac.pad();
                    mac.pad();
                    assertArrayEquals(expected, mac.finish(), length + " bytes in pieces");
                }
                try (CbcMac mac = new CbcMac(cipher)) {
                    mac.update(in, 0, length);
                    mac.pad();
                    assertArrayEquals(expected, mac.finish(), length + " bytes");
                }
            }
        }
    }

    /** Company changes neither the MAC nor the company. */
    @ParameterizedTest
    @MethodSource("engines")
    void company(String engine) throws Exception {
        byte[] keyBytes = Samples.pattern(1, 32);
        byte[] in = Samples.pattern(5, 48);
        try (RoundKeys keys = RoundKeys.expand(keyBytes);
                BlockCipher cipher = Engines.byName(engine).cipher(keys);
                CbcMac mac = new CbcMac(cipher)) {
            for (int at = 0; at < in.length; at += 16) {
                mac.update(in, at, 16);
                byte[] batch = Arrays.copyOf(Samples.pattern(at, at), at + 16);
                mac.encipherWith(batch);
                byte[] others = Samples.pattern(at, at);
                cipher.encrypt(others, 0, others, 0, at / 16);
                assertArrayEquals(others, Arrays.copyOf(batch, at));
            }
            assertArrayEquals(lastBlock(keyBytes, in), mac.finish());
        }
    }

    private static byte[] lastBlock(byte[] key, byte[] in) throws Exception {
        Cipher cbc = Cipher.getInstance("AES/CBC/NoPadding");
        cbc.init(
                Cipher.ENCRYPT_MODE,
                new SecretKeySpec(key, "AES"),
                new IvParameterSpec(new byte[16]));
        byte[] out = cbc.doFinal(Arrays.copyOf(in, (in.length + 15) & -16));
        return Arrays.copyOfRange(out, out.length - 16, out.length);
    }
}
