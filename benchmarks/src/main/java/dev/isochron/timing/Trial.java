package dev.isochron.timing;

import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import dev.isochron.aes.CipherMode;
import dev.isochron.aes.XtsMode;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import javax.crypto.ShortBufferException;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.params.KeyParameter;

/**
 * An experiment by name, and what is expected of it.
 *
 * @param name for people and the command line
 * @param expected what a healthy run shows
 * @param experiment makes it, in the JVM that measures
 */
record Trial(String name, Expected expected, Factory experiment) {

    /** What a healthy run shows. */
    enum Expected {
        /** A subject: nothing, or it has a leak. */
        CLEAN,
        /** A control that has a leak: if it is not found, the run could not have found others. */
        LEAK,
        /** The same, with a leak so small that the interpreter, slow and uneven, may hide it. */
        LEAK_WHEN_COMPILED,
        /** A control without one: if one is found, the run sees what is not there. */
        NO_LEAK
    }

    /** Makes an experiment. */
    interface Factory {
        Experiment apply(Inputs random) throws GeneralSecurityException;
    }

    /** More than the first-level caches of today's processors hold. */
    private static final int SWEEP = 1 << 18;

    private static final List<Trial> ALL = all();

    /** Every trial, in the order of the tables. */
    static List<Trial> list() {
        return ALL;
    }

    /** The trial of that name. */
    static Trial of(String name) {
        for (Trial trial : ALL) {
            if (trial.name.equals(name)) {
                return trial;
            }
        }
        throw new IllegalArgumentException("there is no trial " + name);
    }

    /** Whether it is a control. */
    boolean isControl() {
        return expected != Expected.CLEAN;
    }

    /** Whether it has a leak, known beforehand. */
    boolean isLeaky() {
        return expected == Expected.LEAK || expected == Expected.LEAK_WHEN_COMPILED;
    }

    /** A name for its samples. */
    String fileName() {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".samples";
    }

    private static List<Trial> all() {
        List<Trial> all = new ArrayList<>();
        controls(all);
        modes(all);
        keySetup(all);
        failures(all);
        return List.copyOf(all);
    }

    private static void controls(List<Trial> all) {
        all.add(
                new Trial(
                        "control: early-exit compare",
                        Expected.LEAK,
                        random -> new CompareControl(true)));
        all.add(
                new Trial(
                        "control: constant-time compare",
                        Expected.NO_LEAK,
                        random -> new CompareControl(false)));
        for (ModeExperiment.Secret secret : ModeExperiment.Secret.values()) {
            all.add(
                    new Trial(
                            "control: table AES, " + word(secret),
                            Expected.LEAK_WHEN_COMPILED,
                            random -> new BlockExperiment(secret, SWEEP, Trial::table, random)));
        }
        for (ModeExperiment.Secret secret : ModeExperiment.Secret.values()) {
            add(
                    all,
                    "one block, cold: " + word(secret),
                    random -> new BlockExperiment(secret, SWEEP, Trial::isochron, random));
        }
    }

    private static BlockExperiment.Block table(byte[] key) {
        BlockCipher aes = AESEngine.newInstance();
        aes.init(true, new KeyParameter(key));
        return (in, out) -> aes.processBlock(in, 0, out, 0);
    }

    private static BlockExperiment.Block isochron(byte[] key) {
        CipherMode ecb = Aes.ecb(AesKey.of(key));
        return (in, out) -> {
            try {
                ecb.encrypt(null, in, 0, in.length, out, 0);
            } catch (ShortBufferException e) {
                throw new AssertionError("the output has as many bytes as the input", e);
            }
        };
    }

    private static String word(ModeExperiment.Secret secret) {
        return secret.name().toLowerCase(Locale.ROOT);
    }

    private static void modes(List<Trial> all) {
        for (Scheme scheme : Scheme.all()) {
            for (boolean sealing : new boolean[] {true, false}) {
                if (!sealing && !scheme.opens()) {
                    continue;
                }
                for (ModeExperiment.Secret secret : ModeExperiment.Secret.values()) {
                    add(
                            all,
                            scheme.name() + (sealing ? " seal: " : " open: ") + word(secret),
                            random -> new ModeExperiment(scheme, sealing, secret, random));
                }
            }
        }
    }

    private static void keySetup(List<Trial> all) {
        for (int bits : new int[] {128, 192, 256}) {
            addKeySetup(all, "AES-" + bits, bits / 8, AesKey::bits);
        }
        addKeySetup(all, "GCM", 32, key -> Aes.gcm(key).tagLength());
        addKeySetup(all, "EAX", 32, key -> Aes.eax(key).tagLength());
        addKeySetup(all, "OCB", 32, key -> Aes.ocb(key).tagLength());
        addKeySetup(all, "CMAC", 32, key -> Aes.cmac(key).tagLength());
        add(
                all,
                "key setup: XTS-AES-256",
                random ->
                        new KeySetupExperiment(
                                64,
                                bytes -> {
                                    try (XtsMode xts = Aes.xts(bytes)) {
                                        return xts.bits();
                                    }
                                }));
    }

    private static void addKeySetup(
            List<Trial> all, String name, int length, ToIntFunction<AesKey> derived) {
        add(
                all,
                "key setup: " + name,
                random ->
                        new KeySetupExperiment(
                                length,
                                bytes -> {
                                    try (AesKey key = AesKey.of(bytes)) {
                                        return derived.applyAsInt(key);
                                    }
                                }));
    }

    private static void failures(List<Trial> all) {
        for (Scheme scheme : List.of(Scheme.CBC_PKCS7, Scheme.ECB_PKCS7)) {
            String name = scheme.name() + " wrong padding: ";
            add(all, name + "first or last byte", scheme, FailureExperiment::paddingByFirstOrLastByte);
            add(all, name + "its length", scheme, FailureExperiment::paddingByLength);
            add(all, name + "byte or length", scheme, FailureExperiment::paddingByByteOrLength);
        }
        List<Scheme> tagged = new ArrayList<>(Scheme.aeads());
        tagged.add(Scheme.CMAC_VERIFIED);
        for (Scheme scheme : tagged) {
            String name = scheme.name() + " wrong tag: ";
            add(all, name + "byte 0 or 15", scheme, () -> FailureExperiment.tag(scheme, false));
            add(all, name + "byte 0 or any", scheme, () -> FailureExperiment.tag(scheme, true));
        }
    }

    private static void add(
            List<Trial> all,
            String name,
            Scheme scheme,
            Supplier<FailureExperiment.Damage> damage) {
        add(all, name, random -> new FailureExperiment(scheme, damage.get(), random));
    }

    private static void add(List<Trial> all, String name, Factory experiment) {
        all.add(new Trial(name, Expected.CLEAN, experiment));
    }
}
