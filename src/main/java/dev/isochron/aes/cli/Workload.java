package dev.isochron.aes.cli;

import dev.isochron.aes.Aead;
import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import dev.isochron.aes.AesMac;
import dev.isochron.aes.CipherMode;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that {@code speed} measures: a mode in one direction. A new mode is one more name in {@link
 * #all}.
 *
 * @param mode the mode's name, as in {@code AES-128-GCM}
 * @param direction what is done, by the short name of {@code speed --table}
 * @param verb the same in a word
 * @param preparation sets it up
 */
record Workload(String mode, String direction, String verb, Preparation preparation) {

    /** Makes an operation, with everything that is not to be measured. */
    interface Preparation {
        /** An operation on a message of {@code size} bytes. */
        Operation prepare(AesKey key, int size) throws GeneralSecurityException;
    }

    /** What is measured: one call on one message. */
    interface Operation {
        /** Runs once. */
        void run() throws GeneralSecurityException;
    }

    private static final int BLOCK = 16;
    private static final int TAG = 16;
    private static final String AUTH = "auth";

    /** All of them, in the order of the table. */
    static final List<Workload> ALL = all();

    private static List<Workload> all() {
        List<Workload> all = new ArrayList<>();
        for (String mode : List.of("ECB", "CBC", "CFB128", "CFB8", "OFB", "CTR", "XTS")) {
            all.add(
                    new Workload(
                            mode,
                            "enc",
                            "encrypt",
                            (key, size) -> encrypt(plain(mode, key), size)));
            all.add(
                    new Workload(
                            mode,
                            "dec",
                            "decrypt",
                            (key, size) -> decrypt(plain(mode, key), size)));
        }
        for (String mode : List.of("CCM", "EAX", "GCM", "OCB")) {
            all.add(
                    new Workload(
                            mode,
                            "enc",
                            "seal",
                            (key, size) -> seal(Modes.aead(mode, key, TAG), size)));
            all.add(
                    new Workload(
                            mode,
                            "dec",
                            "open",
                            (key, size) -> open(Modes.aead(mode, key, TAG), size)));
            all.add(
                    new Workload(
                            mode,
                            AUTH,
                            "authenticate",
                            (key, size) -> authenticate(Modes.aead(mode, key, TAG), size)));
        }
        all.add(new Workload("CMAC", AUTH, "authenticate", Workload::authenticate));
        return List.copyOf(all);
    }

    /** The names of the modes, each once. */
    static List<String> modes() {
        return ALL.stream().map(Workload::mode).distinct().toList();
    }

    /** Whether it has keys of a size: XTS has none of 192 bits. */
    boolean takesKey(int bits) {
        return !mode.equals("XTS") || bits != 192;
    }

    /** The nearest size of a message, not below {@code size}, that the mode takes. */
    int messageSize(int size) {
        boolean wholeBlocks = mode.equals("ECB") || mode.equals("CBC");
        return wholeBlocks ? (size + BLOCK - 1) / BLOCK * BLOCK : size;
    }

    /** Whether it is an AEAD without a text, which interests beside the AEAD with one alone. */
    boolean isPart() {
        return direction.equals(AUTH) && !mode.equals("CMAC");
    }

    /** The error for an operation that was refused. */
    FailureException failure(String engine) {
        return new FailureException(
                engine + ", " + mode + " " + verb + ": a valid call failed; see selftest");
    }

    /** XTS has a pair of keys of its own, on the same engine. */
    private static CipherMode plain(String mode, AesKey key) {
        if (!mode.equals("XTS")) {
            return Modes.plain(mode, key);
        }
        byte[] pair = new byte[key.bits() / 4];
        pair[0] = 1;
        return Aes.xts(pair, key.engine());
    }

    private static Operation encrypt(CipherMode mode, int size) {
        byte[] iv = new byte[mode.ivLength()];
        byte[] in = new byte[size];
        byte[] out = new byte[size];
        return () -> mode.encrypt(iv, in, 0, size, out, 0);
    }

    private static Operation decrypt(CipherMode mode, int size) {
        byte[] iv = new byte[mode.ivLength()];
        byte[] in = new byte[size];
        byte[] out = new byte[size];
        return () -> mode.decrypt(iv, in, 0, size, out, 0);
    }

    private static Operation seal(Aead aead, int size) {
        byte[] nonce = new byte[12];
        byte[] in = new byte[size];
        byte[] out = new byte[size + aead.tagLength()];
        return () -> aead.seal(nonce, null, in, 0, size, out, 0);
    }

    private static Operation open(Aead aead, int size) {
        byte[] nonce = new byte[12];
        byte[] sealed = aead.seal(nonce, null, new byte[size]);
        byte[] out = new byte[size];
        return () -> aead.open(nonce, null, sealed, 0, sealed.length, out, 0);
    }

    /** The message is all associated data. */
    private static Operation authenticate(Aead aead, int size) {
        byte[] nonce = new byte[12];
        byte[] aad = new byte[size];
        byte[] out = new byte[aead.tagLength()];
        return () -> aead.seal(nonce, aad, aad, 0, 0, out, 0);
    }

    private static Operation authenticate(AesKey key, int size) {
        AesMac mac = Aes.cmac(key);
        byte[] in = new byte[size];
        byte[] out = new byte[mac.tagLength()];
        return () -> {
            mac.update(in, 0, size);
            mac.doFinal(out, 0);
        };
    }
}
