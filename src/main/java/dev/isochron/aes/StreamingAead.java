package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.security.SecureRandom;
import java.util.Objects;
import javax.security.auth.Destroyable;

/**
 * Authenticated encryption of data of any size, in memory bounded by a segment: streams and channels
 * that seal what is written to them, or open what is read from them. The wire format is that of
 * Tink's AES-GCM-HKDF streaming, templates AES256_GCM_HKDF_4KB and AES256_GCM_HKDF_1MB, so that Tink
 * in any language reads what this writes and the reverse. Thread-safe; the streams it makes are not.
 *
 * <p>What holds for all of them:
 *
 * <ul>
 *   <li>A byte is released only after its segment is verified. Every change (a flipped bit, segments
 *       swapped, doubled or lost, a cut or extended end, another key or other associated data) is an
 *       {@link IOException} whose cause is {@link javax.crypto.AEADBadTagException}, or one that says
 *       that the header is not whole; and so is every read after it.
 *   <li><b>The end of the data is verified when the end is read.</b> Whoever stops before has
 *       verified bytes, and does not know whether more would follow. A seekable channel verifies the
 *       end when it is made.
 *   <li>A sealed stream is whole only when it was closed without an exception. If a write fails,
 *       {@code close} does not add an end, so that the torso is never taken for the whole.
 *   <li>Closing closes the stream or channel below, and wipes the stream's key.
 * </ul>
 */
public final class StreamingAead implements Destroyable, AutoCloseable {

