import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Lists the conditional jumps of compiled methods and explains each, from what it runs into, from the
 * bytecode it came from, and from what decides it.
 *
 * <p>The rule: a jump that data decides must come from a bytecode that branches, or from the expression
 * that feeds one, for the verifier of the bytecode has shown those public. At a bytecode that computes
 * something else a compiler made a branch of what had none: a finding. Whether data decides it, {@link
 * Flow} says. A jump that data does not decide is explained by its kind. A division of data is a
 * finding, and so is a load of vector lanes from computed addresses.
 */
final class Jumps {

    /** Kinds of conditional jumps, and why each is public. */
    enum Kind {
        INLINE_CACHE("inline cache: is the receiver's class the expected one"),
        ENTRY_BARRIER("entry barrier of a method: is its code still to be used"),
        SAFEPOINT("safepoint poll: does the JVM want this thread to stop"),
        RANGE_CHECK("array index against length, or array against null"),
        NULL_OR_TYPE("reference against null or a class"),
        UNREACHED("branch of the source whose one side was never taken so far"),
        PREDICATE("check moved out of a loop: of a range, a limit, a class or null"),
        LOOP_END("end of a loop: counter against limit, backward"),
        LOOP_GUARD("loop split into pre-, main and post-loop or unrolled: counter against limit"),
        BRANCH("branch of the source"),
        ALLOCATION("allocation: is there room; zeroing, a loop over the length"),
        GC_BARRIER("barrier of the garbage collector at a store of a reference"),
        MONITOR("lock"),
        CALL("call: of an intrinsic, or which method a receiver has"),
        COUNTER("counter of calls and loops, for the JIT"),
        EXCEPTION("exception on its way to a handler"),
        DIVISION("division: by zero, or of the smallest integer by -1"),
        BOOKKEEPING("lengths, references, classes; the JVM names a neighbouring bytecode"),
        UNEXPLAINED("decided by data at a bytecode that only computes");

        final String why;

        Kind(String why) {
            this.why = why;
        }
    }

    /** Kinds that the JVM decides from 64-bit values of its own, which {@link Flow} takes for data. */
    private static final Set<Kind> OF_THE_JVM =
            EnumSet.of(
                    Kind.MONITOR, Kind.GC_BARRIER, Kind.ALLOCATION, Kind.CALL, Kind.EXCEPTION,
                    Kind.NULL_OR_TYPE);

    /** A jump, explained. */
    private record Explained(Kind kind, boolean data, Dump.Instruction jump, Dump.Scope scope) {}

    private static final Pattern TRAP =
            Pattern.compile("UncommonTrapBlob|.*(deoptimize|predicate_failed_trap).*");
    private static final Pattern ENDLESS =
            Pattern.compile("UncommonTrapBlob|.*(throw_|deoptimize|predicate_failed_trap).*");
    private static final Pattern WIDE =
            Pattern.compile("v?p(x?or|and|andn|add|sub|s[lr][la]|shuf|mul|ternlog|rol|ror|unpck).*");

    private final Dump dump;
    private final PrintStream details;
    /** What must have been compiled, by itself or as part of a caller, or the run shows nothing. */
    private static final String[] KERNELS = {
        "PermuteEngine::encrypt", "PermuteEngine::decrypt", "Tower::", "QuadKernel::encrypt",
        "QuadKernel::decrypt", "LaneKernel::encrypt", "LaneKernel::decrypt", "Bitslice::",
        "RoundKeys::expand", "Ghash::multiply", "Ghash::absorbPairs", "GhashLanes::", "Clmul::",
        "CbcMac::", "Cmac", "Verdict::accept", "Bytes::difference", "Pkcs7::difference",
        "Stealing$",
        "Xts$Tweaks::", "Ocb$Message::", "Ocb$Offset::", "Eax$Message::", "Ccm$Message::", "Gcm$Message::",
        "Cfb$", "Cfb8$", "Ofb$", "Cbc$", "CtrStream::", "BlockTransform::",
    };

