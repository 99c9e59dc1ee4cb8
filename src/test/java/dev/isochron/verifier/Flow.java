package dev.isochron.verifier;

import static org.objectweb.asm.Opcodes.*;

import dev.isochron.verifier.Program.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * One method in one context: what each instruction does to values, and the rule of constant time
 * for each instruction. This is the list of what may not depend on a secret:
 *
 * <ul>
 *   <li>a branch or switch, and the comparisons of longs and floats, which the interpreter runs as
 *       branches;
 *   <li>the index of an array access; the length of a new array;
 *   <li>an operand of a division or remainder, and of any operation on floats;
 *   <li>the amount of a shift;
 *   <li>the identity of an object that is called, cast, compared, locked, thrown or dereferenced;
 *   <li>an argument of a method of the JDK that {@link Jdk} does not list.
 * </ul>
 */
final class Flow extends Interpreter<Value> {

    private final Analysis analysis;
    private final Heap heap;
    private final Program program;
    private final Method method;
    private final List<Value> arguments;
    private final String context;
    private Value returned;

    Flow(Analysis analysis, Method method, List<Value> arguments) {
        super(Opcodes.ASM9);
        this.analysis = analysis;
        this.heap = analysis.heap();
        this.program = analysis.program();
        this.method = method;
        this.arguments = arguments;
        this.context = context(method, arguments);
    }

    /** What the method returns; null if it never does, or returns nothing. */
    Value run() {
        try {
            new Analyzer<>(this).analyze(method.owner().name, method.code());
        } catch (AnalyzerException e) {
            throw new IllegalStateException("cannot analyse " + method, e);
        }
        return returned;
    }

    /**
     * Tells objects made by one instruction apart: by where the maker's own object was made, or, in
     * a static method, where the objects were made that it was given.
     */
    private static String context(Method method, List<Value> arguments) {
        Set<String> sites = new TreeSet<>();
        int own = method.isStatic() ? arguments.size() : 1;
        for (Value argument : arguments.subList(0, own)) {
            argument.objects().forEach(o -> sites.add(o.asContext()));
        }
        return String.join(",", sites);
    }

    // ---- findings ------------------------------------------------------------------------------

    private void mustBePublic(Value value, AbstractInsnNode insn, String what) {
        if (value.isSecret()) {
            analysis.report(method, insn, what + " depends on a secret", value.trace());
        }
    }

    /** Reports what names nothing that is known: no code can be followed from there. */
    void unknown(AbstractInsnNode insn, String what) {
        analysis.reportUnknown(method, insn, what);
    }

    Method method() {
        return method;
    }

    Analysis analysis() {
        return analysis;
    }

    // ---- where values come from ----------------------------------------------------------------

    @Override
    public Value newValue(Type type) {
        if (type == null) {
            return Value.UNSET;
        }
        return type == Type.VOID_TYPE ? null : Value.of(type);
    }

    @Override
    public Value newParameterValue(boolean isInstanceMethod, int local, Type type) {
        int slot = 0;
        for (Value argument : arguments) {
            if (slot == local) {
                return argument;
            }
            slot += argument.getSize();
        }
        throw new IllegalStateException(method + " has no parameter in local variable " + local);
    }

    @Override
    public Value newExceptionValue(
            TryCatchBlockNode block, Frame<Value> handler, Type exceptionType) {
        return analysis.caught(exceptionType.getInternalName());
    }

    private HeapObject make(String type, AbstractInsnNode insn) {
        return make(type, insn, null);
    }

    private HeapObject make(String type, AbstractInsnNode insn, Handle code) {
        if (!type.startsWith("[") && program.isSubtype(type, "java/lang/Throwable")) {
            // All of one class as one: a handler may catch any of them.
            return analysis.throwable(type);
        }
        String site = method.name() + ":" + method.code().instructions.indexOf(insn);
        return new HeapObject(type, site, context, code);
    }

    @Override
    public Value newOperation(AbstractInsnNode insn) {
        switch (insn.getOpcode()) {
            case ACONST_NULL:
                return Value.of(Type.getObjectType("java/lang/Object"));
            case LCONST_0, LCONST_1, DCONST_0, DCONST_1:
                return Value.of(Type.LONG_TYPE);
            case LDC:
                return constant(((LdcInsnNode) insn).cst);
            case GETSTATIC:
                FieldInsnNode field = (FieldInsnNode) insn;
                if (!program.has(field.owner) && !field.desc.startsWith("L")) {
                    return Value.of(Type.getType(field.desc));
                }
                if (!program.has(field.owner)) {
                    return Value.of(
                            new HeapObject(
                                    Type.getType(field.desc).getInternalName(),
                                    "static " + field.owner + "." + field.name, ""));
                }
                return loaded(
                        analysis.statics(field.owner, field.name), Heap.CONTENT,
                        Type.getType(field.desc), insn);
            case NEW:
                return Value.of(make(((TypeInsnNode) insn).desc, insn));
            default:
                return Value.word();
        }
    }

