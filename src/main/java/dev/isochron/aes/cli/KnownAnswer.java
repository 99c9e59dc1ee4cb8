package dev.isochron.aes.cli;

import dev.isochron.aes.AesKey;
import java.security.GeneralSecurityException;

/**
 * Something that must hold under a key on every engine.
 *
 * @param name the standard, or other origin, and the case
 * @param key 16, 24 or 32 bytes, or a pair for XTS; published, so not secret
 * @param check what must hold
 */
record KnownAnswer(String name, byte[] key, Check check) {

    /** Compares results with what they must be. */
    interface Check {
        /**
         * Whether the key gives the right results on an engine.
         *
         * @throws GeneralSecurityException if a cipher refuses what it must accept
         */
        boolean holds(byte[] key, String engine) throws GeneralSecurityException;
    }

    /** A check of what takes an {@link AesKey}: all modes but XTS, which owns its keys. */
    interface KeyCheck {
        /**
         * Whether the key gives the right results.
         *
         * @throws GeneralSecurityException if a cipher refuses what it must accept
         */
        boolean holds(AesKey key) throws GeneralSecurityException;
    }

    /** An answer under an {@link AesKey}. */
    static KnownAnswer underKey(String name, byte[] key, KeyCheck check) {
        return new KnownAnswer(
                name,
                key,
                (bytes, engine) -> {
                    try (AesKey made = AesKey.of(bytes, engine)) {
                        return check.holds(made);
                    }
                });
    }

    /** Whether it holds on an engine. */
    boolean holdsOn(String engine) {
        try {
            return check.holds(key, engine);
        } catch (GeneralSecurityException refused) {
            return false;
        }
    }
}
