package dev.isochron.aes;

import java.util.List;

/** The modes by the names that the vector files use. */
final class Modes {

    /** All modes with authentication. */
    static final List<String> AEAD = List.of("GCM", "CCM", "EAX", "OCB");

    /** All modes without it that go under an {@link AesKey}, which leaves out XTS. */
    static final List<String> PLAIN =
            List.of("ECB", "ECB-PKCS7", "CBC", "CBC-PKCS7", "CBC-CS1", "CBC-CS2", "CBC-CS3", "CTR",
                    "CFB128", "CFB8", "OFB");

    private Modes() {}

    /** The mode with authentication of that name. */
    static Aead aead(String name, AesKey key, int tagLength) {
        return switch (name) {
            case "GCM" -> Aes.gcm(key, tagLength);
            case "CCM" -> Aes.ccm(key, tagLength);
            case "EAX" -> Aes.eax(key, tagLength);
            case "OCB" -> Aes.ocb(key, tagLength);
            default -> throw new AssertionError("no mode of this name: " + name);
        };
    }

    /** The mode without authentication of that name, XTS too. */
    static CipherMode of(String name, byte[] key, String engine) {
        return name.equals("XTS") ? Aes.xts(key, engine) : of(name, AesKey.of(key, engine));
    }

    /** The mode without authentication of that name under a key. */
    static CipherMode of(String name, AesKey key) {
        return switch (name) {
            case "ECB" -> Aes.ecb(key);
            case "ECB-PKCS7" -> Aes.ecbPadded(key);
            case "CBC" -> Aes.cbcNoPadding(key);
            case "CBC-PKCS7" -> Aes.cbc(key);
            case "CBC-CS1" -> Aes.cbcCs1(key);
            case "CBC-CS2" -> Aes.cbcCs2(key);
            case "CBC-CS3" -> Aes.cbcCs3(key);
            case "CTR" -> Aes.ctr(key);
            case "CFB128" -> Aes.cfb(key);
            case "CFB8" -> Aes.cfb8(key);
            case "OFB" -> Aes.ofb(key);
            default -> throw new AssertionError("no mode of this name: " + name);
        };
    }
}
