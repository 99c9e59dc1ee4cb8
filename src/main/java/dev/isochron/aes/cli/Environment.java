package dev.isochron.aes.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

/**
 * The world as a command sees it, so that a test can put another one in its place.
 *
 * @param in standard input
 * @param out standard output, unbuffered; unlike a {@link PrintStream} it reports its errors
 * @param err standard error, for messages, warnings and progress
 * @param terminal whether a person sits at standard input and standard output
 * @param clock a monotonic time in nanoseconds
 */
record Environment(
        InputStream in, OutputStream out, PrintStream err, boolean terminal, LongSupplier clock) {

    /** The process's own streams. */
    static Environment system() {
        return new Environment(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                System.err,
                isTerminal(System.console()),
                System::nanoTime);
    }

    /**
     * Up to Java 21 a console object exists only where there is a terminal. From Java 22 on it may
     * exist without one, and {@code Console.isTerminal} tells, a method that Java 17 lacks.
     */
    private static boolean isTerminal(Console console) {
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException before22) {
            return true;
        } catch (ReflectiveOperationException unknown) {
            return false;
        }
    }

    /** Standard output for lines of text, in UTF-8, each line written as soon as it is whole. */
    PrintStream text() {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }
}
