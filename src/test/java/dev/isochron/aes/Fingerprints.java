package dev.isochron.aes;

import dev.isochron.aes.internal.bytes.Bytes;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Secrets as they would look in memory: pieces of eight bytes, as they are in an array of bytes or in
 * big-endian words, and turned round as they are in little-endian words of four and of eight bytes.
 * Pieces that are public too are none, nor are those with so few different bytes that they may be
 * anything.
 */
final class Fingerprints {

    private static final int PIECE = 8;
    private static final int DIFFERENT_BYTES = 6;

    /** The mark of what is public, however it is called besides. */
    private static final long PUBLIC = 1L << 63;

    private static final int MAX_NAMES = 63;

    private final List<String> names = new ArrayList<>();

    /** A hash table: pieces, 0 where there is none, and the names of each as bits. */
    private long[] pieces = new long[1 << 12];

    private long[] marks = new long[1 << 12];
    private int size;

    /** Adds every run of eight bytes. */
    void add(String name, byte[] bytes) {
        add(mark(name), bytes, 1);
    }

    /** Adds the halves of blocks. */
    void addBlocks(String name, byte[] blocks, int off, int length) {
        add(mark(name), Bytes.copy(blocks, off, length), PIECE);
    }

    /** Adds an array of primitives as it is in memory. */
    void addArray(String name, Object array) {
        if (array instanceof byte[] bytes) {
            add(name, bytes);
            return;
        }
        int length = Array.getLength(array);
        boolean words = array instanceof long[];
        ByteBuffer bytes = ByteBuffer.allocate(length * (words ? 8 : 4));
        for (int i = 0; i < length; i++) {
            if (words) {
                bytes.putLong(Array.getLong(array, i));
            } else {
                bytes.putInt(Array.getInt(array, i));
            }
        }
        add(mark(name), bytes.array(), words ? 8 : 4);
    }

    /** Makes every run of eight of these bytes public. */
    void show(byte[] bytes) {
        add(PUBLIC, bytes, 1);
    }

    /** The names of the secrets in memory, each once. */
    Set<String> find(byte[] memory) {
        long met = 0;
        for (int i = 0; i + PIECE <= memory.length; i++) {
            long found = marks[place(Bytes.getLong(memory, i))];
            // Public ones are negative.
            met |= found & ~(found >> 63);
        }
        Set<String> found = new TreeSet<>();
        for (int i = 0; i < names.size(); i++) {
            if ((met >>> i & 1) != 0) {
                found.add(names.get(i));
            }
        }
        return found;
    }

    private long mark(String name) {
        if (!names.contains(name)) {
            names.add(name);
            if (names.size() > MAX_NAMES) {
                throw new AssertionError("too many names");
            }
        }
        return 1L << names.indexOf(name);
    }

    private void add(long mark, byte[] bytes, int step) {
        for (int i = 0; i + PIECE <= bytes.length; i += step) {
            long piece = Bytes.getLong(bytes, i);
            if (isTelling(piece)) {
                long turned = Long.reverseBytes(piece);
                put(piece, mark);
                put(turned, mark);
                put(Long.rotateLeft(turned, 32), mark);
            }
        }
    }

    private static boolean isTelling(long piece) {
        int different = 0;
        for (int i = 0; i < 64; i += 8) {
            boolean fresh = true;
            for (int j = 0; j < i; j += 8) {
                fresh &= (byte) (piece >>> i) != (byte) (piece >>> j);
            }
            different += fresh ? 1 : 0;
        }
        return different >= DIFFERENT_BYTES;
    }

    private void put(long piece, long mark) {
        int at = place(piece);
        if (pieces[at] == 0) {
            pieces[at] = piece;
            size++;
        }
        marks[at] |= mark;
        if (2 * size > pieces.length) {
            grow();
        }
    }

    private void grow() {
        long[] oldPieces = pieces;
        long[] oldMarks = marks;
        pieces = new long[4 * oldPieces.length];
        marks = new long[pieces.length];
        for (int i = 0; i < oldPieces.length; i++) {
            if (oldPieces[i] != 0) {
                int at = place(oldPieces[i]);
                pieces[at] = oldPieces[i];
                marks[at] = oldMarks[i];
            }
        }
    }

    /** Where a piece is, or would be; the place of 0 has no mark. */
    private int place(long piece) {
        int mask = pieces.length - 1;
        int at = (int) (piece * 0x9E3779B97F4A7C15L >>> 32) & mask;
        while (pieces[at] != piece && pieces[at] != 0) {
            at = (at + 1) & mask;
        }
        return at;
    }
}
