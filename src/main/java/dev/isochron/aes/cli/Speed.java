package dev.isochron.aes.cli;

import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import java.io.IOException;
import java.io.PrintStream;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * {@code speed}: a table of what the engines do here. A first impression; the JMH benchmarks beside
 * this project measure with more care.
 */
final class Speed implements Command {

    /** The sizes at which BoringSSL's own speed tool measures. */
    private static final int[] SIZES = {16, 256, 1350, 8192, 16384};

    private static final List<Integer> DEFAULT_BITS = List.of(128, 256);
    private static final double DEFAULT_SECONDS = 0.2;
    private static final double MAX_SECONDS = 60;

    /** A workload runs before its first figure is taken, so many times as long as for a figure. */
    private static final int WARM_UP = 4;

    /** Bytes between two looks at the clock. */
    private static final int BETWEEN_LOOKS = 1 << 16;

    @Override
    public String name() {
        return "speed";
    }

    @Override
    public String help() {
        return """
                speed [--engine NAME] [--mode NAME] [--bits N] [--seconds S] [--lines]
                    Measures each engine in each mode, on one thread, for messages of 16, 256, 1350,
                    8192 and 16384 bytes under one key object, and prints MB/s (10^6 bytes).
                    --engine, --mode and --bits (128, 192, 256) pick some, --seconds sets the time
                    for a figure (0.2), and --lines prints a line with counts for each figure.
                """;
    }

    @Override
    public boolean needsEngine() {
        return true;
    }

    @Override
    public void run(String[] args, Environment env)
            throws UsageException, FailureException, IOException {
        Arguments arguments =
                new Arguments(
                        args,
                        Set.of("--engine", "--mode", "--bits", "--seconds"),
                        Set.of("--lines"));
        arguments.end();
        List<String> engines = pick("--engine", arguments.value("--engine"), Aes.engines());
        List<String> modes = pick("--mode", arguments.value("--mode"), Workload.modes());
        List<Integer> bits = bits(arguments.value("--bits"));
        long nanos = nanos(arguments.value("--seconds"));
        boolean lines = arguments.has("--lines");

        PrintStream out = env.text();
        out.println(Version.line());
        out.println("active engine: " + Aes.engine() + " (" + Aes.engineReason() + ")");
        if (!lines) {
            out.println();
            out.println(heading());
        }
        for (String engine : engines) {
            for (Workload workload : Workload.ALL) {
                if (modes.contains(workload.mode())) {
                    new Measuring(engine, workload, bits, nanos, env).print(out, lines);
                    Main.check(out);
                }
            }
        }
    }

    private static List<String> pick(String option, String name, List<String> all)
            throws UsageException {
        if (name == null) {
            return all;
        }
        for (String one : all) {
            if (one.equalsIgnoreCase(name)) {
                return List.of(one);
            }
        }
        throw new UsageException(option + " must be one of " + all + ", was " + name);
    }

    private static List<Integer> bits(String text) throws UsageException {
        if (text == null) {
            return DEFAULT_BITS;
        }
        if (!Set.of("128", "192", "256").contains(text)) {
            throw new UsageException("--bits must be 128, 192 or 256, was " + text);
        }
        return List.of(Integer.valueOf(text));
    }

    private static long nanos(String text) throws UsageException {
        double seconds = DEFAULT_SECONDS;
        if (text != null) {
            try {
                seconds = Double.parseDouble(text);
            } catch (NumberFormatException e) {
                seconds = -1;
            }
        }
        if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
            throw new UsageException(
                    "--seconds must be a number above 0 and at most 60, was " + text);
        }
        return Math.max(1, Math.round(seconds * 1e9));
    }

    private static String heading() {
        StringBuilder line = new StringBuilder(String.format("%-38s", "MB/s for messages of"));
        for (int size : SIZES) {
            line.append(String.format(Locale.ROOT, "%9s", size + " B"));
        }
        return line.toString();
    }

    /** The figures of one engine and one workload. */
    private record Measuring(
            String engine, Workload workload, List<Integer> bits, long nanos, Environment env) {

        void print(PrintStream out, boolean lines) throws FailureException {
            try {
                // All sizes and keys in turn, so that compiled code does not settle on one of them.
                long start = env.clock().getAsLong();
                do {
                    for (int size : SIZES) {
                        for (int b : bits) {
                            measure(b, size, nanos / 64);
                        }
                    }
                } while (env.clock().getAsLong() - start < WARM_UP * nanos);
                for (int b : bits) {
                    row(out, b, lines);
                }
            } catch (GeneralSecurityException e) {
                throw new FailureException(
                        engine + ", " + name(bits.get(0)) + ": a valid call failed; see selftest");
            }
        }

        private void row(PrintStream out, int bits, boolean lines)
                throws GeneralSecurityException {
            StringBuilder row = new StringBuilder();
            for (int size : SIZES) {
                Figure figure = measure(bits, size, nanos);
                if (lines) {
                    out.println(engine + ": " + figure.line(name(bits), workload.verb()));
                } else {
                    row.append(String.format(Locale.ROOT, "%9.1f", figure.megabytesPerSecond()));
                }
            }
            if (!lines) {
                out.println(
                        String.format("%-16s %-21s", engine, name(bits) + " " + workload.verb())
                                + row);
            }
        }

        private String name(int bits) {
            return "AES-" + bits + "-" + workload.mode();
        }

        private Figure measure(int bits, int size, long time) throws GeneralSecurityException {
            // A published key: what is measured depends on no key.
            try (AesKey key = AesKey.of(new byte[bits / 8], engine)) {
                Workload.Operation operation = workload.preparation().prepare(key, size);
                int between = Math.max(1, BETWEEN_LOOKS / size);
                operation.run();
                long count = 0;
                long start = env.clock().getAsLong();
                long elapsed;
                do {
                    for (int i = 0; i < between; i++) {
                        operation.run();
                    }
                    count += between;
                    elapsed = env.clock().getAsLong() - start;
                } while (elapsed < time);
                return new Figure(size, count, Math.max(1, elapsed));
            }
        }
    }

    /** So many operations on messages of a size took so long. */
    private record Figure(int size, long count, long nanos) {

        double megabytesPerSecond() {
            return count * (double) size / nanos * 1e3;
        }

        /** In the form of BoringSSL's speed tool. */
        String line(String name, String verb) {
            return String.format(
                    Locale.ROOT,
                    "Did %d %s (%d bytes) %s operations in %dus (%.1f ops/sec): %.1f MB/s",
                    count,
                    name,
                    size,
                    verb,
                    nanos / 1000,
                    count * 1e9 / nanos,
                    megabytesPerSecond());
        }
    }
}
