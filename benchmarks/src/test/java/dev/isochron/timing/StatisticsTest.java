package dev.isochron.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class StatisticsTest {

    private static final int MANY = 40_000;

    private static Moments moments(double... values) {
        Moments moments = new Moments();
        for (double value : values) {
            moments.add(value);
        }
        return moments;
    }

    /** The samples of the first two examples of the usual article on Welch's test, t = -2.46 and -1.57. */
    @Test
    void welchAgreesWithTheTextbook() {
        Moments x =
                moments(
                        27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6,
                        19.0, 21.7, 21.4);
        Moments y =
                moments(
                        27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1,
                        22.9, 20.5, 24.4);
        assertEquals(-2.455356, Moments.welch(x, y), 1e-6);
        assertEquals(2.455356, Moments.welch(y, x), 1e-6);

        Moments few =
                moments(17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8);
        Moments more =
                moments(
                        21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7,
                        21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8);
        assertEquals(-1.565434, Moments.welch(few, more), 1e-6);
    }

    /** The moments' updates against sums over all values: welchSecondOrder is welch of the squares. */
    @Test
    void secondOrderIsWelchOfTheCentredSquares() {
        Random random = new Random(1);
        double[] x = random.doubles(500, 900, 1000).toArray();
        double[] y = random.doubles(700, 850, 1050).toArray();
        assertEquals(
                Moments.welch(centredSquares(x), centredSquares(y)),
                Moments.welchSecondOrder(moments(x), moments(y)),
                1e-9);
    }

    private static Moments centredSquares(double[] values) {
        double mean = moments(values).mean();
        Moments squares = new Moments();
        for (double value : values) {
            squares.add((value - mean) * (value - mean));
        }
        return squares;
    }

    @Test
    void valuesThatDoNotVary() {
        assertEquals(0, Moments.welch(moments(3, 3, 3), moments(3, 3)));
        assertEquals(
                Double.POSITIVE_INFINITY, Moments.welch(moments(4, 4, 4), moments(3, 3)));
    }

    /** Samples of two classes at random; what a class takes is the function's. */
    private static Samples samples(long seed, IntToDoubleFunction nanos) {
        Random random = new Random(seed);
        long[] encoded = new long[MANY];
        for (int i = 0; i < MANY; i++) {
            int inputClass = random.nextInt(2);
            encoded[i] =
                    Samples.encode(Math.round(nanos.applyAsDouble(inputClass)), inputClass);
        }
        return new Samples(1, encoded);
    }

    private static Analysis.Point last(Samples samples) {
        var trace = Analysis.trace(samples);
        return trace.get(trace.size() - 1);
    }

    @Test
    void equalDistributionsAreNotFlagged() {
        for (long seed = 0; seed < 20; seed++) {
            Random noise = new Random(1000 + seed);
            double t = last(samples(seed, c -> 5000 + 100 * noise.nextGaussian())).maxT();
            assertTrue(t < Analysis.SUSPICIOUS, "seed " + seed + ": " + t);
        }
    }

    @Test
    void plantedShiftIsFlagged() {
        Random noise = new Random(2);
        Analysis.Point point =
                last(samples(3, c -> 5000 + 10 * c + 100 * noise.nextGaussian()));
        assertTrue(point.maxT() > 8, point.toString());
        // The fixed class is the quicker one.
        assertTrue(point.rawT() < -8, point.toString());
        assertEquals(MANY * 9 / 10, point.samples());
    }

    /** One sample in fifty is interrupted: that drowns the shift in all samples, and cropping finds it. */
    @Test
    void croppingFindsAShiftUnderOutliers() {
        Random noise = new Random(4);
        Analysis.Point point =
                last(
                        samples(
                                5,
                                c ->
                                        5000
                                                + 10 * c
                                                + 100 * noise.nextGaussian()
                                                + (noise.nextInt(50) == 0
                                                        ? noise.nextInt(1_000_000)
                                                        : 0)));
        assertTrue(Math.abs(point.rawT()) < Analysis.SUSPICIOUS, point.toString());
        assertTrue(point.maxT() > 8, point.toString());
        assertTrue(point.test().startsWith("below percentile"), point.toString());
    }

    /** The same mean, another spread: a case for the second order. */
    @Test
    void plantedSpreadIsFlagged() {
        Random noise = new Random(6);
        Analysis.Point point =
                last(samples(7, c -> 5000 + (100 + 20 * c) * noise.nextGaussian()));
        assertTrue(Math.abs(point.rawT()) < Analysis.SUSPICIOUS, point.toString());
        assertTrue(point.maxT() > Analysis.LEAK, point.toString());
    }

    @Test
    void traceGrowsWithTheSamplesAndFewOfThemSayNothing() {
        Random noise = new Random(8);
        var trace =
                Analysis.trace(samples(9, c -> 5000 + 50 * c + 100 * noise.nextGaussian()));
        for (int i = 1; i < trace.size(); i++) {
            assertTrue(trace.get(i - 1).samples() < trace.get(i).samples());
        }
        assertTrue(trace.get(0).maxT() < trace.get(trace.size() - 1).maxT());
        Samples few = new Samples(1, new long[] {Samples.encode(5, 0), Samples.encode(9, 1)});
        assertEquals(0, last(few).maxT());
    }

    /** A shift as large as the resolution is worth |t| = 4.5. */
    @Test
    void resolutionIsTheShiftThatIsFlagged() {
        Random noise = new Random(10);
        Samples samples = samples(11, c -> 5000 + 100 * noise.nextGaussian());
        // Two samples of half the number each: 100 * sqrt(4 / n).
        double error = 100 * Math.sqrt(4.0 / MANY);
        assertEquals(4.5 * error, Analysis.resolution(samples, Long.MAX_VALUE), 0.1);
    }
}
