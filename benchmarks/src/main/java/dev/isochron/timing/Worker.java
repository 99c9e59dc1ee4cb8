package dev.isochron.timing;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/**
 * The JVM that measures. Arguments: the tier, milliseconds for each experiment, samples at most, the
 * seed, the folder for the samples, and the names of the experiments. Prints a name when its file is
 * there.
 */
final class Worker {

    /** A sample shorter than this says more about {@code System.nanoTime} than about its subject. */
    private static final long LEAST_SAMPLE_NANOS = 1000;

    /**
     * A batch takes about so long, preparation apart: short enough for its inputs to stay in the cache
     * and for the deadline to be met.
     */
    private static final long BATCH_NANOS = 10_000_000;

    private static final int LEAST_BATCH = 16;
    private static final int MOST_BATCH = 512;

    /** With fewer samples than this an experiment goes on, for so many times its time. */
    private static final int FEW_SAMPLES = 2000;

    private static final int PATIENCE = 4;

    private static volatile int sink;

    private final Experiment experiment;
    private final Inputs random;
    private final long[] samples;
    private int calls = 1;
    private int batch = LEAST_BATCH;

    private Worker(Experiment experiment, Inputs random, int most) {
        this.experiment = experiment;
        this.random = random;
        // All room for the samples before the first of them: measuring itself allocates nothing.
        this.samples = new long[most + MOST_BATCH];
    }

    /** The command line. */
    public static void main(String[] args) throws GeneralSecurityException, IOException {
        Tier tier = Tier.valueOf(args[0]);
        long millis = Long.parseLong(args[1]);
        int most = Integer.parseInt(args[2]);
        Inputs random = new Inputs(Long.parseLong(args[3]));
        Path folder = Path.of(args[4]);
        for (String name : Arrays.asList(args).subList(5, args.length)) {
            Trial trial = Trial.of(name);
            Worker worker = new Worker(trial.experiment().apply(random), random, most);
            int count = worker.measure(Math.min(tier.warmUpMillis(), 2 * millis), millis, most);
            Samples.write(
                    folder.resolve(trial.fileName()), worker.calls, worker.samples, count);
            System.out.println(name);
            if (System.out.checkError()) {
                // Whoever started this is gone.
                return;
            }
        }
    }

    /** Measures until the time is over or enough was measured; returns how much that was. */
    private int measure(long warmUpMillis, long millis, int most) throws GeneralSecurityException {
        warmUp(warmUpMillis);
        // What warming up left behind must not be collected during the first samples.
        System.gc();
        long start = System.nanoTime();
        int count = 0;
        long elapsed = 0;
        while (count < most
                && (elapsed < millis || count < FEW_SAMPLES && elapsed < PATIENCE * millis)) {
            count = batch(count);
            elapsed = (System.nanoTime() - start) / 1_000_000;
        }
        return Math.min(count, most);
    }

    /**
     * Runs as it will be measured, both classes at random, so that the profiles which C2 compiles by
     * have seen both alike. Then chooses the calls of a sample and the size of a batch.
     */
    private void warmUp(long millis) throws GeneralSecurityException {
        long end = System.nanoTime() + millis * 1_000_000;
        do {
            adapt(batch(0));
        } while (System.nanoTime() < end);
        // In steps: the first median of a short call is mostly the clock's own time.
        for (int step = 0; step < 3; step++) {
            long median = Math.max(1, median(batch(0)));
            long enough = (calls * LEAST_SAMPLE_NANOS + median - 1) / median;
            calls = (int) Math.max(calls, Math.min(enough, experiment.mostCalls()));
        }
        adapt(batch(0));
    }

    /** Sets the size of the batches to come by the median of one. */
    private void adapt(int measured) {
        long fitting = BATCH_NANOS / Math.max(1, median(measured));
        batch = (int) Math.max(LEAST_BATCH, Math.min(MOST_BATCH, fitting));
    }

    private long median(int count) {
        long[] times = new long[count];
        Arrays.setAll(times, i -> samples[i] >>> 1);
        Arrays.sort(times);
        return times[count / 2];
    }

    /**
     * Prepares a batch and measures it. The classes are drawn for each slot anew, so that whatever
     * drifts or has a rhythm (clock frequency, interrupts, branch history) meets both alike.
     *
     * @param count where in the samples to put it
     * @return where the next one goes
     */
    private int batch(int count) throws GeneralSecurityException {
        byte[] classes = new byte[batch];
        for (int i = 0; i < classes.length; i++) {
            classes[i] = (byte) (random.next() >>> 63);
        }
        experiment.prepare(classes, random);
        int result = 0;
        for (int i = 0; i < classes.length; i++) {
            experiment.load(i);
            long start = System.nanoTime();
            for (int call = 0; call < calls; call++) {
                result += experiment.run();
            }
            long end = System.nanoTime();
            samples[count + i] = Samples.encode(end - start, classes[i]);
        }
        sink = result;
        return count + classes.length;
    }
}
