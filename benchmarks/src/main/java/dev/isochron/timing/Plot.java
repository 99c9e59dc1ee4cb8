package dev.isochron.timing;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The largest |t| over the number of samples, a line for each subject: |t| of a leak grows with the
 * square root of the samples, and without one it wanders below the levels.
 */
final class Plot {

    private static final Color SUBJECT = new Color(0x6B, 0x8F, 0xB3, 0x90);
    private static final Color FLAGGED = new Color(0xD0, 0x20, 0x20);
    private static final Color LEVEL = new Color(0x40, 0x40, 0x40);
    private static final Color[] CONTROLS = {
        new Color(0xC0, 0x39, 0x2B),
        new Color(0x1E, 0x84, 0x49),
        new Color(0xE6, 0x7E, 0x22),
        new Color(0x8E, 0x44, 0xAD)
    };

    /** What is below or above is drawn at the edge; |t| may be 0 or infinite. */
    private static final double FLOOR = 0.3;

    private static final double CEILING = 1e5;

    private static final Pattern LONG_FRACTION = Pattern.compile("(\\d+\\.\\d)\\d+");

    private static final Pattern LINE =
            Pattern.compile(
                    "\\s*<line style=\"(?<style>[^\"]*)\" x1=\"(?<x1>[^\"]*)\" x2=\"(?<x2>[^\"]*)\""
                            + " y1=\"(?<y1>[^\"]*)\" y2=\"(?<y2>[^\"]*)\"/>");

    private static final String LINE_END = "\"/>\n";

    private Plot() {}

    /** The name of a tier's plot. */
    static String fileName(Machine machine, Tier tier) {
        return machine.release() + "-" + tier.title().toLowerCase(Locale.ROOT) + ".svg";
    }

    /** Draws the findings of a tier. */
    static void draw(Machine machine, Tier tier, List<Finding> findings, Path file)
            throws IOException {
        byte[] svg = ChartEncoder.getBytes(chart(machine, tier, findings), "svg");
        Files.writeString(file, compact(new String(svg, StandardCharsets.UTF_8)));
    }

    static XYChart chart(Machine machine, Tier tier, List<Finding> findings) {
        XYChart chart =
                new XYChartBuilder()
                        .width(1000)
                        .height(500)
                        .title(
                                tier.title() + ", " + machine.jvm() + ", " + machine.processor())
                        .xAxisTitle("samples")
                        .yAxisTitle("largest |t|")
                        .build();
        chart.getStyler()
                .setXAxisLogarithmic(true)
                .setYAxisLogarithmic(true)
                .setXAxisLogarithmicDecadeOnly(true)
                .setYAxisLogarithmicDecadeOnly(true)
                .setYAxisMin(FLOOR)
                .setXAxisTickLabelsFormattingFunction(Plot::label)
                .setYAxisTickLabelsFormattingFunction(Plot::label)
                // Dashes would each be a shape of its own.
                .setPlotGridLinesStroke(new BasicStroke(0.5f))
                .setPlotGridLinesColor(new Color(0xE4, 0xE4, 0xE4))
                .setLegendPosition(Styler.LegendPosition.OutsideE)
                .setChartBackgroundColor(Color.WHITE)
                .setLegendBorderColor(Color.WHITE);
        boolean named = false;
        for (Finding finding : findings) {
            if (!finding.trial().isControl()) {
                boolean flagged = !finding.isExpected();
                XYSeries line = line(chart, finding, flagged ? FLAGGED : SUBJECT, 0.8f);
                // One entry of the legend for all.
                line.setLabel("Isochron, each subject");
                line.setShowInLegend(!named && !flagged);
                named |= !flagged;
                if (flagged) {
                    line.setLabel(finding.trial().name());
                    line.setShowInLegend(true);
                }
            }
        }
        int control = 0;
        for (Finding finding : findings) {
            if (finding.trial().isControl()) {
                line(chart, finding, CONTROLS[control++ % CONTROLS.length], 2.2f);
            }
        }
        double first = extreme(findings, true);
        double last = extreme(findings, false);
        level(chart, first, last, Analysis.SUSPICIOUS);
        level(chart, first, last, Analysis.LEAK);
        return chart;
    }

    /**
     * A smaller picture of the same: coordinates in tenths of a pixel, and the pieces of a line, which
     * come one by one, each with its style, as one.
     */
    static String compact(String svg) {
        String rounded = LONG_FRACTION.matcher(svg).replaceAll("$1");
        StringBuilder text = new StringBuilder();
        String style = null;
        String end = null;
        for (String row : rounded.split("\n")) {
            Matcher piece = LINE.matcher(row);
            if (!piece.matches()) {
                text.append(style == null ? "" : LINE_END).append(row.strip()).append('\n');
                style = null;
                continue;
            }
            String from = piece.group("x1") + "," + piece.group("y1");
            if (!piece.group("style").equals(style) || !from.equals(end)) {
                text.append(style == null ? "" : LINE_END);
                style = piece.group("style");
                text.append("<polyline style=\"").append(style).append("\" points=\"");
                text.append(from);
            }
            end = piece.group("x2") + "," + piece.group("y2");
            text.append(' ').append(end);
        }
        return text.toString();
    }

    private static String label(double value) {
        return String.format(Locale.ROOT, value < 1 ? "%.1f" : "%,.0f", value);
    }

    private static XYSeries line(XYChart chart, Finding finding, Color color, float width) {
        List<Analysis.Point> trace = finding.counting().trace();
        double[] samples = trace.stream().mapToDouble(Analysis.Point::samples).toArray();
        double[] t =
                trace.stream()
                        .mapToDouble(p -> Math.max(FLOOR, Math.min(CEILING, p.maxT())))
                        .toArray();
        XYSeries line = chart.addSeries(finding.trial().name(), samples, t);
        style(line, color, new BasicStroke(width));
        return line;
    }

    private static void level(XYChart chart, double first, double last, double t) {
        XYSeries line =
                chart.addSeries(
                        String.format(Locale.ROOT, "|t| = %s", t),
                        new double[] {first, last},
                        new double[] {t, t});
        style(
                line,
                LEVEL,
                new BasicStroke(
                        1.2f,
                        BasicStroke.CAP_BUTT,
                        BasicStroke.JOIN_MITER,
                        1,
                        new float[] {6, 4},
                        0));
    }

    private static void style(XYSeries line, Color color, BasicStroke stroke) {
        line.setLineColor(color);
        line.setLineStyle(stroke);
        line.setMarker(SeriesMarkers.NONE);
    }

    private static double extreme(List<Finding> findings, boolean least) {
        var samples =
                findings.stream()
                        .flatMap(f -> f.first().trace().stream())
                        .mapToDouble(Analysis.Point::samples);
        return (least ? samples.min() : samples.max()).orElse(1);
    }
}
