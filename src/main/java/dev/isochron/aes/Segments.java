package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Verdict;
import dev.isochron.aes.internal.mac.Hkdf;
import java.io.IOException;
import javax.crypto.AEADBadTagException;
import javax.crypto.ShortBufferException;

/**
 * The segments of one sealed stream: header, nonces, sizes, and the key derived for this stream
 * alone. The format is Tink's AES-GCM-HKDF streaming with SHA-256 and a derived key of 32 bytes:
 *
 * <pre>
 *   header    1 byte, its own length (40); 32 bytes of salt; 7 bytes of nonce prefix
 *   segment   AES-256-GCM ciphertext and 16-byte tag; all but the last are full; the first is shorter
 *             by the header, so that segment i starts at i * segmentSize
 *   key       HKDF-SHA256(main key, salt, info = associated data, 32 bytes)
 *   nonce     prefix, 4 bytes of segment number (big-endian), 1 byte that is 1 on the last segment
 * </pre>
 *
 * <p>The number in the nonce refuses reordering, duplication and loss; the last byte refuses
 * truncation and extension.
 */
final class Segments implements AutoCloseable {

    static final int HEADER_LENGTH = 40;
    static final int TAG_LENGTH = 16;

    /** The segment number has four bytes. */
    static final long MAX_SEGMENTS = 1L << 32;

    private static final int SALT_LENGTH = 32;
    private static final int PREFIX_LENGTH = 7;
    private static final int DERIVED_KEY_LENGTH = 32;

    private final int segmentSize;
    private final AesKey key;
    private final Aead gcm;
    private final byte[] nonce = new byte[12];

    /**
     * The segments under a header of {@link #HEADER_LENGTH} bytes, already checked or fresh.
     */
    Segments(byte[] mainKey, byte[] header, byte[] aad, int segmentSize) {
        this.segmentSize = segmentSize;
        byte[] salt = Bytes.copy(header, 1, SALT_LENGTH);
        byte[] derived = Hkdf.sha256(mainKey, salt, aad, DERIVED_KEY_LENGTH);
        try {
            key = AesKey.of(derived);
        } finally {
            Bytes.wipe(derived);
        }
        gcm = Aes.gcm(key, TAG_LENGTH);
        Bytes.copy(header, 1 + SALT_LENGTH, nonce, 0, PREFIX_LENGTH);
    }

    /** A header around fresh random bytes: 32 of salt and 7 of nonce prefix. */
    static byte[] header(byte[] random) {
        byte[] header = new byte[HEADER_LENGTH];
        header[0] = HEADER_LENGTH;
        Bytes.copy(random, 0, header, 1, SALT_LENGTH + PREFIX_LENGTH);
        return header;
    }

    /**
     * Refuses what cannot be a header.
     *
     * @param read how many bytes there were
     */
    static void checkHeader(byte[] header, int read) throws IOException {
        if (read < HEADER_LENGTH) {
            throw new IOException(
                    "not a sealed stream, or cut: the header has " + HEADER_LENGTH
                            + " bytes, there were " + read);
        }
        int first = Verdict.publish(header[0], "the first byte of a sealed stream") & 0xFF;
        if (first != HEADER_LENGTH) {
            throw new IOException(
                    "not a sealed stream: it must start with " + HEADER_LENGTH + ", did with "
                            + first);
        }
    }

    /**
     * How many segments a stream has.
     *
     * @param size bytes of the whole stream
     * @throws IOException for a size that no sealed stream has
     */
    static long count(long size, int segmentSize) throws IOException {
        if (size < HEADER_LENGTH + TAG_LENGTH) {
            throw new IOException(
                    "the sealed stream was cut: it has at least " + (HEADER_LENGTH + TAG_LENGTH)
                            + " bytes, there were " + size);
        }
        long count = (size - 1) / segmentSize + 1;
        if (count > MAX_SEGMENTS) {
            throw tooMany();
        }
        return count;
    }

    private static IOException tooMany() {
        return new IOException("a sealed stream has at most 2^32 segments");
    }

    /** Bytes of ciphertext and tag in a full segment. */
    int fullLength(long index) {
        return index == 0 ? segmentSize - HEADER_LENGTH : segmentSize;
    }

    /** Bytes of plaintext in a full segment. */
    int fullText(long index) {
        return fullLength(index) - TAG_LENGTH;
    }

    /**
     * Seals a segment.
     *
     * @return bytes of ciphertext and tag
     */
    int seal(long index, boolean last, byte[] text, int length, byte[] out) throws IOException {
        if (index >= MAX_SEGMENTS) {
            throw tooMany();
        }
        try {
            return gcm.seal(nonce(index, last), null, text, 0, length, out, 0);
        } catch (ShortBufferException e) {
            throw new AssertionError("a segment's buffer holds a segment", e);
        }
    }

    /**
     * Opens a segment; {@code out} is untouched if it is not authentic.
     *
     * @return bytes of plaintext
     */
    int open(long index, boolean last, byte[] sealed, int length, byte[] out) throws IOException {
        if (index >= MAX_SEGMENTS) {
            throw tooMany();
        }
        try {
            return gcm.open(nonce(index, last), null, sealed, 0, length, out, 0);
        } catch (AEADBadTagException e) {
            throw new IOException(
                    "the stream is not authentic: another key or associated data, or it was damaged,"
                            + " cut or extended",
                    e);
        } catch (ShortBufferException e) {
            throw new AssertionError("a segment's buffer holds a segment", e);
        }
    }

    private byte[] nonce(long index, boolean last) {
        Bytes.putInt(nonce, PREFIX_LENGTH, (int) index);
        nonce[11] = (byte) (last ? 1 : 0);
        return nonce;
    }

    @Override
    public void close() {
        key.close();
    }
}
