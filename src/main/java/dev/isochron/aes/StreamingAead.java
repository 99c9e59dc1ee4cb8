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
 * in any language reads what this writes and the reverse. Thread-safe, and so are the streams and
 * channels it makes: calls from several threads wait for each other. To end a call that blocks, close
 * the stream or channel below.
 *
 * <p>What holds for all of them:
 *
 * <ul>
 *   <li>A byte is released only after its segment is verified. Every change (a flipped bit, segments
 *       swapped, doubled or lost, a cut or extended end, another key or other associated data) is an
 *       {@link IOException} whose cause is {@link javax.crypto.AEADBadTagException}, or one that says
 *       that the stream is not whole; and so is every read after it.
 *   <li><b>Closing before the end verifies the rest</b>, and throws if it is not authentic: a parser
 *       that stops at the end of its document does not miss a cut or changed tail. That takes as long
 *       as reading it. Whoever wants a part only uses the seekable channel, which verifies the end
 *       when it is made and then only the segments it reads; a damaged one fails each time, others
 *       can still be read.
 *   <li><b>Closing says that the data is complete</b>: it writes the end, also when
 *       try-with-resources closes because whatever made the data failed. Then discard the output. If
 *       the sink failed, {@code close} adds no end, so that the torso is never taken for the whole,
 *       and throws: a sealed stream is whole only when it was closed without an exception.
 *   <li>Closing closes the stream or channel below, and wipes the stream's key and buffers. Closing
 *       again does nothing.
 *   <li>Sources and sinks may take or give fewer bytes than asked. Channels below must be in blocking
 *       mode, else {@link java.nio.channels.IllegalBlockingModeException}.
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
        SegmentWriter writer =
                writer(
                        aad,
                        new SegmentWriter.Sink() {
                            @Override
                            public void write(byte[] bytes, int length) throws IOException {
                                sink.write(bytes, 0, length);
                            }

                            @Override
                            public void flush() throws IOException {
                                sink.flush();
                            }
                        });
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                writer.write((byte) b);
            }

            @Override
            public void write(byte[] in, int off, int length) throws IOException {
                Arguments.range("input", in, off, length);
                writer.write(in, off, length);
            }

            /** Passes on what is sealed; a segment is sealed when it is full. */
            @Override
            public void flush() throws IOException {
                writer.flush();
            }

            @Override
            public void close() throws IOException {
                if (writer.isOpen()) {
                    try (sink) {
                        writer.close();
                    }
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
                return reader.read();
            }

            @Override
            public int read(byte[] out, int off, int length) throws IOException {
                Arguments.range("output", out, off, length);
                return reader.read(out, off, length);
            }

            @Override
            public long skip(long count) throws IOException {
                return reader.skip(count);
            }

            @Override
            public int available() throws IOException {
                return reader.available();
            }

            @Override
            public void close() throws IOException {
                if (reader.isOpen()) {
                    try (source) {
                        reader.close();
                    }
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
                writer(aad, (bytes, length) -> FullTransfers.write(sink, bytes, length));
        return new WritableByteChannel() {
            @Override
            public int write(ByteBuffer in) throws IOException {
                if (!writer.isOpen()) {
                    throw new ClosedChannelException();
                }
                FullTransfers.requireBlocking(sink);
                return writer.write(in);
            }

            @Override
            public boolean isOpen() {
                return writer.isOpen();
            }

            @Override
            public void close() throws IOException {
                if (writer.isOpen()) {
                    try (sink) {
                        writer.close();
                    }
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
                        (bytes, off, length) -> FullTransfers.read(source, bytes, off, length));
        return new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer out) throws IOException {
                if (!reader.isOpen()) {
                    throw new ClosedChannelException();
                }
                if (out.isReadOnly()) {
                    throw new IllegalArgumentException(
                            "output must be writable, was a read-only buffer");
                }
                FullTransfers.requireBlocking(source);
                return reader.read(out);
            }

            @Override
            public boolean isOpen() {
                return reader.isOpen();
            }

            @Override
            public void close() throws IOException {
                if (reader.isOpen()) {
                    try (source) {
                        reader.close();
                    }
                }
            }
        };
    }

    /**
     * A read-only channel over sealed data from the source's present position to its end, to be read
     * at any place. Its size and positions are those of the plaintext.
     *
     * @param source gives the sealed bytes; closed with the channel, but not if this throws; not to
     *     be used or changed beside it
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
        byte[] random = new byte[RANDOM_LENGTH];
        RANDOM.nextBytes(random);
        byte[] header = Segments.header(random);
        byte[] key = keyCopy();
        try {
            Segments segments = new Segments(key, header, copyOrEmpty(aad), segmentSize);
            return new SegmentWriter(segments, header, sink);
        } finally {
            Bytes.wipe(key);
        }
    }

    private SegmentReader reader(byte[] aad, SegmentReader.Source source) {
        byte[] ownAad = copyOrEmpty(aad);
        return new SegmentReader(keyCopy(), ownAad, segmentSize, source);
    }

    private synchronized byte[] keyCopy() {
        if (destroyed) {
            throw new IllegalStateException("the main key was closed");
        }
        return Bytes.copy(mainKey, 0, KEY_LENGTH);
    }

    private static byte[] copyOrEmpty(byte[] aad) {
        return aad == null ? new byte[0] : Bytes.copy(aad, 0, aad.length);
    }
}
