package dev.isochron.verifier;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an analysis found.
 *
 * @param findings every place where a secret leaks; empty for constant-time code
 * @param analysed the methods that were analysed
 * @param reads where primitive values are read from arrays, and whether any of them is secret
 * @param declassified where a secret was made public, and the reason given there
 * @param listed the methods of the JDK that were given secrets, and why they may be
 * @param rounds how often all was analysed until nothing changed
 * @param contexts how many methods times contexts there were
 */
record Report(
        List<Finding> findings,
        Set<String> analysed,
        Map<String, Boolean> reads,
        Map<String, String> declassified,
        Map<String, String> listed,
        int rounds,
        int contexts) {

    /** All of it, for people. */
    String text() {
        StringBuilder text = new StringBuilder();
        text.append(findings.size()).append(" findings in ").append(analysed.size())
                .append(" methods, ").append(contexts).append(" contexts, ")
                .append(rounds).append(" rounds\n");
        findings.forEach(f -> text.append("\n    ").append(f).append('\n'));
        text.append("\nWhere secrets become public, and why:\n\n");
        text.append(lines(declassified));
        text.append("\nMethods of the JDK that are given secrets, and why they may be:\n\n");
        text.append(lines(listed));
        text.append("\nReads of arrays that are public every time:\n\n");
        publicReads().forEach(r -> text.append("    ").append(r).append('\n'));
        text.append("\nMethods analysed:\n\n");
        analysed.stream().sorted().forEach(m -> text.append("    ").append(m).append('\n'));
        return text.toString();
    }

    /** Where what is read from an array is never secret. */
    List<String> publicReads() {
        return reads.entrySet().stream()
                .filter(read -> !read.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String lines(Map<String, String> map) {
        return map.entrySet().stream()
                .map(e -> "    " + e.getKey() + ": " + e.getValue() + "\n")
                .collect(Collectors.joining());
    }
}
