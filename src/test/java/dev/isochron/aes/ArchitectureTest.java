package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rooms of the house and the arrows between them, which point down only; jdeps finds them. */
class ArchitectureTest {

    private static final String ROOT = "dev.isochron.aes";

    /** Which rooms each room may touch. */
    private static final Map<String, Set<String>> ALLOWED =
            Map.of(
                    ".cli", Set.of("", ".internal.bytes"),
                    ".jca", Set.of(""),
                    "", Set.of(".internal.aead", ".internal.mode", ".internal.mac",
                            ".internal.block", ".internal.bytes"),
                    ".internal.aead", Set.of(".internal.mode", ".internal.mac", ".internal.block",
                            ".internal.bytes"),
                    ".internal.mode", Set.of(".internal.block", ".internal.bytes"),
                    ".internal.mac", Set.of(".internal.block", ".internal.bytes"),
                    ".internal.block", Set.of(".internal.bytes"),
                    ".internal.block.vector", Set.of(".internal.block", ".internal.bytes"),
                    ".internal.bytes", Set.of());

    private static final Pattern ARROW =
            Pattern.compile("^ +(dev\\.isochron\\.aes\\S*) +-> +(\\S+) ", Pattern.MULTILINE);

    private static final Pattern PROPERTY =
            Pattern.compile(
                    "\\b(System\\s*\\.\\s*getPropert|(?:Boolean\\s*\\.\\s*getBoolean"
                            + "|Integer\\s*\\.\\s*getInteger|Long\\s*\\.\\s*getLong)\\()");

    /** A property of the JVM that the command line may show, never one that steers. */
    private static final Pattern JVM_PROPERTY = Pattern.compile("System\\.getProperty\\(\"java\\.");

    @Test
    void arrowsPointDown() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int result =
                ToolProvider.findFirst("jdeps")
                        .orElseThrow()
                        .run(
                                new PrintWriter(out),
                                new PrintWriter(err),
                                "-verbose:package",
                                "--ignore-missing-deps",
                                "--multi-release", "base",
                                "-filter:none",
                                "target/classes");
        assertEquals(0, result, () -> "jdeps failed: " + out + err);
        Set<String> rooms = new TreeSet<>();
        Set<String> forbidden = new TreeSet<>();
        Matcher arrows = ARROW.matcher(out.toString());
        while (arrows.find()) {
            String from = arrows.group(1);
            String to = arrows.group(2);
            rooms.add(from);
            Set<String> allowed = ALLOWED.get(from.substring(ROOT.length()));
            if (allowed == null) {
                forbidden.add(from + " is no room of the house");
            } else if (to.startsWith(ROOT)) {
                if (!to.equals(from) && !allowed.contains(to.substring(ROOT.length()))) {
                    forbidden.add(from + " -> " + to);
                }
            } else if (!to.startsWith("java.") && !to.startsWith("javax.crypto")
                    && !to.startsWith("javax.security.auth")
                    && !(to.startsWith("jdk.incubator.vector") && from.endsWith(".vector"))) {
                forbidden.add(from + " -> " + to);
            }
        }
        assertTrue(rooms.containsAll(Set.of(ROOT, ROOT + ".internal.block")), out::toString);
        assertEquals(Set.of(), forbidden);
    }

    @Test
    void oneClassReadsSystemProperties() throws IOException {
        Set<String> readers = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source : (Iterable<Path>) sources.filter(Files::isRegularFile)::iterator) {
                String text = Files.readString(source);
                if (source.getParent().endsWith("cli")) {
                    text = JVM_PROPERTY.matcher(text).replaceAll("");
                }
                if (PROPERTY.matcher(text).find()) {
                    readers.add(source.getFileName().toString());
                }
            }
        }
        assertEquals(Set.of("Engines.java"), readers);
    }
}
