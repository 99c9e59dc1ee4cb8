package dev.isochron.verifier;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * The methods of the JDK that may be given a secret, or an object that leads to one, each with the
 * reason why it is constant-time in the interpreter, in C1 and in C2, and with what it does to
 * secrets. A method that is not listed may be given public values alone.
 */
final class Jdk {

    /** Every string: the list has no method that would put a secret into one. */
    static final HeapObject STRING = new HeapObject("java/lang/String", "a string", "");

    private static final String STRAIGHT =
            "straight arithmetic in its Java code, which the interpreter and C1 run; an instruction"
                    + " or straight arithmetic in C2";
    private static final String MOVES =
            "moves bytes between memory and registers; what they are is never looked at";
    private static final String PLACES =
            "looks at positions, lengths and the kind of buffer; never at the bytes";
    private static final String IDENTITY =
            "looks at the reference alone";
    private static final String HANDS_OVER =
            "hands bytes to or from the caller's stream, file or channel: the edge of the library";
    private static final String LANES =
            "a loop over the lanes with straight arithmetic where it is not compiled, one"
                    + " instruction in C2";

    /** What lanes may do with secrets; shifts are by public amounts, as no argument is secret. */
    private static final Set<String> LANE_OPERATIONS =
            Set.of("AND", "OR", "XOR", "NOT", "AND_NOT", "ADD", "SUB", "MUL", "LSHL", "LSHR",
                            "ASHR", "ROL", "ROR", "NEG").stream()
                    .map(name -> "static jdk/incubator/vector/VectorOperators." + name)
                    .collect(Collectors.toUnmodifiableSet());

    private static final String SHA256 =
            "SHA-256 is additions, rotations and logic on words; the position in the block, which"
                    + " it branches on, counts bytes";

    /** One call as a rule sees it. */
    private record Call(
            Flow flow, AbstractInsnNode insn, String owner, Type result, List<Value> given) {

        Value get(int i) {
            return given.get(i);
        }

        Heap heap() {
            return flow.analysis().heap();
        }

        /** What a place of the objects of an argument holds. */
        Value content(int i, String place) {
            Value all = null;
            for (HeapObject object : get(i).objects()) {
                Value one = heap().load(object, place);
                if (one != null) {
                    all = all == null ? one : all.join(one);
                }
            }
            return all;
        }

        void fill(Set<HeapObject> objects, String place, Value value) {
            if (value != null) {
                objects.forEach(o -> heap().store(o, place, value.via(() -> "moved at " + at())));
            }
        }

        /** The arrays that the buffers of an argument lead to. */
        Set<HeapObject> arrays(int i) {
            Value arrays = content(i, Heap.CONTENT);
            return arrays == null ? Set.of() : arrays.objects();
        }

        Value elements(Set<HeapObject> arrays) {
            Value all = null;
            for (HeapObject array : arrays) {
                Value one = heap().load(array, Heap.ELEMENTS);
                if (one != null) {
                    all = all == null ? one : all.join(one);
                }
            }
            return all;
        }

        /** A new object of the JDK. */
        Value made(Value content) {
            return made(result, content);
        }

        Value made(Type type, Value content) {
            HeapObject object = new HeapObject(type.getInternalName(), "a call at " + at(), "");
            fill(Set.of(object), Heap.CONTENT, content);
            return Value.of(object);
        }

        /** The JDK may call the objects of an argument, as any caller may. */
        void handOut(int i) {
            get(i).objects().forEach(flow.analysis()::handOut);
        }

        void refuse(String what) {
            flow.analysis().report(flow.method(), insn, what, null);
        }

        String at() {
            return flow.method().at(insn);
        }

        Value publicResult() {
            return result == Type.VOID_TYPE ? null : Value.of(result);
        }
    }

    /**
     * @param mayBeSecret how many of the arguments, from the first, may be secret themselves and not
     *     only lead to secrets
     */
    private record Rule(String why, int mayBeSecret, Function<Call, Value> effect) {}

    private final Map<String, Rule> rules = new HashMap<>();
    private final Map<String, String> used = new TreeMap<>();

