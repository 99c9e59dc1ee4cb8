package dev.isochron.aes.internal.aead;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.GrowingBuffer;
import dev.isochron.aes.internal.bytes.Verdict;
import dev.isochron.aes.internal.mac.CbcMac;
import dev.isochron.aes.internal.mode.CtrStream;

/**
 * CCM (SP 800-38C with the formatting of its appendix A; RFC 3610) under one key.
 *
 * <p>With a nonce of n bytes, q = 15 - n bytes are left for the length of the text, which is thus less
 * than 2<sup>8q</sup> (RFC 3610 calls q L). The blocks of appendix A, in bytes:
 *
 * <pre>
 *            0          1 ... n      n+1 ... 15
 *   B0       flags      nonce        length of the text
 *   Ctr i    q - 1      nonce        i
 *
 *   flags:   64 if there is associated data, + 8 (tag length - 2) / 2, + q - 1
 * </pre>
 *
 * <p>The first block to be authenticated holds the length of the text, and the second that of the
 * associated data. So of a message that comes in pieces both are kept, and worked on when it ends. No
 * array is so long that its length takes the form of ten bytes, which appendix A.2.2 has besides those
 * of two and six; it is here for completeness.
 *
 * <p>The MAC is serial: a block of it needs the one before. Counter blocks are independent, of the MAC
 * too, and the bulk engine takes four blocks in the time of two. So in a text that is not long every
 * third step of the MAC has three counter blocks for company. A long text has enough counter blocks for
 * the bulk engine at its best, and the MAC goes by itself. One counter block with each step was tried:
 * it takes as long as each alone.
 *
 * <p>The MAC is that of the plaintext. So opening decrypts into an array of its own, whose content
 * goes to the output once the tag is verified, and is wiped.
 *
 * <p>Constant-time: nonce, associated data, ciphertext and lengths are public; what is made from the
 * key goes through {@link BlockCipher}, {@link CbcMac} and exclusive or alone. The tag is compared
 * whole and its verdict declassified in {@link Verdict}.
 */
public final class Ccm implements AeadMode {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    /** From this length on bulk is as fast; measured on JDK 17, where the engine changes its kernel. */
    private static final int LONG = 96 * BLOCK;

    private final BlockCipher cipher;

    /** CCM with this cipher, which remains the caller's. */
    public Ccm(BlockCipher cipher) {
        this.cipher = cipher;
    }

    @Override
    public String name() {
        return "CCM";
    }

    @Override
    public void checkNonce(byte[] nonce) {
        if (nonce.length < 7 || nonce.length > 13) {
            throw new IllegalArgumentException(
                    "nonce must have 7 to 13 bytes, had " + nonce.length);
        }
    }

    @Override
    public AeadMessage message(byte[] nonce, int tagLength) {
        return new Message(nonce, tagLength);
    }

    @Override
    public void close() {
        // Nothing to wipe: all there is comes from the cipher, which is the caller's.
    }

    /** Appendix A.2.2: what stands before {@code length} bytes of associated data, 0 or more. */
    static byte[] encodedLength(long length) {
        if (length == 0) {
            return new byte[0];
        }
        byte[] encoded;
        if (length < 0xFF00) {
            encoded = new byte[2];
        } else if (length < 1L << 32) {
            encoded = new byte[6];
            Bytes.putPartial(encoded, 0, 0xFFFEL << 48, 2);
        } else {
            encoded = new byte[10];
            Bytes.putPartial(encoded, 0, 0xFFFFL << 48, 2);
        }
        int n = Math.max(2, encoded.length - 2);
        Bytes.putPartial(encoded, encoded.length - n, length << (64 - 8 * n), n);
        return encoded;
    }

    /**
     * {@code high} and {@code low} are Ctr 0. Until the message ends {@code aad} and {@code text} hold
     * what came of it in pieces.
     */
    private final class Message implements AeadMessage {

        private final int tagLength;
        private final int nonceLength;
        private final long maxText;
        private final long high;
        private final long low;
        private final GrowingBuffer aad = new GrowingBuffer();
        private final GrowingBuffer text = new GrowingBuffer();

        Message(byte[] nonce, int tagLength) {
            this.tagLength = tagLength;
            nonceLength = nonce.length;
            int q = 15 - nonceLength;
            maxText = q == 8 ? Long.MAX_VALUE : (1L << (8 * q)) - 1;
            byte[] ctr0 = new byte[BLOCK];
            ctr0[0] = (byte) (q - 1);
            Bytes.copy(nonce, 0, ctr0, 1, nonceLength);
            high = Bytes.getLong(ctr0, 0);
            low = Bytes.getLong(ctr0, 8);
        }

        @Override
        public void aad(byte[] in, int off, int length) {
            if (!aad.hasRoomFor(length)) {
                throw new IllegalArgumentException(
                        "associated data of CCM has at most " + GrowingBuffer.MAX_LENGTH
                                + " bytes, had " + aad.length() + " and was given " + length
                                + " more");
            }
            aad.append(in, off, length);
        }

        @Override
        public int held() {
            return text.length();
        }

        @Override
        public int encryptSize(int length) {
            return 0;
        }