    private static Value constant(Object constant) {
        if (constant instanceof Long || constant instanceof Double) {
            return Value.of(Type.LONG_TYPE);
        }
        if (constant instanceof String text) {
            return Value.constant(Jdk.STRING, text);
        }
        if (constant instanceof Type || constant instanceof Handle
                || constant instanceof ConstantDynamic) {
            return Value.of(new HeapObject("java/lang/Object", "a constant", ""));
        }
        return Value.word();
    }

    // ---- operations ----------------------------------------------------------------------------

    @Override
    public Value copyOperation(AbstractInsnNode insn, Value value) {
        return value;
    }

    @Override
    public Value unaryOperation(AbstractInsnNode insn, Value value) {
        switch (insn.getOpcode()) {
            case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE:
                mustBePublic(value, insn, "a branch");
                return null;
            case IFNULL, IFNONNULL:
                mustBePublic(value, insn, "a branch on null");
                return null;
            case TABLESWITCH, LOOKUPSWITCH:
                mustBePublic(value, insn, "a switch");
                return null;
            case PUTSTATIC:
                FieldInsnNode target = (FieldInsnNode) insn;
                store(analysis.statics(target.owner, target.name), Heap.CONTENT, value, insn);
                return null;
            case GETFIELD:
                FieldInsnNode field = (FieldInsnNode) insn;
                mustBePublic(value, insn, "which object a field is read from");
                return loaded(value, field.name, Type.getType(field.desc), insn);
            case NEWARRAY:
                mustBePublic(value, insn, "the length of a new array");
                return Value.of(make(primitiveArray(((IntInsnNode) insn).operand), insn));
            case ANEWARRAY:
                mustBePublic(value, insn, "the length of a new array");
                Type element = Type.getObjectType(((TypeInsnNode) insn).desc);
                return Value.of(make("[" + element.getDescriptor(), insn));
            case ARRAYLENGTH:
                mustBePublic(value, insn, "which array's length is read");
                return Value.word();
            case ATHROW:
                mustBePublic(value, insn, "which exception is thrown");
                return null;
            case CHECKCAST:
                mustBePublic(value, insn, "a cast");
                return cast(value, ((TypeInsnNode) insn).desc);
            case INSTANCEOF:
                mustBePublic(value, insn, "a test of a class");
                return Value.word();
            case MONITORENTER, MONITOREXIT:
                mustBePublic(value, insn, "which object is locked");
                return null;
            case FNEG, DNEG, I2F, I2D, L2F, L2D, F2I, F2L, F2D, D2I, D2L, D2F:
                mustBePublic(value, insn, "an operation on floats");
                return ofSize(insn, value);
            case I2L, L2I:
                return ofSize(insn, value);
            default:
                return value;
        }
    }

    private static Value ofSize(AbstractInsnNode insn, Value value) {
        boolean wide =
                switch (insn.getOpcode()) {
                    case I2L, I2D, L2D, F2L, F2D, D2L, DNEG -> true;
                    default -> false;
                };
        return Value.of(wide ? Type.LONG_TYPE : Type.INT_TYPE).with(value.trace());
    }

    private static String primitiveArray(int operand) {
        return switch (operand) {
            case T_BOOLEAN -> "[Z";
            case T_CHAR -> "[C";
            case T_FLOAT -> "[F";
            case T_DOUBLE -> "[D";
            case T_BYTE -> "[B";
            case T_SHORT -> "[S";
            case T_INT -> "[I";
            default -> "[J";
        };
    }

    private Value cast(Value value, String type) {
        Set<HeapObject> fitting = new HashSet<>();
        for (HeapObject object : value.objects()) {
            if (program.isSubtype(object.type(), type)) {
                fitting.add(object);
            } else if (!program.has(object.type()) && !object.isArray() && !program.has(type)) {
                // What the JDK gave as an Object: of the class it is cast to.
                HeapObject same = new HeapObject(type, object.site(), object.context());
                Value content = heap.load(object, Heap.CONTENT);
                if (content != null) {
                    heap.store(same, Heap.CONTENT, content);
                }
                fitting.add(same);
            }
        }
        return value.onlyObjects(fitting);
    }

