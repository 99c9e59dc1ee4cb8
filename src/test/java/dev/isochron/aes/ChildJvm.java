package dev.isochron.aes;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a class of the tests in a JVM of its own, for what only a JVM's options can set. */
final class ChildJvm {

    private static final int MINUTES = 4;

    /** How it ended, and what it wrote to standard output and error. */
    record Result(int exitCode, String output) {}

    private ChildJvm() {}

    /** Runs {@code main} with these options, on this JVM's class path and with its modules. */
    static Result run(List<String> options, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-modules"))
                .forEach(command::add);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError("still running: " + command);
            }
            return new Result(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }
}
