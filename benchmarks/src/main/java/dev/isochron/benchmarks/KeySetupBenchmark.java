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
 * A new key and its first message, one block long. The message belongs in it because providers defer
 * parts of the key setup to it; {@link BulkBenchmark} at 16 bytes tells its share.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeySetupBenchmark {

    private static final int BLOCK = 16;

    /** The mode. */
    @Param public AesMode mode;

    /** The key's size. */
    @Param({"128", "256"})
    public int bits;

    /** What does the work. */
    @Param({"hybrid", "permute", "bitsliced", "bouncycastle", "jdk"})
    public String engine;

    private final byte[] in = new byte[BLOCK];
    private final byte[] out = new byte[BLOCK + Subject.TAG_LENGTH];
    private Subject subject;
    private byte[] nonce;
    private byte[] key;

    /** Makes the subject, without a key. */
    @Setup
    public void prepare() throws GeneralSecurityException {
        subject = Subject.of(engine, mode);
        nonce = new byte[mode.nonceLength()];
        key = new byte[mode.keyLength(bits)];
        // XTS refuses equal halves.
        key[key.length - 1] = 1;
    }

    /** One key and one message of one block. */
    @Benchmark
    public int keyAndFirstBlock() throws GeneralSecurityException {
        // Another key each time: the JDK and Bouncy Castle notice one that they have already.
        key[0]++;
        subject.key(key);
        return subject.seal(nonce, in, BLOCK, out);
    }
}
