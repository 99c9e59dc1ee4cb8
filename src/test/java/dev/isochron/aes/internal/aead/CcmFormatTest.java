package dev.isochron.aes.internal.aead;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** CCM's encoding of lengths, also of those that no array has. */
class CcmFormatTest {

    /** SP 800-38C appendix A.2.2, with the examples it gives. */
    @Test
    void encodedLengthOfAssociatedData() {
        assertEncoded("", 0);
        assertEncoded("0001", 1);
        assertEncoded("00ff", 0xFF);
        assertEncoded("0100", 0x100);
        assertEncoded("feff", 0xFEFF);
        assertEncoded("fffe0000ff00", 0xFF00);
        assertEncoded("fffe0000ff01", 0xFF01);
        assertEncoded("fffe0000ffff", 0xFFFF);
        assertEncoded("fffe00010000", 0x10000);
        assertEncoded("fffe7fffffff", Integer.MAX_VALUE);
        assertEncoded("fffe80000000", 1L << 31);
        assertEncoded("fffeffffffff", (1L << 32) - 1);
        assertEncoded("ffff0000000100000000", 1L << 32);
        assertEncoded("ffff7fffffffffffffff", Long.MAX_VALUE);
    }

    private static void assertEncoded(String expected, long length) {
        assertEquals(expected, HexFormat.of().formatHex(Ccm.encodedLength(length)));
    }
}
