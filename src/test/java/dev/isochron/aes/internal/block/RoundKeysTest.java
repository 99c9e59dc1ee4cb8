package dev.isochron.aes.internal.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The key schedule, seen through its bulk form. */
class RoundKeysTest {

    @ParameterizedTest
    @CsvSource({
        // FIPS 197 appendix A.1.
        "2b7e151628aed2a6abf7158809cf4f3c,"
                + "2b7e151628aed2a6abf7158809cf4f3ca0fafe1788542cb123a339392a6c7605"
                + "f2c295f27a96b9435935807a7359f67f3d80477d4716fe3e1e237e446d7a883b"
                + "ef44a541a8525b7fb671253bdb0bad00d4d1c6f87c839d87caf2b8bc11f915bc"
                + "6d88a37a110b3efddbf98641ca0093fd4e54f70e5f5fc9f384a64fb24ea6dc4f"
                + "ead27321b58dbad2312bf5607f8d292fac7766f319fadc2128d12941575c006e"
                + "d014f9a8c9ee2589e13f0cc8b6630ca6",
        // Appendix A.2.
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b,"
                + "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7bfe0c91f72402f5a5"
                + "ec12068e6c827f6b0e7a95b95c56fec24db7b4bd69b5411885a74796e92538fd"
                + "e75fad44bb095386485af05721efb14fa448f6d94d6dce24aa326360113b30e6"
                + "a25e7ed583b1cf9a27f939436a94f767c0a69407d19da4e1ec1786eb6fa64971"
                + "485f703222cb8755e26d135233f0b7b340beeb282f18a2596747d26b458c553e"
                + "a7e1466c9411f1df821f750aad07d753ca4005388fcc5006282d166abc3ce7b5"
                + "e98ba06f448c773c8ecc720401002202",
        // Appendix A.3.
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4,"
                + "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
                + "9ba354118e6925afa51a8b5f2067fcdea8b09c1a93d194cdbe49846eb75d5b9a"
                + "d59aecb85bf3c917fee94248de8ebe96b5a9328a2678a647983122292f6c79b3"
                + "812c81addadf48ba24360af2fab8b46498c5bfc9bebd198e268c3ba709e04214"
                + "68007bacb2df331696e939e46c518d80c814e20476a9fb8a5025c02d59c58239"
                + "de1369676ccc5a71fa2563959674ee155886ca5d2e2f31d77e0af1fa27cf73c3"
                + "749c47ab18501ddae2757e4f7401905acafaaae3e4d59b349adf6acebd10190d"
                + "fe4890d1e6188d0b046df344706c631e",
    })
    void fips197AppendixA(String key, String expected) {
        try (RoundKeys keys = RoundKeys.expand(HexFormat.of().parseHex(key))) {
            assertEquals(expected, HexFormat.of().formatHex(bytes(keys)));
        }
    }

    @ParameterizedTest
    @CsvSource({"16, 10", "24, 12", "32, 14"})
    void rounds(int keyLength, int rounds) {
        try (RoundKeys keys = RoundKeys.expand(new byte[keyLength])) {
            assertEquals(rounds, keys.rounds());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void randomKeysAgreeWithTheTextbook(int keyLength) {
        Random random = new Random(keyLength);
        // Enough calls to be compiled.
        for (int i = 0; i < 12_000; i++) {
            byte[] key = new byte[keyLength];
            random.nextBytes(key);
            try (RoundKeys keys = RoundKeys.expand(key)) {
                byte[] got = bytes(keys);
                if (i < 100 || i % 100 == 0) {
                    assertArrayEquals(textbook(key), got, "call " + i);
                }
            }
        }
    }

    @Test
    void expandKeepsAndChangesNothingOfTheCallers() {
        byte[] key = new byte[32];
        new Random(1).nextBytes(key);
        byte[] given = key.clone();
        try (RoundKeys keys = RoundKeys.expand(given)) {
            assertArrayEquals(key, given);
            Arrays.fill(given, (byte) 0);
            assertArrayEquals(textbook(key), bytes(keys));
        }
    }

    @Test
    void closeWipes() {
        byte[] key = new byte[16];
        key[3] = 1;
        RoundKeys keys = RoundKeys.expand(key);
        long[] tower = keys.tower();
        long[] bulk = keys.bulk();
        assertNotEquals(0, tower[0] | tower[1]);
        assertNotEquals(0, bulk[0] | bulk[1]);
        keys.close();
        assertArrayEquals(new long[22], tower);
        assertArrayEquals(new long[22], bulk);
        keys.close();
    }

    /** The round keys as FIPS 197 prints them, gathered from the bulk form. */
    private static byte[] bytes(RoundKeys keys) {
        long[] bulk = keys.bulk();
        byte[] bytes = new byte[16 * (keys.rounds() + 1)];
        for (int round = 0; round <= keys.rounds(); round++) {
            for (int column = 0; column < 4; column++) {
                for (int row = 0; row < 4; row++) {
                    int b = round == 0 ? 0 : 0x63;
                    for (int i = 0; i < 8; i++) {
                        long half = bulk[2 * round + i / 4];
                        b ^= (int) (half >>> (4 * (4 * row + column) + i % 4) & 1) << i;
                    }
                    bytes[16 * round + 4 * column + row] = (byte) b;
                }
            }
        }
        return bytes;
    }

    /** FIPS 197 section 5.2, byte by byte. */
    private static byte[] textbook(byte[] key) {
        int rounds = key.length / 4 + 6;
        byte[] w = new byte[16 * (rounds + 1)];
        System.arraycopy(key, 0, w, 0, key.length);
        int rcon = 1;
        for (int i = key.length; i < w.length; i += 4) {
            for (int j = 0; j < 4; j++) {
                int b = w[i - 4 + j];
                if (i % key.length == 0) {
                    b = subByte(w[i - 4 + (j + 1) % 4]) ^ (j == 0 ? rcon : 0);
                } else if (key.length == 32 && i % 32 == 16) {
                    b = subByte(b);
                }
                w[i + j] = (byte) (w[i - key.length + j] ^ b);
            }
            if (i % key.length == 0) {
                rcon = times(rcon, 2);
            }
        }
        return w;
    }

    private static int subByte(int b) {
        int x = b & 0xFF;
        int inverse = 1;
        for (int i = 0; i < 254; i++) {
            inverse = times(inverse, x);
        }
        int s = 0x63;
        for (int i = 0; i < 5; i++) {
            s ^= inverse << i | inverse >> (8 - i);
        }
        return s & 0xFF;
    }

    private static int times(int x, int y) {
        int product = 0;
        for (int i = 0; i < 8; i++) {
            if ((y >> i & 1) != 0) {
                product ^= x << i;
            }
        }
        for (int i = 14; i >= 8; i--) {
            if ((product >> i & 1) != 0) {
                product ^= 0x11B << (i - 8);
            }
        }
        return product;
    }
}
