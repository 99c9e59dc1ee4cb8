package dev.isochron.verifier;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** One step of the way by which a secret came to where it is; the first step is its source. */
final class Trace {

    /** Longer ways are shown by their first and their last steps. */
    private static final int SHOWN = 14;

    private final String step;
    private final Trace before;

    private Trace(String step, Trace before) {
        this.step = step;
        this.before = before;
    }

    static Trace source(String what) {
        return new Trace(what, null);
    }

    Trace then(String next) {
        return next.equals(step) ? this : new Trace(next, this);
    }

    /** The steps, the source first. */
    List<String> steps() {
        Deque<String> steps = new ArrayDeque<>();
        for (Trace t = this; t != null; t = t.before) {
            steps.addFirst(t.step);
        }
        List<String> all = List.copyOf(steps);
        if (all.size() <= SHOWN) {
            return all;
        }
        Deque<String> shown = new ArrayDeque<>(all.subList(0, 3));
        shown.addLast("... " + (all.size() - SHOWN) + " steps more ...");
        shown.addAll(all.subList(all.size() - SHOWN + 3, all.size()));
        return List.copyOf(shown);
    }
}
