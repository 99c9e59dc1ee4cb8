package dev.isochron.aes.cli;

import dev.isochron.aes.Aead;
import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import dev.isochron.aes.CtrMode;
import java.security.GeneralSecurityException;
import java.util.List;

/**
 * Something that {@code speed} measures: a mode in one direction. A new mode is one more line of
 * {@link #ALL}.
 *
 * @param mode the mode's name, as in {@code AES-128-GCM}
 * @param verb what is done
 * @param preparation sets it up
 */
record Workload(String mode, String verb, Preparation preparation) {

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

    /** All of them, in the order of the table. */
    static final List<Workload> ALL =
            List.of(
                    new Workload("CTR", "encrypt", Workload::ctr),
                    new Workload("GCM", "seal", (key, size) -> seal(Aes.gcm(key), size)),
                    new Workload("GCM", "open", (key, size) -> open(Aes.gcm(key), size)));

    /** The names of the modes, each once. */
    static List<String> modes() {
        return ALL.stream().map(Workload::mode).distinct().toList();
    }

    private static Operation ctr(AesKey key, int size) {
        CtrMode mode = Aes.ctr(key);
        byte[] iv = new byte[16];
        byte[] in = new byte[size];
        byte[] out = new byte[size];
        return () -> mode.encrypt(iv, in, 0, size, out, 0);
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
}
