package dev.isochron.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class FindingTest {

    private static final Trial SUBJECT = trial(Trial.Expected.CLEAN);
    private static final Trial CONTROL = trial(Trial.Expected.LEAK);

    private static Trial trial(Trial.Expected expected) {
        return new Trial("some", expected, random -> new CompareControl(true));
    }

    private static Finding.Run run(double t) {
        return new Finding.Run(1, 1, List.of(new Analysis.Point(1000, t, t, "raw")), 1, 1);
    }

    private static Finding finding(Trial trial, double... t) {
        return new Finding(
                trial, Tier.C2, run(t[0]), t.length == 1 ? null : run(t[1]));
    }

    @Test
    void onlyWhatRepeatsCountsAgainstASubject() {
        assertEquals(Finding.Verdict.NOTHING, finding(SUBJECT, 4.4).verdict());
        assertEquals(Finding.Verdict.NOT_REPEATED, finding(SUBJECT, 30, 4.4).verdict());
        assertEquals(Finding.Verdict.SUSPICIOUS, finding(SUBJECT, 4.5, 30).verdict());
        assertEquals(Finding.Verdict.SUSPICIOUS, finding(SUBJECT, 30, 10).verdict());
        assertEquals(Finding.Verdict.LEAK, finding(SUBJECT, 11, 11).verdict());

        assertTrue(finding(SUBJECT, 30, 4.4).isExpected());
        assertFalse(finding(SUBJECT, 4.5, 4.5).isExpected());
        assertFalse(finding(SUBJECT, 11, 11).isExpected());
        assertTrue(Finding.callsForRepetition(SUBJECT, run(4.5)));
        assertFalse(Finding.callsForRepetition(SUBJECT, run(4.4)));
    }

    @Test
    void aControlMustBeFoundAndHasTwoTries() {
        assertTrue(finding(CONTROL, 11).isExpected());
        assertTrue(finding(CONTROL, 2, 11).isExpected());
        assertTrue(finding(CONTROL, 5).isExpected());
        assertFalse(finding(CONTROL, 2, 4.4).isExpected());
        assertFalse(Finding.callsForRepetition(CONTROL, run(4.5)));
        assertTrue(Finding.callsForRepetition(CONTROL, run(4.4)));
    }

    @Test
    void theInterpreterMayHideASmallLeak() {
        Trial small = trial(Trial.Expected.LEAK_WHEN_COMPILED);
        assertTrue(new Finding(small, Tier.INTERPRETER, run(2), run(2)).isExpected());
        assertFalse(new Finding(small, Tier.C1, run(2), run(2)).isExpected());
    }

    @Test
    void aCleanControlMustNotBeFlaggedTwice() {
        Trial clean = trial(Trial.Expected.NO_LEAK);
        assertTrue(finding(clean, 5, 2).isExpected());
        assertFalse(finding(clean, 5, 5).isExpected());
    }
}
