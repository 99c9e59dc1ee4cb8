package dev.isochron.aes;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Finds the numbers that an object keeps, in arrays and in fields, so that tests can see them wiped. */
final class Secrets {

    private static final String ROOT = "dev.isochron.aes";

    private Secrets() {}

    /**
     * What a walk has found: arrays themselves, and the present values of fields.
     *
     * @param arrays and the fields that hold them, as {@code Class.field}
     */
    private record Found(
            Set<Object> seen, Map<Object, String> arrays, Map<String, Long> fields) {}

    /**
     * The arrays of {@code byte}, {@code int} and {@code long} that can be reached from an object
     * through fields of this project's classes.
     *
     * @param stopAt fields not to follow, by name
     */
    static List<Object> arrays(Object root, Predicate<String> stopAt) throws Exception {
        return new ArrayList<>(walk(root, stopAt).arrays().keySet());
    }

    /** As {@link #arrays}, with the field that holds each, as {@code Class.field}. */
    static Map<Object, String> owned(Object root, Predicate<String> stopAt) throws Exception {
        return walk(root, stopAt).arrays();
    }

    /**
     * The values of the {@code int} and {@code long} fields that can be reached likewise, by names
     * that are all different.
     *
     * @param stopAt fields to leave out, by name
     */
    static Map<String, Long> fields(Object root, Predicate<String> stopAt) throws Exception {
        return walk(root, stopAt).fields();
    }

    private static Found walk(Object root, Predicate<String> stopAt) throws Exception {
        Found found =
                new Found(
                        Collections.newSetFromMap(new IdentityHashMap<>()),
                        new IdentityHashMap<>(),
                        new LinkedHashMap<>());
        collect(root, root.getClass().getSimpleName(), "", stopAt, found);
        return found;
    }

    private static void collect(
            Object object, String path, String owner, Predicate<String> stopAt, Found found)
            throws Exception {
        if (object == null || !found.seen().add(object)) {
            return;
        }
        Class<?> type = object.getClass();
        if (type.isArray()) {
            if (type.getComponentType().isPrimitive()) {
                found.arrays().put(object, owner);
            } else {
                Object[] elements = (Object[]) object;
                for (int i = 0; i < elements.length; i++) {
                    collect(elements[i], path + '[' + i + ']', owner, stopAt, found);
                }
            }
            return;
        }
        if (!type.getName().startsWith(ROOT)
                || object instanceof Enum
                || type.isRecord()
                || type.isHidden()) {
            return;
        }
        for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || stopAt.test(field.getName())) {
                    continue;
                }
                field.setAccessible(true);
                String name = path + '.' + field.getName();
                if (field.getType() == long.class || field.getType() == int.class) {
                    found.fields().put(name, field.getLong(object));
                } else if (!field.getType().isPrimitive()) {
                    String here = HeapDump.simple(c.getName()) + '.' + field.getName();
                    collect(field.get(object), name, here, stopAt, found);
                }
            }
        }
    }

    /** Whether an array has nothing but zeros. */
    static boolean isBlank(Object array) {
        for (int i = 0; i < Array.getLength(array); i++) {
            if (Array.getLong(array, i) != 0) {
                return false;
            }
        }
        return true;
    }
}
