package dev.isochron.verifier;

import dev.isochron.verifier.Program.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;

/**
 * Runs every entry of the program, and all that it calls, over and over until nothing new flows
 * anywhere. A method is analysed once for each combination of arguments that differ in what is
 * secret or in the objects they may name.
 */
final class Analysis {

    /** Where every exception is made: by us or by the JVM. */
    static final String THROWN = "an exception";

    private record Context(String method, List<Value> arguments) {}

    private final Program program;
    private final Edge edge;
    private final Heap heap = new Heap();
    private final Jdk jdk = new Jdk();

    private final Map<Context, Value> results = new HashMap<>();
    private final Set<Context> done = new HashSet<>();
    private boolean grown;

    private final Set<HeapObject> throwables = new LinkedHashSet<>();
    private final Map<String, Value> caught = new HashMap<>();
    private final Set<HeapObject> handedOut = new LinkedHashSet<>();

    // Of the last round.
    private final Map<String, Finding> findings = new LinkedHashMap<>();
    private final Set<String> analysed = new TreeSet<>();
    private final Map<String, Boolean> reads = new TreeMap<>();
    private final Map<String, String> declassified = new TreeMap<>();

    Analysis(Program program, Edge edge) {
        this.program = program;
        this.edge = edge;
    }

    Report run() {
        int rounds = 0;
        do {
            rounds++;
            grown = false;
            done.clear();
            findings.clear();
            analysed.clear();
            reads.clear();
            declassified.clear();
            jdk.startRound();
            round();
            grown |= heap.takeChanged();
        } while (grown);
        return new Report(
                List.copyOf(findings.values()), Set.copyOf(analysed), new TreeMap<>(reads),
                new TreeMap<>(declassified), jdk.used(), rounds, done.size());
    }

    private void round() {
        for (ClassNode c : program.classes()) {
            for (Method method : program.methods(c)) {
                if (method.code().name.equals("<clinit>")) {
                    analyse(method, List.of());
                }
            }
        }
        for (ClassNode c : program.classes()) {
            for (Method method : program.methods(c)) {
                if (edge.isStaticEntry(c, method)) {
                    enter(method, null);
                }
            }
        }
        // What a caller was given, a caller may use: all objects of one class at once.
        Map<String, Set<HeapObject>> used = new HashMap<>();
        boolean more;
        do {
            more = false;
            for (Map.Entry<String, Set<HeapObject>> known : byClass(handedOut).entrySet()) {
                if (!known.getValue().equals(used.put(known.getKey(), known.getValue()))) {
                    use(known.getKey(), known.getValue());
                    more = true;
                }
            }
        } while (more);
    }

    private static Map<String, Set<HeapObject>> byClass(Collection<HeapObject> objects) {
        Map<String, Set<HeapObject>> classes = new TreeMap<>();
        for (HeapObject object : objects) {
            classes.computeIfAbsent(object.type(), t -> new HashSet<>()).add(object);
        }
        return classes;
    }

    private void use(String name, Set<HeapObject> objects) {
        for (HeapObject object : objects) {
            if (object.code() != null) {
                runCode(object);
            }
        }
        Set<String> seen = new HashSet<>();
        for (String type : program.supertypes(name)) {
            if (!program.has(type)) {
                continue;
            }
            for (Method method : program.methods(program.get(type))) {
                String signature = method.code().name + method.code().desc;
                if (method.isPublic() && !method.isStatic()
                        && (method.code().access & Opcodes.ACC_ABSTRACT) == 0
                        && !method.code().name.equals("<init>")
                        && edge.isUse(method)
                        && seen.add(signature)) {
                    enter(method, objects);
                }
            }
        }
    }

    /** A lambda or method reference of ours that a caller was given. */
    private void runCode(HeapObject lambda) {
        Method target =
                program.find(
                        lambda.code().getOwner(), lambda.code().getName(), lambda.code().getDesc());
        if (target == null) {
            return;
        }
        List<Value> arguments = captured(lambda);
        List<Value> given = edge.arguments(target, heap, handedOut);
        int missing = given.size() + (target.isStatic() ? 0 : 1) - arguments.size();
        if (missing <= given.size()) {
            arguments.addAll(given.subList(given.size() - missing, given.size()));
            analyse(target, arguments);
        }
    }

    /** The values that a lambda keeps. */
    List<Value> captured(HeapObject lambda) {
        List<Value> values = new ArrayList<>();
        for (int i = 0; ; i++) {
            Value value = heap.load(lambda, "captured " + i);
            if (value == null) {
                return values;
            }
            values.add(value);
        }
    }

