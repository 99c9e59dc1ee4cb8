package dev.isochron.timing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What one experiment measured in one JVM, in the order of measurement. A sample is the time in
 * nanoseconds of {@code calls} calls, doubled, plus its class: 0 fixed, 1 random. The measuring JVM
 * writes nothing but this; what can be learned from it is worked out elsewhere, at leisure.
 *
 * @param calls calls in one sample
 * @param encoded the samples
 */
record Samples(int calls, long[] encoded) {

    static long encode(long nanoseconds, int inputClass) {
        return nanoseconds << 1 | inputClass;
    }

    int size() {
        return encoded.length;
    }

    long nanoseconds(int i) {
        return encoded[i] >>> 1;
    }

    int inputClass(int i) {
        return (int) encoded[i] & 1;
    }

    /** Writes {@code count} samples. In bulk, since the interpreter would take long over each. */
    static void write(Path file, int calls, long[] encoded, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * (1 + count));
        bytes.putLong(calls);
        bytes.asLongBuffer().put(encoded, 0, count);
        bytes.rewind();
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    static Samples read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        int calls = (int) bytes.getLong();
        long[] encoded = new long[bytes.remaining() / Long.BYTES];
        bytes.asLongBuffer().get(encoded);
        return new Samples(calls, encoded);
    }
}