    @Override
    public Value binaryOperation(AbstractInsnNode insn, Value a, Value b) {
        switch (insn.getOpcode()) {
            case IALOAD, BALOAD, CALOAD, SALOAD, FALOAD:
                return element(a, b, Type.INT_TYPE, insn);
            case LALOAD, DALOAD:
                return element(a, b, Type.LONG_TYPE, insn);
            case AALOAD:
                return element(a, b, Type.getObjectType("java/lang/Object"), insn);
            case IDIV, IREM, LDIV, LREM:
                mustBePublic(a, insn, "a division's dividend");
                mustBePublic(b, insn, "a division's divisor");
                return a.join(b);
            case FADD, FSUB, FMUL, FDIV, FREM, DADD, DSUB, DMUL, DDIV, DREM:
                mustBePublic(a.join(b), insn, "an operation on floats");
                return a.join(b);
            case LCMP, FCMPL, FCMPG, DCMPL, DCMPG:
                mustBePublic(a.join(b), insn, "a comparison of longs or floats");
                return Value.word().with(a.join(b).trace());
            case ISHL, ISHR, IUSHR, LSHL, LSHR, LUSHR:
                mustBePublic(b, insn, "the amount of a shift");
                return a.with(b.trace());
            case IF_ICMPEQ, IF_ICMPNE, IF_ICMPLT, IF_ICMPGE, IF_ICMPGT, IF_ICMPLE:
                mustBePublic(a.join(b), insn, "a branch");
                return null;
            case IF_ACMPEQ, IF_ACMPNE:
                mustBePublic(a.join(b), insn, "a branch on which object it is");
                return null;
            case PUTFIELD:
                mustBePublic(a, insn, "which object a field is stored into");
                store(a, ((FieldInsnNode) insn).name, b, insn);
                return null;
            default:
                return a.join(b);
        }
    }

    private Value element(Value array, Value index, Type type, AbstractInsnNode insn) {
        mustBePublic(index, insn, "an array index");
        mustBePublic(array, insn, "which array is read");
        Value value = loaded(array, Heap.ELEMENTS, type, insn).with(index.trace());
        if (insn.getOpcode() != AALOAD) {
            analysis.read(method, insn, value.isSecret());
        }
        return value;
    }

    @Override
    public Value ternaryOperation(AbstractInsnNode insn, Value array, Value index, Value value) {
        mustBePublic(index, insn, "an array index");
        mustBePublic(array, insn, "which array is stored into");
        store(array, Heap.ELEMENTS, value, insn);
        return null;
    }

    private Value loaded(Value from, String place, Type type, AbstractInsnNode insn) {
        Value all = Value.of(type);
        for (HeapObject object : from.objects()) {
            Value one = heap.load(object, place);
            if (one != null) {
                all = all.join(one.as(type));
            }
        }
        return all.via(() -> "loaded at " + method.at(insn));
    }

    private void store(Value to, String place, Value value, AbstractInsnNode insn) {
        Value stored = value.via(() -> "stored at " + method.at(insn));
        for (HeapObject object : to.objects()) {
            heap.store(object, place, stored);
        }
    }

    @Override
    public void returnOperation(AbstractInsnNode insn, Value value, Value expected) {
        returned = returned == null ? value : returned.join(value);
    }

    @Override
    public Value merge(Value a, Value b) {
        return a.join(b);
    }

    // ---- calls ---------------------------------------------------------------------------------

    @Override
    public Value naryOperation(AbstractInsnNode insn, List<? extends Value> values) {
        if (insn instanceof MultiANewArrayInsnNode array) {
            return manyDimensions(array, values);
        }
        List<Value> given = new ArrayList<>(values);
        if (insn instanceof InvokeDynamicInsnNode dynamic) {
            return dynamic(dynamic, given);
        }
        MethodInsnNode call = (MethodInsnNode) insn;
        return call(call.getOpcode(), call.owner, call.name, call.desc, given, insn);
    }

    private Value manyDimensions(MultiANewArrayInsnNode insn, List<? extends Value> lengths) {
        lengths.forEach(n -> mustBePublic(n, insn, "the length of a new array"));
        HeapObject outer = make(insn.desc, insn);
        HeapObject array = outer;
        for (int i = 1; i < insn.dims; i++) {
            HeapObject inner =
                    new HeapObject(array.type().substring(1), outer.site() + "." + i, context);
            heap.store(array, Heap.ELEMENTS, Value.of(inner));
            array = inner;
        }
        return Value.of(outer);
    }