    private final Set<String> seen = new HashSet<>();
    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final Map<String, Integer> dataBranches = new TreeMap<>();
    private final List<String> findings = new ArrayList<>();
    private final List<String> controls = new ArrayList<>();
    private final List<String> controlBranches = new ArrayList<>();
    private int bytes;
    private int moves;
    private int vectorized;

    private Jumps(Dump dump, PrintStream details) {
        this.dump = dump;
        this.details = details;
    }

    /**
     * @param args the agent's file, the label of the run, a regular expression of methods, the file for
     *     the details
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Pattern wanted = Pattern.compile(args[2]);
        Dump dump =
                new Dump(
                        Path.of(args[0]),
                        name -> wanted.matcher(name).find() || name.startsWith("Controls::"));
        boolean failed;
        try (PrintStream details = new PrintStream(args[3])) {
            Jumps jumps = new Jumps(dump, details);
            for (Dump.Compiled c : dump.compiled) {
                jumps.explain(c);
            }
            failed = jumps.report(args[1]);
        }
        System.exit(failed ? 1 : 0);
    }

    private void explain(Dump.Compiled c) {
        for (Dump.Scope scope : c.scopes()) {
            scope.places().forEach(place -> see(place.method()));
        }
        Flow flow = new Flow(c, this::isEndless);
        boolean control = c.method.name.startsWith("Controls::");
        List<String> found = control ? controls : findings;
        List<Explained> jumps = new ArrayList<>();
        boolean vectors = false;
        int moved = 0;
        for (int i = 0; i < c.instructions.size(); i++) {
            Dump.Instruction at = c.instructions.get(i);
            Dump.Scope scope = c.scope(at);
            if (at.conditional()) {
                Explained explained = explain(c, i, flow.decides(i));
                jumps.add(explained);
                if (explained.kind() == Kind.UNEXPLAINED) {
                    found.add(where(c, at, scope));
                }
            } else if (at.name().matches("i?div") && flow.takesData(i)) {
                found.add(where(c, at, scope));
            } else if (at.name().matches("v?p?gather.*|v?p?scatter.*|pdep|pext|bs[fr]")) {
                found.add(where(c, at, scope));
            } else if (at.name().startsWith("cmov") || at.name().startsWith("set")) {
                moved++;
                if (!control && flow.decides(i)) {
                    String name = scope == null ? c.method.name : scope.place().method().name;
                    dataBranches.merge(name + " (conditional move or set)", 1, Integer::sum);
                }
            }
            vectors |= WIDE.matcher(at.name()).matches();
        }
        if (control) {
            jumps.stream()
                    .filter(Explained::data)
                    .forEach(e -> controlBranches.add(where(c, e.jump(), e.scope())));
        } else {
            bytes += c.code.length;
            moves += moved;
            vectorized += vectors ? 1 : 0;
            for (Explained e : jumps) {
                counts.merge(e.kind(), 1, Integer::sum);
                if (e.data() && e.kind() != Kind.UNEXPLAINED && !OF_THE_JVM.contains(e.kind())) {
                    String name =
                            e.scope() == null ? c.method.name : e.scope().place().method().name;
                    dataBranches.merge(name + " " + e.kind(), 1, Integer::sum);
                }
            }
        }
        print(c, jumps, moved, vectors);
    }

    /** C1 says too sparsely where its jumps came from: so look for their bytecodes as well. */
    private void see(Bytecode method) {
        if (seen.add(method.name + method.signature) && method.name.startsWith("dev.isochron.")) {
            method.hiddenBranches().forEach(place -> findings.add("in the bytecode: " + place));
        }
    }

    private boolean isEndless(Dump.Instruction i) {
        String stub = i.name().equals("call") && i.target() != 0 ? dump.stub(i.target()) : null;
        return stub != null && ENDLESS.matcher(stub).matches();
    }

