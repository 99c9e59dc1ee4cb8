package dev.isochron.benchmarks;

import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The hybrid against its two halves alone, in CTR from one block to 64 KiB. It shall be about as fast
 * as the better one at every size; the thresholds of {@code CtrHybrid} are read off here.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HybridBenchmark {

    /** The key's size. */
    @Param({"128", "256"})
    public int bits;

    /** Bytes in a message. */
    @Param({
        "16", "32", "48", "64", "80", "96", "112", "128", "192", "256", "320", "384", "512", "1024",
        "4096", "16384", "65536"
    })
    public int size;

    /** What does the work. */
    @Param({"permute", "bitsliced", "hybrid"})
    public String engine;

    private Messages messages;

    /** Prepares the messages. */
    @Setup
    public void prepare() throws GeneralSecurityException {
        messages = new Messages(Subject.of(engine, AesMode.CTR), AesMode.CTR, bits, size);
    }

    /** One message. */
    @Benchmark
    public int message() throws GeneralSecurityException {
        return messages.seal();
    }
}
