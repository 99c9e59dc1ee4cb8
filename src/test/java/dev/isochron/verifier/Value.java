package dev.isochron.verifier;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.objectweb.asm.Type;

/**
 * What the analysis knows of a value in a local variable, on the operand stack, in a field or in an
 * array: whether it depends on a secret, and, for a reference, which objects it may name. A secret
 * reference is one whose identity depends on a secret; an array of secrets is a public reference to
 * an object with secret contents.
 */
final class Value implements org.objectweb.asm.tree.analysis.Value {

    /** What a local variable is before anything is stored in it. */
    static final Value UNSET = new Value('U', null, Set.of(), null);

    private static final Value WORD = new Value('I', null, Set.of(), null);
    private static final Value LONG = new Value('L', null, Set.of(), null);
    private static final Value NULL = new Value('A', null, Set.of(), null);

    private final char kind;
    private final Trace secret;
    private final Set<HeapObject> objects;
    private final String constant;

    private Value(char kind, Trace secret, Set<HeapObject> objects, String constant) {
        this.kind = kind;
        this.secret = secret;
        this.objects = objects;
        this.constant = constant;
    }

    /** A public value of this type; a reference is null. */
    static Value of(Type type) {
        return switch (type.getSort()) {
            case Type.LONG, Type.DOUBLE -> LONG;
            case Type.OBJECT, Type.ARRAY -> NULL;
            default -> WORD;
        };
    }

    static Value of(HeapObject object) {
        return new Value('A', null, Set.of(object), null);
    }

    static Value of(Collection<HeapObject> objects) {
        return new Value('A', null, Set.copyOf(objects), null);
    }

    static Value constant(HeapObject string, String constant) {
        return new Value('A', null, Set.of(string), constant);
    }

    static Value word() {
        return WORD;
    }

    /** The same value, now dependent on a secret unless {@code trace} is null. */
    Value with(Trace trace) {
        return trace == null || secret != null ? this : new Value(kind, trace, objects, constant);
    }

    /** The same value with the last step of its way told; unchanged if it is public. */
    Value via(Supplier<String> step) {
        return secret == null
                ? this
                : new Value(kind, secret.then(step.get()), objects, constant);
    }

    Value withoutSecret() {
        return new Value(kind, null, objects, constant);
    }

    /** What is known, as a value of this type. */
    Value as(Type type) {
        return new Value(of(type).kind, secret, objects, constant);
    }

    Value onlyObjects(Collection<HeapObject> some) {
        return new Value(kind, secret, Set.copyOf(some), constant);
    }

    boolean isSecret() {
        return secret != null;
    }

    /** How the secret came here; null for a public value. */
    Trace trace() {
        return secret;
    }

    boolean isReference() {
        return kind == 'A';
    }

    Set<HeapObject> objects() {
        return objects;
    }

    /** The text of a constant string, else null. */
    String constant() {
        return constant;
    }

    /**
     * What it may be if it may be either. Of two kinds: a local variable that is not used any more,
     * or a place that holds both; nothing that is known of either is lost.
     */
    Value join(Value other) {
        if (this == other || covers(other)) {
            return this;
        }
        Set<HeapObject> both = objects;
        if (!objects.containsAll(other.objects)) {
            both = new HashSet<>(objects);
            both.addAll(other.objects);
            both = Set.copyOf(both);
        }
        Trace trace = secret != null ? secret : other.secret;
        return new Value(
                kind == other.kind ? kind : 'U', trace, both, constantOfBoth(other));
    }

    private String constantOfBoth(Value other) {
        return constant != null && constant.equals(other.constant) ? constant : null;
    }

    private boolean covers(Value other) {
        return (kind == other.kind || kind == 'U')
                && (secret != null || other.secret == null)
                && objects.containsAll(other.objects)
                && (constant == null || constant.equals(other.constant));
    }

    @Override
    public int getSize() {
        return kind == 'L' ? 2 : 1;
    }

    /** Ways do not count: the same value may be reached by several. */
    @Override
    public boolean equals(Object o) {
        return o instanceof Value v
                && kind == v.kind
                && (secret == null) == (v.secret == null)
                && objects.equals(v.objects)
                && (constant == null ? v.constant == null : constant.equals(v.constant));
    }

    @Override
    public int hashCode() {
        return 31 * objects.hashCode() + kind + (secret == null ? 0 : 7);
    }

    @Override
    public String toString() {
        return kind + (secret == null ? "" : "!") + objects;
    }
}
