package dev.isochron.benchmarks;

import dev.isochron.aes.Aead;
import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import dev.isochron.aes.AesMac;
import dev.isochron.aes.CipherMode;
import dev.isochron.aes.XtsMode;
import java.security.GeneralSecurityException;
import java.util.function.Function;

/** Isochron on one of its engines, through the public API. A new key closes the old one. */
abstract class IsochronSubject implements Subject {

    private final String engine;
    private AesKey key;

    private IsochronSubject(String engine) {
        this.engine = engine;
    }

    static Subject of(AesMode mode, String engine) {
        return switch (mode) {
            case ECB -> new Plain(engine, Aes::ecb);
            case CBC -> new Plain(engine, Aes::cbcNoPadding);
            case CFB128 -> new Plain(engine, Aes::cfb);
            case CFB8 -> new Plain(engine, Aes::cfb8);
            case OFB -> new Plain(engine, Aes::ofb);
            case CTR -> new Plain(engine, Aes::ctr);
            case XTS -> new Xts(engine);
            case GCM -> new Authenticated(engine, Aes::gcm);
            case CCM -> new Authenticated(engine, Aes::ccm);
            case EAX -> new Authenticated(engine, Aes::eax);
            case OCB -> new Authenticated(engine, Aes::ocb);
            case CMAC -> new Mac(engine);
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

    /** A mode without authentication. */
    private static final class Plain extends IsochronSubject {

        private final Function<AesKey, CipherMode> factory;
        private CipherMode mode;

        Plain(String engine, Function<AesKey, CipherMode> factory) {
            super(engine);
            this.factory = factory;
        }

        @Override
        void ready(AesKey key) {
            mode = factory.apply(key);
        }

        @Override
        public int seal(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return mode.encrypt(nonce, in, 0, length, out, 0);
        }

        @Override
        public int open(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return mode.decrypt(nonce, in, 0, length, out, 0);
        }
    }

    /** XTS, which owns its two keys. */
    private static final class Xts implements Subject {

        private final String engine;
        private XtsMode mode;

        Xts(String engine) {
            this.engine = engine;
        }

        @Override
        public void key(byte[] bytes) {
            if (mode != null) {
                mode.close();
            }
            mode = Aes.xts(bytes, engine);
        }

        @Override
        public int seal(byte[] tweak, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return mode.encrypt(tweak, in, 0, length, out, 0);
        }

        @Override
        public int open(byte[] tweak, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return mode.decrypt(tweak, in, 0, length, out, 0);
        }
    }

    /** An AEAD. */
    private static final class Authenticated extends IsochronSubject {

        private final Function<AesKey, Aead> factory;
        private Aead aead;

        Authenticated(String engine, Function<AesKey, Aead> factory) {
            super(engine);
            this.factory = factory;
        }

        @Override
        void ready(AesKey key) {
            aead = factory.apply(key);
        }

        @Override
        public int seal(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return aead.seal(nonce, null, in, 0, length, out, 0);
        }

        @Override
        public int open(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            return aead.open(nonce, null, in, 0, length, out, 0);
        }
    }

    /** CMAC, one object for all messages. */
    private static final class Mac extends IsochronSubject {

        private AesMac mac;

        Mac(String engine) {
            super(engine);
        }

        @Override
        void ready(AesKey key) {
            mac = Aes.cmac(key);
        }

        @Override
        public int seal(byte[] nonce, byte[] in, int length, byte[] out)
                throws GeneralSecurityException {
            mac.update(in, 0, length);
            return mac.doFinal(out, 0);
        }

        @Override
        public int open(byte[] nonce, byte[] in, int length, byte[] out) {
            throw new UnsupportedOperationException("CMAC opens nothing");
        }
    }
}
