package dev.isochron.aes.cli;

import dev.isochron.aes.Aes;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** {@code selftest}: known answers on every engine; which engine is active, and why. */
final class SelfTest implements Command {

    /** How long an engine repeats its answers: time for the JIT compilers to do their work. */
    private static final long HOT_NANOS = 1_500_000_000L;

    /** Where the answers come from. */
    interface Source {
        List<KnownAnswer> answers() throws IOException;
    }

    private final Source source;

    SelfTest() {
        this(KnownAnswers::all);
    }

    SelfTest(Source source) {
        this.source = source;
    }

    @Override
    public String name() {
        return "selftest";
    }

    @Override
    public String help() {
        return """
                selftest
                    Compares every engine's results in every mode with the standards' known answers
                    and with answers for long messages, and batches of blocks with single ones:
                    once, and then again and again until the JIT compilers have compiled them. Says
                    which engine is active, and why. -Disochron.engine=NAME before -jar forces one.
                """;
    }

    @Override
    public boolean needsEngine() {
        return true;
    }

    @Override
    public void run(String[] args, Environment env)
            throws UsageException, FailureException, IOException {
        new Arguments(args, Set.of(), Set.of()).end();
        List<KnownAnswer> answers = source.answers();
        PrintStream out = env.text();
        out.println(Version.line());
        out.println("active engine: " + Aes.engine() + " (" + Aes.engineReason() + ")");
        int wrong = 0;
        for (String engine : Aes.engines()) {
            out.println(engine + ": " + Aes.describe(engine));
            Set<String> wrongHere = wrong(engine, answers, env);
            for (String name : wrongHere) {
                out.println("  WRONG: " + name);
            }
            wrong += wrongHere.size();
            out.println(
                    "  " + (answers.size() - wrongHere.size()) + " of " + answers.size()
                            + " known answers right");
        }
        if (wrong > 0) {
            throw new FailureException(
                    "wrong answers: " + wrong + "; do not use this program on this Java here");
        }
        out.println("passed");
        Main.check(out);
    }

    /** What was wrong on an engine, the first time or any time later. */
    private static Set<String> wrong(String engine, List<KnownAnswer> answers, Environment env) {
        Set<String> wrong = new TreeSet<>();
        long start = env.clock().getAsLong();
        do {
            for (KnownAnswer answer : answers) {
                if (!answer.holdsOn(engine)) {
                    wrong.add(answer.name());
                }
            }
        } while (env.clock().getAsLong() - start < HOT_NANOS);
        return wrong;
    }
}
