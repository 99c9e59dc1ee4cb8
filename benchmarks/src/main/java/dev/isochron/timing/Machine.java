package dev.isochron.timing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What figures belong to.
 *
 * @param jvm the JVM's name and version
 * @param release its release in short, such as jdk17
 * @param processor the processor's name
 * @param engine the engine of Isochron that served the keys
 * @param options options of every JVM, besides its tier's
 */
record Machine(
        String jvm, String release, String processor, String engine, List<String> options) {

    /** Asks a JVM. */
    static Machine of(String java, List<String> given, List<String> ours)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(ours);
        options.addAll(given);
        List<String> arguments = new ArrayList<>(options);
        arguments.add(Probe.class.getName());
        List<String> lines = new ArrayList<>();
        Timing.run(java, arguments, lines::add);
        return new Machine(
                lines.get(0), lines.get(1), processorName(), lines.get(2), options);
    }

    private static String processorName() throws IOException {
        Path info = Path.of("/proc/cpuinfo");
        if (Files.isReadable(info)) {
            for (String line : Files.readAllLines(info)) {
                if (line.startsWith("model name")) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        }
        return System.getProperty("os.arch") + ", model unknown";
    }
}
