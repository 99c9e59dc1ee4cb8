package dev.isochron.timing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The statistics of dudect (Reparaz, Balasch, Verbauwhede, "Dude, is my code constant time?", 2017):
 * Welch's t between the classes, of
 *
 * <ul>
 *   <li>all samples as they are;
 *   <li>the samples up to a threshold, for several thresholds. The slow tail is what the machine adds,
 *       interrupts and collections of garbage, and it hides small differences. The thresholds are
 *       percentiles of an early part of the run, both classes together, and that part then counts no
 *       more: a threshold must not be chosen by the samples it is to judge;
 *   <li>the centred product, of all samples and of those under the 95th percentile.
 * </ul>
 *
 * The largest |t| of them decides.
 */
final class Analysis {

    /** Below this, nothing was seen; at least this is suspicious. */
    static final double SUSPICIOUS = 4.5;

    /** Above this, a leak. */
    static final double LEAK = 10;

    private static final double[] PERCENTILES = {
        10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.9
    };

    /** The crop, by its place in {@link #PERCENTILES}, of the second cropped test of second order. */
    private static final int SECOND_ORDER_CROP = 9;

    private static final int TESTS = PERCENTILES.length + 3;

    /** With fewer samples in a class the error of a variance is too large to say anything. */
    private static final int ENOUGH = 200;

    /** The early part: a tenth of the samples, at most so many. */
    private static final int MAX_EARLY = 10_000;

    /** Points in a trace for each factor of ten. */
    private static final int POINTS_PER_DECADE = 8;

    /**
     * Where the statistics stood after some samples.
     *
     * @param samples how many samples had been seen, both classes
     * @param rawT t of all of them
     * @param maxT the largest |t| of all tests
     * @param test the test that has it; empty if there were too few samples for any
     */
    record Point(long samples, double rawT, double maxT, String test) {

        boolean saysSomething() {
            return !test.isEmpty();
        }
    }

    private final long[] thresholds;
    private final Moments[] raw = pair();
    private final Moments[][] cropped = new Moments[PERCENTILES.length][];

    private Analysis(long[] thresholds) {
        this.thresholds = thresholds;
        Arrays.setAll(cropped, i -> pair());
    }

    private static Moments[] pair() {
        return new Moments[] {new Moments(), new Moments()};
    }

    /** The statistics over a growing number of samples; the last point is of all. Never empty. */
    static List<Point> trace(Samples samples) {
        int early = Math.min(samples.size() / 10, MAX_EARLY);
        Analysis analysis = new Analysis(thresholds(samples, early));
        List<Point> points = new ArrayList<>();
        double next = 4 * ENOUGH;
        long seen = 0;
        for (int i = early; i < samples.size(); i++) {
            analysis.add(samples.inputClass(i), samples.nanoseconds(i));
            seen++;
            if (seen >= next && i + 1 < samples.size()) {
                points.add(analysis.point(seen));
                next *= Math.pow(10, 1.0 / POINTS_PER_DECADE);
            }
        }
        points.add(analysis.point(seen));
        return points;
    }

    /**
     * How large a shift between the classes these samples would have shown: the difference in
     * nanoseconds that makes |t| 4.5 among the samples up to a threshold.
     */
    static double resolution(Samples samples, long threshold) {
        Moments[] pair = pair();
        for (int i = 0; i < samples.size(); i++) {
            if (samples.nanoseconds(i) <= threshold) {
                pair[samples.inputClass(i)].add(samples.nanoseconds(i));
            }
        }
        return SUSPICIOUS * Moments.standardError(pair[0], pair[1]);
    }

    private static long[] thresholds(Samples samples, int early) {
        long[] sorted = new long[early];
        Arrays.setAll(sorted, samples::nanoseconds);
        Arrays.sort(sorted);
        long[] thresholds = new long[PERCENTILES.length];
        Arrays.setAll(
                thresholds,
                i -> early == 0 ? 0 : sorted[(int) (PERCENTILES[i] / 100 * (early - 1))]);
        return thresholds;
    }

    private void add(int inputClass, long nanoseconds) {
        raw[inputClass].add(nanoseconds);
        for (int i = thresholds.length - 1; i >= 0 && nanoseconds <= thresholds[i]; i--) {
            cropped[i][inputClass].add(nanoseconds);
        }
    }

    private Point point(long seen) {
        double rawT = enough(raw) ? Moments.welch(raw[0], raw[1]) : 0;
        double largest = 0;
        String name = "";
        for (int test = 0; test < TESTS; test++) {
            double t = Math.abs(t(test));
            if (t > largest) {
                largest = t;
                name = name(test);
            }
        }
        return new Point(seen, rawT, largest, name);
    }

    private double t(int test) {
        int crops = PERCENTILES.length;
        Moments[] pair =
                test < crops
                        ? cropped[test]
                        : test == crops + 2 ? cropped[SECOND_ORDER_CROP] : raw;
        if (!enough(pair)) {
            return 0;
        }
        return test <= crops
                ? Moments.welch(pair[0], pair[1])
                : Moments.welchSecondOrder(pair[0], pair[1]);
    }

    private static boolean enough(Moments[] pair) {
        return pair[0].count() >= ENOUGH && pair[1].count() >= ENOUGH;
    }

    private static String name(int test) {
        int crops = PERCENTILES.length;
        if (test < crops) {
            return "below percentile " + PERCENTILES[test];
        }
        return switch (test - crops) {
            case 0 -> "raw";
            case 1 -> "second order";
            default -> "second order below percentile " + PERCENTILES[SECOND_ORDER_CROP];
        };
    }
}
