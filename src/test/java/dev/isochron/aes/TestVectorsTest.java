package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The parser is strict, so that no vector can be left out unnoticed. */
class TestVectorsTest {

    @Test
    void readsRecordsPartedByEmptyLines() {
        List<TestVectors.Vector> vectors =
                TestVectors.parse(
                        List.of("# source", "count = 2", "", "a = 01", "b =", "", "# why", "a = 02"));
        assertEquals("01", vectors.get(0).text("a"));
        assertEquals("", vectors.get(0).text("b"));
        assertEquals("02", vectors.get(1).text("a"));
        vectors.get(0).requireAllRead();
    }

    @Test
    void refusesWrongCounts() {
        assertRefused("count = 2", "", "a = 01");
        assertRefused("count = 0", "", "a = 01");
        assertRefused("a = 01");
        assertRefused();
    }

    @Test
    void refusesWhatIsNoAttribute() {
        assertRefused("count = 1", "", "a");
        assertRefused("count = 1", "", "a = 01", "a = 02");
        assertRefused("count = 1", "b = 1", "", "a = 01");
    }

    @Test
    void refusesUnreadAndMissingAttributes() {
        TestVectors.Vector vector =
                TestVectors.parse(List.of("count = 1", "", "a = 01", "b = 02")).get(0);
        assertThrows(AssertionError.class, () -> vector.text("c"));
        vector.text("a");
        assertThrows(AssertionError.class, vector::requireAllRead);
        vector.text("b");
        vector.requireAllRead();
    }

    private static void assertRefused(String... lines) {
        assertThrows(AssertionError.class, () -> TestVectors.parse(List.of(lines)));
    }
}
