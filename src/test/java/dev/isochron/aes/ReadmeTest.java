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

/** Every Java example of the README compiles as it stands, and runs to its end. */
class ReadmeTest {

    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
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
}
