package dev.isochron.aes.internal.mode;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;

/**
 * XTS-AES (IEEE 1619-2018, SP 800-38E) under a pair of keys. A message is a data unit, its IV the
 * unit's tweak value i, 16 bytes. Block j is whitened before and after the cipher with its tweak
 *
 * <pre>
 *   T = E_K2(i) x alpha^j
 * </pre>
 *
 * <p>where alpha is x in GF(2<sup>128</sup>) modulo x<sup>128</sup> + x<sup>7</sup> + x<sup>2</sup> +
 * x + 1, the first byte of a block holding the lowest coefficients (section 5.2). Both directions go
 * in batches, which can span data units.
 *
 * <p>Constant-time: tweaks are secret, and alpha's reduction is a mask made of the bit that falls
 * out. Lengths and i are public.
 */
public final class Xts implements Mode {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    /** Blocks processed at a time. */
    private static final int BATCH = 512;

    /** Blocks in a data unit at most (section 5.1). */
    private static final int MAX_BLOCKS = 1 << 20;

    /** Bytes in a data unit at most. */
    public static final int MAX_UNIT = BLOCK * MAX_BLOCKS;

    private final Direction encryption;
    private final Direction decryption;
    private final BlockCipher tweakCipher;

    /**
     * XTS with these ciphers, which remain the caller's.
     *
     * @param dataCipher under K1
     * @param tweakCipher under K2
     */
    public Xts(BlockCipher dataCipher, BlockCipher tweakCipher) {
        encryption = new Direction(dataCipher::encrypt, 0);
        decryption = new Direction(dataCipher::decrypt, BLOCK);
        this.tweakCipher = tweakCipher;
    }

    @Override
    public String name() {
        return "XTS";
    }

    @Override
    public int ivLength() {
        return BLOCK;
    }

    @Override
    public Transform encryption(byte[] iv) {
        return unit(encryption, iv);
    }

    @Override
    public Transform decryption(byte[] iv) {
        return unit(decryption, iv);
    }

    private Transform unit(Direction direction, byte[] iv) {
        Blocks blocks = new Blocks(direction, new Tweaks(tweakCipher, iv, 1, MAX_BLOCKS));
        return new BlockTransform(blocks, new End(blocks));
    }

    /**
     * Encrypts consecutive data units of one length.
     *
     * @param first the tweak value of the first, 16 bytes, not kept; each next one is greater by 1,
     *     little-endian, modulo 2<sup>128</sup>
     * @param unitLength bytes in each, 16 to {@link #MAX_UNIT}
     * @param length bytes in all of them
     * @param out may be {@code in} if {@code outOff <= inOff}
     */
    public void encryptUnits(
            byte[] first, int unitLength, byte[] in, int inOff, int length, byte[] out, int outOff) {
        units(encryption, first, unitLength, in, inOff, length, out, outOff);
    }

    /** As {@link #encryptUnits}, the other way. */
    public void decryptUnits(
            byte[] first, int unitLength, byte[] in, int inOff, int length, byte[] out, int outOff) {
        units(decryption, first, unitLength, in, inOff, length, out, outOff);
    }

    private void units(
            Direction direction,
            byte[] first,
            int unitLength,
            byte[] in,
            int inOff,
            int length,
            byte[] out,
            int outOff) {
        int d = unitLength % BLOCK;
        int unitBlocks = unitLength / BLOCK + (d == 0 ? 0 : 1);
        Tweaks tweaks = new Tweaks(tweakCipher, first, length / unitLength, unitBlocks);
        try (Blocks blocks = new Blocks(direction, tweaks)) {
            if (d == 0) {
                blocks.run(in, inOff, out, outOff, length / BLOCK);
                return;
            }
            // All but the last two blocks of each are plain ones.
            End end = new End(blocks);
            byte[] tail = new byte[2 * BLOCK];
            int plain = BLOCK * (unitBlocks - 2);
            for (int at = 0; at < length; at += unitLength) {
                blocks.run(in, inOff + at, out, outOff + at, plain / BLOCK);
                Bytes.copy(in, inOff + at + plain, tail, 0, BLOCK + d);
                end.end(blocks, tail, BLOCK + d, out, outOff + at + plain);
            }
            Bytes.wipe(tail);
        }
    }

    /**
     * A direction of XTS.
     *
     * @param cipher under K1
     * @param stolenFrom which tweak, by its offset among the last two, belongs to the block from which
     *     bytes are stolen: the first in encryption, the second in decryption
     */
    private record Direction(BlockRun cipher, int stolenFrom) {}

    /** XTS-AES-blockEnc or blockDec (sections 5.3.1 and 5.4.1) of one block after the other. */
    private static final class Blocks implements BlockRun {

        private final Direction direction;
        private final Tweaks tweaks;

        Blocks(Direction direction, Tweaks tweaks) {
            this.direction = direction;
            this.tweaks = tweaks;
        }

        @Override
        public void run(byte[] in, int inOff, byte[] out, int outOff, int blocks) {
            byte[] t = new byte[BLOCK * Math.min(blocks, BATCH)];
            byte[] batch = new byte[t.length];
            int done = 0;
            while (done < blocks) {
                int n = Math.min(blocks - done, BATCH);
                int from = inOff + BLOCK * done;
                int to = outOff + BLOCK * done;
                tweaks.next(t, n);
                Bytes.xor(in, from, t, 0, batch, 0, BLOCK * n);
                direction.cipher.run(batch, 0, batch, 0, n);
                Bytes.xor(batch, 0, t, 0, out, to, BLOCK * n);
                done += n;
            }
            Bytes.wipe(t);
            Bytes.wipe(batch);
        }

