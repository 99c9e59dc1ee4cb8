package dev.isochron.aes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The objects in a file that a JVM's {@code HotSpotDiagnosticMXBean.dumpHeap} wrote: arrays of
 * primitives and instances with their fields. The format is {@code JAVA PROFILE 1.0.2}: records of
 * tag, time and length, of which those named HEAP DUMP hold subrecords; everything is big-endian.
 */
final class HeapDump {

    private static final String FORMAT = "JAVA PROFILE 1.0.2";

    private static final int UTF8 = 0x01;
    private static final int LOAD_CLASS = 0x02;
    private static final int OBJECTS = 0x0C;
    private static final int OBJECTS_SEGMENT = 0x1C;

    private static final int CLASS = 0x20;
    private static final int INSTANCE = 0x21;
    private static final int OBJECT_ARRAY = 0x22;
    private static final int PRIMITIVE_ARRAY = 0x23;

    private static final int INT = 10;
    private static final int LONG = 11;

    /** Names and sizes of the types by their numbers; the size of a reference is the file's. */
    private static final String[] NAMES = {
        null, null, "Object", null, "boolean", "char", "float", "double", "byte", "short", "int",
        "long"
    };

    private static final int[] SIZES = {0, 0, 8, 0, 1, 2, 4, 8, 1, 2, 4, 8};

    /** An array or an instance. Its content is what it was in memory, big-endian. */
    record Item(long id, String type, byte[] content, Map<String, Long> numbers) {

        /** Whether there is nothing but zeros. */
        boolean isBlank() {
            for (byte b : content) {
                if (b != 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return type + "@" + Long.toHexString(id);
        }
    }

    private record Field(String name, int type) {}

    private record Layout(long parent, String name, List<Field> fields) {}

    private final ByteBuffer file;
    private final Map<Long, String> texts = new HashMap<>();
    private final Map<Long, Long> classNames = new HashMap<>();
    private final Map<Long, Layout> classes = new HashMap<>();
    private final int referenceSize;
    private final int start;

    private HeapDump(ByteBuffer file) {
        this.file = file;
        for (int i = 0; i < FORMAT.length(); i++) {
            check(file.get() == FORMAT.charAt(i), "format");
        }
        check(file.get() == 0, "format");
        referenceSize = file.getInt();
        check(referenceSize == 8, "references of 8 bytes");
        file.getLong();
        start = file.position();
    }

    /** Hands over all instances, and all arrays of primitives. */
    static void read(Path path, Consumer<Item> taker) throws IOException {
        HeapDump dump = new HeapDump(ByteBuffer.wrap(Files.readAllBytes(path)));
        // A class may come after its instances.
        dump.records(item -> {}, true);
        dump.records(taker, false);
    }

    private void records(Consumer<Item> taker, boolean first) {
        file.position(start);
        while (file.hasRemaining()) {
            int tag = file.get();
            file.getInt();
            int length = file.getInt();
            int end = file.position() + length;
            if (tag == UTF8 && first) {
                long id = file.getLong();
                byte[] text = new byte[length - referenceSize];
                file.get(text);
                texts.put(id, new String(text, StandardCharsets.UTF_8));
            } else if (tag == LOAD_CLASS && first) {
                file.getInt();
                long id = file.getLong();
                file.getInt();
                classNames.put(id, file.getLong());
            } else if (tag == OBJECTS || tag == OBJECTS_SEGMENT) {
                while (file.position() < end) {
                    object(taker, first);
                }
                check(file.position() == end, "length of a record");
            }
            file.position(end);
        }
    }

    private void object(Consumer<Item> taker, boolean first) {
        int tag = file.get() & 0xFF;
        switch (tag) {
            // Roots: the object, and what holds it.
            case 0xFF, 0x05, 0x07 -> skip(8);
            case 0x01 -> skip(16);
            case 0x04, 0x06 -> skip(12);
            case 0x02, 0x03, 0x08 -> skip(16);
            case CLASS -> layout(taker, first);
            case INSTANCE -> {
                long id = file.getLong();
                file.getInt();
                long type = file.getLong();
                byte[] content = new byte[file.getInt()];
                file.get(content);
                if (!first) {
                    taker.accept(instance(id, type, content));
                }
            }
            case OBJECT_ARRAY -> {
                skip(12);
                int length = file.getInt();
                skip(8 + referenceSize * length);
            }
            case PRIMITIVE_ARRAY -> {
                long id = file.getLong();
                file.getInt();
                int length = file.getInt();
                int type = file.get();
                byte[] content = new byte[length * SIZES[type]];
                file.get(content);
                if (!first) {
                    taker.accept(
                            new Item(id, NAMES[type] + "[" + length + "]", content, Map.of()));
                }
            }
            default -> throw new AssertionError("unknown kind of object in a heap dump: " + tag);
        }
    }

    private void layout(Consumer<Item> taker, boolean first) {
        long id = file.getLong();
        file.getInt();
        long parent = file.getLong();
        skip(5 * referenceSize + 4);
        for (int left = file.getShort(); left > 0; left--) {
            file.getShort();
            skip(SIZES[file.get()]);
        }
        Map<String, Long> numbers = new HashMap<>();
        for (int left = file.getShort(); left > 0; left--) {
            String name = texts.get(file.getLong());
            int type = file.get();
            long value = number(file, type);
            if (type == INT || type == LONG) {
                numbers.put("static " + name, value);
            }
        }
        List<Field> fields = new ArrayList<>();
        for (int left = file.getShort(); left > 0; left--) {
            fields.add(new Field(texts.get(file.getLong()), file.get()));
        }
        String name = texts.get(classNames.get(id)).replace('/', '.');
        if (first) {
            classes.put(id, new Layout(parent, name, fields));
        } else {
            ByteBuffer content = ByteBuffer.allocate(8 * numbers.size());
            numbers.values().forEach(content::putLong);
            taker.accept(new Item(id, "class " + name, content.array(), numbers));
        }
    }

    /** The fields of a class come first, those of its parents after them. */
    private Item instance(long id, long type, byte[] content) {
        Map<String, Long> numbers = new HashMap<>();
        ByteBuffer values = ByteBuffer.wrap(content);
        for (Layout c = classes.get(type); c != null; c = classes.get(c.parent())) {
            for (Field field : c.fields()) {
                long value = number(values, field.type());
                if (field.type() == INT || field.type() == LONG) {
                    numbers.put(simple(c.name()) + '.' + field.name(), value);
                }
            }
        }
        check(!values.hasRemaining(), "fields of an instance");
        return new Item(id, classes.get(type).name(), content, numbers);
    }

    /** A class's name without its package. */
    static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static long number(ByteBuffer from, int type) {
        return switch (SIZES[type]) {
            case 1 -> from.get();
            case 2 -> from.getShort();
            case 4 -> from.getInt();
            default -> from.getLong();
        };
    }

    private void skip(int n) {
        file.position(file.position() + n);
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("not a heap dump as expected: " + what);
        }
    }
}