    Jdk() {
        // Words.
        for (String name : List.of("reverseBytes", "rotateRight")) {
            word("java/lang/Integer." + name);
            word("java/lang/Long." + name);
        }

        // Arrays.
        String varHandle = "java/lang/invoke/VarHandle.";
        rule(varHandle + "get", MOVES, 0, c -> {
            Trace secret = secret(c.elements(c.get(1).objects()));
            c.flow().analysis().read(c.flow().method(), c.insn(), secret != null);
            return Value.of(c.result()).with(secret);
        });
        rule(varHandle + "set", MOVES, Integer.MAX_VALUE, Jdk::setThroughHandle);
        rule("java/util/Arrays.fill", MOVES, 0, c -> {
            c.fill(c.get(0).objects(), Heap.ELEMENTS, c.get(c.given().size() - 1));
            return null;
        });
        rule("java/lang/System.arraycopy", MOVES, 0, c -> {
            c.fill(c.get(2).objects(), Heap.ELEMENTS, c.elements(c.get(0).objects()));
            return null;
        });

        // References.
        rule("java/util/Objects.requireNonNull", IDENTITY, 0, c -> c.get(0));
        rule("java/lang/Object.<init>", "does nothing", 0, Call::publicResult);
        rule("java/lang/Record.<init>", "does nothing", 0, Call::publicResult);
        rule("java/io/InputStream.<init>", "does nothing", 0, Call::publicResult);
        rule("java/io/OutputStream.<init>", "does nothing", 0, Call::publicResult);

        // Buffers: an object of a buffer leads to the array it stands for.
        String buffer = "java/nio/ByteBuffer.";
        for (String name :
                List.of("hasArray", "arrayOffset", "position", "limit", "remaining",
                        "hasRemaining", "isReadOnly")) {
            rule(buffer + name, PLACES, 0,
                    c -> c.result().getSort() == Type.OBJECT ? c.get(0) : c.publicResult());
        }
        rule(buffer + "array", PLACES, 0, c -> Value.of(c.arrays(0)));
        rule(buffer + "duplicate", PLACES, 0, c -> c.get(0));
        rule(buffer + "wrap", PLACES, 0, c -> c.made(c.get(0)));
        rule(buffer + "get", MOVES, 0, c -> {
            c.fill(c.get(1).objects(), Heap.ELEMENTS, c.elements(c.arrays(0)));
            return c.get(0);
        });
        rule(buffer + "put", MOVES, 0, c -> {
            c.fill(c.arrays(0), Heap.ELEMENTS, c.elements(c.get(1).objects()));
            return c.get(0);
        });

        // Streams and channels: whatever is read from one is secret.
        for (String name :
                List.of("InputStream.read", "InputStream.readNBytes", "FilterInputStream.read")) {
            rule("java/io/" + name, HANDS_OVER, 0, Jdk::read);
        }
        rule("java/nio/channels/ReadableByteChannel.read", HANDS_OVER, 0, c -> {
            c.fill(c.arrays(1), Heap.ELEMENTS, readAt(c));
            return c.publicResult();
        });
        rule("java/io/OutputStream.write", HANDS_OVER, 2, Call::publicResult);
        rule("java/nio/channels/WritableByteChannel.write", HANDS_OVER, 0, Call::publicResult);

        // Vectors.
        for (String type : List.of("Byte", "Short", "Int", "Long")) {
            String vector = "jdk/incubator/vector/" + type + "Vector.";
            for (String name : List.of("fromArray", "and", "or", "xor", "not", "add", "sub", "mul")) {
                rule(vector + name, LANES, 0, Jdk::vector);
            }
            rule(vector + "broadcast", LANES, 2, Jdk::vector);
            rule(vector + "lanewise", LANES, 0, Jdk::lanewise);
            rule(vector + "rearrange", LANES + "; its shuffle is public", 0, Jdk::rearrange);
            rule(vector + "intoArray", LANES, 0, c -> {
                c.fill(c.get(1).objects(), Heap.ELEMENTS, c.content(0, Heap.CONTENT));
                return null;
            });
        }

        // Randomness and hashing.
        rule("java/security/SecureRandom.nextBytes",
                "the generator's own business: no secret of ours goes in", 0, c -> {
                    Trace trace = Trace.source("secret: random bytes drawn at " + c.at());
                    c.fill(c.get(1).objects(), Heap.ELEMENTS, Value.word().with(trace));
                    return null;
                });
        String digest = "java/security/MessageDigest.";
        rule(digest + "update", SHA256, 0, c -> {
            c.fill(c.get(0).objects(), Heap.CONTENT, c.elements(c.get(1).objects()));
            return null;
        });
        rule(digest + "digest", SHA256, 0, c -> {
            c.fill(c.get(1).objects(), Heap.ELEMENTS, c.content(0, Heap.CONTENT));
            return c.publicResult();
        });
        rule(digest + "reset", SHA256, 0, Call::publicResult);
    }

