package dev.isochron.aes.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The table of {@code speed --table}, in the form of libgcrypt's bench-slope: what a byte more costs,
 * without what a call costs. The time of a call is measured at a few sizes; the slope of the straight
 * line through them, by least squares, is the time of a byte.
 */
final class SlopeTable {

    /** Whole batches of the bulk engine, so that all lie on one line. */
    private static final int[] SIZES = {8192, 16384, 24576, 32768};

    /** Each size is measured so often, in turn with the others; the median counts. */
    private static final int ROUNDS = 5;

    /** The JIT compilers need a few seconds, however short the rows are wanted. */
    private static final long MIN_WARM_UP = 4_000_000_000L;

    private static final double MEBIBYTE = 1 << 20;

    private final Environment env;
    private final long nanos;
    private final double gigahertz;

    /**
     * Ready to print.
     *
     * @param nanos the time for a row, in nanoseconds; warming up takes as long again, or longer
     * @param gigahertz the processor's clock for cycles per byte, 0 if they are not wanted
     */
    SlopeTable(Environment env, long nanos, double gigahertz) {
        this.env = env;
        this.nanos = nanos;
        this.gigahertz = gigahertz;
    }

    void print(PrintStream out, String engine, int bits, List<Workload> workloads)
            throws FailureException, IOException {
        List<Workload> taken = workloads.stream().filter(w -> w.takesKey(bits)).toList();
        if (taken.isEmpty()) {
            return;
        }
        out.println();
        out.println(
                String.format("%-24s|  nanosecs/byte   mebibytes/sec", "AES-" + bits + ", " + engine)
                        + (gigahertz > 0 ? "   cycles/byte" : ""));
        warmUp(engine, bits, taken);
        for (Workload workload : taken) {
            out.println(row(workload, slope(workload, engine, bits)));
            Main.check(out);
        }
    }

    /** All rows in turn, since modes share code that would still be compiled when the first is timed. */
    private void warmUp(String engine, int bits, List<Workload> workloads) throws FailureException {
        long start = env.clock().getAsLong();
        do {
            for (Workload workload : workloads) {
                round(workload, engine, bits);
            }
        } while (env.clock().getAsLong() - start < Math.max(MIN_WARM_UP, nanos * workloads.size()));
    }

    private String row(Workload workload, double nanosPerByte) {
        String row =
                String.format(
                        Locale.ROOT,
                        "%18s %-4s | %9.3f ns/B %9.1f MiB/s",
                        workload.mode(),
                        workload.direction(),
                        nanosPerByte,
                        1e9 / MEBIBYTE / nanosPerByte);
        return gigahertz > 0
                ? row + String.format(Locale.ROOT, " %9.2f c/B", nanosPerByte * gigahertz)
                : row;
    }

    private double slope(Workload workload, String engine, int bits) throws FailureException {
        double[][] times = new double[SIZES.length][ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            double[] round = round(workload, engine, bits);
            for (int j = 0; j < SIZES.length; j++) {
                times[j][i] = round[j];
            }
        }
        double[] medians = new double[SIZES.length];
        for (int j = 0; j < SIZES.length; j++) {
            Arrays.sort(times[j]);
            medians[j] = times[j][ROUNDS / 2];
        }
        return slope(SIZES, medians);
    }

    private double[] round(Workload workload, String engine, int bits) throws FailureException {
        long slice = Math.max(1, nanos / (ROUNDS * SIZES.length));
        double[] times = new double[SIZES.length];
        try {
            for (int j = 0; j < SIZES.length; j++) {
                times[j] =
                        Figure.measure(workload, engine, bits, SIZES[j], slice, env.clock())
                                .nanosPerOperation();
            }
        } catch (GeneralSecurityException e) {
            throw workload.failure(engine);
        }
        return times;
    }

    /** The slope of the line through the points (x, y) that least squares give. */
    static double slope(int[] x, double[] y) {
        double meanX = Arrays.stream(x).average().orElseThrow();
        double meanY = Arrays.stream(y).average().orElseThrow();
        double covariance = 0;
        double variance = 0;
        for (int i = 0; i < x.length; i++) {
            covariance += (x[i] - meanX) * (y[i] - meanY);
            variance += (x[i] - meanX) * (x[i] - meanX);
        }
        return covariance / variance;
    }
}