        /** One block in place, under a tweak of the caller's. */
        void runOne(byte[] block, byte[] t, int tOff) {
            Bytes.xor(block, 0, t, tOff, block, 0, BLOCK);
            direction.cipher.run(block, 0, block, 0, 1);
            Bytes.xor(block, 0, t, tOff, block, 0, BLOCK);
        }

        @Override
        public void close() {
            tweaks.close();
        }
    }

    /**
     * The tweaks of consecutive blocks, from one data unit to the next.
     *
     * <p>{@code low} and {@code high} are the tweak of the next block, of which {@code left} are to
     * come in this unit. {@code starts} holds encrypted tweak values, those of the next units from
     * {@code start} on; {@code units} are to come after them, {@code numberLow} and {@code numberHigh}
     * being the tweak value of the first.
     */
    private static final class Tweaks {

        private final BlockCipher cipher;
        private final int unitBlocks;
        private final byte[] starts;
        private int start;
        private int units;
        private long numberLow;
        private long numberHigh;
        private int left;
        private long low;
        private long high;

        Tweaks(BlockCipher cipher, byte[] first, int units, int unitBlocks) {
            this.cipher = cipher;
            this.unitBlocks = unitBlocks;
            this.units = units;
            numberLow = Bytes.getLongLittleEndian(first, 0);
            numberHigh = Bytes.getLongLittleEndian(first, 8);
            starts = new byte[BLOCK * Math.min(units, BATCH)];
            start = starts.length;
        }

        /** Takes the next {@code n}. */
        void next(byte[] to, int n) {
            int done = 0;
            while (done < n) {
                if (left == 0) {
                    nextUnit();
                }
                int some = Math.min(left, n - done);
                multiples(to, BLOCK * done, some);
                left -= some;
                done += some;
            }
        }

        /** T, T x alpha, T x alpha<sup>2</sup>, ... (section 5.2). */
        private void multiples(byte[] to, int off, int n) {
            long l = low;
            long h = high;
            for (int i = off; i < off + BLOCK * n; i += BLOCK) {
                Bytes.putLongLittleEndian(to, i, l);
                Bytes.putLongLittleEndian(to, i + 8, h);
                // All ones if x^127 was there: it becomes x^128 = x^7 + x^2 + x + 1.
                long carry = h >> 63;
                h = h << 1 | l >>> 63;
                l = l << 1 ^ carry & 0x87;
            }
            low = l;
            high = h;
        }

        private void nextUnit() {
            if (start == starts.length) {
                encryptNumbers();
            }
            low = Bytes.getLongLittleEndian(starts, start);
            high = Bytes.getLongLittleEndian(starts, start + 8);
            start += BLOCK;
            left = unitBlocks;
        }

        private void encryptNumbers() {
            int n = Math.min(units, BATCH);
            start = starts.length - BLOCK * n;
            for (int i = start; i < starts.length; i += BLOCK) {
                Bytes.putLongLittleEndian(starts, i, numberLow);
                Bytes.putLongLittleEndian(starts, i + 8, numberHigh);
                numberLow++;
                if (numberLow == 0) {
                    numberHigh++;
                }
            }
            cipher.encrypt(starts, start, starts, start, n);
            units -= n;
        }

        void close() {
            Bytes.wipe(starts);
            low = 0;
            high = 0;
        }
    }

    /**
     * The end of a data unit that ends in a part block: the two last blocks (sections 5.3.2 and
     * 5.4.2). A unit of whole blocks needs none of it.
     */
    private static final class End implements Ending {

        private final Blocks blocks;

        End(Blocks blocks) {
            this.blocks = blocks;
        }

        @Override
        public int keep() {
            return BLOCK;
        }

        @Override
        public int keepAtEnd(long left) {
            return left % BLOCK == 0 ? 0 : BLOCK;
        }

        @Override
        public void checkTotal(long total) {
            if (total > MAX_UNIT) {
                throw new IllegalArgumentException(
                        "a data unit must have at most " + MAX_UNIT + " bytes (2^20 blocks), had "
                                + total);
            }
        }

        @Override
        public void check(long left) {
            if (left < BLOCK) {
                throw new IllegalArgumentException(
                        "a data unit must have at least " + BLOCK + " bytes, had " + left);
            }
        }

        @Override
        public int size(int tail) {
            return tail;
        }

        @Override
        public int end(BlockRun run, byte[] tail, int length, byte[] out, int outOff) {
            if (length == 0) {
                return 0;
            }
            int stolenFrom = blocks.direction.stolenFrom;
            byte[] t = new byte[2 * BLOCK];
            blocks.tweaks.next(t, 2);
            blocks.runOne(tail, t, stolenFrom);
            // The part block takes the place of as many bytes, and these become the last ones.
            for (int i = 0; i < length - BLOCK; i++) {
                byte stolen = tail[i];
                tail[i] = tail[BLOCK + i];
                tail[BLOCK + i] = stolen;
            }
            blocks.runOne(tail, t, BLOCK - stolenFrom);
            Bytes.copy(tail, 0, out, outOff, length);
            Bytes.wipe(t);
            return length;
        }
    }
}