    /** A vector of what the arguments hold: lanes, elements of arrays, scalars. */
    private static Value vector(Call c) {
        Value lanes = Value.word();
        for (int i = 0; i < c.given().size(); i++) {
            lanes = lanes.with(c.get(i).trace());
            lanes = lanes.with(secret(c.content(i, Heap.CONTENT)));
            lanes = lanes.with(secret(c.elements(c.get(i).objects())));
        }
        return c.made(lanes);
    }

    private static Value lanewise(Call c) {
        for (HeapObject operation : c.get(1).objects()) {
            if (!LANE_OPERATIONS.contains(operation.site())) {
                c.refuse("a vector operation that is not listed as constant-time: "
                        + operation.site());
            }
        }
        return vector(c);
    }

    private static Value rearrange(Call c) {
        Value shuffle = c.content(1, Heap.CONTENT);
        if (shuffle != null && shuffle.isSecret()) {
            c.refuse("the shuffle of jdk/incubator/vector/Vector.rearrange depends on a secret");
        }
        return vector(c);
    }

    private static Value readAt(Call c) {
        return Value.word().with(Trace.source("secret: bytes read at " + c.at()));
    }

    /** Into an array, with a length as result; or one byte, which is the result. */
    private static Value read(Call c) {
        if (c.given().size() == 1) {
            return readAt(c);
        }
        c.handOut(0);
        c.fill(c.get(1).objects(), Heap.ELEMENTS, readAt(c));
        return c.publicResult();
    }

    private void word(String name) {
        rule(name, STRAIGHT, 1, c -> Value.of(c.result()).with(c.get(0).trace()));
    }

    private void rule(String name, String why, int mayBeSecret, Function<Call, Value> effect) {
        rules.put(name, new Rule(why, mayBeSecret, effect));
    }

    private static Trace secret(Value value) {
        return value == null ? null : value.trace();
    }

    /** set(array, index, value): the value may be secret, the index may not. */
    private static Value setThroughHandle(Call c) {
        if (c.get(2).isSecret()) {
            c.flow().analysis().report(
                    c.flow().method(), c.insn(), "an array index depends on a secret",
                    c.get(2).trace());
        }
        c.fill(c.get(1).objects(), Heap.ELEMENTS, c.get(3));
        return null;
    }

    void startRound() {
        used.clear();
    }

    /** The rules that were needed since {@link #startRound}, and why they are right. */
    Map<String, String> used() {
        return new TreeMap<>(used);
    }

    /** The rules that there are. */
    Set<String> listed() {
        return Set.copyOf(rules.keySet());
    }

    Value call(
            Flow flow, AbstractInsnNode insn, String named, String name, String desc,
            boolean isStatic, List<Value> given) {
        // A method that a class of ours inherits goes by the name of the class of the JDK.
        String owner = named;
        while (flow.analysis().program().has(owner)) {
            owner = flow.analysis().program().get(owner).superName;
        }
        Call call = new Call(flow, insn, owner, Type.getReturnType(desc), given);
        if (owner.startsWith("[") && name.equals("clone")) {
            return cloned(call);
        }
        Rule rule = rules.get(owner + "." + name);
        if (rule != null) {
            for (int i = 0; i < given.size(); i++) {
                if (given.get(i).isSecret()) {
                    used.put(owner + "." + name, rule.why());
                    if (i >= rule.mayBeSecret()) {
                        flow.analysis().report(
                                flow.method(), insn,
                                "argument " + (i + 1) + " of " + owner + "." + name
                                        + " depends on a secret",
                                given.get(i).trace());
                    }
                } else if (call.heap().secretIn(given.get(i).objects()) != null) {
                    used.put(owner + "." + name, rule.why());
                }
            }
            return rule.effect().apply(call);
        }
        return unlisted(call, name, isStatic);
    }

