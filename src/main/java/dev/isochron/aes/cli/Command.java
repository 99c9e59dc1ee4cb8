package dev.isochron.aes.cli;

import java.io.IOException;

/** One command of the command line. */
interface Command {

    /** The name by which it is called. */
    String name();

    /** Its usage: the first line gives the form, the others explain it. */
    String help();

    /** Whether it runs a cipher, so that a bad choice of engine must stop it. */
    boolean needsEngine();

    /**
     * Does the work; returning means success.
     *
     * @param args what follows the command's name
     * @param env where to read and to write
     * @throws UsageException if the arguments make no sense
     * @throws FailureException if the work, or a verification, failed
     * @throws IOException if reading or writing failed
     */
    void run(String[] args, Environment env) throws UsageException, FailureException, IOException;
}
