package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** The contract of all modes, for those that go under an {@link AesKey}. */
abstract class AesKeyModeContract extends CipherModeContract {

    /** The mode under test. */
    abstract CipherMode mode(AesKey key);

    @Override
    Keyed keyed(byte[] key, String engine) {
        AesKey own = AesKey.of(key, engine);
        return new Keyed(mode(own), own);
    }

    @Test
    void needsAKeyThatIsOpen() {
        assertThrows(NullPointerException.class, () -> mode(null));
        AesKey closed = AesKey.of(new byte[16]);
        closed.close();
        assertThrows(IllegalStateException.class, () -> mode(closed));
    }
}
