package dev.isochron.aes.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arguments of one command: options with a value ({@code --name value} or {@code
 * --name=value}), flags ({@code --name}), and the rest, which are positional. A lone {@code -} is
 * positional, and after {@code --} everything is. An option may be given once.
 */
final class Arguments {

    private final Map<String, String> values = new HashMap<>();
    private final Set<String> flags = new HashSet<>();
    private final List<String> positional = new ArrayList<>();

    /**
     * Splits a command's arguments.
     *
     * @param args what follows the command's name
     * @param valued the options that take a value, with their dashes
     * @param plain the options that take none, with their dashes
     * @throws UsageException if an option is unknown, given twice, lacks its value or has one too
     *     many
     */
    Arguments(String[] args, Set<String> valued, Set<String> plain) throws UsageException {
        int i = 0;
        while (i < args.length) {
            String arg = args[i++];
            if (arg.equals("--")) {
                positional.addAll(List.of(args).subList(i, args.length));
                return;
            }
            if (!arg.startsWith("-") || arg.equals("-")) {
                positional.add(arg);
                continue;
            }
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            boolean repeated;
            if (valued.contains(name)) {
                if (equals < 0 && i == args.length) {
                    throw new UsageException(name + " needs a value");
                }
                String value = equals < 0 ? args[i++] : arg.substring(equals + 1);
                repeated = values.put(name, value) != null;
            } else if (plain.contains(name)) {
                if (equals >= 0) {
                    throw new UsageException(name + " takes no value");
                }
                repeated = !flags.add(name);
            } else {
                throw new UsageException("unknown option " + name);
            }
            if (repeated) {
                throw new UsageException(name + " is given twice");
            }
        }
    }

    /** Whether the flag {@code name} was given. */
    boolean has(String name) {
        return flags.contains(name);
    }

    /** The value of the option {@code name}, or null if it was not given. */
    String value(String name) {
        return values.get(name);
    }

    /** The next positional argument that nobody took yet, or null. */
    String next() {
        return positional.isEmpty() ? null : positional.remove(0);
    }

    /** Refuses what is left of the positional arguments. */
    void end() throws UsageException {
        if (!positional.isEmpty()) {
            throw new UsageException("unexpected argument " + positional.get(0));
        }
    }

    /** A path out of an argument's text. */
    static Path path(String text) throws UsageException {
        if (text.isEmpty()) {
            throw new UsageException("a file name is empty");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UsageException("not a file name: " + e.getReason());
        }
    }
}
