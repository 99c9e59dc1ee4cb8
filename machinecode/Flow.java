import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where data goes in a compiled method: from the places where machine code meets it (elements of
 * arrays, {@code long} and {@code byte} fields, {@code long} parameters) through registers, flags and
 * stack slots to the conditional jumps.
 *
 * <p>Machine code knows no types, so this goes by the shape of an access. Data is: what is loaded as
 * 8 or 16 bits, as 64 bits, or as a vector, and what is loaded as 32 bits for {@code iaload} or at
 * a scaled index, unless for {@code aaload}; {@code long} and {@code byte} parameters, and the {@code
 * int} of {@code Verdict}. Not data: other 32-bit loads, which are lengths, {@code int} fields, references and
 * classes; other {@code int} parameters, which are offsets and lengths; the JVM's thread object; what
 * calls return; the locals that code takes over from the interpreter in the midst of a loop.
 * Memory is not followed, for whatever comes back from it is judged again.
 */
final class Flow {

    private static final Pattern SLOT = Pattern.compile("\\[rsp(?:\\+0x([0-9a-f]+))?\\]");
    private static final Pattern NAME =
            Pattern.compile(
                    "\\b(r[a-z0-9]+|e[a-z]{2}|[xyz]mm\\d+|k\\d|[a-d][lhx]|[sd]il?|[sb]pl?)\\b");
    private static final Pattern SECRET_INTS = Pattern.compile("\\.Verdict::|^Controls::");
    private static final Pattern BASE = Pattern.compile("\\[([a-z0-9]+)[+\\]]");

    /** How many instructions before its use an address of the JVM is looked for. */
    private static final int WINDOW = 60;

    private static final int FLAGS = 0;
    private static final Set<Bytecode.Sort> FLAGGED =
            EnumSet.of(
                    Bytecode.Sort.FIELD, Bytecode.Sort.NEW, Bytecode.Sort.MONITOR, Bytecode.Sort.ENTRY);

    private final Dump.Compiled c;
    private final Map<String, Integer> numbers = new HashMap<>(Map.of("flags", FLAGS));
    private final boolean[][] before;

    /** The instructions that copy the interpreter's locals. */
    private final BitSet migrating;

    /** @param endless which calls never come back */
    Flow(Dump.Compiled c, Predicate<Dump.Instruction> endless) {
        this.c = c;
        migrating = migrations();
        before = new boolean[c.instructions.size()][];
        for (Dump.Instruction i : c.instructions) {
            for (String operand : i.operands()) {
                for (Matcher m = NAME.matcher(operand); m.find(); ) {
                    number(register(m.group(1)));
                }
                if (location(operand) != null) {
                    number(location(operand));
                }
            }
        }
        for (String implied : List.of("rax", "rdx", "rsi", "rcx", "r8", "r9", "rdi")) {
            number(implied);
        }
        boolean[] entry = new boolean[numbers.size() + 8];
        parameters(entry);
        Deque<Integer> work = new ArrayDeque<>();
        // The entry and the handlers of exceptions; the JVM does not say where those are.
        for (int i = 0; i < before.length; i++) {
            Dump.Instruction last = i == 0 ? null : c.instructions.get(i - 1);
            if (i == 0 || last.ends() || endless.test(last)) {
                before[i] = i == 0 ? entry.clone() : new boolean[entry.length];
                work.add(i);
            }
        }
        while (!work.isEmpty()) {
            int at = work.remove();
            Dump.Instruction i = c.instructions.get(at);
            boolean[] after = before[at].clone();
            step(i, after);
            if (!i.ends() && !endless.test(i) && at + 1 < before.length) {
                join(at + 1, after, work);
            }
            if (i.target() != 0 && c.index(i.target()) >= 0 && !i.name().equals("call")) {
                join(c.index(i.target()), after, work);
            }
        }
    }

    /** Whether data decides a conditional jump. */
    boolean decides(int jump) {
        return before[jump] != null && before[jump][FLAGS];
    }

    /** Whether an instruction reads data. */
    boolean takesData(int index) {
        Dump.Instruction i = c.instructions.get(index);
        boolean[] state = before[index];
        return state != null
                && (state[number("rax")] || i.operands().stream().anyMatch(o -> value(i, o, state)));
    }

    private void join(int at, boolean[] state, Deque<Integer> work) {
        if (before[at] == null) {
            before[at] = state.clone();
            work.add(at);
            return;
        }
        boolean grown = false;
        for (int i = 0; i < state.length; i++) {
            grown |= state[i] & !before[at][i];
            before[at][i] |= state[i];
        }
        if (grown) {
            work.add(at);
        }
    }

