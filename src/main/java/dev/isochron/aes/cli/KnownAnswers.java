package dev.isochron.aes.cli;

import dev.isochron.aes.Aead;
import dev.isochron.aes.Aes;
import dev.isochron.aes.AesMac;
import dev.isochron.aes.CipherMode;
import dev.isochron.aes.CtrMode;
import dev.isochron.aes.XtsMode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What {@code selftest} knows: the standards' own answers for every mode, from the files of {@code
 * testvectors/}, which the jar carries; and, because those messages are short, long ones in every mode
 * that make every engine work in batches.
 */
final class KnownAnswers {

    private static final int BLOCK = 16;
    private static final int[] KEY_LENGTHS = {16, 24, 32};
    private static final int LONG_TAG = 16;

    /** Makes an answer of a vector. */
    private interface Maker {
        KnownAnswer make(String name, Map<String, String> vector);
    }

    /**
     * A file of vectors.
     *
     * @param file its name
     * @param origin what the names of its answers start with
     * @param maker makes an answer of each vector
     */
    record Group(String file, String origin, Maker maker) {

        KnownAnswer answer(Map<String, String> vector) {
            return maker.make((origin + " " + vector.getOrDefault("name", "")).strip(), vector);
        }
    }

    /** All files. */
    static final List<Group> GROUPS =
            List.of(
                    new Group("fips-197.txt", "FIPS 197, appendix", mode("ECB")),
                    new Group("sp800-38a-ecb.txt", "SP 800-38A, ECB", mode("ECB")),
                    new Group("sp800-38a-cbc.txt", "SP 800-38A, CBC", mode("CBC")),
                    new Group("sp800-38a-cfb128.txt", "SP 800-38A, CFB128", mode("CFB128")),
                    new Group("sp800-38a-cfb8.txt", "SP 800-38A, CFB8", mode("CFB8")),
                    new Group("sp800-38a-ofb.txt", "SP 800-38A, OFB", mode("OFB")),
                    new Group("sp800-38a-ctr.txt", "SP 800-38A, CTR", mode("CTR")),
                    new Group(
                            "cbc-cts.txt",
                            "CBC with ciphertext stealing",
                            (name, vector) -> mode(vector.get("mode")).make(name, vector)),
                    new Group("ieee1619-xts.txt", "XTS", mode("XTS")),
                    new Group("gcm-spec.txt", "GCM specification, case", mode("GCM")),
                    new Group("sp800-38c.txt", "SP 800-38C, CCM example", mode("CCM")),
                    new Group("rfc3610-ccm.txt", "RFC 3610, CCM vector", mode("CCM")),
                    new Group("eax.txt", "EAX paper, vector", mode("EAX")),
                    new Group("rfc7253-ocb.txt", "RFC 7253, OCB", mode("OCB")),
                    new Group(
                            "rfc7253-ocb-iterated.txt",
                            "RFC 7253, OCB",
                            KnownAnswers::ocbIterated),
                    new Group("sp800-38b.txt", "SP 800-38B, CMAC", KnownAnswers::cmac),
                    new Group("long-messages.txt", "long message", KnownAnswers::longMessage));

    private KnownAnswers() {}

    /**
     * Everything: all files, and batches against single blocks.
     *
     * @throws IOException if the jar lacks the files
     */
    static List<KnownAnswer> all() throws IOException {
        List<KnownAnswer> all = new ArrayList<>();
        for (Group group : GROUPS) {
            for (Map<String, String> vector : read(group.file())) {
                all.add(group.answer(vector));
            }
        }
        for (int length : KEY_LENGTHS) {
            all.add(batches(count(length)));
        }
        return all;
    }

    /** A case with its whole output, given as {@code ct} and, for an AEAD, {@code tag}. */
    private static Maker mode(String mode) {
        return (name, vector) -> {
            byte[] tag = bytes(vector, "tag");
            byte[] output = concat(bytes(vector, "ct"), tag);
            return bothWays(
                    name,
                    mode,
                    vector,
                    bytes(vector, "pt"),
                    tag.length,
                    actual -> Arrays.equals(output, actual));
        };
    }

