package dev.isochron.aes.cli;

/** Which program runs on which Java. */
final class Version {

    private Version() {}

    /** One line with both. */
    static String line() {
        return "Isochron AES " + program() + " on Java " + Runtime.version();
    }

    /** The version that the jar's manifest gives, or that the module has. */
    private static String program() {
        String version = Main.class.getPackage().getImplementationVersion();
        if (version != null) {
            return version;
        }
        Module module = Main.class.getModule();
        return module.isNamed()
                ? module.getDescriptor().rawVersion().orElse("(unpackaged)")
                : "(unpackaged)";
    }
}
