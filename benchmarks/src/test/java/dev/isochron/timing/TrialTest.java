package dev.isochron.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TrialTest {

    /** Every experiment works for both classes, and does the same each time for one slot. */
    @TestFactory
    Stream<DynamicTest> everyTrialRuns() {
        return Trial.list().stream()
                .map(trial -> DynamicTest.dynamicTest(trial.name(), () -> runs(trial)));
    }

    private static void runs(Trial trial) throws GeneralSecurityException {
        Inputs random = new Inputs(1);
        Experiment experiment = trial.experiment().apply(random);
        byte[] classes = {0, 1, 0, 1, 1, 0, 0};
        for (int batch = 0; batch < 2; batch++) {
            experiment.prepare(classes, random);
            for (int slot = 0; slot < classes.length; slot++) {
                experiment.load(slot);
                int result = experiment.run();
                // A stream draws its salt, and writes other bytes each time.
                if (!trial.name().startsWith("StreamingAead seal")) {
                    assertEquals(result, experiment.run());
                }
            }
        }
    }

    @Test
    void namesAndFilesAreDistinct() {
        Set<String> names = new HashSet<>();
        Set<String> files = new HashSet<>();
        for (Trial trial : Trial.list()) {
            names.add(trial.name());
            files.add(trial.fileName());
        }
        assertEquals(Trial.list().size(), names.size());
        assertEquals(Trial.list().size(), files.size());
    }

    @Test
    void inputsFillWhatTheyAreAskedToAndNothingElse() {
        byte[] a = new byte[40];
        new Inputs(7).fill(a, 3, 30);
        for (int i : new int[] {0, 1, 2, 33, 34, 39}) {
            assertEquals(0, a[i]);
        }
        assertNotEquals(new Inputs(7).next(), new Inputs(8).next());
        Inputs inputs = new Inputs(9);
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(inputs.below(16));
        }
        assertEquals(Set.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), seen);
    }
}
