package dev.isochron.benchmarks;

import dev.isochron.aes.Aes;

/**
 * Run in the JVM that is to be measured, this tells the runner about it: its name on the first line,
 * then Isochron's engines in it, the default first.
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
        Aes.engines().forEach(System.out::println);
    }
}
