package dev.isochron.aes.cli;

import dev.isochron.aes.Aes;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/**
 * The command line: {@code keygen}, {@code seal}, {@code open}, {@code selftest} and {@code speed}.
 * It stands on the public API alone.
 *
 * <p>Exit codes: 0 if all went well, 1 if the work or a verification failed, 2 if the arguments or
 * the choice of an engine make no sense.
 */
public final class Main {

    /** What messages start with. */
    static final String NAME = "isochron";

    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;

    private static final List<Command> COMMANDS =
            List.of(new Keygen(), new Seal(), new Open(), new SelfTest(), new Speed());

    private Main() {}

    /**
     * Runs one command and ends the JVM with its exit code.
     *
     * @param args the command and its arguments
     */
    public static void main(String[] args) {
        System.exit(run(Environment.system(), args));
    }

    /** Runs one command and returns its exit code. */
    static int run(Environment env, String... args) {
        return run(COMMANDS, env, args);
    }

    /** Runs one of some commands and returns its exit code. */
    static int run(List<Command> commands, Environment env, String... args) {
        String prefix = NAME + ": ";
        List<Command> meant = commands;
        try {
            if (args.length == 0) {
                throw new UsageException("no command");
            }
            String first = args[0];
            if (first.equals("--help") || first.equals("-h") || first.equals("help")) {
                printHelp(env, commands);
                return OK;
            }
            if (first.equals("--version")) {
                print(env, Version.line());
                return OK;
            }
            Command command = find(commands, first);
            prefix += command.name() + ": ";
            meant = List.of(command);
            if (args.length > 1 && (args[1].equals("--help") || args[1].equals("-h"))) {
                printHelp(env, meant);
                return OK;
            }
            if (command.needsEngine()) {
                checkEngine();
            }
            command.run(Arrays.copyOfRange(args, 1, args.length), env);
            return OK;
        } catch (UsageException e) {
            env.err().println(prefix + e.getMessage());
            printUsage(env, meant);
            return USAGE;
        } catch (FailureException e) {
            env.err().println(prefix + e.getMessage());
            return FAILED;
        } catch (IOException e) {
            env.err().println(prefix + Failures.describe(e));
            return FAILED;
        }
    }

    private static Command find(List<Command> commands, String name) throws UsageException {
        for (Command command : commands) {
            if (command.name().equals(name)) {
                return command;
            }
        }
        throw new UsageException("unknown command " + name);
    }

    /** A name that {@code -Disochron.engine} gives wrongly is as wrong as an argument. */
    private static void checkEngine() throws UsageException {
        try {
            Aes.engine();
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    /** The form of each command, and where to read more. */
    private static void printUsage(Environment env, List<Command> commands) {
        String indent = "usage: ";
        for (Command command : commands) {
            env.err().println(indent + command.help().lines().findFirst().orElseThrow());
            indent = " ".repeat(indent.length());
        }
        env.err().println("--help says more");
    }

    private static void printHelp(Environment env, List<Command> commands) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("Usage: java -jar isochron-aes.jar COMMAND\n\n");
        for (Command command : commands) {
            text.append(command.help()).append('\n');
        }
        text.append("--version prints the versions of this program and of Java.\n");
        text.append("Exit codes: 0 done, 1 failed work or verification, 2 wrong usage.");
        print(env, text.toString());
    }

    private static void print(Environment env, String text) throws IOException {
        PrintStream out = env.text();
        out.println(text);
        check(out);
    }

    /** Reports an error that a {@link PrintStream} kept to itself. */
    static void check(PrintStream out) throws IOException {
        if (out.checkError()) {
            throw new IOException("standard output cannot be written");
        }
    }
}
