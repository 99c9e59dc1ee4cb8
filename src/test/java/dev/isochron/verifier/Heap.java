package dev.isochron.verifier;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What every object holds, whenever it holds it: a place only ever gains values, so the order of
 * stores and loads does not matter, and wiping an array does not make it public.
 */
final class Heap {

    /** The elements of an array. */
    static final String ELEMENTS = "[]";

    /** What an object of the JDK was given, or gives. */
    static final String CONTENT = "*";

    private final Map<HeapObject, Map<String, Value>> places = new HashMap<>();
    private boolean changed;

    /** The value at a place, or null if nothing was stored there. */
    Value load(HeapObject object, String place) {
        return places.getOrDefault(object, Map.of()).get(place);
    }

    void store(HeapObject object, String place, Value value) {
        Map<String, Value> fields = places.computeIfAbsent(object, o -> new HashMap<>());
        Value before = fields.get(place);
        Value after = before == null ? value : before.join(value);
        if (!after.equals(before)) {
            fields.put(place, after);
            changed = true;
        }
    }

    /** Whether a place has gained anything since the last call. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** All objects that were ever stored into. */
    Set<HeapObject> objects() {
        return Set.copyOf(places.keySet());
    }

    /** How a secret can be reached from these objects, or null if none can. */
    Trace secretIn(Set<HeapObject> from) {
        Set<HeapObject> seen = new HashSet<>(from);
        Deque<HeapObject> left = new ArrayDeque<>(from);
        while (!left.isEmpty()) {
            HeapObject object = left.remove();
            for (Map.Entry<String, Value> field :
                    places.getOrDefault(object, Map.of()).entrySet()) {
                Value value = field.getValue();
                if (value.isSecret()) {
                    return value.trace();
                }
                for (HeapObject next : value.objects()) {
                    if (seen.add(next)) {
                        left.add(next);
                    }
                }
            }
        }
        return null;
    }
}
