package dev.isochron.aes.internal.block;

import java.util.List;
import java.util.function.Function;

/**
 * The registry of engines, and the one place that chooses between them. No other class reads a
 * system property.
 */
public final class Engines {

    /** The system property that forces an engine by name. */
    public static final String PROPERTY = "isochron.engine";

    /**
     * An engine by name.
     *
     * @param name what {@code -Disochron.engine} calls it
     * @param description one line for people
     * @param factory makes the cipher for an expanded key, which remains the caller's
     */
    public record Engine(
            String name, String description, Function<RoundKeys, BlockCipher> factory) {

        /** The cipher of this engine under an expanded key. */
        public BlockCipher cipher(RoundKeys keys) {
            return factory.apply(keys);
        }
    }

    private static final Engine PERMUTE =
            new Engine(
                    "permute",
                    "single blocks in the tower field, two 64-bit words a block",
                    PermuteEngine::new);

    private static final Engine BITSLICED =
            new Engine(
                    "bitsliced",
                    "many blocks at once, bitsliced in 64-bit words",
                    BitslicedEngine::new);

    private static final Engine HYBRID =
            new Engine(
                    "hybrid",
                    "permute for one or two blocks, bitsliced for more",
                    keys -> new CtrHybrid(keys, PERMUTE.factory(), BITSLICED.factory()));

    private static final List<Engine> ALL = List.of(HYBRID, PERMUTE, BITSLICED);

    private Engines() {}

    /** Every engine this JVM can run, the default first. */
    public static List<Engine> all() {
        return ALL;
    }

    /**
     * The engine of that name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public static Engine byName(String name) {
        for (Engine engine : ALL) {
            if (engine.name().equals(name)) {
                return engine;
            }
        }
        throw new IllegalArgumentException(
                "engine must be one of " + names() + ", was \"" + name + "\"");
    }

    /**
     * The engine for keys made without naming one: the one forced by {@value #PROPERTY}, else the
     * default.
     *
     * @throws IllegalArgumentException if the property names no engine; the message lists the names
     */
    public static Engine active() {
        String forced = System.getProperty(PROPERTY);
        if (forced == null) {
            return ALL.get(0);
        }
        try {
            return byName(forced);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("system property " + PROPERTY + ": " + e.getMessage());
        }
    }

    /** Why {@link #active} is what it is, for people. */
    public static String reason() {
        return System.getProperty(PROPERTY) == null
                ? "the default"
                : "forced by -D" + PROPERTY;
    }

    private static List<String> names() {
        return ALL.stream().map(Engine::name).toList();
    }
}
