package dev.isochron.timing;

import java.util.List;

/** How the JVM runs bytecode, each in a JVM of its own. */
enum Tier {
    /** The interpreter alone. */
    INTERPRETER("interpreter", 100, 2, List.of("-Xint")),
    /** The first compiler alone. */
    C1("C1", 500, 1, List.of("-XX:TieredStopAtLevel=1")),
    /** All compilers, measured after a warm-up in which C2 takes over. */
    C2("C2", 1000, 1, List.of());

    private final String title;
    private final int warmUpMillis;
    private final int share;
    private final List<String> options;

    Tier(String title, int warmUpMillis, int share, List<String> options) {
        this.title = title;
        this.warmUpMillis = warmUpMillis;
        this.share = share;
        this.options = options;
    }

    /** Its name for people. */
    String title() {
        return title;
    }

    /** How long an experiment runs before it counts. */
    int warmUpMillis() {
        return warmUpMillis;
    }

    /** How much of the time it gets: the slower, the more. */
    int share() {
        return share;
    }

    /** What the JVM is started with. */
    List<String> options() {
        return options;
    }

    /** The tier of that name, in any case; null if there is none. */
    static Tier of(String name) {
        for (Tier tier : values()) {
            if (tier.title.equalsIgnoreCase(name)) {
                return tier;
            }
        }
        return null;
    }
}
