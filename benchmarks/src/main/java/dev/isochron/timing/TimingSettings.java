package dev.isochron.timing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The command line of {@link Timing}, taken apart. */
final class TimingSettings {

    /** What {@code --help} prints. */
    static final String USAGE =
            """
            usage: timing.sh [option...]      lists are separated by commas

              --tier LIST       interpreter, C1, C2                    (all)
              --subject LIST    words that a subject's name contains,
                                such as GCM,padding,setup              (all; controls always run)
              --seconds N       for each subject in C1 and C2, and twice
                                as much in the interpreter             (1.5)
              --samples N       at most, for each of them              (2000000)
              --quick           the same as --seconds 0.2
              --out DIR         for the results                        (beside the jar)
              --jvm JAVA        the launcher of the JVM to measure     (this one)
              --engine NAME     one of Isochron's engines              (the default one)
              --vector          with --add-modules jdk.incubator.vector
              --seed N          for everything drawn                   (the time)
              --list            names the subjects, and stops
              --help            this text

            Exit status: 0 if all is well, 1 if a subject was flagged twice or a control shows that the
            run says nothing, 2 if the command line or the JVM is not right.
            """;

    /** A command line that cannot be understood. */
    static final class UsageException extends Exception {

        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    List<Tier> tiers = List.of(Tier.values());
    List<Trial> trials = Trial.list();
    double seconds = 1.5;
    int samples = 2_000_000;
    Path out;
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> jvmOptions = new ArrayList<>();
    long seed = System.nanoTime();
    boolean list;
    boolean help;

    /** Reads the command line. */
    static TimingSettings parse(String[] args) throws UsageException {
        TimingSettings settings = new TimingSettings();
        for (int i = 0; i < args.length; i++) {
            String option = args[i];
            switch (option) {
                case "--quick" -> settings.seconds = 0.2;
                case "--list" -> settings.list = true;
                case "--help", "-h" -> settings.help = true;
                case "--vector" ->
                        settings.jvmOptions.addAll(
                                List.of("--add-modules", "jdk.incubator.vector"));
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
        return settings;
    }

    private void take(String option, String value) throws UsageException {
        switch (option) {
            case "--tier" -> tiers = tiers(value);
            case "--subject" -> trials = trials(value);
            case "--seconds" -> {
                if (!value.matches("[0-9]{1,5}(\\.[0-9]{1,3})?") || value.matches("[0.]*")) {
                    throw new UsageException("--seconds takes a number above 0, not " + value);
                }
                seconds = Double.parseDouble(value);
            }
            case "--samples" -> samples = (int) number(option, value, 1000, 10_000_000);
            case "--seed" -> seed = number(option, value, 0, Long.MAX_VALUE);
            case "--out" -> out = Path.of(value);
            case "--jvm" -> java = value;
            case "--engine" -> jvmOptions.add("-Disochron.engine=" + value);
            default -> throw new UsageException("no such option: " + option);
        }
    }

    private static List<Tier> tiers(String value) throws UsageException {
        List<Tier> tiers = new ArrayList<>();
        for (String name : value.split(",")) {
            Tier tier = Tier.of(name);
            if (tier == null) {
                throw new UsageException(
                        "--tier takes "
                                + String.join(
                                        ", ",
                                        Arrays.stream(Tier.values()).map(Tier::title).toList())
                                + ", not " + name);
            }
            tiers.add(tier);
        }
        return tiers;
    }

    private static List<Trial> trials(String value) throws UsageException {
        List<String> words =
                Arrays.stream(value.split(",")).map(s -> s.toLowerCase(Locale.ROOT)).toList();
        for (String word : words) {
            if (Trial.list().stream().noneMatch(trial -> contains(trial, word))) {
                throw new UsageException("--subject: no name contains " + word + "; see --list");
            }
        }
        return Trial.list().stream()
                .filter(
                        trial ->
                                trial.isControl()
                                        || words.stream().anyMatch(word -> contains(trial, word)))
                .toList();
    }

    private static boolean contains(Trial trial, String word) {
        return trial.name().toLowerCase(Locale.ROOT).contains(word);
    }

    private static long number(String option, String value, long least, long most)
            throws UsageException {
        if (value.matches("[0-9]{1,18}")) {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new UsageException(
                option + " takes numbers from " + least + " to " + most + ", not " + value);
    }
}
