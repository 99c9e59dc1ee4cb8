package dev.isochron.aes.cli;

import dev.isochron.aes.AesKey;
import java.security.GeneralSecurityException;

/**
 * Something that must hold under a key on every engine.
 *
 * @param name the standard, or other origin, and the case
 * @param key 16, 24 or 32 bytes; published, so not secret
 * @param check what must hold
 */
record KnownAnswer(String name, byte[] key, Check check) {

    /** Compares results with what they must be. */
    interface Check {
        /**
         * Whether the key gives the right results.
         *
         * @throws GeneralSecurityException if a cipher refuses what it must accept
         */
        boolean holds(AesKey key) throws GeneralSecurityException;
    }

    /** Whether it holds on an engine. */
    boolean holdsOn(String engine) {
        try (AesKey made = AesKey.of(key, engine)) {
            return check.holds(made);
        } catch (GeneralSecurityException refused) {
            return false;
        }
    }
}
