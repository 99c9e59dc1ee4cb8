package dev.isochron.aes.internal.aead;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Counter;
import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Verdict;
import dev.isochron.aes.internal.mac.Ghash;
import dev.isochron.aes.internal.mac.GhashStream;
import dev.isochron.aes.internal.mode.CtrStream;

/**
 * GCM (SP 800-38D) under one key.
 *
 * <p>Constant-time: nonce, associated data, ciphertext and lengths are public; what is made from the
 * key goes through {@link BlockCipher}, {@link Ghash} and exclusive or alone. The tag is compared
 * whole and its verdict declassified in {@link Verdict}.
 */
public final class Gcm implements AeadMode {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    /** SP 800-38D section 5.2.1.1: at most 2<sup>39</sup> - 256 bits of plaintext. */
    static final long MAX_TEXT = (1L << 36) - 32;

    /** Texts of up to this many bytes share one run of keystream with the tag's mask. */
    private static final int BRIEF = 512;

    private final BlockCipher cipher;
    private final Ghash ghash;

    /** GCM with this cipher, which remains the caller's. Section 7.1 step 1: H = CIPH(0). */
    public Gcm(BlockCipher cipher) {
        this.cipher = cipher;
        byte[] h = new byte[BLOCK];
        cipher.encrypt(h, 0, h, 0, 1);
        ghash = new Ghash(Bytes.getLong(h, 0), Bytes.getLong(h, 8));
        Bytes.wipe(h);
    }

    @Override
    public String name() {
        return "GCM";
    }

    @Override
    public void checkNonce(byte[] nonce) {
        if (nonce.length == 0) {
            throw new IllegalArgumentException(
                    "nonce must have at least 1 byte (12 are usual), had 0");
        }
    }

    @Override
    public AeadMessage message(byte[] nonce, int tagLength) {
        return new Message(nonce, tagLength);
    }

    @Override
    public void close() {
        ghash.close();
    }

    /**
     * {@code j0High} and {@code j0Low} are the pre-counter block; {@code keystream} runs from its
     * successor. {@code aadLength} and {@code textLength} count bytes absorbed; once text has come,
     * {@code hash} has the padded associated data.
     */
    private final class Message implements AeadMessage {

        private final int tagLength;
        private long j0High;
        private long j0Low;
        private final CtrStream keystream;
        private final GhashStream hash = new GhashStream(ghash);
        private long aadLength;
        private long textLength;

        /** Section 7.1 step 2: the pre-counter block J0. */
        Message(byte[] nonce, int tagLength) {
            this.tagLength = tagLength;
            if (nonce.length == 12) {
                j0High = Bytes.getLong(nonce, 0);
                j0Low = ((long) Bytes.getInt(nonce, 8) << 32) | 1;
            } else {
                GhashStream j0 = new GhashStream(ghash);
                j0.update(nonce, 0, nonce.length);
                j0.pad();
                j0.block(0, 8L * nonce.length);
                j0High = j0.high();
                j0Low = j0.low();
                j0.close();
            }
            // inc32 of section 6.2.
            long first = Counter.low(Counter.BITS_32, j0Low, 1);
            keystream = CtrStream.counter32(cipher, j0High, first);
        }

        @Override
        public void aad(byte[] aad, int off, int length) {
            hash.update(aad, off, length);
            aadLength += length;
        }

        @Override
        public int held() {
            return 0;
        }

        @Override
        public int encryptSize(int length) {
            return length;
        }

        @Override
        public void checkLength(int length) {
            if (length > MAX_TEXT - textLength) {
                throw new IllegalArgumentException(
                        "a GCM message has at most " + MAX_TEXT + " bytes, had " + textLength
                                + " and was given " + length + " more");
            }
        }

        @Override
        public int encrypt(byte[] in, int inOff, int length, byte[] out, int outOff) {
            if (length == 0) {
                // No text yet: associated data may still come, and must not be padded.
                return 0;
            }
            endAad();
            // Section 7.1 step 3: C = GCTR(inc32(J0), P).
            keystream.update(in, inOff, length, out, outOff);
            hash.update(out, outOff, length);
            textLength += length;
            return length;
        }

        @Override
        public int seal(byte[] in, int inOff, int length, byte[] out, int outOff) {
            endAad();
            boolean brief = isBrief(length);
            byte[] run = firstRun(in, inOff, brief ? length : 0);
            if (brief) {
                Bytes.copy(run, BLOCK, out, outOff, length);
            } else {
                keystream.finish(in, inOff, length, out, outOff);
            }
            byte[] tag = tag(out, outOff, length, run);
            Bytes.copy(tag, 0, out, outOff + length, tagLength);
            Bytes.wipe(tag);
            Bytes.wipe(run);
            return length + tagLength;
        }

        @Override
        public boolean open(byte[] in, int inOff, int length, byte[] out, int outOff) {
            endAad();
            int text = length - tagLength;
            boolean brief = isBrief(text);
            byte[] run = firstRun(in, inOff, brief ? text : 0);
            // Section 7.2 steps 5 to 8: the tag comes from the ciphertext; a brief text is decrypted
            // beside it, in an array of our own, and released with the verdict.
            byte[] tag = tag(in, inOff, text, run);
            int difference = Bytes.difference(tag, 0, in, inOff + text, tagLength);
            Bytes.wipe(tag);
            boolean accepted = Verdict.accept(difference, "whether a tag is right");
            if (accepted) {
                if (brief) {
                    Bytes.copy(run, BLOCK, out, outOff, text);
                } else {
                    keystream.finish(in, inOff, text, out, outOff);
                }
            }
            Bytes.wipe(run);
            return accepted;
        }

        /** Section 7.1 step 4: the associated data is padded before the text is hashed. */
        private void endAad() {
            if (textLength == 0) {
                hash.pad();
            }
        }

        private boolean isBrief(int length) {
            return textLength == 0 && length <= BRIEF;
        }

        /** E(J0), the tag's mask, and after it {@code length} bytes of text, en- or decrypted. */
        private byte[] firstRun(byte[] in, int inOff, int length) {
            byte[] run = new byte[BLOCK + length];
            Bytes.copy(in, inOff, run, BLOCK, length);
            try (CtrStream fromJ0 = CtrStream.counter32(cipher, j0High, j0Low)) {
                fromJ0.finish(run, 0, run.length, run, 0);
            }
            return run;
        }

        /** Section 7.1 steps 5 and 6: the full tag, once the last piece of ciphertext is hashed. */
        private byte[] tag(byte[] ciphertext, int off, int length, byte[] mask) {
            textLength += length;
            hash.finish(ciphertext, off, length, 8 * aadLength, 8 * textLength);
            byte[] tag = new byte[BLOCK];
            Bytes.putLong(tag, 0, hash.high() ^ Bytes.getLong(mask, 0));
            Bytes.putLong(tag, 8, hash.low() ^ Bytes.getLong(mask, 8));
            return tag;
        }

        @Override
        public void close() {
            keystream.close();
            hash.close();
            j0High = 0;
            j0Low = 0;
        }
    }
}
