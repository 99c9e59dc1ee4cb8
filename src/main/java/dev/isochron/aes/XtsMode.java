package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Overlap;
import dev.isochron.aes.internal.bytes.Verdict;
import dev.isochron.aes.internal.mode.Xts;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.crypto.BadPaddingException;
import javax.crypto.ShortBufferException;
import javax.security.auth.Destroyable;

/**
 * XTS-AES (IEEE 1619-2018, SP 800-38E) under a pair of keys that it owns: encryption of storage, a
 * sector at a time, without room for an IV or a tag. Made by {@link Aes#xts(byte[])}. Thread-safe.
 *
 * <p><b>Not authenticated, and deterministic:</b> whoever changes ciphertext turns blocks of plaintext
 * into noise, unnoticed, and may put old sectors back; equal sectors at one place have equal
 * ciphertexts. For disks and other storage that cannot grow; not for files that can, nor for messages:
 * {@link Aes#gcm} and {@link StreamingAead} are.
 *
 * <p>A message is a <b>data unit</b>, such as a sector: 16 bytes to 2<sup>20</sup> blocks (16 MiB),
 * its ciphertext as long; bytes beyond whole blocks are served by ciphertext stealing. Its IV is its
 * <b>tweak</b>, 16 bytes, public, which must be another for each unit under a key; usually the
 * sector's number, see {@link #sector}. At most 2<sup>36</sup> blocks (1 TiB) should be encrypted under
 * one key.
 *
 * <p>{@link #close} wipes both keys; every later use is an {@link IllegalStateException}.
 */
public final class XtsMode extends CipherMode implements Destroyable, AutoCloseable {

    private static final int MIN_UNIT = 16;
    private static final int TWEAK_LENGTH = 16;

    private final Xts xts;
    private final AesKey tweakKey;

    private XtsMode(AesKey dataKey, AesKey tweakKey, Xts xts) {
        super(dataKey, xts);
        this.tweakKey = tweakKey;
        this.xts = xts;
    }

    static XtsMode of(byte[] key, String engine) {
        Objects.requireNonNull(key, "key");
        if (key.length != 32 && key.length != 64) {
            throw new IllegalArgumentException(
                    "XTS key must have 32 or 64 bytes, had " + key.length);
        }
        int half = key.length / 2;
        int difference = Bytes.difference(key, 0, key, half, half);
        if (Verdict.accept(difference, "whether the halves of a key are equal")) {
            throw new IllegalArgumentException("the halves of an XTS key must differ");
        }
        byte[] data = Bytes.copy(key, 0, half);
        byte[] tweak = Bytes.copy(key, half, half);
        try {
            AesKey dataKey = AesKey.of(data, engine);
            AesKey tweakKey = AesKey.of(tweak, engine);
            return new XtsMode(dataKey, tweakKey, new Xts(dataKey.cipher(), tweakKey.cipher()));
        } finally {
            Bytes.wipe(data);
            Bytes.wipe(tweak);
        }
    }