    /** A call from outside; the objects called are null for a static method or a constructor. */
    private void enter(Method method, Set<HeapObject> objects) {
        List<Value> arguments = new ArrayList<>();
        if (objects != null) {
            arguments.add(Value.of(objects));
        } else if (!method.isStatic()) {
            HeapObject made =
                    new HeapObject(method.owner().name, "new " + method.name(), "");
            handedOut.add(made);
            arguments.add(Value.of(made));
        }
        arguments.addAll(edge.arguments(method, heap, handedOut));
        Value result = analyse(method, arguments);
        if (result != null) {
            for (HeapObject object : result.objects()) {
                handOut(object);
            }
        }
    }

    /** From now on, anyone may call the public methods of this object. */
    void handOut(HeapObject object) {
        if (object.code() != null || program.has(object.type())) {
            handedOut.add(object);
        }
    }

    /** A call from inside. */
    Value call(Flow caller, AbstractInsnNode insn, Method target, List<Value> given) {
        if (edge.declassifies(target)) {
            return declassify(caller, insn, target, given);
        }
        List<String> names = Edge.parameterNames(target);
        List<Value> arguments = new ArrayList<>();
        int first = target.isStatic() ? 0 : 1;
        for (int i = 0; i < given.size(); i++) {
            String name = i < first ? "this" : names.get(i - first);
            arguments.add(
                    given.get(i).via(
                            () -> "passed at " + caller.method().at(insn) + " as " + name
                                    + " of " + target.name()));
        }
        Value result = analyse(target, arguments);
        return result == null
                ? null
                : result.via(() -> "returned to " + caller.method().at(insn) + " by " + target.name());
    }

    private Value declassify(
            Flow caller, AbstractInsnNode insn, Method target, List<Value> given) {
        String reason = given.get(given.size() - 1).constant();
        if (reason == null) {
            report(
                    caller.method(), insn,
                    "declassifies without a reason: the last argument of " + target.name()
                            + " must be a constant string",
                    null);
        }
        declassified.put(caller.method().at(insn), String.valueOf(reason));
        Type result = Type.getReturnType(target.code().desc);
        if (result.getSort() == Type.ARRAY) {
            return Value.of(
                    new HeapObject(
                            result.getDescriptor(), "public at " + caller.method().at(insn), ""));
        }
        return result == Type.VOID_TYPE ? null : Value.of(result);
    }

    private Value analyse(Method method, List<Value> arguments) {
        Context context = new Context(method.toString(), List.copyOf(arguments));
        if (done.add(context)) {
            analysed.add(method.toString());
            Value result = new Flow(this, method, arguments).run();
            Value before = results.get(context);
            Value after = before == null || result == null ? result : before.join(result);
            if (after != null && !after.equals(before)) {
                results.put(context, after);
                grown = true;
            }
        }
        // In a recursion, what is known so far; there is another round if that was not all.
        return results.get(context);
    }

    // ---- what the flows share ------------------------------------------------------------------

    Program program() {
        return program;
    }

    Heap heap() {
        return heap;
    }

    Jdk jdk() {
        return jdk;
    }

    Value statics(String owner, String field) {
        // A static field may be named through a subclass.
        for (String type : program.supertypes(owner)) {
            if (program.has(type)
                    && program.get(type).fields.stream().anyMatch(f -> f.name.equals(field))) {
                return Value.of(new HeapObject("static", type + "." + field, ""));
            }
        }
        return Value.of(new HeapObject("static", owner + "." + field, ""));
    }

    HeapObject throwable(String type) {
        HeapObject object = new HeapObject(type, THROWN, "");
        if (throwables.add(object)) {
            caught.clear();
        }
        return object;
    }

    /** What a handler for this class may catch. */
    Value caught(String type) {
        return caught.computeIfAbsent(type, this::allThrown);
    }

    private Value allThrown(String type) {
        Set<HeapObject> thrown = new HashSet<>();
        thrown.add(new HeapObject(type, THROWN, ""));
        for (HeapObject object : throwables) {
            if (program.isSubtype(object.type(), type)) {
                thrown.add(object);
            }
        }
        return Value.of(thrown);
    }

    /** Notes whether what an instruction read from an array or a buffer is secret. */
    void read(Method method, AbstractInsnNode insn, boolean secret) {
        reads.merge(method.at(insn), secret, Boolean::logicalOr);
    }

    void report(Method method, AbstractInsnNode insn, String what, Trace way) {
        Finding finding =
                new Finding(method.at(insn), what, way == null ? List.of() : way.steps());
        findings.putIfAbsent(finding.where() + finding.what(), finding);
    }

    void reportUnknown(Method method, AbstractInsnNode insn, String what) {
        report(method, insn, what + "; the analysis cannot follow it", null);
    }
}
