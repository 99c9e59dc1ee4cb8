package dev.isochron.benchmarks;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Engines;
import dev.isochron.aes.internal.block.RoundKeys;
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
 * What one block costs on the single-block engine and what a batch of four costs on the bitsliced
 * one. The engines are called as the modes call them, below the public API, so that the time is the
 * circuit's and not the checking of arguments.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SingleBlockBenchmark {

    /** The key's size. */
    @Param({"128", "256"})
    public int bits;

    /** How many blocks a call encrypts. */
    @Param({"1", "4"})
    public int blocks;

    /** Which engine. */
    @Param({"permute", "bitsliced"})
    public String engine;

    private BlockCipher cipher;
    private byte[] text;
    private long counter;

    /** Expands the key, and converts it if the engine has a form of its own. */
    @Setup
    public void prepare() {
        cipher = Engines.byName(engine).cipher(RoundKeys.expand(new byte[bits / 8]));
        text = new byte[BlockCipher.BLOCK_SIZE * blocks];
    }

    /** One call of CTR, in place. */
    @Benchmark
    public byte[] ctr() {
        cipher.ctr(0, counter++, text, 0, text, 0, text.length);
        return text;
    }

    /** One call of the forward permutation, in place; each call waits for the one before. */
    @Benchmark
    public byte[] encrypt() {
        cipher.encrypt(text, 0, text, 0, blocks);
        return text;
    }

    /** One call of the inverse permutation, in place; each call waits for the one before. */
    @Benchmark
    public byte[] decrypt() {
        cipher.decrypt(text, 0, text, 0, blocks);
        return text;
    }
}
