package dev.isochron.aes.cli;

import dev.isochron.aes.Aead;
import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import dev.isochron.aes.CipherMode;

/** The modes under an {@link AesKey} by name. */
final class Modes {

    private Modes() {}

    /** A mode without authentication. */
    static CipherMode plain(String name, AesKey key) {
        return switch (name) {
            case "ECB" -> Aes.ecb(key);
            case "ECB-PKCS7" -> Aes.ecbPadded(key);
            case "CBC" -> Aes.cbcNoPadding(key);
            case "CBC-PKCS7" -> Aes.cbc(key);
            case "CBC-CS1" -> Aes.cbcCs1(key);
            case "CBC-CS2" -> Aes.cbcCs2(key);
            case "CBC-CS3" -> Aes.cbcCs3(key);
            case "CFB128" -> Aes.cfb(key);
            case "CFB8" -> Aes.cfb8(key);
            case "OFB" -> Aes.ofb(key);
            case "CTR" -> Aes.ctr(key);
            default -> throw new IllegalArgumentException("no mode " + name);
        };
    }

    /** An AEAD. */
    static Aead aead(String name, AesKey key, int tagLength) {
        return switch (name) {
            case "GCM" -> Aes.gcm(key, tagLength);
            case "CCM" -> Aes.ccm(key, tagLength);
            case "EAX" -> Aes.eax(key, tagLength);
            case "OCB" -> Aes.ocb(key, tagLength);
            default -> throw new IllegalArgumentException("no mode " + name);
        };
    }
}
