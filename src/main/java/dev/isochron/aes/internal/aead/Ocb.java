package dev.isochron.aes.internal.aead;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Verdict;

/**
 * OCB (RFC 7253, known as OCB3) under one key. T. Krovetz and P. Rogaway, "The Software Performance
 * of Authenticated-Encryption Modes" (FSE 2011).
 *
 * <p>A block of text goes through the cipher between two exclusive ors with an offset of its own.
 * Offsets do not depend on the text, so whole batches of blocks go through the cipher at once, and the
 * tag costs one block more.
 *
 * <p><b>Opening.</b> The tag is made from the plaintext, which therefore exists before the verdict: in
 * an array of our own, as long as the text, and in the caller's only once the tag was right. That
 * takes memory; deciding first and decrypting again would take twice the time.
 *
 * <p>Constant-time: nonce, associated data, ciphertext and lengths are public. The number of a block
 * chooses its L<sub>i</sub>, and the nonce how far {@code Stretch} is shifted; doubling has no branch.
 * All else is {@link BlockCipher} and exclusive or. The tag is compared whole and its verdict
 * declassified in {@link Verdict}.
 */
public final class Ocb implements AeadMode {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    /** Section 4.2: a nonce has at most 120 bits. */
    private static final int MAX_NONCE = 15;

    /** Section 5: at most 2<sup>48</sup> blocks under one key, so in one message too. */
    static final long MAX_TEXT = 1L << 52;

    /** Blocks in a call of the cipher. */
    private static final int BATCH = 512;

    /** Where L_* is in {@link #l}. */
    private static final int L_STAR = 0;

    /** Where L_$ is. */
    private static final int L_DOLLAR = 2;

    /** Where L_0 is; L_1, L_2, ... follow it. */
    private static final int L_0 = 4;

    private final BlockCipher cipher;

    /** Two big-endian words each; up to L_48, the last of the blocks that a key may serve. */
    private final long[] l = new long[L_0 + 2 * 49];

    /**
     * OCB with this cipher, which remains the caller's. Section 4.1, key-dependent variables: L_* =
     * ENCIPHER(K, zeros(128)), L_$ = double(L_*), L_0 = double(L_$), L_i = double(L_{i-1}).
     */
    public Ocb(BlockCipher cipher) {
        this.cipher = cipher;
        byte[] star = new byte[BLOCK];
        cipher.encrypt(star, 0, star, 0, 1);
        l[L_STAR] = Bytes.getLong(star, 0);
        l[L_STAR + 1] = Bytes.getLong(star, 8);
        Bytes.wipe(star);
        for (int at = L_DOLLAR; at < l.length; at += 2) {
            long high = l[at - 2];
            long low = l[at - 1];
            // Section 2, double(S): the bit that falls out comes back as 0x87.
            l[at] = (high << 1) | (low >>> 63);
            l[at + 1] = (low << 1) ^ ((high >> 63) & 0x87);
        }
    }

    @Override
    public String name() {
        return "OCB";
    }

    @Override
    public void checkNonce(byte[] nonce) {
        if (nonce.length == 0 || nonce.length > MAX_NONCE) {
            throw new IllegalArgumentException(
                    "nonce must have 1 to 15 bytes (12 are usual), had " + nonce.length);
        }
    }

    @Override
    public AeadMessage message(byte[] nonce, int tagLength) {
        return new Message(nonce, tagLength);
    }

    @Override
    public void close() {
        Bytes.wipe(l);
    }

    /** Offset_i, for i = 0, 1, 2, ...: of the text, or of the associated data. */
    private final class Offset implements AutoCloseable {

        private long high;
        private long low;
        private long i;

        Offset(long high, long low) {
            this.high = high;
            this.low = low;
        }

        /** The next n of them: Offset_i = Offset_{i-1} xor L_{ntz(i)}. */
        void next(byte[] offsets, int n) {
            for (int k = 0; k < n; k++) {
                i++;
                add(L_0 + 2 * Long.numberOfTrailingZeros(i));
                put(offsets, BLOCK * k, 0, 0);
            }
        }

        void add(int at) {
            high ^= l[at];
            low ^= l[at + 1];
        }

