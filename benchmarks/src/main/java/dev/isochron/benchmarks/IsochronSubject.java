package dev.isochron.benchmarks;

import dev.isochron.aes.Aead;
import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import dev.isochron.aes.CtrMode;
import java.security.GeneralSecurityException;

/** Isochron on one of its engines, through the public API. A new key closes the old one. */
abstract class IsochronSubject implements Subject {

    private final String engine;
    private AesKey key;

    private IsochronSubject(String engine) {
        this.engine = engine;
    }

    static Subject of(String mode, String engine) {
        return switch (mode) {
            case "CTR" -> new Ctr(engine);
            case "GCM" -> new Gcm(engine);
            default -> throw Subject.unknownMode(mode);
        };
    }

    abstract void ready(AesKey key);

    @Override
    public void key(byte[] bytes) {
        if (key != null) {
            key.close();
        }
        key = AesKey.of(bytes, engine);
        ready(key);
    }

    private static final class Ctr extends IsochronSubject {

        private CtrMode ctr;

        Ctr(String engine) {
            super(engine);
        }

        @Override
        void ready(AesKey key) {
            ctr = Aes.ctr(key);
        }

        @Override
        public int seal(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return ctr.encrypt(nonce, in, 0, length, out, 0);
        }

        @Override
        public int open(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return ctr.decrypt(nonce, in, 0, length, out, 0);
        }
    }

    private static final class Gcm extends IsochronSubject {

        private Aead gcm;

        Gcm(String engine) {
            super(engine);
        }

        @Override
        void ready(AesKey key) {
            gcm = Aes.gcm(key);
        }

        @Override
        public int seal(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return gcm.seal(nonce, null, in, 0, length, out, 0);
        }

        @Override
        public int open(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return gcm.open(nonce, null, in, 0, length, out, 0);
        }
    }
}
