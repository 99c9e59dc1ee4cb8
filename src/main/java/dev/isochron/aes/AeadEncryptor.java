package dev.isochron.aes;

import dev.isochron.aes.internal.aead.AeadMessage;

/** Seals one message in pieces. */
final class AeadEncryptor extends AeadOperation {

    private final AeadMessage message;
    private final int tagLength;
    private boolean hasText;

    AeadEncryptor(AesKey key, byte[] nonce, AeadMessage message, int tagLength) {
        super(key, nonce);
        this.message = message;
        this.tagLength = tagLength;
    }

    @Override
    void requireNoText() {
        if (hasText) {
            throw new IllegalStateException("associated data must come before the first text");
        }
    }

    @Override
    void aad(byte[] aad, int off, int length) {
        message.aad(aad, off, length);
    }

    @Override
    void checkLength(int length) {
        message.checkLength(length);
    }

    @Override
    int held() {
        return message.held();
    }

    @Override
    int updateSize(int length) {
        return message.encryptSize(length);
    }

    @Override
    int finalSize(int length) {
        return Arguments.saturatedSum(
                Arguments.saturatedSum(message.held(), length), tagLength);
    }

    @Override
    int process(byte[] in, int inOff, int length, byte[] out, int outOff) {
        hasText |= length > 0;
        return message.encrypt(in, inOff, length, out, outOff);
    }

    @Override
    int finish(byte[] in, int inOff, int length, byte[] out, int outOff) {
        return message.seal(in, inOff, length, out, outOff);
    }

    @Override
    void wipe() {
        message.close();
    }
}