        /** Stores a block combined with this offset. */
        void put(byte[] out, int outOff, long blockHigh, long blockLow) {
            Bytes.putLong(out, outOff, blockHigh ^ high);
            Bytes.putLong(out, outOff + 8, blockLow ^ low);
        }

        @Override
        public void close() {
            high = 0;
            low = 0;
        }
    }

    /** The exclusive or of blocks: Checksum of the text, Sum of HASH. */
    private static final class Sum implements AutoCloseable {

        private long high;
        private long low;

        void add(byte[] blocks, int off, int n) {
            long sumHigh = high;
            long sumLow = low;
            for (int at = off; at < off + BLOCK * n; at += BLOCK) {
                sumHigh ^= Bytes.getLong(blocks, at);
                sumLow ^= Bytes.getLong(blocks, at + 8);
            }
            high = sumHigh;
            low = sumLow;
        }

        @Override
        public void close() {
            high = 0;
            low = 0;
        }
    }

    /** Input that comes in pieces: {@code held} bytes (0 to 15) of a block that is not whole yet. */
    private static final class Pieces implements AutoCloseable {

        private final byte[] partial = new byte[BLOCK];
        private int held;

        /** How many whole blocks there are with so many bytes more. */
        int blocks(int length) {
            return (int) (((long) held + length) / BLOCK);
        }

        /**
         * Takes n blocks out, first from what is held.
         *
         * @return how many bytes of {@code in} went into them
         */
        int take(byte[] in, int inOff, byte[] blocks, int n) {
            if (n == 0) {
                return 0;
            }
            int used = BLOCK * n - held;
            Bytes.copy(partial, 0, blocks, 0, held);
            Bytes.copy(in, inOff, blocks, held, used);
            held = 0;
            return used;
        }

        void keep(byte[] in, int inOff, int length) {
            Bytes.copy(in, inOff, partial, held, length);
            held += length;
        }

        /** The last block: what is held, || 1 || zeros. */
        byte[] pad() {
            partial[held] = (byte) 0x80;
            Bytes.wipe(partial, held + 1, BLOCK - held - 1);
            return partial;
        }

        @Override
        public void close() {
            Bytes.wipe(partial);
            held = 0;
        }
    }

    /** Blocks on their way through the cipher, and their offsets. */
    private static final class Batch implements AutoCloseable {

        private final byte[] blocks;
        private final byte[] offsets;

        Batch(int n) {
            blocks = new byte[BLOCK * n];
            offsets = new byte[BLOCK * n];
        }

        @Override
        public void close() {
            Bytes.wipe(blocks);
            Bytes.wipe(offsets);
        }
    }

    /** Section 4.1: HASH(K, A). */
    private final class Hash implements AutoCloseable {

        private final Offset offset = new Offset(0, 0);
        private final Sum sum = new Sum();
        private final Pieces pieces = new Pieces();

        /** Sum_i = Sum_{i-1} xor ENCIPHER(K, A_i xor Offset_i). */
        void update(byte[] aad, int off, int length) {
            int blocks = pieces.blocks(length);
            int used = 0;
            try (Batch batch = new Batch(Math.min(blocks, BATCH))) {
                while (blocks > 0) {
                    int n = Math.min(blocks, BATCH);
                    used += pieces.take(aad, off + used, batch.blocks, n);
                    offset.next(batch.offsets, n);
                    Bytes.xor(batch.blocks, 0, batch.offsets, 0, batch.blocks, 0, BLOCK * n);
                    cipher.encrypt(batch.blocks, 0, batch.blocks, 0, n);
                    sum.add(batch.blocks, 0, n);
                    blocks -= n;
                }
            }
            pieces.keep(aad, off + used, length - used);
        }

        /**
         * If a part block is left: CipherInput = (A_* || 1 || zeros) xor Offset_m xor L_*. Encrypted,
         * it is the last to add to the sum.
         *
         * @return how many blocks it is, 0 or 1
         */
        int lastInput(byte[] out, int outOff) {
            if (pieces.held == 0) {
                return 0;
            }
            byte[] last = pieces.pad();
            offset.add(L_STAR);
            offset.put(out, outOff, Bytes.getLong(last, 0), Bytes.getLong(last, 8));
            return 1;
        }

        @Override
        public void close() {
            offset.close();
            sum.close();
            pieces.close();
        }
    }

