package dev.isochron.aes.internal.aead;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Verdict;
import dev.isochron.aes.internal.mac.Cmac;
import dev.isochron.aes.internal.mac.CmacStream;
import dev.isochron.aes.internal.mode.CtrStream;

/**
 * EAX (M. Bellare, P. Rogaway and D. Wagner, "The EAX Mode of Operation", FSE 2004) under one key.
 * Steps are those of its figure with EAX.Encrypt and EAX.Decrypt.
 *
 * <p>Three tweaked CMACs, of nonce, header and ciphertext, and CTR between them:
 *
 * <pre>
 *   N' = OMAC<sup>0</sup>(N)    H' = OMAC<sup>1</sup>(H)    C = CTR<sub>N'</sub>(M)    C' = OMAC<sup>2</sup>(C)
 *   OMAC<sup>t</sup>(X) = CMAC([t] || X)          tag = first bytes of N' + H' + C'
 * </pre>
 *
 * <p>The block [t] is the number t in 16 bytes. How it chains on is known once per key, which saves
 * each message three blocks.
 *
 * <p>CTR goes through the cipher in bulk. The MAC of the ciphertext is a chain: one block of it waits
 * for the other, so it stays on single blocks, where a block costs half as much as a batch that would
 * carry a counter block beside it.
 *
 * <p>Constant-time: nonce, header, ciphertext and lengths are public; what is made from the key goes
 * through {@link BlockCipher}, {@link Cmac} and exclusive or alone, N', the first counter, too. The tag
 * is compared whole and its verdict declassified in {@link Verdict}.
 */
public final class Eax implements AeadMode {

    private static final int BLOCK = BlockCipher.BLOCK_SIZE;

    private final BlockCipher cipher;
    private final Cmac cmac;
    private final Cmac.Prefix nonceTweak;
    private final Cmac.Prefix headerTweak;
    private final Cmac.Prefix textTweak;

    /** EAX with this cipher, which remains the caller's. */
    public Eax(BlockCipher cipher) {
        this.cipher = cipher;
        cmac = new Cmac(cipher);
        nonceTweak = tweak(0);
        headerTweak = tweak(1);
        textTweak = tweak(2);
    }

    private Cmac.Prefix tweak(int t) {
        byte[] block = new byte[BLOCK];
        block[BLOCK - 1] = (byte) t;
        return cmac.prefix(block);
    }

    @Override
    public String name() {
        return "EAX";
    }

    @Override
    public void checkNonce(byte[] nonce) {
        if (nonce.length == 0) {
            throw new IllegalArgumentException(
                    "nonce must have at least 1 byte (16 are usual), had 0");
        }
    }

    @Override
    public AeadMessage message(byte[] nonce, int tagLength) {
        return new Message(nonce, tagLength);
    }

    @Override
    public void close() {
        nonceTweak.close();
        headerTweak.close();
        textTweak.close();
        cmac.close();
    }

    /** {@code nonceMac} is N'; {@code header} and {@code text} are on their way to H' and C'. */
    private final class Message implements AeadMessage {

        private final int tagLength;
        private final byte[] nonceMac = new byte[BLOCK];
        private final CtrStream keystream;
        private final CmacStream header = new CmacStream(cmac, headerTweak);
        private final CmacStream text = new CmacStream(cmac, textTweak);

        /** Encrypt and Decrypt: N' = OMAC<sup>0</sup>(N), from where CTR counts modulo 2^128. */
        Message(byte[] nonce, int tagLength) {
            this.tagLength = tagLength;
            try (CmacStream mac = new CmacStream(cmac, nonceTweak)) {
                mac.update(nonce, 0, nonce.length);
                mac.finish(nonceMac);
            }
            keystream =
                    CtrStream.counter128(
                            cipher, Bytes.getLong(nonceMac, 0), Bytes.getLong(nonceMac, 8));
        }

        /** H' = OMAC<sup>1</sup>(H), begun. */
        @Override
        public void aad(byte[] aad, int off, int length) {
            header.update(aad, off, length);
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
            // Neither the counter of 128 bits nor CMAC limits a message.
        }

        /** C = CTR<sub>N'</sub>(M) and C' = OMAC<sup>2</sup>(C), a piece of each. */
        @Override
        public int encrypt(byte[] in, int inOff, int length, byte[] out, int outOff) {
            keystream.update(in, inOff, length, out, outOff);
            text.update(out, outOff, length);
            return length;
        }

        @Override
        public int seal(byte[] in, int inOff, int length, byte[] out, int outOff) {
            keystream.finish(in, inOff, length, out, outOff);
            text.update(out, outOff, length);
            byte[] tag = tag();
            Bytes.copy(tag, 0, out, outOff + length, tagLength);
            Bytes.wipe(tag);
            return length + tagLength;
        }

        /** Decrypt: the tag comes from the ciphertext, and nothing is decrypted unless it is right. */
        @Override
        public boolean open(byte[] in, int inOff, int length, byte[] out, int outOff) {
            int textLength = length - tagLength;
            text.update(in, inOff, textLength);
            byte[] tag = tag();
            int difference = Bytes.difference(tag, 0, in, inOff + textLength, tagLength);
            Bytes.wipe(tag);
            boolean accepted = Verdict.accept(difference, "whether a tag is right");
            if (accepted) {
                keystream.finish(in, inOff, textLength, out, outOff);
            }
            return accepted;
        }

        /** N' + H' + C', of which the tag is the first bytes. */
        private byte[] tag() {
            byte[] headerMac = new byte[BLOCK];
            header.finish(headerMac);
            byte[] tag = new byte[BLOCK];
            text.finish(tag);
            Bytes.xor(tag, 0, headerMac, 0, tag, 0, BLOCK);
            Bytes.xor(tag, 0, nonceMac, 0, tag, 0, BLOCK);
            Bytes.wipe(headerMac);
            return tag;
        }

        @Override
        public void close() {
            keystream.close();
            header.close();
            text.close();
            Bytes.wipe(nonceMac);
        }
    }
}
