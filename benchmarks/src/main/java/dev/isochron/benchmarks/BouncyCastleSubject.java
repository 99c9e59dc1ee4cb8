package dev.isochron.benchmarks;

import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.MultiBlockCipher;
import org.bouncycastle.crypto.StreamCipher;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.macs.CMac;
import org.bouncycastle.crypto.modes.AEADCipher;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.modes.CCMBlockCipher;
import org.bouncycastle.crypto.modes.CFBBlockCipher;
import org.bouncycastle.crypto.modes.EAXBlockCipher;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.OCBBlockCipher;
import org.bouncycastle.crypto.modes.OFBBlockCipher;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/**
 * Bouncy Castle through its light-weight API, the fastest way into it. Its AES and its GHASH use
 * tables. A null key in the parameters keeps the expanded key and the mode's tables of the call before;
 * a subject that is <i>rekeyed</i> brings the same key with every message instead, as every message
 * does that goes through {@code Cipher.init}. Each direction has an object of its own, because some
 * modes cannot change it under a kept key.
 */
final class BouncyCastleSubject implements Subject {

    private static final int TAG_BITS = 8 * TAG_LENGTH;

    /** One direction of a mode. */
    private interface Direction {
        /**
         * One message.
         *
         * @param key null to keep the one before
         */
        int run(KeyParameter key, byte[] nonce, byte[] in, int length, byte[] out)
                throws InvalidCipherTextException;
    }

    private final boolean rekeyed;
    private final Direction sealing;
    private final Direction opening;
    private KeyParameter key;
    private boolean sealingHasKey;
    private boolean openingHasKey;

    private BouncyCastleSubject(boolean rekeyed, Direction sealing, Direction opening) {
        this.rekeyed = rekeyed;
        this.sealing = sealing;
        this.opening = opening;
    }

    static Subject of(AesMode mode, boolean rekeyed) {
        return new BouncyCastleSubject(rekeyed, direction(mode, true), direction(mode, false));
    }

    private static Direction direction(AesMode mode, boolean sealing) {
        MultiBlockCipher aes = AESEngine.newInstance();
        return switch (mode) {
            case ECB -> ecb(aes, sealing);
            case CBC -> cbc(CBCBlockCipher.newInstance(aes), sealing);
            case CFB128 -> stream(CFBBlockCipher.newInstance(aes, 128), sealing);
            case CFB8 -> stream(CFBBlockCipher.newInstance(aes, 8), sealing);
            case OFB -> stream(new OFBBlockCipher(aes, 128), sealing);
            case CTR -> stream(SICBlockCipher.newInstance(aes), sealing);
            case GCM -> aead(GCMBlockCipher.newInstance(aes), sealing);
            case CCM -> aead(CCMBlockCipher.newInstance(aes), sealing);
            case EAX -> aead(new EAXBlockCipher(aes), sealing);
            case OCB -> aead(new OCBBlockCipher(AESEngine.newInstance(), aes), sealing);
            case CMAC -> mac(new CMac(aes));
            case XTS -> throw Subject.noMode("Bouncy Castle", mode);
        };
    }

    private static Direction ecb(MultiBlockCipher cipher, boolean sealing) {
        return (key, nonce, in, length, out) -> {
            if (key != null) {
                cipher.init(sealing, key);
            }
            return cipher.processBlocks(in, 0, length / cipher.getBlockSize(), out, 0);
        };
    }

    private static Direction cbc(MultiBlockCipher cipher, boolean sealing) {
        return (key, nonce, in, length, out) -> {
            cipher.init(sealing, new ParametersWithIV(key, nonce));
            return cipher.processBlocks(in, 0, length / cipher.getBlockSize(), out, 0);
        };
    }

    private static Direction stream(StreamCipher cipher, boolean sealing) {
        return (key, nonce, in, length, out) -> {
            cipher.init(sealing, new ParametersWithIV(key, nonce));
            return cipher.processBytes(in, 0, length, out, 0);
        };
    }

    private static Direction aead(AEADCipher cipher, boolean sealing) {
        return (key, nonce, in, length, out) -> {
            // GCM keeps the array to refuse a repeated nonce, so it needs one of its own.
            cipher.init(sealing, new AEADParameters(key, TAG_BITS, nonce.clone()));
            int written = cipher.processBytes(in, 0, length, out, 0);
            return written + cipher.doFinal(out, written);
        };
    }

    private static Direction mac(CMac mac) {
        return (key, nonce, in, length, out) -> {
            if (key != null) {
                mac.init(key);
            }
            mac.update(in, 0, length);
            return mac.doFinal(out, 0);
        };
    }

    @Override
    public void key(byte[] bytes) {
        key = new KeyParameter(bytes);
        sealingHasKey = false;
        openingHasKey = false;
    }

    @Override
    public int seal(byte[] nonce, byte[] in, int length, byte[] out)
            throws GeneralSecurityException {
        KeyParameter given = rekeyed || !sealingHasKey ? key : null;
        sealingHasKey = true;
        return run(sealing, given, nonce, in, length, out);
    }

    @Override
    public int open(byte[] nonce, byte[] in, int length, byte[] out)
            throws GeneralSecurityException {
        KeyParameter given = rekeyed || !openingHasKey ? key : null;
        openingHasKey = true;
        return run(opening, given, nonce, in, length, out);
    }

    private static int run(
            Direction direction, KeyParameter key, byte[] nonce, byte[] in, int length, byte[] out)
            throws GeneralSecurityException {
        try {
            return direction.run(key, nonce, in, length, out);
        } catch (InvalidCipherTextException e) {
            AEADBadTagException bad = new AEADBadTagException(e.getMessage());
            bad.initCause(e);
            throw bad;
        }
    }
}
