package dev.isochron.timing;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The timing test. Starts a JVM for each tier, which measures every trial ({@link Worker}), works out
 * what the samples say ({@link Analysis}), repeats in a further JVM what was flagged, and reports.
 *
 * <p>A trial that was flagged is measured again with another seed for twice the time: in some hundred
 * trials with fifteen correlated tests each, chance alone passes 4.5 now and then, and the objects of one
 * JVM may lie in memory so that it shows. Only what repeats counts.
 */
public final class Timing {

    /** A repetition takes so many times the time of the first measurement. */
    private static final int REPETITION = 2;

    /**
     * The heap is fixed and the collector simple, so that a collection is short, rare and cut off with
     * the slowest samples. What a subject allocates is the same in both classes.
     */
    private static final List<String> JVM_OPTIONS =
            List.of("-XX:+UseSerialGC", "-Xms512m", "-Xmx512m", "-Xmn64m", "-XX:+AlwaysPreTouch");

    /** A JVM that did not do what was asked of it. */
    private static final class ChildException extends IOException {

        private static final long serialVersionUID = 1L;

        ChildException(String message, IOException cause) {
            super(message, cause);
        }
    }

    private final TimingSettings settings;
    private final Path folder;
    private long seed;

    private Timing(TimingSettings settings, Path folder) {
        this.settings = settings;
        this.folder = folder;
        this.seed = settings.seed;
    }

    /**
     * The command line; see {@code --help}.
     *
     * @param args the options
     */
    public static void main(String[] args)
            throws IOException, InterruptedException, URISyntaxException {
        // The plots need no screen.
        System.setProperty("java.awt.headless", "true");
        try {
            TimingSettings settings = TimingSettings.parse(args);
            if (settings.help) {
                System.out.print(TimingSettings.USAGE);
                return;
            }
            if (settings.list) {
                settings.trials.forEach(trial -> System.out.println(trial.name()));
                return;
            }
            Path folder = settings.out;
            if (folder == null) {
                Path jar =
                        Path.of(
                                Timing.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI());
                folder = jar.resolveSibling("timing");
            }
            Files.createDirectories(folder);
            if (!new Timing(settings, folder).all()) {
                System.exit(1);
            }
        } catch (TimingSettings.UsageException e) {
            System.err.println(e.getMessage());
            System.err.print(TimingSettings.USAGE);
            System.exit(2);
        } catch (ChildException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    /** Whether everything is as expected. */
    private boolean all() throws IOException, InterruptedException {
        Machine machine = Machine.of(settings.java, settings.jvmOptions, JVM_OPTIONS);
        System.out.println(machine.jvm());
        System.out.println(machine.processor());
        System.out.println("options of every JVM: " + String.join(" ", machine.options()));
        System.out.println("seed: " + settings.seed);
        System.out.println();
        System.out.println(Report.header());
        List<Finding> findings = new ArrayList<>();
        for (Tier tier : settings.tiers) {
            findings.addAll(tier(tier));
        }
        Report report = new Report(machine, findings);
        Files.writeString(folder.resolve(machine.release() + ".md"), report.markdown());
        Files.writeString(folder.resolve(machine.release() + ".json"), Json.of(machine, findings));
        for (Tier tier : settings.tiers) {
            Plot.draw(
                    machine,
                    tier,
                    findings.stream().filter(finding -> finding.tier() == tier).toList(),
                    folder.resolve(Plot.fileName(machine, tier)));
        }
        System.out.println();
        System.out.print(report.conclusion());
        System.out.println("Table (.md), statistics (.json) and plots (.svg): " + folder);
        return findings.stream().allMatch(Finding::isExpected);
    }

    private List<Finding> tier(Tier tier) throws IOException, InterruptedException {
        Map<Trial, Finding.Run> first = new LinkedHashMap<>();
        measure(
                tier,
                settings.trials,
                1,
                (trial, run) -> {
                    first.put(trial, run);
                    System.out.println(Report.row(tier, trial, run, ""));
                });
        List<Trial> flagged =
                settings.trials.stream()
                        .filter(trial -> Finding.callsForRepetition(trial, first.get(trial)))
                        .toList();
        Map<Trial, Finding.Run> second = new LinkedHashMap<>();
        if (!flagged.isEmpty()) {
            measure(
                    tier,
                    flagged,
                    REPETITION,
                    (trial, run) -> {
                        second.put(trial, run);
                        System.out.println(Report.row(tier, trial, run, "  again"));
                    });
        }
        return settings.trials.stream()
                .map(trial -> new Finding(trial, tier, first.get(trial), second.get(trial)))
                .toList();
    }

    /** Takes what was measured. */
    private interface Sink {
        void accept(Trial trial, Finding.Run run);
    }

    /** Starts a JVM that measures these trials, and hands over each as soon as it is done. */
    private void measure(Tier tier, List<Trial> trials, int times, Sink sink)
            throws IOException, InterruptedException {
        long runSeed = seed++;
        Path samples = Files.createTempDirectory("timing");
        List<String> arguments = new ArrayList<>(tier.options());
        arguments.addAll(JVM_OPTIONS);
        arguments.addAll(settings.jvmOptions);
        arguments.addAll(
                List.of(
                        Worker.class.getName(),
                        tier.name(),
                        Long.toString(Math.round(settings.seconds * 1000) * tier.share() * times),
                        Integer.toString(settings.samples),
                        Long.toString(runSeed),
                        samples.toString()));
        trials.forEach(trial -> arguments.add(trial.name()));
        try {
            run(
                    settings.java,
                    arguments,
                    line -> {
                        Trial trial = Trial.of(line);
                        Path file = samples.resolve(trial.fileName());
                        sink.accept(trial, Finding.Run.of(runSeed, Samples.read(file)));
                        Files.delete(file);
                    });
        } finally {
            try (var left = Files.list(samples)) {
                for (Path file : left.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(samples);
        }
    }

    /** Takes a line of output. */
    interface LineSink {
        void accept(String line) throws IOException;
    }

    /** Starts a JVM with this project's classes, and hands over its output line by line. */
    static void run(String java, List<String> arguments, LineSink sink)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(java, "-cp", System.getProperty("java.class.path")));
        command.addAll(arguments);
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (IOException e) {
            throw new ChildException("--jvm takes a Java launcher: " + e.getMessage(), e);
        }
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                sink.accept(line);
            }
        } finally {
            // Does nothing to a JVM that came to its end.
            process.destroy();
        }
        if (process.waitFor() != 0) {
            throw new ChildException("the JVM failed: " + String.join(" ", command), null);
        }
    }
}
