package dev.isochron.aes.internal.mac;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import java.util.Random;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.junit.jupiter.api.Test;

/** HKDF-SHA-256 against RFC 5869 appendix A and Bouncy Castle. */
class HkdfTest {

    private static byte[] hex(String s) {
        return HexFormat.of().parseHex(s);
    }

    private static byte[] range(int from, int to) {
        byte[] a = new byte[to - from];
        for (int i = 0; i < a.length; i++) {
            a[i] = (byte) (from + i);
        }
        return a;
    }

    @Test
    void rfc5869TestCase1() {
        byte[] ikm = hex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b");
        assertArrayEquals(
                hex(
                        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
                                + "34007208d5b887185865"),
                Hkdf.sha256(ikm, range(0x00, 0x0d), range(0xf0, 0xfa), 42));
    }

    @Test
    void rfc5869TestCase2LongInputs() {
        assertArrayEquals(
                hex(
                        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                                + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                                + "cc30c58179ec3e87c14c01d5c1f3434f1d87"),
                Hkdf.sha256(range(0x00, 0x50), range(0x60, 0xb0), range(0xb0, 0x100), 82));
    }

    @Test
    void rfc5869TestCase3NoSaltNoInfo() {
        byte[] ikm = hex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b");
        assertArrayEquals(
                hex(
                        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
                                + "9d201395faa4b61a96c8"),
                Hkdf.sha256(ikm, new byte[0], new byte[0], 42));
    }

    @Test
    void agreesWithBouncyCastleAtEveryEdge() {
        Random random = new Random(5869);
        int[] sizes = {0, 1, 31, 32, 33, 55, 56, 63, 64, 65, 127, 128, 129, 200};
        int[] lengths = {0, 1, 16, 31, 32, 33, 64, 65, 255, 8160};
        for (int ikmSize : sizes) {
            for (int saltSize : sizes) {
                for (int length : lengths) {
                    byte[] ikm = new byte[ikmSize];
                    byte[] salt = new byte[saltSize];
                    byte[] info = new byte[random.nextInt(100)];
                    random.nextBytes(ikm);
                    random.nextBytes(salt);
                    random.nextBytes(info);
                    byte[] expected = new byte[length];
                    HKDFBytesGenerator oracle = new HKDFBytesGenerator(new SHA256Digest());
                    oracle.init(new HKDFParameters(ikm, salt, info));
                    oracle.generateBytes(expected, 0, length);
                    assertArrayEquals(expected, Hkdf.sha256(ikm, salt, info, length));
                }
            }
        }
    }

    @Test
    void leavesItsInputsAlone() {
        byte[] ikm = range(1, 33);
        byte[] salt = range(2, 90);
        byte[] info = range(3, 30);
        Hkdf.sha256(ikm, salt, info, 64);
        assertArrayEquals(range(1, 33), ikm);
        assertArrayEquals(range(2, 90), salt);
        assertArrayEquals(range(3, 30), info);
    }

    @Test
    void refusesLengthsOutOfRange() {
        byte[] none = new byte[0];
        for (int length : new int[] {-1, Integer.MIN_VALUE, 8161, Integer.MAX_VALUE}) {
            IllegalArgumentException e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> Hkdf.sha256(none, none, none, length));
            assertEquals("length is " + length + ", allowed are 0 to 8160", e.getMessage());
        }
    }
}