    /** HotSpot passes integers and references in rsi, rdx, rcx, r8, r9 and rdi, then on the stack. */
    private void parameters(boolean[] state) {
        String[] registers = {"rsi", "rdx", "rcx", "r8", "r9", "rdi"};
        Matcher m =
                Pattern.compile("\\[*(?:L[^;]*;|[ZBSCIJFD])")
                        .matcher(c.method.signature.replaceAll("\\).*", ""));
        List<String> types = new ArrayList<>();
        while (m.find()) {
            types.add(m.group());
        }
        int used = c.method.isStatic() ? 0 : 1;
        int floating = 0;
        for (String type : types) {
            if (type.equals("F") || type.equals("D")) {
                state[number("xmm" + floating++)] = true;
            } else if (used < registers.length) {
                state[number(registers[used++])] = type.matches(
                        SECRET_INTS.matcher(c.method.name).find() ? "[JBI]" : "[JB]");
            }
        }
    }

    /**
     * Marks where code that goes on in the midst of a loop copies the interpreter's locals: from a
     * buffer in rsi, without their types, behind the making of its frame and before the call that
     * frees the buffer, which is its argument.
     */
    private BitSet migrations() {
        BitSet marked = new BitSet();
        int frame = 0;
        int argument = -1;
        for (int k = 0; k < c.instructions.size(); k++) {
            String text = c.instructions.get(k).toString();
            if (text.startsWith("sub rsp,")) {
                frame = k;
                argument = -1;
            } else if (text.equals("mov rdi,rsi")) {
                argument = k;
            } else if (text.startsWith("call ")) {
                if (argument > frame && frame > 0 && k - frame < 100 && k - argument < 20) {
                    marked.set(frame, k);
                }
                argument = -1;
            }
        }
        return marked;
    }

    /**
     * Whether an operand was set shortly before to what can only be an address in the JVM: a class
     * that another class is compared with, or where the JVM counts what happens.
     */
    private boolean isAddress(Dump.Instruction at, String operand) {
        int index = c.index(at.address());
        for (int k = index - 1; k >= Math.max(0, index - WINDOW); k--) {
            Dump.Instruction i = c.instructions.get(k);
            if (i.operands().isEmpty() || !i.operands().get(0).equals(operand)) {
                continue;
            }
            if (i.name().equals("movabs")) {
                long constant = Long.parseUnsignedLong(i.operands().get(1).substring(2), 16);
                return constant >>> 28 != 0 && constant >>> 47 == 0;
            }
            boolean keeps =
                    i.name().equals("cmp")
                            || i.name().equals("lea") && i.operands().get(1).contains(operand);
            if (!keeps) {
                return false;
            }
        }
        return false;
    }

    private int number(String location) {
        return numbers.computeIfAbsent(location, l -> numbers.size());
    }

    private void step(Dump.Instruction i, boolean[] s) {
        String op = i.name();
        List<String> o = i.operands();
        int n = o.size();
        if (op.startsWith("nop") || op.startsWith("j") || op.equals("ret") || op.equals("hlt")
                || op.startsWith("prefetch") || op.endsWith("fence")) {
            return;
        }
        if (op.equals("call")) {
            for (Map.Entry<String, Integer> e : numbers.entrySet()) {
                if (!e.getKey().startsWith("[")) {
                    s[e.getValue()] = false;
                }
            }
            return;
        }
        boolean any = false;
        boolean sources = false;
        for (int k = 0; k < n; k++) {
            boolean value = value(i, o.get(k), s);
            any |= value;
            sources |= k > 0 && value;
        }
        if (op.matches("cmp|test|v?ptest|vtest..|v?u?comis.|bt|kortest.|ktest.")) {
            s[FLAGS] = any && o.stream().noneMatch(operand -> isAddress(i, operand));
        } else if (op.startsWith("set")) {
            put(o.get(0), s[FLAGS], s);
        } else if (op.startsWith("cmov")) {
            put(o.get(0), any | s[FLAGS], s);
        } else if (op.equals("pop") || op.equals("push")) {
            if (op.equals("pop")) {
                put(o.get(0), false, s);
            }
        } else if (op.matches("lea|movs?[xz]?d?|movabs|v?mov[a-z0-9]+|kmov.|rorx|[sr]a?[rh]lx|bswap")) {
            put(o.get(0), n == 1 ? any : sources, s);
        } else if (op.matches("x?chg|xadd|xchg")) {
            put(o.get(0), any, s);
            put(o.get(1), any, s);
            s[FLAGS] = any;
        } else if (op.matches("i?mul|i?div") && n == 1) {
            boolean all = any | s[number("rax")] | s[number("rdx")] & op.endsWith("div");
            put("rax", all, s);
            put("rdx", all, s);
            s[FLAGS] = all;
        } else if (op.equals("cmpxchg")) {
            // The third operand, what is stored on success, decides nothing.
            s[FLAGS] = s[number("rax")] | value(i, o.get(0), s);
            put("rax", s[FLAGS], s);
        } else if (op.equals("mulx")) {
            put(o.get(0), sources | s[number("rdx")], s);
            put(o.get(1), sources | s[number("rdx")], s);
        } else if (op.equals("cdq") || op.equals("cqo")) {
            put("rdx", s[number("rax")], s);
        } else if (op.matches("cdqe|cwde|movsb|stos.|movs[bwdq]|cpuid|rdtsc|leave|vzeroupper|emms")) {
            // Nothing that moves data from one place to another that is followed.
            return;
        } else if (n > 0) {
            boolean zero =
                    op.matches("xor|sub|v?pxor.?|v?xorp.")
                            && o.get(n - 1).equals(o.get(n - 2));
            boolean keeps = n <= 2 && !op.startsWith("v") || op.startsWith("vpternlog") || n == 1;
            boolean all = !zero && (keeps ? any : sources);
            all |= op.matches("adc|sbb|rc[lr]") && s[FLAGS];
            put(o.get(0), all, s);
            if (!op.startsWith("v") && !op.startsWith("p") && !op.equals("not")) {
                s[FLAGS] = all;
            }
        }
    }

