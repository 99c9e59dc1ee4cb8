package dev.isochron.aes.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Set;

/** {@code keygen}: draws a main key and writes it to a new file that its owner alone may read. */
final class Keygen implements Command {

    @Override
    public String name() {
        return "keygen";
    }

    @Override
    public String help() {
        return """
                keygen FILE
                    Draws a random 256-bit key and writes it to FILE, which must not exist yet. Its
                    owner alone may read it. The file is one line of text: isochron-aes-256, a
                    space, and 64 hexadecimal digits.
                """;
    }

    @Override
    public boolean needsEngine() {
        return false;
    }

    @Override
    public void run(String[] args, Environment env)
            throws UsageException, FailureException, IOException {
        Arguments arguments = new Arguments(args, Set.of(), Set.of());
        String name = arguments.next();
        arguments.end();
        if (name == null) {
            throw new UsageException("the name of the new key file is missing");
        }
        if (name.equals("-")) {
            throw new UsageException("a key goes to a file, never to standard output");
        }
        Path file = Arguments.path(name);

        byte[] key = new byte[KeyFile.KEY_LENGTH];
        byte[] content = {};
        try (AtomicOutput output = AtomicOutput.create(file, false)) {
            new SecureRandom().nextBytes(key);
            content = KeyFile.format(key);
            output.stream().write(content);
            output.commit();
        } finally {
            Arrays.fill(key, (byte) 0);
            Arrays.fill(content, (byte) 0);
        }
    }
}
