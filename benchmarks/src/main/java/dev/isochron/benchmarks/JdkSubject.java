package dev.isochron.benchmarks;

import java.lang.management.ManagementFactory;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The JDK's own provider through {@link Cipher}, one object for all messages. */
abstract class JdkSubject implements Subject {

    /** What makes the JVM compile the provider's table-driven Java as it stands. */
    static final List<String> NO_INTRINSICS =
            List.of(
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:-UseAESIntrinsics",
                    "-XX:-UseAESCTRIntrinsics",
                    "-XX:-UseGHASHIntrinsics");

    private final Cipher cipher;
    private SecretKey key;

    private JdkSubject(String transformation) throws GeneralSecurityException {
        this.cipher = Cipher.getInstance(transformation, "SunJCE");
    }

    static Subject of(String mode, String engine) throws GeneralSecurityException {
        if (engine.equals(JDK_NO_INTRINSICS)
                && !ManagementFactory.getRuntimeMXBean()
                        .getInputArguments()
                        .containsAll(NO_INTRINSICS)) {
            throw new IllegalStateException(
                    "engine " + engine + " needs the JVM options " + NO_INTRINSICS);
        }
        return switch (mode) {
            case "CTR" -> new Ctr();
            case "GCM" -> new Gcm();
            default -> throw Subject.unknownMode(mode);
        };
    }

    abstract AlgorithmParameterSpec parameters(byte[] nonce);

    @Override
    public void key(byte[] bytes) {
        key = new SecretKeySpec(bytes, "AES");
    }

    @Override
    public int seal(byte[] nonce, byte[] in, int length, byte[] out)
            throws GeneralSecurityException {
        cipher.init(Cipher.ENCRYPT_MODE, key, parameters(nonce));
        return cipher.doFinal(in, 0, length, out, 0);
    }

    @Override
    public int open(byte[] nonce, byte[] in, int length, byte[] out)
            throws GeneralSecurityException {
        cipher.init(Cipher.DECRYPT_MODE, key, parameters(nonce));
        return cipher.doFinal(in, 0, length, out, 0);
    }

    private static final class Ctr extends JdkSubject {

        Ctr() throws GeneralSecurityException {
            super("AES/CTR/NoPadding");
        }

        @Override
        AlgorithmParameterSpec parameters(byte[] nonce) {
            return new IvParameterSpec(nonce);
        }
    }

    private static final class Gcm extends JdkSubject {

        Gcm() throws GeneralSecurityException {
            super("AES/GCM/NoPadding");
        }

        @Override
        AlgorithmParameterSpec parameters(byte[] nonce) {
            return new GCMParameterSpec(8 * TAG_LENGTH, nonce);
        }
    }
}
