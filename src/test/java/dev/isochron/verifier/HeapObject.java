package dev.isochron.verifier;

import java.util.Objects;
import org.objectweb.asm.Handle;

/**
 * All objects and arrays that one instruction makes in one context, taken as one. What they hold
 * stands in {@link Heap}.
 *
 * @param type the internal name of the class, or the descriptor of an array
 * @param site where it is made: an instruction, a parameter of an entry, a call into the JDK
 * @param context what tells two uses of one site apart: where the maker's own object was made
 * @param code for a lambda or method reference, what it runs; else null
 */
record HeapObject(String type, String site, String context, Handle code) {

    HeapObject {
        Objects.requireNonNull(type);
        Objects.requireNonNull(site);
        Objects.requireNonNull(context);
    }

    HeapObject(String type, String site, String context) {
        this(type, site, context, null);
    }

    /** How far the makers of makers tell objects apart. */
    private static final int DEPTH = 2;

    /** What tells apart the objects that this one makes, or that are made of it. */
    String asContext() {
        String whole = site + (context.isEmpty() ? "" : "{" + context + "}");
        StringBuilder cut = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < whole.length(); i++) {
            char c = whole.charAt(i);
            depth += c == '{' ? 1 : 0;
            if (depth < DEPTH) {
                cut.append(c);
            }
            depth -= c == '}' ? 1 : 0;
        }
        return cut.toString();
    }

    boolean isArray() {
        return type.startsWith("[");
    }

    @Override
    public String toString() {
        return type + " of " + site;
    }
}
