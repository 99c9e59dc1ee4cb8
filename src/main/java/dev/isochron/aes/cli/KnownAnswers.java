package dev.isochron.aes.cli;

import dev.isochron.aes.Aead;
import dev.isochron.aes.Aes;
import dev.isochron.aes.CtrMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * What {@code selftest} knows: the answers of FIPS 197, of SP 800-38A for CTR and of the GCM
 * specification, from the files of {@code testvectors/}, which the jar carries; and, because those
 * messages are short, long ones that make every engine work in batches.
 *
 * <p>The block cipher is reached through CTR: the keystream of a counter block is that block,
 * encrypted. No mode of this version decrypts a block.
 */
final class KnownAnswers {

    private static final int BLOCK = 16;
    private static final int[] KEY_LENGTHS = {16, 24, 32};

    /** A message that ends inside a block, after more blocks than any batch holds. */
    private static final int LONG_MESSAGE = 1025 * BLOCK + 13;

    /** The GCM tags of that message, by key length, on which OpenJDK and Bouncy Castle agree. */
    private static final String[] LONG_TAGS = {
        "84a9d5e1abbe7b4d95f47cc6f831d9b7",
        "226afa526653264e76c2b51ae84f16d2",
        "b5ffb53b7bf770320c2aece32d47e9e8"
    };

    private KnownAnswers() {}

    /**
     * Everything, in the order of the list above.
     *
     * @throws IOException if the jar lacks the files
     */
    static List<KnownAnswer> all() throws IOException {
        List<KnownAnswer> all = new ArrayList<>();
        for (Map<String, String> vector : read("fips-197.txt")) {
            all.add(block(vector));
        }
        for (Map<String, String> vector : read("sp800-38a-ctr.txt")) {
            all.add(ctr(vector));
        }
        for (Map<String, String> vector : read("gcm-spec.txt")) {
            all.add(
                    gcm(
                            "GCM specification, case " + vector.get("name"),
                            bytes(vector, "key"),
                            bytes(vector, "nonce"),
                            bytes(vector, "aad"),
                            bytes(vector, "pt"),
                            concat(bytes(vector, "ct"), bytes(vector, "tag"))));
        }
        for (int i = 0; i < KEY_LENGTHS.length; i++) {
            byte[] key = count(KEY_LENGTHS[i]);
            all.add(longGcm(key, HexFormat.of().parseHex(LONG_TAGS[i])));
            all.add(batches(key));
        }
        return all;
    }

    private static KnownAnswer block(Map<String, String> vector) {
        byte[] plaintext = bytes(vector, "pt");
        byte[] ciphertext = bytes(vector, "ct");
        return new KnownAnswer(
                "FIPS 197, appendix " + vector.get("name"),
                bytes(vector, "key"),
                key -> Arrays.equals(ciphertext, Aes.ctr(key).encrypt(plaintext, new byte[BLOCK])));
    }

    private static KnownAnswer ctr(Map<String, String> vector) {
        byte[] iv = bytes(vector, "iv");
        byte[] plaintext = bytes(vector, "pt");
        byte[] ciphertext = bytes(vector, "ct");
        return new KnownAnswer(
                "SP 800-38A, " + vector.get("name"),
                bytes(vector, "key"),
                key ->
                        Arrays.equals(ciphertext, Aes.ctr(key).encrypt(iv, plaintext))
                                && Arrays.equals(plaintext, Aes.ctr(key).decrypt(iv, ciphertext)));
    }

    private static KnownAnswer gcm(
            String name, byte[] key, byte[] nonce, byte[] aad, byte[] plaintext, byte[] sealed) {
        return new KnownAnswer(
                name,
                key,
                made -> {
                    Aead gcm = Aes.gcm(made);
                    return Arrays.equals(sealed, gcm.seal(nonce, aad, plaintext))
                            && Arrays.equals(plaintext, gcm.open(nonce, aad, sealed));
                });
    }

    /** The tag stands for the ciphertext too, which it authenticates. */
    private static KnownAnswer longGcm(byte[] key, byte[] tag) {
        byte[] nonce = count(12);
        byte[] aad = count(20);
        byte[] plaintext = count(LONG_MESSAGE);
        return new KnownAnswer(
                "GCM, long message, " + 8 * key.length + "-bit key",
                key,
                made -> {
                    Aead gcm = Aes.gcm(made);
                    byte[] sealed = gcm.seal(nonce, aad, plaintext);
                    return Arrays.equals(sealed, LONG_MESSAGE, sealed.length, tag, 0, tag.length)
                            && Arrays.equals(plaintext, gcm.open(nonce, aad, sealed));
                });
    }

    /** CTR over many blocks is CTR over one block, many times; the counter carries on the way. */
    private static KnownAnswer batches(byte[] key) {
        return new KnownAnswer(
                "CTR, batches against single blocks, " + 8 * key.length + "-bit key",
                key,
                made -> {
                    CtrMode mode = Aes.ctr(made);
                    byte[] keystream = new byte[1024 * BLOCK];
                    for (int i = 0; i < keystream.length; i += BLOCK) {
                        byte[] one = new byte[BLOCK];
                        mode.encrypt(counter(i / BLOCK), one, 0, BLOCK, keystream, i);
                    }
                    boolean right = true;
                    for (int blocks = 1; blocks <= 1024; blocks += blocks < 130 ? 1 : 149) {
                        int length = blocks * BLOCK;
                        byte[] batch = mode.encrypt(counter(0), new byte[length]);
                        right &= Arrays.equals(batch, 0, length, keystream, 0, length);
                    }
                    return right;
                });
    }

    /** The counter block that lies {@code i} after one whose lower half is about to overflow. */
    private static byte[] counter(int i) {
        long low = -70L + i;
        return ByteBuffer.allocate(BLOCK).putLong(i < 70 ? 6 : 7).putLong(low).array();
    }

    /** The bytes 0, 1, 2 and so on, each 256th row one further, so that no two rows are alike. */
    private static byte[] count(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + (i >> 8));
        }
        return bytes;
    }

    private static byte[] concat(byte[] one, byte[] other) {
        return ByteBuffer.allocate(one.length + other.length).put(one).put(other).array();
    }

    private static byte[] bytes(Map<String, String> vector, String name) {
        return HexFormat.of().parseHex(vector.get(name));
    }

    /**
     * Reads records of {@code name = value} lines, parted by empty lines; {@code #} starts a
     * remark. The first record is their count.
     */
    private static List<Map<String, String>> read(String file) throws IOException {
        InputStream resource = KnownAnswers.class.getResourceAsStream(file);
        if (resource == null) {
            throw new IOException("this program was packaged without " + file);
        }
        List<Map<String, String>> records = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
            Map<String, String> record = new HashMap<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isBlank()) {
                    record = new HashMap<>();
                } else if (!line.startsWith("#")) {
                    if (record.isEmpty()) {
                        records.add(record);
                    }
                    int equals = line.indexOf('=');
                    record.put(
                            line.substring(0, equals).strip(), line.substring(equals + 1).strip());
                }
            }
        }
        int count = Integer.parseInt(records.remove(0).get("count"));
        if (count != records.size()) {
            throw new IOException(file + " has " + records.size() + " records, not " + count);
        }
        return records;
    }
}