    /**
     * {@code offset} and {@code checksum} are those of the last whole block encrypted; {@code text}
     * holds what came after it. {@code textLength} counts all text that came.
     */
    private final class Message implements AeadMessage {

        private final int tagLength;
        private final Hash hash = new Hash();
        private final Offset offset;
        private final Sum checksum = new Sum();
        private final Pieces text = new Pieces();
        private long textLength;

        /** Section 4.2, nonce-dependent variables, up to Offset_0. */
        Message(byte[] nonce, int tagLength) {
            this.tagLength = tagLength;
            // Nonce = num2str(TAGLEN mod 128, 7) || zeros(120 - bitlen(N)) || 1 || N
            byte[] block = new byte[BLOCK];
            int start = BLOCK - nonce.length;
            block[0] = (byte) ((8 * tagLength % 128) << 1);
            block[start - 1] |= 1;
            Bytes.copy(nonce, 0, block, start, nonce.length);
            // bottom = str2num(Nonce[123..128]); Ktop = ENCIPHER(K, Nonce[1..122] || zeros(6))
            int bottom = nonce[nonce.length - 1] & 0x3F;
            block[BLOCK - 1] &= (byte) 0xC0;
            cipher.encrypt(block, 0, block, 0, 1);
            // Stretch = Ktop || (Ktop[1..64] xor Ktop[9..72])
            long first = Bytes.getLong(block, 0);
            long second = Bytes.getLong(block, 8);
            long third = first ^ ((first << 8) | (second >>> 56));
            Bytes.wipe(block);
            // Offset_0 = Stretch[1+bottom..128+bottom]; two shifts, for one by 64 is none.
            offset =
                    new Offset(
                            (first << bottom) | (second >>> 1 >>> (63 - bottom)),
                            (second << bottom) | (third >>> 1 >>> (63 - bottom)));
        }

        @Override
        public void aad(byte[] aad, int off, int length) {
            hash.update(aad, off, length);
        }

        @Override
        public int held() {
            return text.held;
        }

        @Override
        public int encryptSize(int length) {
            return (int) Math.min(Integer.MAX_VALUE, ((long) text.held + length) & -BLOCK);
        }

        @Override
        public void checkLength(int length) {
            if (length > MAX_TEXT - textLength) {
                throw new IllegalArgumentException(
                        "an OCB message has at most " + MAX_TEXT + " bytes, had " + textLength
                                + " and was given " + length + " more");
            }
        }

        @Override
        public int encrypt(byte[] in, int inOff, int length, byte[] out, int outOff) {
            int blocks = text.blocks(length);
            int used = 0;
            int written = 0;
            try (Batch batch = new Batch(Math.min(blocks, BATCH))) {
                while (written < BLOCK * blocks) {
                    int n = Math.min(blocks - written / BLOCK, BATCH);
                    used += text.take(in, inOff + used, batch.blocks, n);
                    maskPlaintext(batch, n);
                    cipher.encrypt(batch.blocks, 0, batch.blocks, 0, n);
                    Bytes.xor(
                            batch.blocks, 0, batch.offsets, 0, out, outOff + written, BLOCK * n);
                    written += BLOCK * n;
                }
            }
            text.keep(in, inOff + used, length - used);
            textLength += length;
            return written;
        }

        /** Section 4.2, for n blocks of plaintext: P_i xor Offset_i, and the checksum. */
        private void maskPlaintext(Batch batch, int n) {
            checksum.add(batch.blocks, 0, n);
            offset.next(batch.offsets, n);
            Bytes.xor(batch.blocks, 0, batch.offsets, 0, batch.blocks, 0, BLOCK * n);
        }

