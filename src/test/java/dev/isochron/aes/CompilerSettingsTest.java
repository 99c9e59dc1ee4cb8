package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * JIT-01, JIT-12: the compilers make other code at each level of vector instructions, and have made
 * wrong code at one alone. The known answers again at each, in JVMs of their own.
 */
@Tag("long")
class CompilerSettingsTest {

    /** Every short case of known faults on every engine, again and again. */
    static final class Answers {

        private Answers() {}

        public static void main(String[] rounds) throws Exception {
            KnownFaultsTest faults = new KnownFaultsTest();
            KnownAnswerTest answers = new KnownAnswerTest();
            for (int round = 0; round < Integer.parseInt(rounds[0]); round++) {
                for (String engine : Aes.engines()) {
                    faults.shortTexts(engine);
                    answers.each(engine);
                }
            }
        }
    }

    /**
     * The machine's own level is what every other test runs at. Flags that a processor's JVM does not
     * know are passed over.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-XX:UseAVX=0", "-XX:UseAVX=1", "-XX:UseAVX=2",
                "-XX:MaxVectorSize=16", "-XX:MaxVectorSize=32"
            })
    void vectorInstructions(String flag) throws Exception {
        // Late enough for the compiler to know the branches, early enough for each method to be hot.
        assertRight("25", flag, "-XX:-TieredCompilation", "-XX:CompileThreshold=1000");
    }

    @Test
    void compiledAtOnce() throws Exception {
        assertRight("2", "-Xcomp");
    }

    private static void assertRight(String rounds, String... flags) throws Exception {
        List<String> options = new ArrayList<>(List.of("-XX:+IgnoreUnrecognizedVMOptions"));
        options.addAll(List.of(flags));
        ChildJvm.Result result = ChildJvm.run(options, Answers.class, rounds);
        assertEquals(0, result.exitCode(), result.output());
    }
}
