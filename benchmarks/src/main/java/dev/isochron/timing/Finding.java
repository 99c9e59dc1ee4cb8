package dev.isochron.timing;

import java.util.Arrays;
import java.util.List;

/**
 * What came of a trial in a tier.
 *
 * @param trial the trial
 * @param tier the tier
 * @param first the first measurement
 * @param second the repetition in another JVM with fresh samples, null if none was called for
 */
record Finding(Trial trial, Tier tier, Run first, Run second) {

    /**
     * One measurement.
     *
     * @param seed what everything was drawn from
     * @param calls calls in one sample
     * @param trace the statistics over a growing number of samples
     * @param medianNanos the median sample
     * @param resolutionNanos see {@link Analysis#resolution}, for one call
     */
    record Run(
            long seed,
            int calls,
            List<Analysis.Point> trace,
            double medianNanos,
            double resolutionNanos) {

        /** Works out what samples say. */
        static Run of(long seed, Samples samples) {
            long[] sorted = new long[samples.size()];
            Arrays.setAll(sorted, samples::nanoseconds);
            Arrays.sort(sorted);
            return new Run(
                    seed,
                    samples.calls(),
                    Analysis.trace(samples),
                    (double) sorted[sorted.length / 2] / samples.calls(),
                    Analysis.resolution(samples, sorted[sorted.length * 9 / 10])
                            / samples.calls());
        }

        Analysis.Point last() {
            return trace.get(trace.size() - 1);
        }
    }

    /** What the statistics say. */
    enum Verdict {
        /** Nothing can be said. */
        TOO_FEW("too few samples"),
        /** Nothing seen. */
        NOTHING("nothing seen"),
        /** Flagged once, and not again. */
        NOT_REPEATED("not repeated"),
        /** Flagged twice, by a little. */
        SUSPICIOUS("suspicious"),
        /** Flagged twice, beyond doubt. */
        LEAK("leak");

        private final String title;

        Verdict(String title) {
            this.title = title;
        }

        /** In words. */
        String title() {
            return title;
        }
    }

    /**
     * Whether a trial must be measured again before anything is said: one that was flagged, and a
     * control that was not, for its fixed input may happen to take as long as the average one.
     */
    static boolean callsForRepetition(Trial trial, Run run) {
        return trial.isLeaky() != isFlagged(run);
    }

    private static boolean isFlagged(Run run) {
        return run.last().maxT() >= Analysis.SUSPICIOUS;
    }

    /** The run that counts: the repetition, if there was one. */
    Run counting() {
        return second == null ? first : second;
    }

    /** Its largest |t|. */
    double maxT() {
        return counting().last().maxT();
    }

    /** What to say. A chance finding does not repeat, and neither does one of memory layout. */
    Verdict verdict() {
        if (!counting().last().saysSomething()) {
            return Verdict.TOO_FEW;
        }
        double once = first.last().maxT();
        double again = maxT();
        double both = trial.isLeaky() ? again : Math.min(once, again);
        if (both > Analysis.LEAK) {
            return Verdict.LEAK;
        }
        if (both >= Analysis.SUSPICIOUS) {
            return Verdict.SUSPICIOUS;
        }
        return once < Analysis.SUSPICIOUS ? Verdict.NOTHING : Verdict.NOT_REPEATED;
    }

    /** Whether it is what was expected of it. */
    boolean isExpected() {
        Verdict verdict = verdict();
        boolean found = verdict == Verdict.SUSPICIOUS || verdict == Verdict.LEAK;
        return switch (trial.expected()) {
            case CLEAN, NO_LEAK -> !found;
            case LEAK -> found;
            case LEAK_WHEN_COMPILED -> found || tier == Tier.INTERPRETER;
        };
    }
}
