package dev.isochron.aes;

import dev.isochron.aes.internal.aead.AeadMessage;
import dev.isochron.aes.internal.bytes.GrowingBuffer;
import javax.crypto.AEADBadTagException;

/**
 * Opens one message in pieces. {@code buffer} holds the ciphertext that came so far; nothing comes out
 * before the end.
 */
final class AeadDecryptor extends AeadOperation {

    private final AeadMessage message;
    private final int tagLength;
    private final GrowingBuffer buffer = new GrowingBuffer();

    AeadDecryptor(AesKey key, byte[] nonce, AeadMessage message, int tagLength) {
        super(key, nonce);
        this.message = message;
        this.tagLength = tagLength;
    }

    @Override
    void requireNoText() {
        if (buffer.length() > 0) {
            throw new IllegalStateException("associated data must come before the first text");
        }
    }

    @Override
    void aad(byte[] aad, int off, int length) {
        message.aad(aad, off, length);
    }

    @Override
    void checkLength(int length) {
        if (!buffer.hasRoomFor(length)) {
            throw new IllegalArgumentException(
                    "a message decrypted in pieces has at most " + GrowingBuffer.MAX_LENGTH
                            + " bytes, had " + buffer.length() + " and was given " + length
                            + " more; see StreamingAead");
        }
    }

    @Override
    int held() {
        return 0;
    }

    @Override
    int updateSize(int length) {
        return 0;
    }

    @Override
    int finalSize(int length) {
        return Math.max(0, Arguments.saturatedSum(buffer.length(), length) - tagLength);
    }

    @Override
    int process(byte[] in, int inOff, int length, byte[] out, int outOff) {
        buffer.append(in, inOff, length);
        return 0;
    }

    @Override
    int finish(byte[] in, int inOff, int length, byte[] out, int outOff)
            throws AEADBadTagException {
        byte[] sealed = in;
        int off = inOff;
        int total = length;
        if (buffer.length() > 0) {
            process(in, inOff, length, out, outOff);
            sealed = buffer.array();
            off = 0;
            total = buffer.length();
        }
        if (total < tagLength || !message.open(sealed, off, total, out, outOff)) {
            // First: under a key closed meanwhile the verdict means nothing.
            requireKeyStillOpen(out, outOff, 0);
            throw Aead.badTag();
        }
        return total - tagLength;
    }

    @Override
    void wipe() {
        message.close();
        buffer.close();
    }
}
