package dev.isochron.benchmarks;

import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.CTRModeCipher;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.GCMModeCipher;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/**
 * Bouncy Castle through its light-weight API, the fastest way into it. Its AES and its GHASH use
 * tables. A null key in the parameters keeps the expanded key and GHASH's tables of the call before;
 * a subject that is <i>rekeyed</i> brings the same key with every message instead, as every message
 * does that goes through {@code Cipher.init}.
 */
abstract class BouncyCastleSubject implements Subject {

    private final boolean rekeyed;
    private KeyParameter unused;

    private BouncyCastleSubject(boolean rekeyed) {
        this.rekeyed = rekeyed;
    }

    static Subject of(String mode, boolean rekeyed) {
        return switch (mode) {
            case "CTR" -> new Ctr(rekeyed);
            case "GCM" -> new Gcm(rekeyed);
            default -> throw Subject.unknownMode(mode);
        };
    }

    @Override
    public void key(byte[] bytes) {
        unused = new KeyParameter(bytes);
    }

    /** The key for the next message; null to keep the one before. */
    KeyParameter takeKey() {
        KeyParameter key = unused;
        if (!rekeyed) {
            unused = null;
        }
        return key;
    }

    private static final class Ctr extends BouncyCastleSubject {

        private final CTRModeCipher cipher = SICBlockCipher.newInstance(AESEngine.newInstance());

        Ctr(boolean rekeyed) {
            super(rekeyed);
        }

        @Override
        public int seal(byte[] nonce, byte[] in, int length, byte[] out) {
            cipher.init(true, new ParametersWithIV(takeKey(), nonce));
            return cipher.processBytes(in, 0, length, out, 0);
        }

        @Override
        public int open(byte[] nonce, byte[] in, int length, byte[] out) {
            cipher.init(false, new ParametersWithIV(takeKey(), nonce));
            return cipher.processBytes(in, 0, length, out, 0);
        }
    }

    private static final class Gcm extends BouncyCastleSubject {

        private static final int TAG_BITS = 8 * TAG_LENGTH;

        private final GCMModeCipher cipher = GCMBlockCipher.newInstance(AESEngine.newInstance());

        Gcm(boolean rekeyed) {
            super(rekeyed);
        }

        @Override
        public int seal(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return run(true, nonce, in, length, out);
        }

        @Override
        public int open(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return run(false, nonce, in, length, out);
        }

        private int run(boolean sealing, byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            // The cipher keeps the array to refuse a repeated nonce, so it needs one of its own.
            cipher.init(sealing, new AEADParameters(takeKey(), TAG_BITS, nonce.clone()));
            try {
                int written = cipher.processBytes(in, 0, length, out, 0);
                return written + cipher.doFinal(out, written);
            } catch (InvalidCipherTextException e) {
                AEADBadTagException bad = new AEADBadTagException(e.getMessage());
                bad.initCause(e);
                throw bad;
            }
        }
    }
}
