package dev.isochron.timing;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The findings with t over the number of samples, as JSON. */
final class Json {

    private Json() {}

    static String of(Machine machine, List<Finding> findings) {
        return "{\n"
                + field("jvm", quoted(machine.jvm()))
                + field("processor", quoted(machine.processor()))
                + field("engine", quoted(machine.engine()))
                + field("options", quoted(String.join(" ", machine.options())))
                + field("suspicious", number(Analysis.SUSPICIOUS))
                + field("leak", number(Analysis.LEAK))
                + "\"findings\": [\n"
                + findings.stream().map(Json::finding).collect(Collectors.joining(",\n"))
                + "\n]}\n";
    }

    private static String finding(Finding finding) {
        return "{"
                + field("subject", quoted(finding.trial().name()))
                + field("expected", quoted(finding.trial().expected().name()))
                + field("tier", quoted(finding.tier().title()))
                + field("verdict", quoted(finding.verdict().title()))
                + "\"runs\": ["
                + run(finding.first())
                + (finding.second() == null ? "" : ",\n" + run(finding.second()))
                + "]}";
    }

    private static String run(Finding.Run run) {
        return "{"
                + field("seed", Long.toString(run.seed()))
                + field("callsInASample", Integer.toString(run.calls()))
                + field("samples", Long.toString(run.last().samples()))
                + field("medianNanosOfACall", number(run.medianNanos()))
                + field("wouldHaveSeenNanos", number(run.resolutionNanos()))
                + field("maxT", number(run.last().maxT()))
                + field("test", quoted(run.last().test()))
                // Points: samples, t of all samples as they are, largest |t| of all tests.
                + "\"trace\": ["
                + run.trace().stream()
                        .map(
                                point ->
                                        "["
                                                + point.samples()
                                                + ", "
                                                + number(point.rawT())
                                                + ", "
                                                + number(point.maxT())
                                                + "]")
                        .collect(Collectors.joining(", "))
                + "]}";
    }

    private static String field(String name, String value) {
        return quoted(name) + ": " + value + ",\n";
    }

    /** A number; JSON has none for infinity. */
    private static String number(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", value) : "null";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
