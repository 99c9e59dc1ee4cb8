package dev.isochron.benchmarks;

import java.lang.management.ManagementFactory;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.function.Function;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The JDK's own provider through {@link Cipher}, one object for all messages of a direction: told to
 * change it, the object would expand the key again.
 */
final class JdkSubject implements Subject {

    /** What makes the JVM compile the provider's table-driven Java as it stands. */
    static final List<String> NO_INTRINSICS =
            List.of(
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:-UseAESIntrinsics",
                    "-XX:-UseAESCTRIntrinsics",
                    "-XX:-UseGHASHIntrinsics");

    private final Cipher sealing;
    private final Cipher opening;
    private final Function<byte[], AlgorithmParameterSpec> parameters;
    private SecretKey key;

    private JdkSubject(
            String transformation, Function<byte[], AlgorithmParameterSpec> parameters)
            throws GeneralSecurityException {
        this.sealing = Cipher.getInstance(transformation, "SunJCE");
        this.opening = Cipher.getInstance(transformation, "SunJCE");
        this.parameters = parameters;
    }

    static Subject of(AesMode mode, String engine) throws GeneralSecurityException {
        if (engine.equals(JDK_NO_INTRINSICS)
                && !ManagementFactory.getRuntimeMXBean()
                        .getInputArguments()
                        .containsAll(NO_INTRINSICS)) {
            throw new IllegalStateException(
                    "engine " + engine + " needs the JVM options " + NO_INTRINSICS);
        }
        String transformation = mode.jdkTransformation();
        if (transformation == null) {
            throw Subject.noMode("the JDK", mode);
        }
        return new JdkSubject(
                transformation,
                switch (mode) {
                    case ECB -> nonce -> null;
                    case GCM -> nonce -> new GCMParameterSpec(8 * TAG_LENGTH, nonce);
                    default -> IvParameterSpec::new;
                });
    }

    @Override
    public void key(byte[] bytes) {
        key = new SecretKeySpec(bytes, "AES");
    }

    @Override
    public int seal(byte[] nonce, byte[] in, int length, byte[] out)
            throws GeneralSecurityException {
        sealing.init(Cipher.ENCRYPT_MODE, key, parameters.apply(nonce));
        return sealing.doFinal(in, 0, length, out, 0);
    }

    @Override
    public int open(byte[] nonce, byte[] in, int length, byte[] out)
            throws GeneralSecurityException {
        opening.init(Cipher.DECRYPT_MODE, key, parameters.apply(nonce));
        return opening.doFinal(in, 0, length, out, 0);
    }
}
