package dev.isochron.aes.cli;

/** What was asked for makes no sense, or is refused before any work: exit code 2. */
final class UsageException extends Exception {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
