package dev.isochron.benchmarks;

import java.security.GeneralSecurityException;
import java.util.Arrays;

/**
 * XTS of whole blocks out of Bouncy Castle's ECB, as IEEE 1619-2018 section 5.3 has it: C = E1(P xor T)
 * xor T, where T is E2(tweak), times x for each block before. For answers, not for speed.
 */
final class XtsOracle implements Subject {

    private static final int BLOCK = 16;

    private final Subject data = BouncyCastleSubject.of(AesMode.ECB, false);
    private final Subject tweaks = BouncyCastleSubject.of(AesMode.ECB, false);

    @Override
    public void key(byte[] key) {
        data.key(Arrays.copyOf(key, key.length / 2));
        tweaks.key(Arrays.copyOfRange(key, key.length / 2, key.length));
    }

    @Override
    public int seal(byte[] tweak, byte[] in, int length, byte[] out)
            throws GeneralSecurityException {
        byte[] masks = masks(tweak, length);
        byte[] masked = xor(in, masks);
        byte[] encrypted = new byte[length];
        data.seal(null, masked, length, encrypted);
        System.arraycopy(xor(encrypted, masks), 0, out, 0, length);
        return length;
    }

    @Override
    public int open(byte[] tweak, byte[] in, int length, byte[] out)
            throws GeneralSecurityException {
        byte[] masks = masks(tweak, length);
        byte[] masked = xor(in, masks);
        byte[] decrypted = new byte[length];
        data.open(null, masked, length, decrypted);
        System.arraycopy(xor(decrypted, masks), 0, out, 0, length);
        return length;
    }

    private byte[] masks(byte[] tweak, int length) throws GeneralSecurityException {
        byte[] mask = new byte[BLOCK];
        tweaks.seal(null, tweak, BLOCK, mask);
        byte[] masks = new byte[length];
        for (int i = 0; i < length; i += BLOCK) {
            System.arraycopy(mask, 0, masks, i, BLOCK);
            int carry = 0;
            for (int j = 0; j < BLOCK; j++) {
                int doubled = (mask[j] & 0xff) << 1 | carry;
                mask[j] = (byte) doubled;
                carry = doubled >> 8;
            }
            mask[0] ^= (byte) (0x87 * carry);
        }
        return masks;
    }

    private static byte[] xor(byte[] a, byte[] masks) {
        byte[] sum = masks.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= a[i];
        }
        return sum;
    }
}
