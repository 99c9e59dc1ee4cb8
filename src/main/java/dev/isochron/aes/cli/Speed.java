package dev.isochron.aes.cli;

import dev.isochron.aes.Aes;
import java.io.IOException;
import java.io.PrintStream;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * {@code speed}: tables of what the engines do here. A first impression; the JMH benchmarks beside
 * this project measure with more care.
 */
final class Speed implements Command {

    /** The sizes at which BoringSSL's own speed tool measures. */
    private static final int[] SIZES = {16, 256, 1350, 8192, 16384};

    private static final List<Integer> DEFAULT_BITS = List.of(128, 256);
    private static final double DEFAULT_SECONDS = 0.2;
    private static final double MAX_SECONDS = 60;

    /** A workload runs before its first figure is taken, so many times as long as for a figure. */
    private static final int WARM_UP = 8;

    /** The time for a row of the slope's table, so many times as long as for a figure. */
    private static final int ROW = 4;

    private static final List<String> DEFAULT_MODES = List.of("CTR", "GCM");
    private static final double MAX_GIGAHERTZ = 100;

    @Override
    public String name() {
        return "speed";
    }

    @Override
    public String help() {
        return """
                speed [--table [--ghz F] | --lines] [--engine NAME] [--mode LIST] [--bits N] [--seconds S]
                    Measures each engine in CTR and GCM, on one thread, for messages of 16, 256,
                    1350, 8192 and 16384 bytes under one key object, and prints MB/s (10^6 bytes).
                    --engine and --bits (128, 192, 256) pick one; --mode picks modes, with commas
                    between, or all. ECB and CBC get 1360 bytes instead of 1350, whole blocks.
                    --seconds sets the time for a figure (0.2), and --lines prints a line with
                    counts for each figure. --table prints for every mode instead what a byte more
                    costs in a long message, without the call: for the active engine and 256-bit
                    keys unless others are picked, in less than a minute. --ghz, the clock of the
                    processor, adds cycles per byte.
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
                        Set.of("--engine", "--mode", "--bits", "--seconds", "--ghz"),
                        Set.of("--lines", "--table"));
        arguments.end();
        boolean table = arguments.has("--table");
        boolean lines = arguments.has("--lines");
        if (table && lines) {
            throw new UsageException("--table and --lines exclude each other");
        }
        if (!table && arguments.value("--ghz") != null) {
            throw new UsageException("--ghz goes with --table");
        }
        List<String> engines =
                engines(
                        arguments.value("--engine"),
                        table ? List.of(Aes.engine()) : Aes.engines());
        List<Workload> workloads =
                workloads(
                        arguments.value("--mode"), table ? Workload.modes() : DEFAULT_MODES);
        List<Integer> bits =
                bits(arguments.value("--bits"), table ? List.of(256) : DEFAULT_BITS);
        if (bits.stream().noneMatch(b -> workloads.stream().anyMatch(w -> w.takesKey(b)))) {
            throw new UsageException("XTS has no keys of " + bits.get(0) + " bits");
        }
        long nanos = nanos(arguments.value("--seconds"));
        double gigahertz =
                arguments.value("--ghz") == null
                        ? 0
                        : number("--ghz", arguments.value("--ghz"), MAX_GIGAHERTZ);

        PrintStream out = env.text();
        out.println(Version.line());
        out.println("active engine: " + Aes.engine() + " (" + Aes.engineReason() + ")");
        if (table) {
            SlopeTable slopes = new SlopeTable(env, ROW * nanos, gigahertz);
            for (String engine : engines) {
                for (int b : bits) {
                    slopes.print(out, engine, b, workloads);
                }
            }
            return;
        }
        if (!lines) {
            out.println();
            out.println(heading());
        }
        for (String engine : engines) {
            for (Workload workload : workloads) {
                if (!workload.isPart()) {
                    new Measuring(engine, workload, bits, nanos, env).print(out, lines);
                    Main.check(out);
                }
            }
        }
    }

    private static List<String> engines(String name, List<String> byDefault)
            throws UsageException {
        return name == null ? byDefault : List.of(pick("--engine", name, Aes.engines()));
    }

    private static List<Workload> workloads(String names, List<String> byDefault)
            throws UsageException {
        Set<String> modes = new HashSet<>();
        if (names == null) {
            modes.addAll(byDefault);
        } else if (names.equalsIgnoreCase("all")) {
            modes.addAll(Workload.modes());
        } else {
            for (String name : names.split(",", -1)) {
                modes.add(pick("--mode", name, Workload.modes()));
            }
        }
        return Workload.ALL.stream().filter(one -> modes.contains(one.mode())).toList();
    }

    private static String pick(String option, String name, List<String> all)
            throws UsageException {
        for (String one : all) {
            if (one.equalsIgnoreCase(name)) {
                return one;
            }
        }
        throw new UsageException(option + " must be one of " + all + ", was " + name);
    }

    private static List<Integer> bits(String text, List<Integer> byDefault)
            throws UsageException {
        if (text == null) {
            return byDefault;
        }
        if (!Set.of("128", "192", "256").contains(text)) {
            throw new UsageException("--bits must be 128, 192 or 256, was " + text);
        }
        return List.of(Integer.valueOf(text));
    }

    private static long nanos(String text) throws UsageException {
        double seconds =
                text == null ? DEFAULT_SECONDS : number("--seconds", text, MAX_SECONDS);
        return Math.max(1, Math.round(seconds * 1e9));
    }

    private static double number(String option, String text, double most) throws UsageException {
        double number;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            number = -1;
        }
        if (!(number > 0 && number <= most)) {
            throw new UsageException(
                    String.format(
                            Locale.ROOT,
                            "%s must be a number above 0 and at most %.0f, was %s",
                            option,
                            most,
                            text));
        }
        return number;
    }

    private static String heading() {
        StringBuilder line = new StringBuilder(String.format("%-42s", "MB/s for messages of"));
        for (int size : SIZES) {
            line.append(String.format(Locale.ROOT, "%9s", size + " B"));
        }
        return line.toString();
    }

    /** The figures of one engine and one workload. */
    private record Measuring(
            String engine, Workload workload, List<Integer> bits, long nanos, Environment env) {

        void print(PrintStream out, boolean lines) throws FailureException {
            List<Integer> taken = bits.stream().filter(workload::takesKey).toList();
            if (taken.isEmpty()) {
                return;
            }
            try {
                // All sizes and keys in turn, so that compiled code does not settle on one of them.
                long start = env.clock().getAsLong();
                do {
                    for (int size : SIZES) {
                        for (int b : taken) {
                            measure(b, size, nanos / 64);
                        }
                    }
                } while (env.clock().getAsLong() - start < WARM_UP * nanos);
                for (int b : taken) {
                    row(out, b, lines);
                }
            } catch (GeneralSecurityException e) {
                throw workload.failure(engine);
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
                        String.format("%-16s %-25s", engine, name(bits) + " " + workload.verb())
                                + row);
            }
        }

        private String name(int bits) {
            return "AES-" + bits + "-" + workload.mode();
        }

        private Figure measure(int bits, int size, long time) throws GeneralSecurityException {
            return Figure.measure(workload, engine, bits, size, time, env.clock());
        }
    }
}
