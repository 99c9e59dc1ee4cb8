package dev.isochron.aes.cli;

import dev.isochron.aes.StreamingAead;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** {@code seal}: encrypts and authenticates a file or standard input. */
final class Seal extends StreamCommand {

    @Override
    public String name() {
        return "seal";
    }

    @Override
    public String help() {
        return """
                seal --key FILE [--aad TEXT] [--force] [IN [OUT]]
                    Encrypts and authenticates IN with AES-256-GCM, in segments of 1 MB (the format
                    of Tink's AES256_GCM_HKDF_1MB, which Tink reads in any language).
                """
                + OPTIONS;
    }

    @Override
    boolean writesToTerminal() {
        return false;
    }

    @Override
    void transform(StreamingAead aead, byte[] aad, Progress source, OutputStream sink)
            throws IOException {
        byte[] chunk = new byte[CHUNK];
        try {
            // Closing writes the last segment, which says that the data is whole. After an error it
            // is not, so this stream is closed by hand, at the one place where all went well.
            OutputStream sealing = aead.sealing(sink, aad);
            for (int n = source.read(chunk); n >= 0; n = source.read(chunk)) {
                sealing.write(chunk, 0, n);
            }
            sealing.close();
        } finally {
            Arrays.fill(chunk, (byte) 0);
        }
    }
}
