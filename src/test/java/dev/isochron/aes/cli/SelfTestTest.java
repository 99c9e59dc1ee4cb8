package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Aes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The self-test knows what it must, and fails when something is wrong. */
class SelfTestTest {

    @Test
    void passesAndNamesTheEngines() {
        String text = new Cli().clock(5000).run("selftest").ok().text();
        assertTrue(text.contains("active engine: " + Aes.engine() + " (" + Aes.engineReason()));
        for (String engine : Aes.engines()) {
            assertTrue(text.contains(engine + ": " + Aes.describe(engine)), text);
        }
        long right = text.lines().filter(l -> l.equals("  238 of 238 known answers right")).count();
        assertEquals(Aes.engines().size(), right, text);
        assertTrue(text.endsWith("passed" + System.lineSeparator()), text);
    }

    /** How many answers there are of each origin; together they are all, each under its own name. */
    private static final Map<String, Integer> ORIGINS =
            Map.ofEntries(
                    Map.entry("FIPS 197, appendix ", 4),
                    Map.entry("SP 800-38A, ECB F.1.", 6),
                    Map.entry("SP 800-38A, CBC F.2.", 6),
                    Map.entry("SP 800-38A, CFB128 F.3.", 6),
                    Map.entry("SP 800-38A, CFB8 F.3.", 6),
                    Map.entry("SP 800-38A, OFB F.4.", 6),
                    Map.entry("SP 800-38A, CTR F.5.", 6),
                    Map.entry("CBC with ciphertext stealing ", 35),
                    Map.entry("XTS ieee ", 18),
                    Map.entry("XTS cavp ", 10),
                    Map.entry("GCM specification, case ", 18),
                    Map.entry("SP 800-38C, CCM example ", 4),
                    Map.entry("RFC 3610, CCM vector ", 24),
                    Map.entry("EAX paper, vector ", 10),
                    Map.entry("RFC 7253, OCB TAGLEN", 17),
                    Map.entry("RFC 7253, OCB iterated, ", 9),
                    Map.entry("SP 800-38B, CMAC ", 15),
                    Map.entry("long message, ", 35),
                    Map.entry("CTR, batches", 3));

    @Test
    void knowsTheStandards() throws IOException {
        List<String> names = KnownAnswers.all().stream().map(KnownAnswer::name).toList();
        assertEquals(names.size(), names.stream().distinct().count());
        ORIGINS.forEach(
                (origin, count) ->
                        assertEquals(
                                count.longValue(),
                                names.stream().filter(name -> name.startsWith(origin)).count(),
                                origin));
        assertEquals(names.size(), ORIGINS.values().stream().mapToInt(Integer::intValue).sum());
    }

    /** Long messages make the engines work in batches, so no mode may lack one. */
    @Test
    void knowsALongMessageOfEachModeAndKeySize() throws IOException {
        List<String> names = KnownAnswers.all().stream().map(KnownAnswer::name).toList();
        for (String mode : Workload.modes()) {
            String called = mode.equals("ECB") || mode.equals("CBC") ? mode + "-PKCS7" : mode;
            for (int bits : new int[] {128, 192, 256}) {
                boolean known =
                        names.contains("long message, " + called + ", " + bits + "-bit key");
                assertEquals(!mode.equals("XTS") || bits != 192, known, called + " " + bits);
            }
        }
    }

    /** A published output with one bit changed, whichever, is found out. */
    @ParameterizedTest
    @ValueSource(strings = {"ct", "tag", "output", "sha-256"})
    void changedOutputsFail(String attribute) throws IOException {
        int changed = 0;
        for (KnownAnswers.Group group : KnownAnswers.GROUPS) {
            for (Map<String, String> vector : KnownAnswers.read(group.file())) {
                String right = vector.get(attribute);
                if (right == null || right.isEmpty()) {
                    continue;
                }
                for (int bit : new int[] {0, 4 * right.length() - 1}) {
                    byte[] bytes = HexFormat.of().parseHex(right);
                    bytes[bit / 8] ^= (byte) (0x80 >> bit % 8);
                    Map<String, String> wrong = new HashMap<>(vector);
                    wrong.put(attribute, HexFormat.of().formatHex(bytes));
                    assertTrue(group.answer(vector).holdsOn(Aes.engine()), group + " " + vector);
                    assertFalse(group.answer(wrong).holdsOn(Aes.engine()), group + " " + wrong);
                    changed++;
                }
            }
        }
        assertTrue(changed > 0);
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
        Cli.Result result =
                run(5000, new KnownAnswer("the odd one", new byte[16], (key, engine) -> false));
        result.failed("isochron: selftest: wrong answers: " + Aes.engines().size() + ";");
        assertTrue(result.text().contains("  WRONG: the odd one"), result.text());
        assertTrue(result.text().contains("  238 of 239 known answers right"), result.text());
        assertFalse(result.text().contains("passed"));
    }

    @Test
    void aRefusalFails() {
        KnownAnswer.Check refusing =
                (key, engine) -> {
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
                    public boolean holds(byte[] key, String engine) {
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