    private static Value cloned(Call call) {
        Value array = call.get(0);
        Set<HeapObject> copies = new HashSet<>();
        for (HeapObject object : array.objects()) {
            HeapObject copy = new HeapObject(object.type(), "a clone at " + call.at(), object.site());
            call.fill(Set.of(copy), Heap.ELEMENTS, call.heap().load(object, Heap.ELEMENTS));
            copies.add(copy);
        }
        return Value.of(copies);
    }

    /**
     * A method that may be given public values alone. It may keep every object it is given in every
     * other, may return each of them, and may call those that are code.
     */
    private Value unlisted(Call call, String name, boolean isStatic) {
        Analysis analysis = call.flow().analysis();
        Set<HeapObject> known = new HashSet<>();
        Trace given = null;
        for (Value value : call.given()) {
            Trace trace =
                    value.isSecret() ? value.trace() : call.heap().secretIn(value.objects());
            if (trace != null) {
                given = trace;
                analysis.report(
                        call.flow().method(), call.insn(),
                        "gives a secret to " + call.owner() + "." + name
                                + ", which is not listed as constant-time",
                        trace);
            }
            known.addAll(value.objects());
        }
        for (HeapObject object : Set.copyOf(known)) {
            Value content = call.heap().load(object, Heap.CONTENT);
            if (content != null) {
                known.addAll(content.objects());
            }
        }
        for (Value value : call.given()) {
            for (HeapObject object : value.objects()) {
                if (object.code() != null) {
                    known.addAll(calledBack(call, object, known));
                }
            }
        }
        Value all = Value.of(known);
        for (Value value : call.given()) {
            for (HeapObject object : value.objects()) {
                if (keeps(analysis, object)) {
                    Set<HeapObject> others = new HashSet<>(known);
                    others.remove(object);
                    call.fill(Set.of(object), Heap.CONTENT, Value.of(others));
                }
            }
        }
        Type result = call.result();
        if (result.getSort() != Type.OBJECT && result.getSort() != Type.ARRAY) {
            return result == Type.VOID_TYPE ? null : Value.of(result).with(given);
        }
        if (result.getInternalName().equals(STRING.type())) {
            return Value.of(STRING);
        }
        Value made = call.made(all);
        if (given != null) {
            call.fill(made.objects(), Heap.CONTENT, Value.word().with(given));
        }
        Set<HeapObject> results = new HashSet<>(made.objects());
        for (HeapObject object : known) {
            if (analysis.program().isSubtype(object.type(), result.getInternalName())) {
                results.add(object);
            }
        }
        return Value.of(results);
    }

    private static boolean keeps(Analysis analysis, HeapObject object) {
        return !object.isArray()
                && object.code() == null
                && !object.equals(STRING)
                && !analysis.program().has(object.type());
    }

    private static Set<HeapObject> calledBack(Call call, HeapObject lambda, Set<HeapObject> known) {
        Analysis analysis = call.flow().analysis();
        Handle code = lambda.code();
        List<Type> types = new ArrayList<>(List.of(Type.getArgumentTypes(code.getDesc())));
        boolean onObject =
                code.getTag() != Opcodes.H_INVOKESTATIC
                        && code.getTag() != Opcodes.H_NEWINVOKESPECIAL;
        if (onObject) {
            types.add(0, Type.getObjectType(code.getOwner()));
        }
        int captured = analysis.captured(lambda).size();
        List<Value> given = new ArrayList<>(List.of(Value.of(lambda)));
        for (Type type : types.subList(captured, types.size())) {
            if (type.getSort() != Type.OBJECT) {
                given.add(Value.of(type));
                continue;
            }
            Set<HeapObject> fitting = new HashSet<>();
            for (HeapObject object : known) {
                if (analysis.program().isSubtype(object.type(), type.getInternalName())) {
                    fitting.add(object);
                }
            }
            given.add(Value.of(fitting));
        }
        Value result =
                call.flow().lambda(
                        lambda, given, Type.getObjectType("java/lang/Object"), call.insn());
        return result == null ? Set.of() : result.objects();
    }
}
