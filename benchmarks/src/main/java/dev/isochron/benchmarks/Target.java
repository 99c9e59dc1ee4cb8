package dev.isochron.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM that is measured.
 *
 * @param java its launcher
 * @param arguments options of every fork
 * @param name what it calls itself
 * @param engines Isochron's engines in it, the default first
 */
record Target(String java, List<String> arguments, String name, List<String> engines) {

    /** A JVM that cannot be measured. */
    static final class StartException extends IOException {

        private static final long serialVersionUID = 1L;

        StartException(String message, IOException cause) {
            super(message, cause);
        }
    }

    /** Starts the JVM once and asks it. */
    static Target probe(String java, boolean vector) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-Xms512m", "-Xmx512m"));
        if (vector) {
            arguments.addAll(List.of("--add-modules", "jdk.incubator.vector"));
        }
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(arguments);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), Probe.class.getName()));
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (IOException e) {
            throw new StartException("--jvm takes a Java launcher: " + e.getMessage(), e);
        }
        List<String> lines;
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            lines = reader.lines().toList();
        }
        if (process.waitFor() != 0 || lines.size() < 2) {
            throw new StartException(
                    "the JVM does not start: " + String.join(" ", command), null);
        }
        return new Target(java, arguments, lines.get(0), lines.subList(1, lines.size()));
    }

    /** The processor's name where the system tells it. */
    static String processor() throws IOException {
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
