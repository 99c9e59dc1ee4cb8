package dev.isochron.aes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Moves a given number of bytes over a channel, however few it takes or gives at a time. A channel in
 * blocking mode moves at least one byte per call; one that moves none is asked again, but not for
 * ever.
 */
final class FullTransfers {

    /** So many calls in a row may move nothing. */
    private static final int MAX_IDLE_CALLS = 1000;

    private FullTransfers() {}

    /** Refuses a channel in non-blocking mode. */
    static void requireBlocking(Channel channel) {
        if (channel instanceof SelectableChannel selectable && !selectable.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    /**
     * Reads until {@code length} bytes are there or the source ends.
     *
     * @return how many there are
     */
    static int read(ReadableByteChannel source, byte[] bytes, int off, int length)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, off, length);
        int idle = 0;
        while (buffer.hasRemaining()) {
            int n = source.read(buffer);
            if (n < 0) {
                break;
            }
            idle = idleCalls(idle, n);
        }
        return buffer.position() - off;
    }

    /** Writes the first {@code length} bytes. */
    static void write(WritableByteChannel sink, byte[] bytes, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
        int idle = 0;
        while (buffer.hasRemaining()) {
            idle = idleCalls(idle, sink.write(buffer));
        }
    }

    private static int idleCalls(int before, int moved) throws IOException {
        if (moved > 0) {
            return 0;
        }
        if (before == MAX_IDLE_CALLS) {
            throw new IOException(
                    "the channel moved no byte in " + MAX_IDLE_CALLS
                            + " calls; it must be in blocking mode");
        }
        return before + 1;
    }
}