        /** Section 4.2; the last batch carries the part block, the tag and the end of HASH as well. */
        @Override
        public int seal(byte[] in, int inOff, int length, byte[] out, int outOff) {
            int blocks = text.blocks(length);
            int n = blocks % BATCH;
            int used = 0;
            int written = 0;
            if (blocks > n) {
                used = BLOCK * (blocks - n) - text.held;
                written = encrypt(in, inOff, used, out, outOff);
            }
            try (Batch batch = new Batch(n + 3)) {
                used += text.take(in, inOff + used, batch.blocks, n);
                text.keep(in, inOff + used, length - used);
                int rest = text.held;
                maskPlaintext(batch, n);

                int end = BLOCK * n;
                int tag = end + lastOffset(rest, batch.blocks, end);
                if (rest > 0) {
                    checksum.add(text.pad(), 0, 1);
                }
                tagInput(batch.blocks, tag);
                int ofHash = tag + BLOCK;
                int more = hash.lastInput(batch.blocks, ofHash);
                cipher.encrypt(batch.blocks, 0, batch.blocks, 0, ofHash / BLOCK + more);

                Bytes.xor(batch.blocks, 0, batch.offsets, 0, out, outOff + written, end);
                written += end;
                // C_* = P_* xor Pad
                Bytes.xor(text.partial, 0, batch.blocks, end, out, outOff + written, rest);
                written += rest;
                hash.sum.add(batch.blocks, ofHash, more);
                finishTag(batch.blocks, tag);
                Bytes.copy(batch.blocks, tag, out, outOff + written, tagLength);
                return written + tagLength;
            }
        }

        /** Section 4.3. */
        @Override
        public boolean open(byte[] in, int inOff, int length, byte[] out, int outOff) {
            int textEnd = length - tagLength;
            int rest = textEnd % BLOCK;
            int whole = textEnd - rest;
            byte[] plain = Bytes.copy(in, inOff, textEnd);
            byte[] last = new byte[3 * BLOCK];
            try {
                decryptBlocks(plain, whole / BLOCK);

                int tag = lastOffset(rest, last, 0);
                int more = hash.lastInput(last, tag);
                cipher.encrypt(last, 0, last, 0, tag / BLOCK + more);
                hash.sum.add(last, tag, more);
                if (rest > 0) {
                    // P_* = C_* xor Pad
                    Bytes.xor(plain, whole, last, 0, plain, whole, rest);
                    text.keep(plain, whole, rest);
                    checksum.add(text.pad(), 0, 1);
                }
                tagInput(last, tag);
                cipher.encrypt(last, tag, last, tag, 1);
                finishTag(last, tag);

                int difference = Bytes.difference(last, tag, in, inOff + textEnd, tagLength);
                boolean accepted = Verdict.accept(difference, "whether a tag is right");
                if (accepted) {
                    Bytes.copy(plain, 0, out, outOff, textEnd);
                }
                return accepted;
            } finally {
                Bytes.wipe(plain);
                Bytes.wipe(last);
            }
        }

        /** P_i = Offset_i xor DECIPHER(K, C_i xor Offset_i), in place. */
        private void decryptBlocks(byte[] blocks, int count) {
            byte[] offsets = new byte[BLOCK * Math.min(count, BATCH)];
            for (int done = 0; done < count; ) {
                int n = Math.min(count - done, BATCH);
                int off = BLOCK * done;
                offset.next(offsets, n);
                Bytes.xor(blocks, off, offsets, 0, blocks, off, BLOCK * n);
                cipher.decrypt(blocks, off, blocks, off, n);
                Bytes.xor(blocks, off, offsets, 0, blocks, off, BLOCK * n);
                checksum.add(blocks, off, n);
                done += n;
            }
            Bytes.wipe(offsets);
        }

        /**
         * If a part block is left: Offset_* = Offset_m xor L_*, which encrypted is Pad.
         *
         * @return how many bytes it is, 0 or 16
         */
        private int lastOffset(int rest, byte[] out, int outOff) {
            if (rest == 0) {
                return 0;
            }
            offset.add(L_STAR);
            offset.put(out, outOff, 0, 0);
            return BLOCK;
        }

        /** Checksum_* xor Offset_* xor L_$, which encrypted is the tag but for HASH. */
        private void tagInput(byte[] out, int outOff) {
            offset.add(L_DOLLAR);
            offset.put(out, outOff, checksum.high, checksum.low);
        }

        /** Tag = ENCIPHER(K, Checksum_* xor Offset_* xor L_$) xor HASH(K, A). */
        private void finishTag(byte[] block, int off) {
            Bytes.putLong(block, off, Bytes.getLong(block, off) ^ hash.sum.high);
            Bytes.putLong(block, off + 8, Bytes.getLong(block, off + 8) ^ hash.sum.low);
        }

        @Override
        public void close() {
            hash.close();
            offset.close();
            checksum.close();
            text.close();
        }
    }
}
