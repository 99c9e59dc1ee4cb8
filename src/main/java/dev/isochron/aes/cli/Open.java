package dev.isochron.aes.cli;

import dev.isochron.aes.StreamingAead;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/** {@code open}: verifies and decrypts what {@code seal} made. */
final class Open extends StreamCommand {

    @Override
    public String name() {
        return "open";
    }

    @Override
    public String help() {
        return """
                open --key FILE [--aad TEXT] [--force] [IN [OUT]]
                    Verifies and decrypts what seal made. A file OUT appears only after all of IN
                    was verified. Standard output gets each segment as soon as that one is verified,
                    before the end of IN is known: whoever reads it must heed the exit code, and
                    drop what came if that is not 0.
                """
                + OPTIONS;
    }

    @Override
    boolean writesToTerminal() {
        return true;
    }

    @Override
    void transform(StreamingAead aead, byte[] aad, Progress source, OutputStream sink)
            throws FailureException, IOException {
        byte[] chunk = new byte[CHUNK];
        try (InputStream opening = aead.opening(source, aad)) {
            for (int n = read(opening, chunk, source);
                    n >= 0;
                    n = read(opening, chunk, source)) {
                sink.write(chunk, 0, n);
            }
            sink.flush();
        } finally {
            Arrays.fill(chunk, (byte) 0);
        }
    }

    /** An error that the source did not give is the verdict of the verification. */
    private static int read(InputStream opening, byte[] chunk, Progress source)
            throws FailureException, IOException {
        try {
            return opening.read(chunk);
        } catch (IOException e) {
            if (source.failed()) {
                throw e;
            }
            // Its message names public things alone: lengths, and the first byte of the data.
            throw new FailureException("verification failed: " + e.getMessage());
        }
    }
}