    private void put(String operand, boolean data, boolean[] s) {
        String location = location(operand);
        if (location != null) {
            s[number(location)] = data;
        }
    }

    /** The register or stack slot that an operand is, or null. */
    private static String location(String operand) {
        if (operand.contains("[")) {
            Matcher m = SLOT.matcher(operand);
            return m.find() ? "[" + m.group(1) : null;
        }
        Matcher m = NAME.matcher(operand);
        return m.lookingAt() ? register(m.group(1)) : null;
    }

    /** The whole register that a part of it belongs to. */
    private static String register(String name) {
        if (name.matches("[xyz]mm\\d+")) {
            return "x" + name.substring(1);
        }
        if (name.matches("r\\d+[dwb]?")) {
            return name.replaceAll("[dwb]$", "");
        }
        if (name.matches("[re]?[a-d][xlh]")) {
            return "r" + name.replaceAll("^[re]", "").charAt(0) + "x";
        }
        if (name.matches("[re]?([sd]i|[sb]p)l?")) {
            return "r" + name.replaceAll("^[re]|l$", "");
        }
        return name;
    }

    private boolean value(Dump.Instruction i, String operand, boolean[] s) {
        if (!operand.contains("[")) {
            String location = location(operand);
            return location != null && s[number(location)];
        }
        if (i.name().equals("lea")) {
            boolean data = false;
            for (Matcher m = NAME.matcher(operand); m.find(); ) {
                data |= s[number(register(m.group(1)))];
            }
            return data;
        }
        String slot = location(operand);
        if (slot != null) {
            return s[number(slot)];
        }
        if (operand.contains("[rsi") && migrating.get(c.index(i.address()))) {
            return false;
        }
        // The header of an object: its lock, its class and, of an array, its length.
        if (operand.matches(".*\\[[a-z0-9]+(\\+0x[8c])?\\]")) {
            return false;
        }
        if (operand.contains("[r15") || operand.contains("[rsp") || operand.contains("[rip")) {
            return false;
        }
        // A lock: the JVM reaches its parts by a pointer that is 2 too large.
        if (operand.matches("QWORD PTR \\[[a-z0-9]+\\+0x[0-9a-f]*[6e]\\]")) {
            return false;
        }
        Matcher base = BASE.matcher(operand);
        if (base.find() && isAddress(i, base.group(1))) {
            return false;
        }
        Dump.Scope scope = c.scope(i);
        if (operand.startsWith("BYTE") || operand.startsWith("WORD")) {
            // A flag of the object, of its class or of the garbage collector.
            boolean flag =
                    scope == null
                            || FLAGGED.contains(scope.place().sort()) && !operand.contains("*");
            return !flag;
        }
        if (operand.startsWith("DWORD")) {
            String op =
                    scope == null ? "" : scope.place().method().opcode(scope.place().bci());
            return op.equals("iaload") || operand.contains("*4") && !op.equals("aaload");
        }
        return true;
    }
}