    private static final int KEY_LENGTH = 32;
    private static final int RANDOM_LENGTH = 39;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] mainKey;
    private final int segmentSize;
    private boolean destroyed;

    private StreamingAead(byte[] mainKey, int segmentSize) {
        Objects.requireNonNull(mainKey, "main key");
        if (mainKey.length != KEY_LENGTH) {
            throw new IllegalArgumentException(
                    "main key must have 32 bytes, had " + mainKey.length);
        }
        this.mainKey = Bytes.copy(mainKey, 0, KEY_LENGTH);
        this.segmentSize = segmentSize;
    }

    /**
     * Segments of 4096 bytes: for small data, and for reading at random places.
     *
     * @param mainKey 32 bytes, copied; serves any number of streams
     * @throws IllegalArgumentException for another length
     */
    public static StreamingAead segments4KB(byte[] mainKey) {
        return new StreamingAead(mainKey, 1 << 12);
    }

    /**
     * Segments of 1048576 bytes: for large data.
     *
     * @param mainKey 32 bytes, copied; serves any number of streams
     * @throws IllegalArgumentException for another length
     */
    public static StreamingAead segments1MB(byte[] mainKey) {
        return new StreamingAead(mainKey, 1 << 20);
    }

    /**
     * A stream that seals what is written to it. Only {@code close} makes it whole.
     *
     * @param sink takes the sealed bytes; closed with the stream
     * @param aad associated data, or null; the opener must give the same
     */
    public OutputStream sealing(OutputStream sink, byte[] aad) {
        Objects.requireNonNull(sink, "sink");
        SegmentWriter writer = writer(aad, (bytes, length) -> sink.write(bytes, 0, length));
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] in, int off, int length) throws IOException {
                Arguments.range("input", in, off, length);
                writer.write(in, off, length);
            }

            /** Passes on what is sealed; a segment is sealed when it is full. */
            @Override
            public void flush() throws IOException {
                writer.requireOpen();
                sink.flush();
            }

            @Override
            public void close() throws IOException {
                try (sink) {
                    writer.close();
                }
            }
        };
    }

    /**
     * A stream that opens a sealed one.
     *
     * @param source gives the sealed bytes; closed with the stream
     * @param aad the associated data it was sealed with, or null
     */
    public InputStream opening(InputStream source, byte[] aad) {
        Objects.requireNonNull(source, "source");
        SegmentReader reader = reader(aad, source::readNBytes);
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] out, int off, int length) throws IOException {
                Arguments.range("output", out, off, length);
                return reader.read(out, off, length);
            }

            @Override
            public int available() {
                return reader.available();
            }

            @Override
            public void close() throws IOException {
                try (source) {
                    reader.close();
                }
            }
        };
    }

    /**
     * A channel that seals what is written to it; as {@link #sealing(OutputStream, byte[])}.
     *
     * @param sink takes the sealed bytes, in blocking mode; closed with the channel
     */
    public WritableByteChannel sealing(WritableByteChannel sink, byte[] aad) {
        Objects.requireNonNull(sink, "sink");
        SegmentWriter writer =
                writer(
                        aad,
                        (bytes, length) -> {
                            ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
                            while (buffer.hasRemaining()) {
                                sink.write(buffer);
                            }
                        });
        return new WritableByteChannel() {
            @Override
            public int write(ByteBuffer in) throws IOException {
                if (!writer.isOpen()) {
                    throw new ClosedChannelException();
                }
                int length = in.remaining();
                byte[] bytes = new byte[length];
                in.get(bytes);
                try {
                    writer.write(bytes, 0, length);
                } finally {
                    Bytes.wipe(bytes);
                }
                return length;
            }

            @Override
            public boolean isOpen() {
                return writer.isOpen();
            }

            @Override
            public void close() throws IOException {
                try (sink) {
                    writer.close();
                }
            }
        };
    }

    /**
     * A channel that opens a sealed one; as {@link #opening(InputStream, byte[])}.
     *
     * @param source gives the sealed bytes, in blocking mode; closed with the channel
     */
    public ReadableByteChannel opening(ReadableByteChannel source, byte[] aad) {
        Objects.requireNonNull(source, "source");
        SegmentReader reader =
                reader(
                        aad,
                        (bytes, off, length) -> {
                            ByteBuffer buffer = ByteBuffer.wrap(bytes, off, length);
                            while (buffer.hasRemaining() && source.read(buffer) >= 0) {
                                continue;
                            }
                            return buffer.position() - off;
                        });
        return new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer out) throws IOException {
                if (!reader.isOpen()) {
                    throw new ClosedChannelException();
                }
                byte[] bytes = new byte[Math.min(out.remaining(), segmentSize)];
                int n = reader.read(bytes, 0, bytes.length);
                out.put(bytes, 0, Math.max(n, 0));
                Bytes.wipe(bytes);
                return n;
            }

            @Override
            public boolean isOpen() {
                return reader.isOpen();
            }

            @Override
            public void close() throws IOException {
                try (source) {
                    reader.close();
                }
            }
        };
    }

    /**
     * A read-only channel over sealed data from the source's present position to its end, to be read
     * at any place. Its size and positions are those of the plaintext. Thread-safe.
     *
     * @param source gives the sealed bytes; closed with the channel; not to be used beside it
     * @param aad the associated data it was sealed with, or null
     * @throws IOException if reading fails, or if header or last segment are not authentic
     */
    public SeekableByteChannel openingSeekable(SeekableByteChannel source, byte[] aad)
            throws IOException {
        Objects.requireNonNull(source, "source");
        byte[] key = keyCopy();
        try {
            return new SeekableSegments(source, key, copyOrEmpty(aad), segmentSize);
        } finally {
            Bytes.wipe(key);
        }
    }

    @Override
    public synchronized boolean isDestroyed() {
        return destroyed;
    }

    /** Wipes the main key. Streams already made go on. Idempotent. */
    @Override
    public synchronized void destroy() {
        destroyed = true;
        Bytes.wipe(mainKey);
    }

    /** As {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    private SegmentWriter writer(byte[] aad, SegmentWriter.Sink sink) {
        byte[] key = keyCopy();
        byte[] random = new byte[RANDOM_LENGTH];
        RANDOM.nextBytes(random);
        byte[] header = Segments.header(random);
        Segments segments = new Segments(key, header, copyOrEmpty(aad), segmentSize);
        Bytes.wipe(key);
        return new SegmentWriter(segments, header, sink);
    }

    private SegmentReader reader(byte[] aad, SegmentReader.Source source) {
        return new SegmentReader(keyCopy(), copyOrEmpty(aad), segmentSize, source);
    }

    private synchronized byte[] keyCopy() {
        if (destroyed) {
            throw new IllegalStateException("the key was closed");
        }
        return Bytes.copy(mainKey, 0, KEY_LENGTH);
    }

    private static byte[] copyOrEmpty(byte[] aad) {
        return aad == null ? new byte[0] : Bytes.copy(aad, 0, aad.length);
    }
}