    /** Encrypting gives the expected output, and decrypting that gives the plaintext. */
    private static KnownAnswer bothWays(
            String name,
            String mode,
            Map<String, String> vector,
            byte[] plaintext,
            int tagLength,
            Predicate<byte[]> expected) {
        byte[] bytes = bytes(vector, "key");
        return switch (mode) {
            case "XTS" -> {
                byte[] tweak = bytes(vector, "tweak");
                yield new KnownAnswer(
                        name,
                        bytes,
                        (key, engine) -> {
                            try (XtsMode xts = Aes.xts(key, engine)) {
                                byte[] output = xts.encrypt(tweak, plaintext);
                                return expected.test(output)
                                        && Arrays.equals(plaintext, xts.decrypt(tweak, output));
                            }
                        });
            }
            case "GCM", "CCM", "EAX", "OCB" -> {
                byte[] nonce = bytes(vector, "nonce");
                byte[] aad = aad(vector);
                yield KnownAnswer.underKey(
                        name,
                        bytes,
                        key -> {
                            Aead aead = Modes.aead(mode, key, tagLength);
                            byte[] output = aead.seal(nonce, aad, plaintext);
                            return expected.test(output)
                                    && Arrays.equals(plaintext, aead.open(nonce, aad, output));
                        });
            }
            default -> {
                byte[] iv = bytes(vector, "iv");
                yield KnownAnswer.underKey(
                        name,
                        bytes,
                        key -> {
                            CipherMode cipher = Modes.plain(mode, key);
                            byte[] output = cipher.encrypt(iv, plaintext);
                            return expected.test(output)
                                    && Arrays.equals(plaintext, cipher.decrypt(iv, output));
                        });
            }
        };
    }

    /** The associated data; SP 800-38C has one so long that it is given once and repeated. */
    private static byte[] aad(Map<String, String> vector) {
        String once = vector.get("aad-256-times");
        return once == null ? bytes(vector, "aad") : HexFormat.of().parseHex(once.repeat(256));
    }

    /** RFC 7253 appendix A: the tag over what 384 messages of zeros were sealed to. */
    private static KnownAnswer ocbIterated(String name, Map<String, String> vector) {
        int tagBits = Integer.parseInt(vector.get("taglen"));
        byte[] bytes = new byte[Integer.parseInt(vector.get("keylen")) / 8];
        bytes[bytes.length - 1] = (byte) tagBits;
        byte[] output = bytes(vector, "output");
        byte[] none = new byte[0];
        return KnownAnswer.underKey(
                name + " iterated, " + 8 * bytes.length + "-bit key, " + tagBits + "-bit tag",
                bytes,
                key -> {
                    Aead ocb = Aes.ocb(key, tagBits / 8);
                    ByteArrayOutputStream all = new ByteArrayOutputStream();
                    for (int i = 0; i < 128; i++) {
                        byte[] zeros = new byte[i];
                        all.writeBytes(ocb.seal(number(3 * i + 1), zeros, zeros));
                        all.writeBytes(ocb.seal(number(3 * i + 2), none, zeros));
                        all.writeBytes(ocb.seal(number(3 * i + 3), zeros, none));
                    }
                    return Arrays.equals(output, ocb.seal(number(385), all.toByteArray(), none));
                });
    }

    private static byte[] number(int n) {
        return ByteBuffer.allocate(12).putInt(8, n).array();
    }

    private static KnownAnswer cmac(String name, Map<String, String> vector) {
        byte[] message = bytes(vector, "message");
        byte[] tag = bytes(vector, "tag");
        return KnownAnswer.underKey(
                name,
                bytes(vector, "key"),
                key -> {
                    AesMac mac = Aes.cmac(key, tag.length);
                    return Arrays.equals(tag, mac.doFinal(message)) && mac.verify(message, tag);
                });
    }

    /** A digest stands for the output, which would be long. */
    private static KnownAnswer longMessage(String name, Map<String, String> vector) {
        String mode = vector.get("mode");
        byte[] message = count(Integer.parseInt(vector.get("length")));
        byte[] digest = bytes(vector, "sha-256");
        byte[] bytes = bytes(vector, "key");
        int bits = 8 * bytes.length / (mode.equals("XTS") ? 2 : 1);
        String full = name + ", " + mode + ", " + bits + "-bit key";
        if (mode.equals("CMAC")) {
            return KnownAnswer.underKey(
                    full,
                    bytes,
                    key -> Arrays.equals(digest, sha256(Aes.cmac(key).doFinal(message))));
        }
        return bothWays(
                full,
                mode,
                vector,
                message,
                LONG_TAG,
                output -> Arrays.equals(digest, sha256(output)));
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    /** CTR over many blocks is CTR over one block, many times; the counter carries on the way. */
    private static KnownAnswer batches(byte[] key) {
        return KnownAnswer.underKey(
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

    /** Empty if the vector has no such attribute. */
    private static byte[] bytes(Map<String, String> vector, String name) {
        return HexFormat.of().parseHex(vector.getOrDefault(name, ""));
    }

    /**
     * Reads records of {@code name = value} lines, parted by empty lines; {@code #} starts a
     * remark. The first record is their count.
     */
    static List<Map<String, String>> read(String file) throws IOException {
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
