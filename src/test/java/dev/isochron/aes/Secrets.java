package dev.isochron.aes;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Finds the arrays of numbers that an object keeps, so that tests can see them wiped. */
final class Secrets {

    private static final String ROOT = "dev.isochron.aes";

    private Secrets() {}

    /**
     * The arrays of {@code byte}, {@code int} and {@code long} that can be reached from an object
     * through fields of this project's classes.
     *
     * @param stopAt fields not to follow, by name
     */
    static List<Object> arrays(Object root, Predicate<String> stopAt) throws Exception {
        List<Object> found = new ArrayList<>();
        collect(root, stopAt, Collections.newSetFromMap(new IdentityHashMap<>()), found);
        return found;
    }

    private static void collect(
            Object object, Predicate<String> stopAt, Set<Object> seen, List<Object> found)
            throws Exception {
        if (object == null || !seen.add(object)) {
            return;
        }
        Class<?> type = object.getClass();
        if (type.isArray()) {
            if (type.getComponentType().isPrimitive()) {
                found.add(object);
            } else {
                for (Object element : (Object[]) object) {
                    collect(element, stopAt, seen, found);
                }
            }
            return;
        }
        if (!type.getName().startsWith(ROOT) || type.isRecord() || type.isHidden()) {
            return;
        }
        for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())
                        || field.getType().isPrimitive()
                        || stopAt.test(field.getName())) {
                    continue;
                }
                field.setAccessible(true);
                collect(field.get(object), stopAt, seen, found);
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
