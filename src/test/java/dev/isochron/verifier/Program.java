package dev.isochron.verifier;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;

/** The classes under analysis. Every other class is the JDK's. */
final class Program {

    /** A method and the class that has its code. */
    record Method(ClassNode owner, MethodNode code) {

        boolean isStatic() {
            return (code.access & Opcodes.ACC_STATIC) != 0;
        }

        boolean isPublic() {
            return (code.access & Opcodes.ACC_PUBLIC) != 0;
        }

        /** As in stack traces, without the line. */
        String name() {
            return owner.name.replace('/', '.') + "." + code.name;
        }

        /** As in stack traces. */
        String at(AbstractInsnNode insn) {
            return name() + "(" + owner.sourceFile + ":" + line(insn) + ")";
        }

        private static int line(AbstractInsnNode insn) {
            for (AbstractInsnNode i = insn; i != null; i = i.getPrevious()) {
                if (i instanceof LineNumberNode number) {
                    return number.line;
                }
            }
            return 0;
        }

        @Override
        public String toString() {
            return name() + code.desc;
        }
    }

    private final Map<String, ClassNode> classes = new TreeMap<>();
    private final Map<String, Boolean> subtypes = new HashMap<>();

    /** All class files below a directory. */
    static Program of(Path directory) throws IOException {
        Program program = new Program();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
                program.add(Files.readAllBytes(file));
            }
        }
        return program;
    }

    /** The classes of the product, as compiled. */
    static Program ofProduct() throws IOException {
        return of(Path.of("target", "classes"));
    }

    /** Adds a class, in place of one of the same name. */
    void add(byte[] classFile) {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, 0);
        if (node.module == null) {
            classes.put(node.name, node);
        }
    }

    Collection<ClassNode> classes() {
        return classes.values();
    }

    boolean has(String name) {
        return classes.containsKey(name);
    }

    ClassNode get(String name) {
        return classes.get(name);
    }

    List<Method> methods(ClassNode owner) {
        return owner.methods.stream().map(m -> new Method(owner, m)).toList();
    }

    /**
     * The code that a call on an object of class {@code name} runs, or null if it is not ours: the
     * class's own, its superclasses', or a default method of an interface.
     */
    Method find(String name, String method, String desc) {
        for (ClassNode c = classes.get(name); c != null; c = classes.get(c.superName)) {
            Method found = declared(c, method, desc);
            if (found != null) {
                return found;
            }
        }
        for (ClassNode c = classes.get(name); c != null; c = classes.get(c.superName)) {
            for (String i : c.interfaces) {
                Method found = find(i, method, desc);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static Method declared(ClassNode c, String method, String desc) {
        for (MethodNode m : c.methods) {
            if (m.name.equals(method)
                    && m.desc.equals(desc)
                    && (m.access & Opcodes.ACC_ABSTRACT) == 0) {
                return new Method(c, m);
            }
        }
        return null;
    }

    /** The class and all that it extends or implements, as far as they are ours, and one beyond. */
    List<String> supertypes(String name) {
        List<String> all = new ArrayList<>(List.of(name));
        ClassNode c = classes.get(name);
        if (c != null) {
            if (c.superName != null) {
                all.addAll(supertypes(c.superName));
            }
            for (String i : c.interfaces) {
                all.addAll(supertypes(i));
            }
        }
        return all;
    }

    /** Whether a reference to {@code name} may be cast to {@code other}; both internal names. */
    boolean isSubtype(String name, String other) {
        return name.equals(other)
                || other.equals("java/lang/Object")
                || subtypes.computeIfAbsent(name + ":" + other, k -> look(name, other));
    }

    private boolean look(String name, String other) {
        for (String type : supertypes(name)) {
            if (type.equals(other)) {
                return true;
            }
            if (!has(type) && !has(other)) {
                Class<?> a = jdk(type);
                Class<?> b = jdk(other);
                if (a != null && b != null && b.isAssignableFrom(a)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A class of the JDK, or null if this JVM lacks it, as a class of a module not loaded. */
    private static Class<?> jdk(String name) {
        try {
            return Class.forName(name.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
