import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads what the agent wrote, disassembles it with objdump, and says of every conditional jump which
 * bytecode it came from and what kind it is.
 *
 * <p>The rule: a conditional jump is explained if its bytecode may branch, fail, allocate or call
 * (whether a branch in the bytecode is public is the bytecode verifier's matter), or if it stands on
 * nothing but the state of the JVM: a safepoint poll, a method's entry barrier, an inline cache. A
 * jump at a bytecode that only computes is a finding: there a compiler made a branch of something
 * branch-free. So is a division, whatever it came from in these methods, and a table looked up by
 * vector instructions.
 *
 * <p>HotSpot keeps, for some addresses, the bytecodes that the code up to and at that address came
 * from. An instruction belongs to the first such address at or after its start.
 */
final class Jumps {

    /** A method in bytecode. */
    record Method(String holder, String name, String signature, byte[] code, int[][] lines) {

        int line(int bci) {
            int line = -1;
            for (int[] entry : lines) {
                if (entry[0] <= Math.max(bci, 0)) {
                    line = entry[1];
                }
            }
            return line;
        }

        String qualified() {
            return holder + "::" + name;
        }
    }

    /** A bytecode of a method. */
    record Place(Method method, int bci) {

        /** The opcode, or -1 for the entry of the method. */
        int opcode() {
            return bci < 0 || bci >= method.code().length ? -1 : method.code()[bci] & 0xFF;
        }

        @Override
        public String toString() {
            String what = bci < 0 ? "entry" : Opcodes.name(opcode());
            return method.qualified() + "@" + bci + " (line " + method.line(bci) + ", " + what + ")";
        }
    }

    /** What code up to and at an address came from, the innermost method first. */
    record Scope(long address, List<Place> places) {}

    /** A machine instruction; {@code target} is that of a direct jump or call, else 0. */
    record Instruction(long address, int length, String name, String operands, long target) {

        boolean conditional() {
            return name.startsWith("j") && !name.equals("jmp") || name.startsWith("loop");
        }

        long end() {
            return address + length;
        }

        @Override
        public String toString() {
            return name + " " + operands;
        }
    }

    /** A compiled method. */
    static final class Compiled {
        final Method method;
        final long address;
        final byte[] code;
        final List<Scope> scopes = new ArrayList<>();
        final List<Instruction> instructions = new ArrayList<>();
        final Map<Long, Integer> indices = new HashMap<>();

        Compiled(Method method, long address, byte[] code) {
            this.method = method;
            this.address = address;
            this.code = code;
        }

        /** The first scope at or after an address. */
        int scope(long pc) {
            int i = 0;
            while (i < scopes.size() && scopes.get(i).address() < pc) {
                i++;
            }
            return i;
        }
    }

    record Stub(String name, long address, int length) {}

    private final List<Method> methods = new ArrayList<>();
    private final List<Compiled> compiled = new ArrayList<>();
    private final List<Stub> stubs = new ArrayList<>();

    public static void main(String[] args) throws IOException, InterruptedException {
        Jumps jumps = new Jumps();
        jumps.read(Path.of(args[0]));
        Pattern wanted = Pattern.compile(args[1]);
        jumps.compiled.removeIf(c -> !wanted.matcher(c.method.qualified()).find());
        jumps.disassemble();
        TreeMap<String, Integer> counts = new TreeMap<>();
        for (Compiled c : jumps.compiled) {
            for (int i = 0; i < c.instructions.size(); i++) {
                Instruction j = c.instructions.get(i);
                if (!j.conditional()) continue;
                int s = c.scope(j.address());
                String op = s == c.scopes.size() ? "?" : c.scopes.get(s).places().get(0).opcode() < 0 ? "entry" : Opcodes.name(c.scopes.get(s).places().get(0).opcode());
                String slow = jumps.slow(c, j.target());
                if (slow == null) { String f = jumps.slow(c, j.end()); if (f != null) slow = "FALL " + f; }
                counts.merge(op + " | " + (slow == null ? (j.target() < j.address() ? "back" : "fwd") : slow) , 1, Integer::sum);
                if (args.length > 2 && (op + " | " + slow).matches(args[2])) {
                    System.out.println(c.method.qualified() + " " + Long.toHexString(j.address()) + " " + j + " <- " + c.instructions.get(i-1));
                    for (int k = s - 1; k < s + 2; k++) if (k >= 0 && k < c.scopes.size()) System.out.println("   " + Long.toHexString(c.scopes.get(k).address()) + " " + c.scopes.get(k).places());
                }
            }
        }
        counts.forEach((k, v) -> System.out.println(v + " " + k));
    }

    /** The stub that the code from an address runs into without another decision, or null. */
    private String slow(Compiled c, long from) {
        long pc = from;
        for (int steps = 0; steps < 80; steps++) {
            Integer at = c.indices.get(pc);
            if (at == null) {
                return stub(pc);
            }
            Instruction i = c.instructions.get(at);
            if (i.name().equals("jmp") && i.target() != 0) {
                pc = i.target();
                continue;
            }
            if (i.name().equals("call")) {
                return i.target() == 0 || c.indices.containsKey(i.target()) ? null : stub(i.target());
            }
            if (i.conditional() || i.name().startsWith("ret") || i.name().equals("jmp") || i.name().equals("hlt")) {
                return null;
            }
            pc = i.end();
        }
        return null;
    }

    private String stub(long pc) {
        for (Stub s : stubs) {
            if (pc >= s.address() && pc < s.address() + s.length()) {
                return s.name();
            }
        }
        return null;
    }

    private void read(Path dump) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(dump)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] f = line.split("\t", -1);
                switch (f[0]) {
                    case "M" -> {
                        String holder = f[2].startsWith("L") ? f[2].substring(1, f[2].length() - 1) : f[2];
                        methods.add(new Method(holder.replace('/', '.'), f[3], f[4], HexFormat.of().parseHex(f[5]), pairs(f[6])));
                    }
                    case "S" -> stubs.add(new Stub(f[1], Long.parseLong(f[2], 16), Integer.parseInt(f[3])));
                    case "C" -> compiled.add(new Compiled(methods.get(Integer.parseInt(f[1])), Long.parseLong(f[2], 16), HexFormat.of().parseHex(f[3])));
                    case "P" -> {
                        List<Place> places = new ArrayList<>();
                        for (int[] p : pairs(f[2])) places.add(new Place(methods.get(p[0]), p[1]));
                        compiled.get(compiled.size() - 1).scopes.add(new Scope(Long.parseLong(f[1], 16), places));
                    }
                    default -> throw new IOException("not a record: " + line);
                }
            }
        }
    }

    private static int[][] pairs(String text) {
        return text.isEmpty() ? new int[0][] : Arrays.stream(text.split(",")).map(p -> Arrays.stream(p.split(":")).mapToInt(Integer::parseInt).toArray()).toArray(int[][]::new);
    }

    /** All methods in one run of objdump, parted by instructions of one byte. */
    private void disassemble() throws IOException, InterruptedException {
        int gap = 16;
        Path raw = Files.createTempFile("machinecode", ".bin");
        TreeMap<Long, Compiled> starts = new TreeMap<>();
        try (var out = Files.newOutputStream(raw)) {
            long offset = 0;
            byte[] nops = new byte[gap];
            Arrays.fill(nops, (byte) 0x90);
            for (Compiled c : compiled) {
                starts.put(offset, c);
                out.write(c.code);
                out.write(nops);
                offset += c.code.length + gap;
            }
        }
        Process p = new ProcessBuilder("objdump", "-D", "-z", "-w", "-b", "binary", "-m", "i386:x86-64", "-M", "intel", raw.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Pattern shape = Pattern.compile("^\\s*([0-9a-f]+):\\t([0-9a-f ]+?)\\s*\\t(\\S+)\\s*(.*)$");
        try (var lines = new BufferedReader(new InputStreamReader(p.getInputStream()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                var m = shape.matcher(line);
                if (!m.matches()) continue;
                long at = Long.parseLong(m.group(1), 16);
                Map.Entry<Long, Compiled> start = starts.floorEntry(at);
                Compiled c = start.getValue();
                long inside = at - start.getKey();
                if (inside >= c.code.length) continue;
                String name = m.group(3), operands = m.group(4).replaceAll("\\s*#.*", "");
                while (name.matches("data16|cs|ds|es|rex.*|bnd|repz|rep|lock|notrack")) { String[] t = operands.split("\\s+", 2); if (t[0].isEmpty()) break; name = t[0]; operands = t.length > 1 ? t[1] : ""; }
                long target = 0;
                if ((name.startsWith("j") || name.equals("call")) && operands.startsWith("0x")) target = Long.parseUnsignedLong(operands.substring(2), 16) - start.getKey() + c.address;
                int length = m.group(2).split(" ").length;
                c.indices.put(c.address + inside, c.instructions.size());
                c.instructions.add(new Instruction(c.address + inside, length, name, operands, target));
            }
        }
        p.waitFor();
        for (Compiled c : compiled) for (Scope s : c.scopes) if (!c.indices.containsKey(s.address())) System.out.println("NOT ON BOUNDARY " + c.method.qualified() + " " + Long.toHexString(s.address()));
    }

    static final class Opcodes {
        private static final String[] NAMES = ("nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload saload istore lstore fstore dstore astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch ireturn lreturn freturn dreturn areturn return getstatic putstatic getfield putfield invokevirtual invokespecial invokestatic invokeinterface invokedynamic new newarray anewarray arraylength athrow checkcast instanceof monitorenter monitorexit wide multianewarray ifnull ifnonnull goto_w jsr_w").split(" ");
        static String name(int opcode) { return opcode < NAMES.length ? NAMES[opcode] : "op" + opcode; }
    }
}
