package dev.isochron.verifier;

import dev.isochron.verifier.Program.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LocalVariableNode;

/**
 * The edge of the program: who is called from outside, what of that is secret, and who may make a
 * secret public.
 *
 * <p>Every byte that comes from outside is secret, in arrays, buffers and streams: keys, texts, tags,
 * and the ciphertexts too, since encryption and decryption share their code. Public are the arrays
 * that parameters name as public, and what is no text at all: lengths, offsets, sizes, names.
 */
final class Edge {

    /** Parameters whose bytes are public. */
    private static final Set<String> PUBLIC_NAMES =
            Set.of("nonce", "iv", "tweak", "aad");

    private final BiPredicate<ClassNode, Method> entries;
    private final Predicate<Method> uses;
    private final Set<String> declassifiers;

    /**
     * @param entries which static methods and constructors are called from outside
     * @param declassifiers the classes whose methods make a secret public; their own code is trusted
     */
    Edge(BiPredicate<ClassNode, Method> entries, Set<String> declassifiers) {
        this(entries, method -> true, declassifiers);
    }

    private Edge(
            BiPredicate<ClassNode, Method> entries,
            Predicate<Method> uses,
            Set<String> declassifiers) {
        this.entries = entries;
        this.uses = uses;
        this.declassifiers = declassifiers;
    }

    /** The part of the edge that consists of these methods, each as {@code Class.method}. */
    Edge only(Set<String> methods) {
        Predicate<Method> named =
                m -> methods.contains(m.owner().name.replaceAll(".*/", "") + "." + m.code().name);
        return new Edge(
                (owner, method) -> entries.test(owner, method) && named.test(method),
                named,
                declassifiers);
    }

    /** Whether a caller who has the object may call this public method of it. */
    boolean isUse(Method method) {
        return uses.test(method);
    }

    boolean isStaticEntry(ClassNode owner, Method method) {
        boolean made = method.isStatic() && !method.code().name.equals("<clinit>")
                || method.code().name.equals("<init>")
                        && (owner.access & Opcodes.ACC_ABSTRACT) == 0;
        return made && entries.test(owner, method);
    }

    boolean declassifies(Method method) {
        return declassifiers.contains(method.owner().name);
    }

    /** What a caller passes. */
    List<Value> arguments(Method method, Heap heap, Collection<HeapObject> handedOut) {
        List<Value> arguments = new ArrayList<>();
        List<String> names = parameterNames(method);
        Type[] types = Type.getArgumentTypes(method.code().desc);
        for (int i = 0; i < types.length; i++) {
            arguments.add(argument(method, names.get(i), types[i], heap, handedOut));
        }
        return arguments;
    }

    private static Value argument(
            Method method, String name, Type type, Heap heap, Collection<HeapObject> handedOut) {
        // One array for all parameters of one name: callers may pass the same one to all of them.
        String site = "the caller's " + name;
        Trace trace =
                PUBLIC_NAMES.contains(name)
                        ? null
                        : Trace.source("secret: " + site);
        switch (type.getSort()) {
            case Type.OBJECT:
                break;
            case Type.ARRAY:
                HeapObject array = new HeapObject(type.getDescriptor(), site, "");
                if (type.getElementType().getSort() != Type.OBJECT) {
                    heap.store(
                            array, Heap.ELEMENTS, Value.of(type.getElementType()).with(trace));
                }
                return Value.of(array);
            default:
                boolean secret =
                        type == Type.BYTE_TYPE
                                || name.startsWith("secret")
                                || method.code().name.equals("write") && type == Type.INT_TYPE
                                        && method.code().desc.equals("(I)V");
                return Value.of(type).with(secret ? trace : null);
        }
        String owner = type.getInternalName();
        if (owner.equals("java/lang/String")) {
            return Value.of(Jdk.STRING);
        }
        Set<HeapObject> fitting = new HashSet<>();
        for (HeapObject object : handedOut) {
            if (object.type().equals(owner)) {
                fitting.add(object);
            }
        }
        if (!fitting.isEmpty() || owner.startsWith("dev/isochron/")) {
            return Value.of(fitting);
        }
        HeapObject given = new HeapObject(owner, site, "");
        if (owner.equals("java/nio/ByteBuffer")) {
            HeapObject bytes = new HeapObject("[B", "the bytes of " + site, "");
            heap.store(bytes, Heap.ELEMENTS, Value.word().with(trace));
            heap.store(given, Heap.CONTENT, Value.of(bytes));
        }
        return Value.of(given);
    }

    /** The names of the parameters, from the debug information. */
    static List<String> parameterNames(Method method) {
        Map<Integer, String> bySlot = new TreeMap<>();
        if (method.code().localVariables != null) {
            for (LocalVariableNode variable : method.code().localVariables) {
                bySlot.putIfAbsent(variable.index, variable.name);
            }
        }
        List<String> names = new ArrayList<>();
        int slot = method.isStatic() ? 0 : 1;
        for (Type type : Type.getArgumentTypes(method.code().desc)) {
            names.add(bySlot.getOrDefault(slot, "parameter " + names.size()));
            slot += type.getSize();
        }
        return names;
    }
}
