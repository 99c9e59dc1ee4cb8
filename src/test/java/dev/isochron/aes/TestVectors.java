package dev.isochron.aes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reads the files of {@code testvectors/}: records of {@code key = value} lines, parted by empty
 * lines; lines that start with {@code #} are remarks. The first record is {@code count = N} alone.
 *
 * <p>Strict on purpose: a wrong count, a line that is no attribute, a doubled or missing attribute,
 * and an attribute that the test did not read are all errors, so that no vector can go unnoticed.
 */
public final class TestVectors {

    /** What a test does with one vector. */
    public interface Check {
        /** Reads every attribute, and asserts. */
        void accept(Vector vector) throws Exception;
    }

    /** One record: its attributes, and which of them were read. */
    public static final class Vector {

        private final Map<String, String> attributes = new LinkedHashMap<>();
        private final Set<String> read = new HashSet<>();

        /** Whether the attribute is there; asking does not count as reading it. */
        public boolean has(String name) {
            return attributes.containsKey(name);
        }

        /** The value, for choosing between tests; does not count as reading it. */
        public String peek(String name) {
            return attributes.getOrDefault(name, "");
        }

        /** The value as it stands in the file. */
        public String text(String name) {
            String value = attributes.get(name);
            if (value == null) {
                throw new AssertionError("no attribute " + name + " in " + attributes);
            }
            read.add(name);
            return value;
        }

        /** The value as a number. */
        public long number(String name) {
            return Long.parseLong(text(name));
        }

        /** The value as bytes: hexadecimal, {@code P:s:n} or {@code Z:n}. */
        public byte[] bytes(String name) {
            return Samples.parse(text(name));
        }

        void requireAllRead() {
            Set<String> unread = new HashSet<>(attributes.keySet());
            unread.removeAll(read);
            if (!unread.isEmpty()) {
                throw new AssertionError("the test did not read " + unread + " of " + this);
            }
        }

        @Override
        public String toString() {
            return attributes.toString();
        }
    }

    private TestVectors() {}

    /** Runs a check on every vector of a file, and requires that it read every attribute. */
    public static void forEach(String file, Check check) {
        forEach(file, vector -> true, check);
    }

    /** As {@link #forEach(String, Check)}, on those vectors that belong to this test. */
    public static void forEach(String file, Predicate<Vector> mine, Check check) {
        for (Vector vector : load(file)) {
            if (!mine.test(vector)) {
                continue;
            }
            try {
                check.accept(vector);
                vector.requireAllRead();
            } catch (Exception | AssertionError e) {
                throw new AssertionError(file + ": " + vector, e);
            }
        }
    }

    /** The vectors of a file, for tests that pick some; these do not check what was read. */
    public static List<Vector> load(String file) {
        try {
            return parse(Files.readAllLines(Path.of("testvectors", file)));
        } catch (IOException e) {
            throw new AssertionError("vectors cannot be read: " + file, e);
        }
    }

    static List<Vector> parse(List<String> lines) {
        List<Vector> records = new ArrayList<>();
        Vector current = null;
        for (String line : lines) {
            if (line.startsWith("#")) {
                continue;
            }
            if (line.isBlank()) {
                current = null;
                continue;
            }
            int equals = line.indexOf(" =");
            if (equals < 1) {
                throw new AssertionError("not an attribute: " + line);
            }
            if (current == null) {
                current = new Vector();
                records.add(current);
            }
            String name = line.substring(0, equals);
            if (current.attributes.put(name, line.substring(equals + 2).strip()) != null) {
                throw new AssertionError("attribute given twice: " + line);
            }
        }
        if (records.isEmpty()) {
            throw new AssertionError("no count");
        }
        Vector header = records.remove(0);
        long count = header.number("count");
        header.requireAllRead();
        if (count != records.size()) {
            throw new AssertionError("count is " + count + ", vectors are " + records.size());
        }
        return records;
    }

    /** Hexadecimal to bytes. */
    public static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    /** Bytes to hexadecimal. */
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
