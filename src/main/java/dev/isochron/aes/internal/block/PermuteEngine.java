package dev.isochron.aes.internal.block;

import dev.isochron.aes.internal.bytes.Bytes;

/**
 * The single-block engine, "permute": AES on one block at a time, in two {@code long}s (see
 * {@link Tower} for the representation). It plays the role that vpaes plays beside
 * bsaes: no set-up beyond the key in single-block form, and no loss when there is only one block.
 *
 * <p>The state stays in the tower basis from the first round key to the last; the affine constant
 * {63} is in the round keys (see {@link RoundKeys}). Two blocks worked side by side were tried:
 * one block already fills the processor, and two cost twice as much.
 *
 * <p>Constant-time: straight-line AND, XOR, OR and shifts by constants; the loops count rounds and
 * blocks. No tables.
 */
public final class PermuteEngine implements BlockCipher {

    /** The key, in this engine's own form; owned by whoever made it. */
    private final RoundKeys roundKeys;

    /** An engine under an expanded key, which remains the caller's to close. */
    public PermuteEngine(RoundKeys roundKeys) {
        this.roundKeys = roundKeys;
    }

    @Override
    public void encrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        long[] words = new long[2];
        long[] keys = roundKeys.tower();
        for (int i = 0; i < blocks; i++) {
            words[0] = Bytes.getLongLittleEndian(in, inOff + 16 * i);
            words[1] = Bytes.getLongLittleEndian(in, inOff + 16 * i + 8);
            encrypt(keys, words);
            Bytes.putLongLittleEndian(out, outOff + 16 * i, words[0]);
            Bytes.putLongLittleEndian(out, outOff + 16 * i + 8, words[1]);
        }
        Bytes.wipe(words);
    }

    @Override
    public void decrypt(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        long[] words = new long[2];
        long[] keys = roundKeys.tower();
        for (int i = 0; i < blocks; i++) {
            words[0] = Bytes.getLongLittleEndian(in, inOff + 16 * i);
            words[1] = Bytes.getLongLittleEndian(in, inOff + 16 * i + 8);
            decrypt(keys, words);
            Bytes.putLongLittleEndian(out, outOff + 16 * i, words[0]);
            Bytes.putLongLittleEndian(out, outOff + 16 * i + 8, words[1]);
        }
        Bytes.wipe(words);
    }

    @Override
    public void ctr(
            long counterMask,
            long counterHigh,
            long counterLow,
            byte[] in,
            int inOff,
            byte[] out,
            int outOff,
            int length) {
        long[] words = new long[2];
        long[] keys = roundKeys.tower();
        long high = counterHigh;
        long low = counterLow;
        int done = 0;
        while (done < length) {
            int n = Math.min(BLOCK_SIZE, length - done);
            words[0] = Long.reverseBytes(high);
            words[1] = Long.reverseBytes(low);
            encrypt(keys, words);
            Bytes.combine(words[0], words[1], in, inOff + done, out, outOff + done, n);
            high = Counter.high(counterMask, high, low, 1);
            low = Counter.low(counterMask, low, 1);
            done += n;
        }
        Bytes.wipe(words);
    }

    @Override
    public void chain(byte[] state, byte[] in, int inOff, int blocks) {
        long[] tower = new long[2];
        long[] keys = roundKeys.tower();
        add(state, 0, tower);
        for (int i = 0; i < blocks; i++) {
            add(in, inOff + 16 * i, tower);
            rounds(keys, tower);
        }
        store(tower, state, 0);
        Bytes.wipe(tower);
    }

    @Override
    public void encryptCbc(
            byte[] state, byte[] in, int inOff, byte[] out, int outOff, int blocks) {
        long[] tower = new long[2];
        long[] keys = roundKeys.tower();
        add(state, 0, tower);
        for (int i = 0; i < blocks; i++) {
            add(in, inOff + 16 * i, tower);
            rounds(keys, tower);
            // Beside the way from block to block, which stays in the tower basis.
            store(tower, out, outOff + 16 * i);
        }
        store(tower, state, 0);
        Bytes.wipe(tower);
    }

    @Override
    public void close() {
        // Nothing to wipe: the round keys are not this object's, and every call wipes its own words.
    }

    /** Adds a block to one in tower form. */
    private static void add(byte[] in, int inOff, long[] tower) {
        long word0 = Bytes.getLongLittleEndian(in, inOff);
        long word1 = Bytes.getLongLittleEndian(in, inOff + 8);
        long low = Tower.lowPlanes(word0, word1);
        long high = Tower.highPlanes(word0, word1);
        tower[0] ^= Tower.toTowerHigh(low, high);
        tower[1] ^= Tower.toTowerLow(low, high);
    }

    /** Stores a block that is in tower form. */
    private static void store(long[] tower, byte[] out, int outOff) {
        long low = Tower.bits03(tower[0], tower[1]);
        long high = Tower.bits47(tower[0], tower[1]);
        Bytes.putLongLittleEndian(out, outOff, Tower.word0(low, high));
        Bytes.putLongLittleEndian(out, outOff + 8, Tower.word1(low, high));
    }

    /** Encrypts the block in two words. */
    private static void encrypt(long[] keys, long[] words) {
        long low = Tower.lowPlanes(words[0], words[1]);
        long high = Tower.highPlanes(words[0], words[1]);
        words[0] = Tower.toTowerHigh(low, high);
        words[1] = Tower.toTowerLow(low, high);
        rounds(keys, words);
        low = Tower.bits03(words[0], words[1]);
        high = Tower.bits47(words[0], words[1]);
        words[0] = Tower.word0(low, high);
        words[1] = Tower.word1(low, high);
    }

    /** Encrypts the block in tower form (FIPS 197 section 5.1). */
    private static void rounds(long[] keys, long[] tower) {
        long a = tower[0] ^ keys[0];
        long b = tower[1] ^ keys[1];
        int last = keys.length - 2;
        for (int k = 2; k < last; k += 2) {
            long n = Tower.inverseNorm(a, b);
            long p = Tower.multiply(b, n);
            long q = Tower.multiply(a, n);
            a = shiftRows(Tower.affineHigh(p, q));
            b = shiftRows(Tower.affineLow(p, q));
            long ra = nextRow(a);
            long rb = nextRow(b);
            long ta = a ^ ra;
            long tb = b ^ rb;
            a = Tower.twiceHigh(ta, tb) ^ ra ^ rowAfterNext(ta) ^ keys[k];
            b = Tower.twiceLow(ta, tb) ^ rb ^ rowAfterNext(tb) ^ keys[k + 1];
        }
        long n = Tower.inverseNorm(a, b);
        long p = Tower.multiply(b, n);
        long q = Tower.multiply(a, n);
        tower[0] = shiftRows(Tower.affineHigh(p, q)) ^ keys[last];
        tower[1] = shiftRows(Tower.affineLow(p, q)) ^ keys[last + 1];
    }

    /** Decrypts the block in two words (FIPS 197 section 5.3). InvMixColumns is MixColumns
     * after adding {04} times the sum of a byte and the one two rows on. */
    private static void decrypt(long[] keys, long[] words) {
        int last = keys.length - 2;
        long low = Tower.lowPlanes(words[0], words[1]);
        long high = Tower.highPlanes(words[0], words[1]);
        long a = Tower.toTowerHigh(low, high) ^ keys[last];
        long b = Tower.toTowerLow(low, high) ^ keys[last + 1];
        for (int k = last - 2; k > 0; k -= 2) {
            long sa = shiftRowsBack(a);
            long sb = shiftRowsBack(b);
            long p = Tower.inverseAffineHigh(sa, sb);
            long q = Tower.inverseAffineLow(sa, sb);
            long n = Tower.inverseNorm(p, q);
            a = Tower.multiply(q, n) ^ keys[k];
            b = Tower.multiply(p, n) ^ keys[k + 1];
            long ua = a ^ rowAfterNext(a);
            long ub = b ^ rowAfterNext(b);
            a ^= Tower.fourTimesHigh(ua, ub);
            b ^= Tower.fourTimesLow(ua, ub);
            long ra = nextRow(a);
            long rb = nextRow(b);
            long ta = a ^ ra;
            long tb = b ^ rb;
            a = Tower.twiceHigh(ta, tb) ^ ra ^ rowAfterNext(ta);
            b = Tower.twiceLow(ta, tb) ^ rb ^ rowAfterNext(tb);
        }
        long sa = shiftRowsBack(a);
        long sb = shiftRowsBack(b);
        long p = Tower.inverseAffineHigh(sa, sb);
        long q = Tower.inverseAffineLow(sa, sb);
        long n = Tower.inverseNorm(p, q);
        a = Tower.multiply(q, n) ^ keys[0];
        b = Tower.multiply(p, n) ^ keys[1];
        low = Tower.bits03(a, b);
        high = Tower.bits47(a, b);
        words[0] = Tower.word0(low, high);
        words[1] = Tower.word1(low, high);
    }

    /** SubWord of FIPS 197 section 5.2: the S-box on the four bytes of a word. */
    static int subWord(int word) {
        long w = word & 0xFFFFFFFFL;
        long low = Tower.lowPlanes(w, 0);
        long high = Tower.highPlanes(w, 0);
        long a = Tower.toTowerHigh(low, high);
        long b = Tower.toTowerLow(low, high);
        long n = Tower.inverseNorm(a, b);
        long p = Tower.multiply(b, n);
        long q = Tower.multiply(a, n);
        a = Tower.affineHigh(p, q);
        b = Tower.affineLow(p, q);
        return (int) Tower.word0(Tower.bits03(a, b), Tower.bits47(a, b)) ^ 0x63636363;
    }

    /** ShiftRows: in row r, column c takes column c + r. First by two in rows 2, 3; then by one. */
    private static long shiftRows(long x) {
        long t = (x ^ (x >>> 2)) & 0x3300330033003300L;
        x ^= t ^ (t << 2);
        return (x & 0x0F0F0F0F0F0F0F0FL)
                | ((x >>> 1) & 0x7070707070707070L)
                | ((x << 3) & 0x8080808080808080L);
    }

    /** InvShiftRows. */
    private static long shiftRowsBack(long x) {
        long t = (x ^ (x >>> 2)) & 0x3300330033003300L;
        x ^= t ^ (t << 2);
        return (x & 0x0F0F0F0F0F0F0F0FL)
                | ((x << 1) & 0xE0E0E0E0E0E0E0E0L)
                | ((x >>> 3) & 0x1010101010101010L);
    }

    /** Every byte replaced by the one below it in its column. */
    private static long nextRow(long x) {
        return ((x >>> 4) & 0x0FFF0FFF0FFF0FFFL) | ((x << 12) & 0xF000F000F000F000L);
    }

    /** Every byte replaced by the one two rows below it in its column. */
    private static long rowAfterNext(long x) {
        return ((x >>> 8) & 0x00FF00FF00FF00FFL) | ((x << 8) & 0xFF00FF00FF00FF00L);
    }
}