    private void print(Dump.Compiled c, List<Explained> jumps, int moved, boolean vectors) {
        Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
        jumps.forEach(e -> kinds.merge(e.kind(), 1, Integer::sum));
        details.printf(
                "%s%s%n  %d bytes, %d instructions, %d conditional moves and sets, vectors: %s%n"
                        + "  %d conditional jumps %s%n",
                c.method.name, c.method.signature, c.code.length, c.instructions.size(), moved,
                vectors ? "yes" : "no", jumps.size(), kinds);
        for (Explained e : jumps) {
            details.printf(
                    "    %x %-36s %-12s %-13s%s %s%n",
                    e.jump().address(), c.before(e.jump()), e.jump(), e.kind(),
                    e.data() ? " DATA" : "", e.scope() == null ? "" : e.scope().place());
        }
    }

    private static String where(Dump.Compiled c, Dump.Instruction at, Dump.Scope scope) {
        return "%s %s in %s at %x, from %s"
                .formatted(
                        at.name(), at.operands(), c.method.name, at.address(),
                        scope == null ? "?" : scope.places());
    }

    private Explained explain(Dump.Compiled c, int index, boolean data) {
        Dump.Instruction jump = c.instructions.get(index);
        Dump.Scope scope = c.scope(jump);
        Bytecode.Sort sort = scope == null ? Bytecode.Sort.ENTRY : scope.place().sort();
        Slow slow = slow(c, jump.target());
        if (slow == null) {
            slow = slow(c, jump.end());
        }
        Kind kind = slow == null ? null : ofStub(slow);
        if (kind == null) {
            boolean stores =
                    scope != null
                            && scope.place().method().opcode(scope.place().bci()).startsWith("put");
            kind = ofBytecode(jump, sort, stores, data);
        }
        if (data && isUnexplained(c, scope, slow)) {
            kind = Kind.UNEXPLAINED;
        }
        return new Explained(kind, data, jump, scope);
    }

    /** Whether a jump on data comes from a bytecode that neither branches nor feeds a branch. */
    private static boolean isUnexplained(Dump.Compiled c, Dump.Scope scope, Slow slow) {
        if (scope == null) {
            // C1 names bytecodes sparsely, and none behind the last.
            return c.last() != null
                    && !c.last().place().method().branchesFrom(c.last().place().bci());
        }
        Bytecode.Place place = scope.place();
        if (place.method().feedsBranch(place.bci())) {
            return false;
        }
        List<Bytecode.Place> places = scope.places();
        if (place.sort() == Bytecode.Sort.RETURN && places.size() > 1) {
            // What an inlined method returned was chosen by a branch or goes into one of its caller.
            Bytecode.Place caller = places.get(1);
            if (place.method().returnsChoice(place.bci())
                    || caller.method().feedsBranch(caller.method().next(caller.bci()))) {
                return false;
            }
        }
        return switch (place.sort()) {
            case DIVIDE -> true;
            // Where the interpreter takes over is exact, unlike the scope of the jump.
            case COMPUTE -> slow == null || slow.scope() == null || computes(slow.scope());
            // These make no code that could jump: it is that of a neighbour.
            case MOVE, RETURN ->
                slow == null && c.neighbours(scope).stream().noneMatch(Jumps::branches);
            default -> false;
        };
    }

    private static boolean computes(Dump.Scope scope) {
        return scope.place().sort() == Bytecode.Sort.COMPUTE;
    }

    private static boolean branches(Dump.Scope scope) {
        Bytecode.Place place = scope.place();
        return place.sort() == Bytecode.Sort.BRANCH || place.method().feedsBranch(place.bci());
    }

    private static Kind ofBytecode(
            Dump.Instruction jump, Bytecode.Sort sort, boolean stores, boolean data) {
        boolean backward = jump.target() < jump.address();
        return switch (sort) {
            case BRANCH -> backward ? Kind.LOOP_END : Kind.BRANCH;
            case NEW -> Kind.ALLOCATION;
            case MONITOR -> Kind.MONITOR;
            case FIELD -> stores ? Kind.GC_BARRIER : data ? Kind.BRANCH : Kind.BOOKKEEPING;
            case CALL -> Kind.CALL;
            case TYPE -> Kind.NULL_OR_TYPE;
            case DIVIDE -> Kind.DIVISION;
            default ->
                data ? Kind.BRANCH : backward ? Kind.LOOP_GUARD : Kind.BOOKKEEPING;
        };
    }

