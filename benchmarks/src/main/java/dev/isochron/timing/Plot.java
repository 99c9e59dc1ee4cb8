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

    /** Below this all lines are one on the floor: it keeps their wandering out of the picture. */
    private static final double FLOOR = 0.3;

    private static final Pattern LONG_FRACTION = Pattern.compile("(\\d+\\.\\d)\\d+");

    private Plot() {}

    /** Draws the findings of a tier. */
    static void draw(Machine machine, Tier tier, List<Finding> findings, Path file)
            throws IOException {
        XYChart chart =
                new XYChartBuilder()
                        .width(900)
                        .height(560)
                        .title(tier.title() + ", " + machine.jvm())
                        .xAxisTitle("samples")
                        .yAxisTitle("largest |t|")
                        .build();
        chart.getStyler()
                .setXAxisLogarithmic(true)
                .setYAxisLogarithmic(true)
                .setYAxisMin(FLOOR)
                .setLegendPosition(Styler.LegendPosition.OutsideS)
                .setLegendLayout(Styler.LegendLayout.Horizontal)
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
        String svg = new String(ChartEncoder.getBytes(chart, "svg"), StandardCharsets.UTF_8);
        // A tenth of a pixel is enough, and a third of the size.
        Matcher numbers = LONG_FRACTION.matcher(svg);
        Files.writeString(file, numbers.replaceAll("$1"));
    }

    private static XYSeries line(XYChart chart, Finding finding, Color color, float width) {
        List<Analysis.Point> trace = finding.counting().trace();
        double[] samples = trace.stream().mapToDouble(Analysis.Point::samples).toArray();
        double[] t = trace.stream().mapToDouble(p -> Math.max(FLOOR, p.maxT())).toArray();
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
