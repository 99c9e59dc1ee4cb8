package dev.isochron.benchmarks;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the benchmarks and prints what they say in ratios.
 *
 * <p>JMH sorts a run by benchmark and parameters, so that the engines to be compared would be
 * measured minutes apart, and it has one set of JVM options for all. This runner hands JMH one cell
 * at a time instead: the engines of a row follow each other, each in a JVM of its own, and the whole
 * row is repeated in rounds. A machine that slows down then slows all of them.
 */
public final class Run {

    private final Settings settings;
    private final Target target;
    private final Path log;

    private Run(Settings settings, Target target, Path log) {
        this.settings = settings;
        this.target = target;
        this.log = log;
    }

    /**
     * The command line; see {@code --help}.
     *
     * @param args the options
     */
    public static void main(String[] args)
            throws IOException, InterruptedException, URISyntaxException {
        try {
            Settings settings = Settings.parse(args);
            if (settings.help) {
                System.out.print(Settings.USAGE);
                return;
            }
            Path folder =
                    Path.of(Run.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                            .getParent();
            Target target = Target.probe(settings.java, settings.vector);
            new Run(settings, target, folder.resolve("benchmarks.log"))
                    .all(
                            settings.json == null
                                    ? folder.resolve("benchmarks.json")
                                    : settings.json);
        } catch (Settings.UsageException e) {
            System.err.println(e.getMessage());
            System.err.print(Settings.USAGE);
            System.exit(2);
        } catch (Target.StartException | RunnerException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private void all(Path json)
            throws IOException, RunnerException, Settings.UsageException {
        List<Row> rows = Row.plan(settings, engines());
        int cells = settings.rounds * rows.stream().mapToInt(row -> row.cells().size()).sum();
        if (cells == 0) {
            throw new Settings.UsageException("this selects nothing to measure");
        }
        System.out.println(target.name());
        System.out.println(Target.processor());
        System.out.println("options of every fork: " + String.join(" ", target.arguments()));

        long start = System.nanoTime();
        int done = 0;
        List<RunResult> results = new ArrayList<>();
        for (Row row : rows) {
            Map<String, List<RunResult>> rounds = new LinkedHashMap<>();
            for (int round = 0; round < settings.rounds; round++) {
                for (Row.Cell cell : row.cells()) {
                    progress(row, cell, done, cells, System.nanoTime() - start);
                    rounds.computeIfAbsent(cell.name(), name -> new ArrayList<>())
                            .addAll(measure(cell));
                    done++;
                }
            }
            Map<String, Measured> measured = new LinkedHashMap<>();
            rounds.forEach((name, runs) -> measured.put(name, Measured.of(runs)));
            clearProgress();
            System.out.print(row.table(measured));
            rounds.values().forEach(results::addAll);
            // After every row, so that an interrupted run leaves what it has.
            ResultFormatFactory.getInstance(ResultFormatType.JSON, json.toString())
                    .writeOut(results);
        }
        System.out.printf("%nJMH's results: %s%n", json);
    }

    /** The engines to measure: those asked for, else all of the target's and all peers. */
    private List<String> engines() throws Settings.UsageException {
        List<String> all = new ArrayList<>(target.engines());
        all.addAll(Subject.PEERS);
        for (String engine : settings.engines) {
            if (!all.contains(engine)) {
                throw new Settings.UsageException(
                        "--engine takes " + String.join(", ", all) + ", not " + engine);
            }
        }
        return settings.engines.isEmpty() ? all : settings.engines;
    }

    private Collection<RunResult> measure(Row.Cell cell) throws IOException, RunnerException {
        List<String> arguments = new ArrayList<>(target.arguments());
        if (cell.withoutIntrinsics()) {
            arguments.addAll(JdkSubject.NO_INTRINSICS);
        }
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include("\\." + cell.method().replace(".", "\\.") + "$")
                        .forks(1)
                        // C2 needs one to two seconds for the bulk engine's loops.
                        .warmupIterations(5)
                        .warmupTime(TimeValue.milliseconds(settings.full ? 1000 : 600))
                        .measurementIterations(5)
                        .measurementTime(TimeValue.milliseconds(settings.full ? 1000 : 300))
                        .jvm(target.java())
                        .jvmArgs(arguments.toArray(String[]::new))
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .output(log.toString());
        cell.parameters().forEach(options::param);
        try {
            return new Runner(options.build()).run();
        } catch (RunnerException e) {
            if (Files.isReadable(log)) {
                System.err.println();
                System.err.print(Files.readString(log));
            }
            throw e;
        }
    }

    /** Shows on a terminal what runs, and how long the rest will take. */
    private static void progress(Row row, Row.Cell cell, int done, int cells, long elapsed) {
        if (System.console() == null) {
            return;
        }
        String left =
                done == 0
                        ? ""
                        : String.format(
                                ", %d min left",
                                Math.round(elapsed / 60e9 / done * (cells - done)));
        System.err.printf(
                "\r\033[K[%d/%d%s] %s: %s", done + 1, cells, left, row.title(), cell.name());
    }

    private static void clearProgress() {
        if (System.console() != null) {
            System.err.print("\r\033[K");
        }
    }
}
