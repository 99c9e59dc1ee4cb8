package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;

/** The self-test knows what it must, and fails when something is wrong. */
class SelfTestTest {

    @Test
    void passesAndNamesTheEngines() {
        String text = new Cli().clock(5000).run("selftest").ok().text();
        assertTrue(text.contains("active engine: " + Aes.engine() + " (" + Aes.engineReason()));
        for (String engine : Aes.engines()) {
            assertTrue(text.contains(engine + ": " + Aes.describe(engine)), text);
        }
        long right = text.lines().filter(l -> l.equals("  34 of 34 known answers right")).count();
        assertEquals(Aes.engines().size(), right, text);
        assertTrue(text.endsWith("passed" + System.lineSeparator()), text);
    }

    @Test
    void knowsTheStandards() throws IOException {
        List<String> names = KnownAnswers.all().stream().map(KnownAnswer::name).toList();
        assertEquals(34, names.stream().distinct().count());
        assertEquals(4, names.stream().filter(name -> name.startsWith("FIPS 197")).count());
        assertEquals(6, names.stream().filter(name -> name.startsWith("SP 800-38A")).count());
        assertEquals(18, names.stream().filter(name -> name.startsWith("GCM spec")).count());
        for (int bits : new int[] {128, 192, 256}) {
            for (String group : new String[] {"FIPS", "SP 800", "GCM spec", "GCM, long", "CTR"}) {
                assertTrue(
                        KnownAnswers.all().stream()
                                .anyMatch(
                                        answer ->
                                                answer.name().startsWith(group)
                                                        && answer.key().length * 8 == bits),
                        group + " " + bits);
            }
        }
    }

    /** An answer that held under every key would prove nothing. */
    @Test
    void answersFailUnderAnotherKey() throws IOException {
        for (KnownAnswer answer : KnownAnswers.all()) {
            // Batches and single blocks agree under every key.
            if (!answer.name().startsWith("CTR, batches")) {
                byte[] other = answer.key().clone();
                other[0] ^= 1;
                KnownAnswer wrong = new KnownAnswer(answer.name(), other, answer.check());
                assertFalse(wrong.holdsOn(Aes.engine()), answer.name());
            }
        }
    }

    private static Cli.Result run(long clockMillis, KnownAnswer... more) {
        SelfTest.Source source =
                () -> {
                    List<KnownAnswer> all = new ArrayList<>(KnownAnswers.all());
                    all.addAll(List.of(more));
                    return all;
                };
        return new Cli().clock(clockMillis).commands(new SelfTest(source)).run("selftest");
    }

    @Test
    void aWrongAnswerFails() {
        Cli.Result result = run(5000, new KnownAnswer("the odd one", new byte[16], key -> false));
        result.failed("isochron: selftest: wrong answers: " + Aes.engines().size() + ";");
        assertTrue(result.text().contains("  WRONG: the odd one"), result.text());
        assertTrue(result.text().contains("  34 of 35 known answers right"), result.text());
        assertFalse(result.text().contains("passed"));
    }

    @Test
    void aRefusalFails() {
        KnownAnswer.Check refusing =
                key -> {
                    throw new AEADBadTagException("no");
                };
        run(5000, new KnownAnswer("refused", new byte[16], refusing)).failed("wrong answers: ");
    }

    /** What breaks only when compiled, breaks after it was right. */
    @Test
    void anAnswerThatIsWrongLaterFails() {
        KnownAnswer.Check tiring =
                new KnownAnswer.Check() {
                    private int calls;

                    @Override
                    public boolean holds(AesKey key) {
                        return ++calls != 3;
                    }
                };
        Cli.Result result = run(400, new KnownAnswer("tired", new byte[16], tiring));
        result.failed("wrong answers: 1;");
        assertTrue(result.text().contains("  WRONG: tired"), result.text());
    }

    @Test
    void anIoErrorIsReported() {
        SelfTest.Source broken =
                () -> {
                    throw new IOException("this program was packaged without its answers");
                };
        new Cli()
                .commands(new SelfTest(broken))
                .run("selftest")
                .failed("packaged without its answers");
    }
}
