package dev.isochron.timing;

import dev.isochron.aes.Aes;

/**
 * Run in the JVM that is to measure: prints what it is, at length and in short,
 * then the engine of Isochron that it uses.
 */
final class Probe {

    private Probe() {}

    /** Prints what the runner asks for. */
    public static void main(String[] args) {
        System.out.println(
                System.getProperty("java.vm.name")
                        + " "
                        + System.getProperty("java.runtime.version")
                        + ", "
                        + System.getProperty("os.arch"));
        System.out.println("jdk" + Runtime.version().feature());
        System.out.println(Aes.engine());
    }
}
