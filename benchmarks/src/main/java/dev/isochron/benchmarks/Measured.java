package dev.isochron.benchmarks;

import java.util.Arrays;
import java.util.Collection;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;

/**
 * What all rounds of a cell came to.
 *
 * @param nanoseconds the time of one call, the median of all iterations
 * @param spread half the distance between the quickest and the slowest iteration, as a share of the
 *     median
 * @param allocated bytes of heap that one call allocates, the mean of all rounds
 */
record Measured(double nanoseconds, double spread, double allocated) {

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /** Sums up the rounds. */
    static Measured of(Collection<RunResult> rounds) {
        double[] times =
                rounds.stream()
                        .flatMap(round -> round.getBenchmarkResults().stream())
                        .map(BenchmarkResult::getIterationResults)
                        .flatMap(Collection::stream)
                        .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
                        .sorted()
                        .toArray();
        double median = median(times);
        double allocated =
                rounds.stream()
                        .mapToDouble(
                                round -> round.getSecondaryResults().get(ALLOCATED).getScore())
                        .average()
                        .orElse(Double.NaN);
        return new Measured(
                median, (times[times.length - 1] - times[0]) / 2 / median, allocated);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : Arrays.stream(sorted, middle - 1, middle + 1).sum() / 2;
    }
}