    /** A call of a method, by an instruction or through a method reference. */
    private Value call(
            int opcode, String owner, String name, String desc, List<Value> given,
            AbstractInsnNode insn) {
        Type result = Type.getReturnType(desc);
        if (opcode == INVOKESTATIC) {
            Method target = program.find(owner, name, desc);
            return target == null
                    ? analysis.jdk().call(this, insn, owner, name, desc, true, given)
                    : into(target, given, result, insn);
        }
        Value receiver = given.get(0);
        mustBePublic(receiver, insn, "which object is called");
        if (opcode == INVOKESPECIAL) {
            Method target = program.find(owner, name, desc);
            return target == null
                    ? analysis.jdk().call(this, insn, owner, name, desc, false, given)
                    : into(target, given, result, insn);
        }
        Value all = null;
        Set<HeapObject> jdks = new HashSet<>();
        for (HeapObject object : receiver.objects()) {
            List<Value> bound = new ArrayList<>(given);
            bound.set(0, receiver.onlyObjects(Set.of(object)));
            if (object.code() != null && isAbstract(owner, name, desc)) {
                all = either(all, lambda(object, bound, result, insn));
                continue;
            }
            Method target = program.find(object.type(), name, desc);
            if (target != null) {
                all = either(all, into(target, bound, result, insn));
            } else {
                jdks.add(object);
            }
        }
        if (declares(owner, name, desc)) {
            if (all == null && result != Type.VOID_TYPE) {
                all = Value.of(result);
            }
            // No object at all is null: the call throws, whatever is secret.
            if (!jdks.isEmpty()) {
                unknown(insn, "calls " + owner + "." + name + " on an object of unknown class");
            }
            return all;
        }
        if (!jdks.isEmpty() || receiver.objects().isEmpty()) {
            List<Value> bound = new ArrayList<>(given);
            bound.set(0, receiver.onlyObjects(jdks));
            all = either(all, analysis.jdk().call(this, insn, owner, name, desc, false, bound));
        }
        return all;
    }

    private boolean isAbstract(String owner, String name, String desc) {
        return program.find(owner, name, desc) == null;
    }

    /** Whether a class of ours has this method, abstract or not. */
    private boolean declares(String owner, String name, String desc) {
        return program.supertypes(owner).stream()
                .filter(program::has)
                .flatMap(t -> program.get(t).methods.stream())
                .anyMatch(m -> m.name.equals(name) && m.desc.equals(desc));
    }

    private static Value either(Value a, Value b) {
        return a == null ? b : b == null ? a : a.join(b);
    }

    private Value into(Method target, List<Value> given, Type result, AbstractInsnNode insn) {
        Value value = analysis.call(this, insn, target, given);
        if (result == Type.VOID_TYPE) {
            return null;
        }
        return value == null ? Value.of(result) : value;
    }

    private Value dynamic(InvokeDynamicInsnNode insn, List<Value> given) {
        String factory = insn.bsm.getOwner();
        if (factory.equals("java/lang/invoke/LambdaMetafactory")) {
            String type = Type.getReturnType(insn.desc).getInternalName();
            HeapObject lambda = make(type, insn, (Handle) insn.bsmArgs[1]);
            for (int i = 0; i < given.size(); i++) {
                heap.store(
                        lambda, "captured " + i,
                        given.get(i).via(() -> "captured at " + method.at(insn)));
            }
            return Value.of(lambda);
        }
        return analysis.jdk().call(
                this, insn, factory, insn.bsm.getName(), insn.desc, true, given);
    }

    /** Runs a lambda or a method reference; the first value given is the lambda itself. */
    Value lambda(HeapObject lambda, List<Value> given, Type result, AbstractInsnNode insn) {
        List<Value> values = analysis.captured(lambda);
        values.addAll(given.subList(1, given.size()));
        Handle code = lambda.code();
        int opcode =
                switch (code.getTag()) {
                    case H_INVOKESTATIC -> INVOKESTATIC;
                    case H_INVOKEINTERFACE -> INVOKEINTERFACE;
                    case H_INVOKEVIRTUAL -> INVOKEVIRTUAL;
                    default -> INVOKESPECIAL;
                };
        Value made = null;
        if (code.getTag() == H_NEWINVOKESPECIAL) {
            made = Value.of(make(code.getOwner(), insn));
            values.add(0, made);
        }
        Value value =
                call(opcode, code.getOwner(), code.getName(), code.getDesc(),
                        adapted(code, opcode, values, insn), insn);
        if (made != null) {
            return made;
        }
        if (result == Type.VOID_TYPE) {
            return null;
        }
        return value == null ? Value.of(result) : boxed(value, result, insn);
    }

    /** Between a functional interface and its code the JVM boxes and unboxes. */
    private List<Value> adapted(
            Handle code, int opcode, List<Value> values, AbstractInsnNode insn) {
        List<Type> types = new ArrayList<>(List.of(Type.getArgumentTypes(code.getDesc())));
        if (opcode != INVOKESTATIC) {
            types.add(0, Type.getObjectType(code.getOwner()));
        }
        List<Value> adapted = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            adapted.add(boxed(values.get(i), types.get(i), insn));
        }
        return adapted;
    }

    private Value boxed(Value value, Type type, AbstractInsnNode insn) {
        boolean reference = type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
        if (reference == value.isReference()) {
            return reference || value.getSize() == type.getSize()
                    ? value
                    : Value.of(type).with(value.trace());
        }
        mustBePublic(value, insn, "a boxed value");
        return reference ? Value.of(new HeapObject("java/lang/Object", "a box", "")) : Value.of(type);
    }
}
