package dev.isochron.verifier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small classes that leak, each with a twin that does not: the verifier reports the marked lines,
 * with the marked words, and no other line. A {@code LEAK} mark says what must be reported.
 */
class ControlsTest {

    private static final Pattern MARK = Pattern.compile("// LEAK: (.*)$");

    @ParameterizedTest
    @ValueSource(strings = {"Branches", "Indexes", "Arithmetic", "Things", "Vectors"})
    void reportsTheMarkedLinesAlone(String name) throws IOException {
        String file = name + ".java";
        String text = Files.readString(Path.of("src", "test", "controls", file));
        Program program = Program.ofProduct();
        Sources.compile(Map.of(file, text), "--add-modules", "jdk.incubator.vector")
                .values()
                .forEach(program::add);
        Edge edge =
                new Edge(
                        (owner, method) -> owner.name.equals(name) && method.isPublic(),
                        Set.of("dev/isochron/aes/internal/bytes/Verdict"));

        List<Finding> findings = new Analysis(program, edge).run().findings();

        Map<Integer, String> marked = marked(text);
        assertTrue(marked.size() >= 4, "marks in " + file);
        Map<Integer, String> reported = new TreeMap<>();
        for (Finding finding : findings) {
            reported.merge(line(finding, file), finding.what(), (a, b) -> a + "; " + b);
        }
        assertEquals(marked.keySet(), reported.keySet(), findings::toString);
        reported.forEach(
                (line, what) ->
                        assertTrue(
                                what.contains(marked.get(line)),
                                () -> file + ":" + line + " is marked: " + marked.get(line)
                                        + ", reported: " + what));
    }

    private static Map<Integer, String> marked(String text) {
        Map<Integer, String> marks = new TreeMap<>();
        String[] lines = text.split("\n");
        for (int i = 0; i < lines.length; i++) {
            Matcher mark = MARK.matcher(lines[i]);
            if (mark.find()) {
                marks.put(i + 1, mark.group(1));
            }
        }
        return marks;
    }

    private static int line(Finding finding, String file) {
        Matcher m =
                Pattern.compile("\\(" + Pattern.quote(file) + ":(\\d+)\\)$")
                        .matcher(finding.where());
        assertTrue(m.find(), () -> "a finding elsewhere: " + finding);
        return Integer.parseInt(m.group(1));
    }
}
