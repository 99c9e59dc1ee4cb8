package dev.isochron.aes.cli;

import dev.isochron.aes.AesKey;
import java.security.GeneralSecurityException;
import java.util.Locale;
import java.util.function.LongSupplier;

/** So many operations on messages of a size took so long. */
record Figure(int size, long count, long nanos) {

    /** Bytes between two looks at the clock. */
    private static final int BETWEEN_LOOKS = 1 << 16;

    /**
     * Measures.
     *
     * @param workload what to do
     * @param engine who does it
     * @param bits the key's size
     * @param size bytes in a message, rounded up to what the mode takes
     * @param time at least so many nanoseconds
     * @param clock a monotonic time in nanoseconds
     */
    static Figure measure(
            Workload workload, String engine, int bits, int size, long time, LongSupplier clock)
            throws GeneralSecurityException {
        int whole = workload.messageSize(size);
        // A published key: what is measured depends on no key.
        try (AesKey key = AesKey.of(new byte[bits / 8], engine)) {
            Workload.Operation operation = workload.preparation().prepare(key, whole);
            int between = Math.max(1, BETWEEN_LOOKS / whole);
            operation.run();
            long count = 0;
            long start = clock.getAsLong();
            long elapsed;
            do {
                for (int i = 0; i < between; i++) {
                    operation.run();
                }
                count += between;
                elapsed = clock.getAsLong() - start;
            } while (elapsed < time);
            return new Figure(whole, count, Math.max(1, elapsed));
        }
    }

    double nanosPerOperation() {
        return (double) nanos / count;
    }

    double megabytesPerSecond() {
        return count * (double) size / nanos * 1e3;
    }

    /** In the form of BoringSSL's speed tool. */
    String line(String name, String verb) {
        return String.format(
                Locale.ROOT,
                "Did %d %s (%d bytes) %s operations in %dus (%.1f ops/sec): %.1f MB/s",
                count,
                name,
                size,
                verb,
                nanos / 1000,
                count * 1e9 / nanos,
                megabytesPerSecond());
    }
}
