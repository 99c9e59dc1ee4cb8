package dev.isochron.aes.cli;

/** The work itself failed, or a verification did: exit code 1. */
final class FailureException extends Exception {

    private static final long serialVersionUID = 1L;

    FailureException(String message) {
        super(message);
    }
}
