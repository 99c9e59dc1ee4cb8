package dev.isochron.aes.cli;

import dev.isochron.aes.StreamingAead;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;

/**
 * What {@code seal} and {@code open} share: files and standard streams, the key, the additional
 * data, and the rule that an output file appears only when it is whole.
 */
abstract class StreamCommand implements Command {

    /** Bytes read at a time. */
    static final int CHUNK = 1 << 16;

    static final String OPTIONS =
            """
                    Where IN or OUT is missing or is -, the standard stream takes its place. OUT
                    appears only when it is whole, and its owner alone may read it. An existing OUT
                    is kept unless --force is given; IN is never changed. The key file comes from
                    keygen and is refused if others than its owner have access. The text of --aad
                    is authenticated and not stored: open needs the same text that seal had.
                """;

    /**
     * Sends everything from one side through the cipher to the other. Does not close either.
     *
     * @throws FailureException if verification failed
     * @throws IOException if reading or writing failed
     */
    abstract void transform(StreamingAead aead, byte[] aad, Progress source, OutputStream sink)
            throws FailureException, IOException;

    /** Whether what it writes may be shown on a terminal. */
    abstract boolean writesToTerminal();

    @Override
    public boolean needsEngine() {
        return true;
    }

    @Override
    public void run(String[] args, Environment env)
            throws UsageException, FailureException, IOException {
        Arguments arguments = new Arguments(args, Set.of("--key", "--aad"), Set.of("--force"));
        Path in = fileOrStandard(arguments.next());
        Path out = fileOrStandard(arguments.next());
        arguments.end();
        Path keyFile = keyFile(arguments.value("--key"));
        byte[] aad = aad(arguments.value("--aad"));
        refuseSame(in, out, "the output is the input");
        refuseSame(keyFile, out, "the output is the key file");
        if (out == null && env.terminal() && !writesToTerminal()) {
            throw new UsageException("sealed bytes do not belong on a terminal; name an output");
        }

        byte[] key = KeyFile.read(keyFile);
        try (StreamingAead aead = StreamingAead.segments1MB(key);
                Progress source = source(in, out, env)) {
            if (out == null) {
                transform(aead, aad, source, new Unclosed(env.out()));
            } else {
                toFile(aead, aad, source, out, arguments.has("--force"));
            }
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private void toFile(
            StreamingAead aead, byte[] aad, Progress source, Path out, boolean replace)
            throws FailureException, IOException {
        try (AtomicOutput output = AtomicOutput.create(out, replace)) {
            transform(aead, aad, source, new Unclosed(output.stream()));
            output.commit();
        } catch (ClosedChannelException discarded) {
            // Only the shutdown hook closes the channel under a writer.
            throw new FailureException("interrupted");
        }
    }

    private static Progress source(Path in, Path out, Environment env)
            throws FailureException, IOException {
        // Data and progress on one terminal would run into each other.
        boolean shown = env.terminal() && out != null;
        if (in == null) {
            return new Progress(env.in(), -1, shown, env);
        }
        if (Files.isDirectory(in)) {
            throw new FailureException(in + ": is a directory");
        }
        InputStream file = Files.newInputStream(in);
        long total = Files.isRegularFile(in) ? Files.size(in) : -1;
        return new Progress(file, total, shown, env);
    }

    private static Path fileOrStandard(String name) throws UsageException {
        return name == null || name.equals("-") ? null : Arguments.path(name);
    }

    private static Path keyFile(String name) throws UsageException {
        if (name == null) {
            throw new UsageException("--key FILE is missing (keygen makes a key file)");
        }
        if (name.equals("-")) {
            throw new UsageException("the key comes from a file, never from standard input");
        }
        return Arguments.path(name);
    }

    private static byte[] aad(String text) throws UsageException {
        if (text == null) {
            return new byte[0];
        }
        // A locale without these characters turns them all into this one, so that different texts
        // would look the same.
        if (text.indexOf('\uFFFD') >= 0) {
            throw new UsageException("--aad has characters that this locale cannot represent");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void refuseSame(Path one, Path other, String message)
            throws UsageException, IOException {
        if (one != null
                && other != null
                && Files.exists(one)
                && Files.exists(other)
                && Files.isSameFile(one, other)) {
            throw new UsageException(message + ": " + other);
        }
    }

    /** Passes everything on but the closing. */
    private static final class Unclosed extends FilterOutputStream {

        Unclosed(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            out.write(b, off, len);
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
