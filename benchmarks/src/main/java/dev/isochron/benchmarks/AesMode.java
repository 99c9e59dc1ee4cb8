package dev.isochron.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** The modes that are measured, by the names of the command line, and what a message needs in each. */
public enum AesMode {
    /** Whole blocks, no padding. */
    ECB(Kind.WHOLE_BLOCKS, 0, "ECB"),
    /** Whole blocks, no padding. */
    CBC(Kind.WHOLE_BLOCKS, 16, "CBC"),
    /** CFB with 128-bit feedback. */
    CFB128(Kind.ANY_LENGTH, 16, "CFB"),
    /** CFB with 8-bit feedback: a call of the block cipher for each byte. */
    CFB8(Kind.ANY_LENGTH, 16, "CFB8"),
    /** OFB. */
    OFB(Kind.ANY_LENGTH, 16, "OFB"),
    /** CTR. */
    CTR(Kind.ANY_LENGTH, 16, "CTR"),
    /** XTS, one data unit of whole blocks. No peer has it, so they show their ECB. */
    XTS(Kind.WHOLE_BLOCKS, 16, null),
    /** GCM. */
    GCM(Kind.AEAD, 12, "GCM"),
    /** CCM. */
    CCM(Kind.AEAD, 12, null),
    /** EAX. */
    EAX(Kind.AEAD, 16, null),
    /** OCB3. */
    OCB(Kind.AEAD, 12, null),
    /** CMAC: sealing makes the tag alone, and nothing is opened. */
    CMAC(Kind.MAC, 0, null);

    private enum Kind {
        WHOLE_BLOCKS,
        ANY_LENGTH,
        AEAD,
        MAC
    }

    private static final int BLOCK = 16;

    private final Kind kind;
    private final int nonceLength;
    private final String jdkName;

    AesMode(Kind kind, int nonceLength, String jdkName) {
        this.kind = kind;
        this.nonceLength = nonceLength;
        this.jdkName = jdkName;
    }

    /** The names of all modes. */
    static List<String> names() {
        List<String> names = new ArrayList<>();
        for (AesMode mode : values()) {
            names.add(mode.name());
        }
        return names;
    }

    /** Bytes of the nonce, or IV, or tweak; 0 if the mode takes none. */
    int nonceLength() {
        return nonceLength;
    }

    /** Bytes of a key for AES with {@code bits}: XTS has two in one. */
    int keyLength(int bits) {
        return bits / 8 * (this == XTS ? 2 : 1);
    }

    /** Whether it has a direction: CMAC has no {@code open}. */
    boolean has(String direction) {
        return kind != Kind.MAC || !direction.equals("open");
    }

    /** The nearest size of a message, not below {@code size}, that the mode takes. */
    int messageSize(int size) {
        return kind == Kind.WHOLE_BLOCKS ? (size + BLOCK - 1) / BLOCK * BLOCK : size;
    }

    /** What the JDK calls it, null if the JDK lacks it. */
    String jdkTransformation() {
        return jdkName == null ? null : "AES/" + jdkName + "/NoPadding";
    }

    /** The mode that an engine shows in this mode's row, null if it has nothing to show. */
    AesMode shownBy(String engine) {
        if (!Subject.PEERS.contains(engine)) {
            return this;
        }
        if (this == XTS) {
            return ECB;
        }
        boolean jdk = engine.equals(Subject.JDK) || engine.equals(Subject.JDK_NO_INTRINSICS);
        return jdk && jdkName == null ? null : this;
    }
}
