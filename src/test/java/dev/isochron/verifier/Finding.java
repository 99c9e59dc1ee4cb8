package dev.isochron.verifier;

import java.util.List;

/**
 * One place where the running time, or what the JDK sees, may depend on a secret.
 *
 * @param where class, method and line, in the form that stack traces have
 * @param what what leaks there
 * @param way how the secret came there, the source first
 */
record Finding(String where, String what, List<String> way) {

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(where).append(": ").append(what);
        for (String step : way) {
            text.append("\n        ").append(step);
        }
        return text.toString();
    }
}