    /**
     * The tweak of a sector: its number in 16 bytes, little-endian (IEEE 1619-2018 section 5.1).
     *
     * @param number 0 or more
     * @throws IllegalArgumentException if it is negative
     */
    public static byte[] sector(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("sector number must be 0 or more, was " + number);
        }
        byte[] tweak = new byte[TWEAK_LENGTH];
        Bytes.putLongLittleEndian(tweak, 0, number);
        return tweak;
    }

    /** The size of each of the two keys: 128 or 256. */
    public int bits() {
        return key.bits();
    }

    /** The name of the engine that serves the keys. */
    public String engine() {
        return key.engine();
    }

    /** Mode and key size; nothing secret. */
    @Override
    public String toString() {
        return "XTS-AES-" + bits() + (isDestroyed() ? "[closed]" : "");
    }

    @Override
    String ivName() {
        return "tweak";
    }

    // ---- one data unit -------------------------------------------------------------------------

    /**
     * Decrypts a data unit.
     *
     * @param tweak the one it was encrypted with
     * @throws IllegalArgumentException for a tweak that has not 16 bytes, or a ciphertext of fewer than
     *     16 bytes or more than 2<sup>20</sup> blocks
     */
    @Override
    public byte[] decrypt(byte[] tweak, byte[] ciphertext) {
        try {
            return super.decrypt(tweak, ciphertext);
        } catch (BadPaddingException e) {
            throw noPadding(e);
        }
    }

    /** As {@link #decrypt(byte[], byte[])}, from part of one array into part of another. */
    @Override
    public int decrypt(byte[] tweak, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException {
        try {
            return super.decrypt(tweak, in, inOff, length, out, outOff);
        } catch (BadPaddingException e) {
            throw noPadding(e);
        }
    }

    /** As {@link #decrypt(byte[], byte[])}, of all that remains in one buffer into another. */
    @Override
    public int decrypt(byte[] tweak, ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        try {
            return super.decrypt(tweak, in, out);
        } catch (BadPaddingException e) {
            throw noPadding(e);
        }
    }

    private static AssertionError noPadding(BadPaddingException e) {
        return new AssertionError("XTS has no padding", e);
    }

    // ---- a run of sectors ----------------------------------------------------------------------

    /**
     * Encrypts consecutive sectors in one call, which is faster than one by one if they are short.
     *
     * @param tweak of the first, such as {@link #sector sector(n)}; each next one is greater by 1, as a
     *     little-endian number modulo 2<sup>128</sup>
     * @param sectorSize bytes in each, 16 to 2<sup>24</sup>
     * @param in holds the plaintext
     * @param inOff where it starts
     * @param length its length, a multiple of {@code sectorSize}
     * @param out takes as many bytes of ciphertext; may be {@code in}, at any place
     * @param outOff where it goes
     * @return how many bytes were written
     * @throws ShortBufferException if {@code out} has too little room; nothing has changed
     * @throws IllegalArgumentException for a tweak that has not 16 bytes, another sector size, or a
     *     length that is no multiple of it
     */
    public int encryptSectors(
            byte[] tweak, int sectorSize, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException {
        return sectors(xts::encryptUnits, tweak, sectorSize, in, inOff, length, out, outOff);
    }

    /** As {@link #encryptSectors(byte[], int, byte[], int, int, byte[], int)}, the other way. */
    public int decryptSectors(
            byte[] tweak, int sectorSize, byte[] in, int inOff, int length, byte[] out, int outOff)
            throws ShortBufferException {
        return sectors(xts::decryptUnits, tweak, sectorSize, in, inOff, length, out, outOff);
    }

    /**
     * As {@link #encryptSectors(byte[], int, byte[], int, int, byte[], int)}, of all that remains in
     * one buffer into another.
     *
     * @throws IllegalArgumentException also if both buffers are one object, or {@code out} is read-only
     */
    public int encryptSectors(byte[] tweak, int sectorSize, ByteBuffer in, ByteBuffer out)
            throws ShortBufferException {
        return sectors(xts::encryptUnits, tweak, sectorSize, in, out);
    }

    /** As {@link #encryptSectors(byte[], int, ByteBuffer, ByteBuffer)}, the other way. */
    public int decryptSectors(byte[] tweak, int sectorSize, ByteBuffer in, ByteBuffer out)
            throws ShortBufferException {
        return sectors(xts::decryptUnits, tweak, sectorSize, in, out);
    }

    /** One direction of {@link Xts}. */
    private interface Units {
        void run(
                byte[] first,
                int unitLength,
                byte[] in,
                int inOff,
                int length,
                byte[] out,
                int outOff);
    }

    private int sectors(Units units, byte[] tweak, int sectorSize, ByteBuffer in, ByteBuffer out)
            throws ShortBufferException {
        byte[] first = checkedCopy(tweak);
        Buffers.check(in, out);
        checkSectors(sectorSize, in.remaining());
        return Buffers.<RuntimeException>run(
                in,
                out,
                in.remaining(),
                (from, inOff, length, to, outOff) ->
                        run(units, first, sectorSize, from, inOff, length, to, outOff));
    }

    private int sectors(
            Units units,
            byte[] tweak,
            int sectorSize,
            byte[] in,
            int inOff,
            int length,
            byte[] out,
            int outOff)
            throws ShortBufferException {
        byte[] first = checkedCopy(tweak);
        Arguments.range("input", in, inOff, length);
        checkSectors(sectorSize, length);
        Arguments.output(out, outOff, length);
        return run(units, first, sectorSize, in, inOff, length, out, outOff);
    }

    private static void checkSectors(int sectorSize, int length) {
        if (sectorSize < MIN_UNIT || sectorSize > Xts.MAX_UNIT) {
            throw new IllegalArgumentException(
                    "sector size must be " + MIN_UNIT + " to " + Xts.MAX_UNIT + " bytes, was "
                            + sectorSize);
        }
        if (length % sectorSize != 0) {
            throw new IllegalArgumentException(
                    "length must be a multiple of the sector size " + sectorSize + ", was " + length);
        }
    }

    private int run(
            Units units,
            byte[] first,
            int sectorSize,
            byte[] in,
            int inOff,
            int length,
            byte[] out,
            int outOff) {
        if (Overlap.overtakes(in, inOff, length, out, outOff, 0)) {
            byte[] copy = Bytes.copy(in, inOff, length);
            try {
                units.run(first, sectorSize, copy, 0, length, out, outOff);
            } finally {
                Bytes.wipe(copy);
            }
        } else {
            units.run(first, sectorSize, in, inOff, length, out, outOff);
        }
        key.requireStillOpen(out, outOff, length);
        return length;
    }

    // ---- the end of the keys -------------------------------------------------------------------

    @Override
    public boolean isDestroyed() {
        return key.isDestroyed();
    }

    /** Wipes both keys. Idempotent. */
    @Override
    public void destroy() {
        // The data key first: calls under way look at it after their last use of either.
        key.destroy();
        tweakKey.destroy();
    }

    /** As {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }
}
