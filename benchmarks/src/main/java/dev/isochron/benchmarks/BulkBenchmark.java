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

/** Whole messages under a key that was set up before, the time of one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BulkBenchmark {

    /** The mode. */
    @Param public AesMode mode;

    /** The key's size. */
    @Param({"128", "256"})
    public int bits;

    /** Bytes in a message; 1019 is prime. */
    @Param({"16", "256", "1019", "1350", "8192", "16384", "65536"})
    public int size;

    /** {@code seal} encrypts, {@code open} decrypts. */
    @Param({"seal", "open"})
    public String direction;

    /** What does the work. */
    @Param({"hybrid", "permute", "bitsliced", "bouncycastle", "jdk"})
    public String engine;

    private Messages messages;
    private boolean opening;

    /** Prepares the messages. */
    @Setup
    public void prepare() throws GeneralSecurityException {
        messages = new Messages(Subject.of(engine, mode), mode, bits, size);
        opening = direction.equals("open");
    }

    /** One message. */
    @Benchmark
    public int message() throws GeneralSecurityException {
        return opening ? messages.open() : messages.seal();
    }
}
