package dev.isochron.timing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What was found, in words and tables. */
final class Report {

    private final Machine machine;
    private final List<Finding> findings;

    Report(Machine machine, List<Finding> findings) {
        this.machine = machine;
        this.findings = findings;
    }

    /** The title of the rows on the terminal. */
    static String header() {
        return String.format(
                Locale.ROOT,
                "%-11s  %-45s  %9s  %9s  %8s  %s",
                "tier",
                "subject",
                "samples",
                "max |t|",
                "seen: ns",
                "");
    }

    /** One measurement, as soon as it is there. */
    static String row(Tier tier, Trial trial, Finding.Run run, String note) {
        Analysis.Point last = run.last();
        String word =
                !last.saysSomething()
                        ? "too few samples"
                        : last.maxT() < Analysis.SUSPICIOUS
                                ? "nothing seen"
                                : "flagged: " + last.test();
        return String.format(
                Locale.ROOT,
                "%-11s  %-45s  %9d  %9.1f  %8s  %s",
                tier.title(),
                trial.name(),
                last.samples(),
                last.maxT(),
                nanos(run.resolutionNanos()),
                word + note);
    }

    private static String nanos(double nanos) {
        return String.format(
                Locale.ROOT, nanos < 1 ? "%.2f" : nanos < 10 ? "%.1f" : "%.0f", nanos);
    }

    /** In a few lines, what it comes to. */
    String conclusion() {
        StringBuilder text = new StringBuilder();
        for (Tier tier : Tier.values()) {
            findings.stream()
                    .filter(finding -> finding.tier() == tier && !finding.trial().isControl())
                    .max(Comparator.comparingDouble(Finding::maxT))
                    .ifPresent(
                            worst ->
                                    text.append(
                                            String.format(
                                                    Locale.ROOT,
                                                    "%s: the largest |t| of a subject was %.1f (%s).%n",
                                                    tier.title(),
                                                    worst.maxT(),
                                                    worst.trial().name())));
        }
        List<Finding> wrong = findings.stream().filter(finding -> !finding.isExpected()).toList();
        for (Finding finding : wrong) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%s, %s: %s, |t| %.1f%n",
                            finding.tier().title(),
                            finding.trial().name(),
                            complaint(finding),
                            finding.maxT()));
        }
        long few =
                findings.stream().filter(f -> f.verdict() == Finding.Verdict.TOO_FEW).count();
        if (few > 0) {
            text.append(few).append(" cells have too few samples to say anything: more --seconds.\n");
        }
        for (Finding finding : findings) {
            if (finding.verdict() == Finding.Verdict.NOT_REPEATED) {
                text.append(
                        String.format(
                                Locale.ROOT,
                                "%s, %s: flagged once, |t| %.1f, and not again: %.1f.%n",
                                finding.tier().title(),
                                finding.trial().name(),
                                finding.first().last().maxT(),
                                finding.maxT()));
            }
        }
        for (Finding finding : findings) {
            if (finding.isExpected()
                    && finding.trial().isLeaky()
                    && finding.verdict() == Finding.Verdict.NOTHING) {
                text.append(
                        String.format(
                                Locale.ROOT,
                                "%s, %s: not found, as may be: its leak is smaller than what shows"
                                        + " in this tier.%n",
                                finding.tier().title(),
                                finding.trial().name()));
            }
        }
        if (wrong.isEmpty()) {
            text.append("No subject was flagged twice, and the controls are as they must be.\n");
        }
        return text.toString();
    }

    private static String complaint(Finding finding) {
        return switch (finding.trial().expected()) {
            case CLEAN -> finding.verdict().title() + ", flagged twice";
            case NO_LEAK -> "this control was flagged and has no leak, so the run says nothing";
            case LEAK, LEAK_WHEN_COMPILED ->
                    "this control was not flagged, so the run says nothing";
        };
    }

    /** The tables, for people. */
    String markdown() {
        List<Tier> tiers =
                Arrays.stream(Tier.values())
                        .filter(tier -> findings.stream().anyMatch(f -> f.tier() == tier))
                        .toList();
        StringBuilder text = new StringBuilder();
        text.append("# The timing test: ").append(machine.jvm()).append("\n\n");
        text.append(machine.processor()).append("; engine ").append(machine.engine());
        text.append("; `").append(String.join(" ", machine.options())).append("`.\n\n");
        for (String line : conclusion().split("\n")) {
            text.append("- ").append(line).append('\n');
        }
        text.append('\n');
        for (Tier tier : tiers) {
            text.append("![").append(tier.title()).append("](");
            text.append(Plot.fileName(machine, tier)).append(")\n");
        }
        text.append("\nA cell: the largest |t|, of how many thousand samples, and after `<` the");
        text.append(" difference between the classes, in nanoseconds a call, that would have been");
        text.append(" flagged.\n\n");
        text.append("| subject |");
        tiers.forEach(tier -> text.append(' ').append(tier.title()).append(" |"));
        text.append(" verdict |\n| --- |").append(" --- |".repeat(tiers.size())).append(" --- |\n");
        for (Trial trial : findings.stream().map(Finding::trial).distinct().toList()) {
            List<Finding> cells = new ArrayList<>();
            findings.stream().filter(f -> f.trial().equals(trial)).forEach(cells::add);
            text.append("| ").append(trial.name()).append(" |");
            cells.forEach(cell -> text.append(' ').append(cell(cell)).append(" |"));
            text.append(' ').append(verdict(cells)).append(" |\n");
        }
        return text.toString();
    }

    private static String cell(Finding finding) {
        Finding.Run run = finding.counting();
        String text =
                String.format(
                        Locale.ROOT,
                        "%.1f of %dk, < %s",
                        run.last().maxT(),
                        Math.round(run.last().samples() / 1000.0),
                        nanos(run.resolutionNanos()));
        return finding.second() == null
                ? text
                : String.format(
                        Locale.ROOT, "%.1f, again: %s", finding.first().last().maxT(), text);
    }

    /** One word if all tiers agree, else one for each. */
    private static String verdict(List<Finding> cells) {
        List<String> words =
                cells.stream().map(cell -> cell.verdict().title()).distinct().toList();
        if (words.size() == 1) {
            return words.get(0);
        }
        return String.join(
                ", ",
                cells.stream()
                        .map(cell -> cell.tier().title() + ": " + cell.verdict().title())
                        .toList());
    }
}
