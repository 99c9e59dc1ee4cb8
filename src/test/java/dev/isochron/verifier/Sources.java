package dev.isochron.verifier;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles source texts in memory, with the product on the class path. */
final class Sources {

    private Sources() {}

    /**
     * @param sources the texts, by the names of their files
     * @param options for the compiler
     * @return the class files, by the names of their classes
     */
    static Map<String, byte[]> compile(Map<String, String> sources, String... options) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
        Map<String, ByteArrayOutputStream> classes = new TreeMap<>();
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((name, text) -> units.add(new Text(name, text)));
        List<String> all = new ArrayList<>(Arrays.asList(options));
        all.addAll(List.of("-g", "-classpath", Path.of("target", "classes").toString()));
        JavaFileManager files =
                new ForwardingJavaFileManager<>(
                        compiler.getStandardFileManager(errors, null, null)) {
                    @Override
                    public JavaFileObject getJavaFileForOutput(
                            Location location, String name, JavaFileObject.Kind kind,
                            FileObject sibling) {
                        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                        classes.put(name, bytes);
                        return new Code(name, bytes);
                    }
                };
        if (!compiler.getTask(null, files, errors, all, null, units).call()) {
            throw new IllegalArgumentException(errors.getDiagnostics().toString());
        }
        Map<String, byte[]> result = new TreeMap<>();
        classes.forEach((name, bytes) -> result.put(name, bytes.toByteArray()));
        return result;
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String name, String text) {
            super(URI.create("memory:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Code extends SimpleJavaFileObject {
        private final ByteArrayOutputStream bytes;

        Code(String name, ByteArrayOutputStream bytes) {
            super(URI.create("memory:///" + name + ".class"), Kind.CLASS);
            this.bytes = bytes;
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }
}
