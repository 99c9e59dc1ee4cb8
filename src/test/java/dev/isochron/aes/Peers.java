package dev.isochron.aes;

import java.util.Arrays;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.BufferedBlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/** Implementations by others, to compare with. */
final class Peers {

    /** A mode without authentication as others implement it. */
    interface Peer {

        /** Encrypts, or decrypts, a whole message; {@code iv} is empty if the mode takes none. */
        byte[] apply(boolean encrypting, byte[] key, byte[] iv, byte[] in) throws Exception;

        default byte[] encrypt(byte[] key, byte[] iv, byte[] text) throws Exception {
            return apply(true, key, iv, text);
        }

        default byte[] decrypt(byte[] key, byte[] iv, byte[] ciphertext) throws Exception {
            return apply(false, key, iv, ciphertext);
        }
    }

    private Peers() {}

    /** The JDK's, by its own name. */
    static Peer jdk(String transformation) {
        return (encrypting, key, iv, in) -> {
            Cipher cipher = Cipher.getInstance(transformation);
            cipher.init(
                    encrypting ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE,
                    new SecretKeySpec(key, "AES"),
                    iv.length == 0 ? null : new IvParameterSpec(iv));
            return cipher.doFinal(in);
        };
    }

    /** Bouncy Castle's. */
    static Peer bouncyCastle(Supplier<BufferedBlockCipher> maker) {
        return (encrypting, key, iv, in) -> {
            BufferedBlockCipher cipher = maker.get();
            CipherParameters own = new KeyParameter(key);
            cipher.init(encrypting, iv.length == 0 ? own : new ParametersWithIV(own, iv));
            byte[] out = new byte[cipher.getOutputSize(in.length)];
            int n = cipher.processBytes(in, 0, in.length, out, 0);
            return Arrays.copyOf(out, n + cipher.doFinal(out, n));
        };
    }
}