        @Override
        public void checkLength(int length) {
            if (length > maxText - text.length()) {
                throw new IllegalArgumentException(
                        "a CCM message with a nonce of " + nonceLength + " bytes has at most "
                                + maxText + " bytes, had " + text.length() + " and was given "
                                + length + " more");
            }
            if (!text.hasRoomFor(length)) {
                throw new IllegalArgumentException(
                        "a CCM message in pieces has at most " + GrowingBuffer.MAX_LENGTH
                                + " bytes, had " + text.length() + " and was given " + length
                                + " more");
            }
        }

        @Override
        public int encrypt(byte[] in, int inOff, int length, byte[] out, int outOff) {
            text.append(in, inOff, length);
            return 0;
        }

        @Override
        public int seal(byte[] in, int inOff, int length, byte[] out, int outOff) {
            if (text.length() > 0) {
                text.append(in, inOff, length);
                return sealWhole(text.array(), 0, text.length(), out, outOff);
            }
            return sealWhole(in, inOff, length, out, outOff);
        }

        private int sealWhole(byte[] in, int inOff, int length, byte[] out, int outOff) {
            byte[] tag = run(false, in, inOff, length, out, outOff);
            Bytes.copy(tag, 0, out, outOff + length, tagLength);
            Bytes.wipe(tag);
            return length + tagLength;
        }

        @Override
        public boolean open(byte[] in, int inOff, int length, byte[] out, int outOff) {
            int textLength = length - tagLength;
            if (textLength > maxText) {
                // No message is so long: neither can this one have been sealed.
                return false;
            }
            byte[] plaintext = new byte[textLength];
            try {
                byte[] tag = run(true, in, inOff, textLength, plaintext, 0);
                int difference = Bytes.difference(tag, 0, in, inOff + textLength, tagLength);
                Bytes.wipe(tag);
                boolean accepted = Verdict.accept(difference, "whether a tag is right");
                if (accepted) {
                    Bytes.copy(plaintext, 0, out, outOff, textLength);
                }
                return accepted;
            } finally {
                Bytes.wipe(plaintext);
            }
        }

        /** Sections 6.1 and 6.2: encrypts or decrypts the whole text, and returns its full tag. */
        private byte[] run(
                boolean opening, byte[] in, int inOff, int length, byte[] out, int outOff) {
            byte[] batch = new byte[4 * BLOCK];
            try (CbcMac mac = new CbcMac(cipher)) {
                // B0 of appendix A.2.1, and with it S0, S1, S2.
                byte[] block = new byte[BLOCK];
                long flags = (aad.length() > 0 ? 64 : 0) + 8 * ((tagLength - 2) / 2);
                Bytes.putLong(block, 0, high + (flags << 56));
                Bytes.putLong(block, 8, low + length);
                mac.update(block, 0, BLOCK);
                keystream(mac, batch, 0);
                byte[] tag = Bytes.copy(batch, 0, BLOCK);
                // Appendix A.2.2.
                byte[] encoded = encodedLength(aad.length());
                mac.update(encoded, 0, encoded.length);
                mac.update(aad.array(), 0, aad.length());
                mac.pad();
                // Appendix A.2.3; and C = P ^ (S1, S2, ...), or P likewise.
                if (length < LONG) {
                    together(opening, mac, batch, in, inOff, length, out, outOff);
                } else {
                    apart(opening, mac, in, inOff, length, out, outOff);
                }
                mac.pad();
                // T ^ S0.
                Bytes.xor(mac.finish(), 0, tag, 0, tag, 0, BLOCK);
                return tag;
            } finally {
                Bytes.wipe(batch);
            }
        }

        /** Si and its two successors, in one batch with the MAC's whole block. */
        private void keystream(CbcMac mac, byte[] batch, int i) {
            for (int j = 0; j < 3; j++) {
                Bytes.putLong(batch, BLOCK * j, high);
                Bytes.putLong(batch, BLOCK * j + 8, low + i + j);
            }
            mac.encipherWith(batch);
        }

        /** Keystream and MAC together, with S1 and S2 in the batch already. */
        private void together(
                boolean opening,
                CbcMac mac,
                byte[] batch,
                byte[] in,
                int inOff,
                int length,
                byte[] out,
                int outOff) {
            for (int i = 1, done = 0; done < length; i++, done += BLOCK) {
                if (i % 3 == 0) {
                    keystream(mac, batch, i);
                }
                int n = Math.min(BLOCK, length - done);
                if (!opening) {
                    mac.update(in, inOff + done, n);
                }
                Bytes.xor(in, inOff + done, batch, BLOCK * (i % 3), out, outOff + done, n);
                if (opening) {
                    mac.update(out, outOff + done, n);
                }
            }
        }

        /** Keystream in bulk, and the MAC by itself: before the input is overwritten, or afterwards. */
        private void apart(
                boolean opening,
                CbcMac mac,
                byte[] in,
                int inOff,
                int length,
                byte[] out,
                int outOff) {
            if (!opening) {
                mac.update(in, inOff, length);
            }
            try (CtrStream keystream = CtrStream.counter128(cipher, high, low + 1)) {
                keystream.finish(in, inOff, length, out, outOff);
            }
            if (opening) {
                mac.update(out, outOff, length);
            }
        }

        @Override
        public void close() {
            aad.close();
            text.close();
        }
    }
}
