package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every Java example of the README compiles as it stands and runs to its end; nothing is left out. */
class ReadmeTest {

    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LEFTOVER =
            Pattern.compile("^\\W*[A-Z][A-Z0-9_ ]+\\W*$|\\b(TODO|FIXME|TBD|XXX|PLACEHOLDER)\\b");
    private static final Pattern CLASS_NAME = Pattern.compile("class (\\w+)");

    @Test
    void examplesCompileAndRun(@TempDir Path dir) throws Exception {
        Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("README.md")));
        int count = 0;
        while (examples.find()) {
            count++;
            Matcher name = CLASS_NAME.matcher(examples.group(1));
            assertTrue(name.find(), "example " + count + " declares a class");
            Path source = dir.resolve(name.group(1) + ".java");
            Files.writeString(source, examples.group(1));
            StringWriter said = new StringWriter();
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            boolean compiled =
                    compiler.getTask(
                                    said,
                                    null,
                                    null,
                                    List.of(
                                            "-d", dir.toString(),
                                            "-classpath", System.getProperty("java.class.path"),
                                            "-proc:none"),
                                    null,
                                    compiler.getStandardFileManager(null, null, null)
                                            .getJavaFileObjects(source))
                            .call();
            assertTrue(compiled, () -> "the README's example does not compile:\n" + said);
            try (URLClassLoader loader = new URLClassLoader(new URL[] {dir.toUri().toURL()})) {
                loader.loadClass(name.group(1))
                        .getMethod("main", String[].class)
                        .invoke(null, (Object) new String[0]);
            }
        }
        assertEquals(2, count, "examples in the README");
    }

    /** A line of capitals alone, or one of the usual marks, stands for text that never came. */
    @ParameterizedTest
    @ValueSource(
            strings = {"README.md", "CHANGELOG.md", "SECURITY.md", "benchmarks/README.md"})
    void nothingIsLeftToFillIn(String file) throws Exception {
        List<String> leftovers =
                Files.readString(Path.of(file)).lines().filter(LEFTOVER.asPredicate()).toList();
        assertEquals(List.of(), leftovers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SPEEDTABLE", "**SPEED TABLE**", "| TABLE_2 |", "<FIGURES>", "a TODO", "x: TBD"
            })
    void leftoversAreFound(String line) {
        assertTrue(LEFTOVER.matcher(line).find());
    }
}