    /** A stub of the JVM that code runs into, and where in the bytecode the JVM is then. */
    private record Slow(String stub, Dump.Scope scope) {}

    private static Kind ofStub(Slow slow) {
        String stub = slow.stub();
        Bytecode.Sort sort =
                slow.scope() == null ? Bytecode.Sort.ENTRY : slow.scope().place().sort();
        if (TRAP.matcher(stub).matches()) {
            return switch (sort) {
                case ARRAY -> Kind.RANGE_CHECK;
                case FIELD, CALL, TYPE, THROW -> Kind.NULL_OR_TYPE;
                case BRANCH -> Kind.UNREACHED;
                case DIVIDE -> Kind.DIVISION;
                default -> Kind.PREDICATE;
            };
        }
        String[][] kinds = {
            {"ic_miss", "INLINE_CACHE"}, {"method_entry_barrier", "ENTRY_BARRIER"},
            {"SafepointBlob", "SAFEPOINT"}, {"range_check|throw_index", "RANGE_CHECK"},
            {"null_pointer|class_cast|array_store|subtype|instance_of|patching", "NULL_OR_TYPE"},
            {"new_|multianewarray|init_check", "ALLOCATION"}, {"g1_", "GC_BARRIER"},
            {"monitor", "MONITOR"}, {"counter_overflow", "COUNTER"},
            {"exception_from|handle_exception|unwind|rethrow|ExceptionBlob", "EXCEPTION"},
            {"div0", "DIVISION"},
        };
        for (String[] kind : kinds) {
            if (Pattern.compile(kind[0]).matcher(stub).find()) {
                return Kind.valueOf(kind[1]);
            }
        }
        return null;
    }

    /** The stub that the code from an address on runs into without another decision, or null. */
    private Slow slow(Dump.Compiled c, long from) {
        long pc = from;
        for (int steps = 0; steps < 100; steps++) {
            int index = c.index(pc);
            if (index < 0) {
                String stub = dump.stub(pc);
                return stub == null ? null : new Slow(stub, null);
            }
            Dump.Instruction i = c.instructions.get(index);
            if (i.name().equals("call")) {
                String stub = i.target() == 0 ? null : dump.stub(i.target());
                return stub == null ? null : new Slow(stub, c.returnsTo(i));
            }
            boolean direct = i.name().equals("jmp") && i.target() != 0;
            if (i.conditional() || i.ends() && !direct) {
                return null;
            }
            pc = direct ? i.target() : i.end();
        }
        return null;
    }

    /** Prints the summary; returns whether it is a failure. */
    private boolean report(String label) {
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        System.out.printf(
                "%s: %d compiled methods, %d of them with vectors, %d bytes, %d conditional moves and"
                        + " sets, %d conditional jumps%n",
                label, dump.compiled.size(), vectorized, bytes, moves, all);
        counts.forEach(
                (kind, n) -> System.out.printf("  %6d %-13s %s%n", n, kind, kind.why));
        System.out.println("  decided by data:");
        dataBranches.forEach((place, n) -> System.out.printf("  %6d %s%n", n, place));
        for (String finding : findings) {
            System.out.println("  FINDING " + finding);
        }
        boolean blind = false;
        for (String kernel : KERNELS) {
            if (seen.stream().noneMatch(name -> name.contains(kernel))) {
                System.out.println("  BLIND: nothing was compiled of " + kernel);
                blind = true;
            }
        }
        for (String control : Controls.FINDINGS) {
            blind |= isBlind(control, controls);
        }
        for (String control : Controls.DATA) {
            blind |= isBlind(control, controlBranches);
        }
        return blind || !findings.isEmpty();
    }

    private static boolean isBlind(String control, List<String> found) {
        boolean fired = found.stream().anyMatch(f -> f.contains("Controls::" + control));
        if (!fired) {
            System.out.println("  BLIND: the control " + control + " did not fire");
        }
        return !fired;
    }
}
