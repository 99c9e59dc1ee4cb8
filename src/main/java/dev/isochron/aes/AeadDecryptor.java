package dev.isochron.aes;

import dev.isochron.aes.internal.aead.AeadMessage;
import dev.isochron.aes.internal.bytes.Bytes;
import javax.crypto.AEADBadTagException;

/**
 * Opens one message in pieces. {@code buffer} holds the {@code buffered} bytes of ciphertext that
 * came so far; nothing comes out before the end.
 */
final class AeadDecryptor extends AeadOperation {

    private final AeadMessage message;
    private final int tagLength;
    private byte[] buffer = new byte[0];
    private int buffered;

    AeadDecryptor(AesKey key, byte[] nonce, AeadMessage message, int tagLength) {
        super(key, nonce);
        this.message = message;
        this.tagLength = tagLength;
    }

    @Override
    void requireNoText() {
        if (buffered > 0) {
            throw new IllegalStateException("associated data must come before the first text");
        }
    }

    @Override
    void aad(byte[] aad, int off, int length) {
        message.aad(aad, off, length);
    }

    @Override
    void checkLength(int length) {
        if (length > Arguments.MAX_ARRAY - buffered) {
            throw new IllegalArgumentException(
                    "a message decrypted in pieces has at most " + Arguments.MAX_ARRAY
                            + " bytes, had " + buffered + " and was given " + length
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
        return Math.max(0, Arguments.saturatedSum(buffered, length) - tagLength);
    }

    @Override
    int process(byte[] in, int inOff, int length, byte[] out, int outOff) {
        if (length > buffer.length - buffered) {
            int doubled = (int) Math.min(Arguments.MAX_ARRAY, 2L * buffer.length);
            byte[] larger = new byte[Math.max(doubled, Math.max(buffered + length, 256))];
            Bytes.copy(buffer, 0, larger, 0, buffered);
            buffer = larger;
        }
        Bytes.copy(in, inOff, buffer, buffered, length);
        buffered += length;
        return 0;
    }

    @Override
    int finish(byte[] in, int inOff, int length, byte[] out, int outOff)
            throws AEADBadTagException {
        byte[] sealed = in;
        int off = inOff;
        int total = length;
        if (buffered > 0) {
            process(in, inOff, length, out, outOff);
            sealed = buffer;
            off = 0;
            total = buffered;
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
        buffer = new byte[0];
        buffered = 0;
    }
}
