package dev.isochron.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command line of {@link Run}, taken apart. */
final class Settings {

    /** What {@code --help} prints. */
    static final String USAGE =
            """
            usage: run.sh [option...]      lists are separated by commas

              --benchmark LIST  bulk, key, block, hybrid or all           (bulk)
              --mode LIST       ECB, CBC, CFB128, CFB8, OFB, CTR, XTS,
                                GCM, CCM, EAX, OCB, CMAC, or all          (quick: CTR,GCM)
              --size LIST       bytes in a message                        (quick: 16,1350,16384)
              --bits LIST       128, 256                                  (quick: 256)
              --direction LIST  seal, open                                (quick: seal)
              --engine LIST     Isochron's engines, bouncycastle,
                                bouncycastle-rekeyed, jdk,
                                jdk-no-intrinsics                         (all there are)
              --quick           short runs of few cells                   (the default)
              --full            long runs of every cell
              --rounds N        passes over all engines of a row          (quick: 1, full: 3)
              --jvm JAVA        the launcher of the JVM to measure        (this one)
              --vector          with --add-modules jdk.incubator.vector
              --json FILE       JMH's results                             (beside the jar)
              --help            this text
            """;

    /** A command line that cannot be understood. */
    static final class UsageException extends Exception {

        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    private static final List<String> BENCHMARKS = List.of("bulk", "key", "block", "hybrid");
    private static final List<String> MODES = AesMode.names();
    private static final List<String> DIRECTIONS = List.of("seal", "open");
    private static final List<String> BITS = List.of("128", "256");

    List<String> benchmarks = List.of("bulk");
    List<String> modes = List.of();
    List<String> sizes = List.of();
    List<String> bits = List.of();
    List<String> directions = List.of();
    List<String> engines = List.of();
    boolean full;
    int rounds;
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    boolean vector;
    Path json;
    boolean help;

    /** Reads the command line. */
    static Settings parse(String[] args) throws UsageException {
        Settings settings = new Settings();
        for (int i = 0; i < args.length; i++) {
            String option = args[i];
            switch (option) {
                case "--quick" -> settings.full = false;
                case "--full" -> settings.full = true;
                case "--vector" -> settings.vector = true;
                case "--help", "-h" -> settings.help = true;
                default -> {
                    if (!option.startsWith("--")) {
                        throw new UsageException("no such option: " + option);
                    }
                    if (i + 1 == args.length) {
                        throw new UsageException(option + " needs a value, or does not exist");
                    }
                    settings.take(option, args[++i]);
                }
            }
        }
        settings.complete();
        return settings;
    }

    private void take(String option, String value) throws UsageException {
        switch (option) {
            case "--benchmark" ->
                    benchmarks =
                            value.equals("all") ? BENCHMARKS : list(option, value, BENCHMARKS);
            case "--mode" ->
                    modes = value.equals("all") ? MODES : list(option, value, MODES);
            case "--bits" -> bits = list(option, value, BITS);
            case "--direction" -> directions = list(option, value, DIRECTIONS);
            case "--engine" -> engines = Arrays.asList(value.split(","));
            case "--size" -> {
                sizes = new ArrayList<>();
                for (String size : value.split(",")) {
                    sizes.add(Integer.toString(number(option, size, 0, 1 << 28)));
                }
            }
            case "--rounds" -> rounds = number(option, value, 1, 1000);
            case "--jvm" -> java = value;
            case "--json" -> json = Path.of(value);
            default -> throw new UsageException("no such option: " + option);
        }
    }

    private void complete() {
        if (modes.isEmpty()) {
            modes = full ? MODES : List.of("CTR", "GCM");
        }
        if (bits.isEmpty()) {
            bits = full ? BITS : List.of("256");
        }
        if (directions.isEmpty()) {
            directions = full ? DIRECTIONS : List.of("seal");
        }
        if (rounds == 0) {
            rounds = full ? 3 : 1;
        }
    }

    private static List<String> list(String option, String value, List<String> allowed)
            throws UsageException {
        List<String> given = Arrays.asList(value.split(","));
        for (String one : given) {
            if (!allowed.contains(one)) {
                throw new UsageException(
                        option + " takes " + String.join(", ", allowed) + ", not " + one);
            }
        }
        return given;
    }

    private static int number(String option, String value, int least, int most)
            throws UsageException {
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new UsageException(
                option + " takes numbers from " + least + " to " + most + ", not " + value);
    }
}
