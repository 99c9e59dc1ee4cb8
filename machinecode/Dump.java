import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the agent wrote, disassembled by objdump. */
final class Dump {

    /** Bytes between two methods in the file for objdump, each an instruction. */
    private static final int GAP = 16;

    private static final byte NOP = (byte) 0x90;

    /**
     * Where C1 did not know a class yet, it puts a jump over the first half of the instruction that
     * loads its address; the second half is zeros, which objdump would take for code.
     */
    private static final Pattern PATCHED = Pattern.compile("\\G((?:..)*?e9.{8})0{10}");

    private static final String REPAIRED = "$19090909090";

    private static final Pattern LINE =
            Pattern.compile("\\s*([0-9a-f]+):\\t([0-9a-f ]+?)\\s*\\t(.*?)\\s*(#.*)?");

    private static final Pattern PREFIX =
            Pattern.compile("(data16|cs|ds|es|ss|lock|repn?z|rep|bnd|notrack|rex\\S*)\\s+(?=\\S)");

    /** A machine instruction; {@code target} is that of a direct jump or call, else 0. */
    record Instruction(long address, int length, String name, List<String> operands, long target) {

        boolean conditional() {
            return name.startsWith("j") && !name.equals("jmp") || name.startsWith("loop");
        }

        /** Whether what follows is not reached from here. */
        boolean ends() {
            return name.equals("jmp") || name.equals("ret") || name.equals("hlt")
                    || name.equals("ud2");
        }

        long end() {
            return address + length;
        }

        @Override
        public String toString() {
            return name + " " + String.join(",", operands);
        }
    }

    /**
     * What code came from: the code up to and at an address, behind the previous such address. The
     * innermost method comes first.
     */
    record Scope(long address, List<Bytecode.Place> places) {

        Bytecode.Place place() {
            return places.get(0);
        }
    }

    /** A compiled method. */
    static final class Compiled {

        final Bytecode method;
        final long address;
        final byte[] code;
        final List<Instruction> instructions = new ArrayList<>();
        private final TreeMap<Long, Scope> scopes = new TreeMap<>();
        private final Map<Long, Integer> indices = new HashMap<>();

        Compiled(Bytecode method, long address, byte[] code) {
            this.method = method;
            this.address = address;
            this.code = code;
        }

        /** The index of the instruction at an address, or -1. */
        int index(long at) {
            return indices.getOrDefault(at, -1);
        }

        /** The instruction before another, as text. */
        String before(Instruction instruction) {
            int index = index(instruction.address());
            return index == 0 ? "" : instructions.get(index - 1).toString();
        }

        /** What an instruction came from, or null if the JVM does not say. */
        Scope scope(Instruction instruction) {
            Map.Entry<Long, Scope> entry = scopes.ceilingEntry(instruction.address());
            return entry == null ? null : entry.getValue();
        }

        Collection<Scope> scopes() {
            return scopes.values();
        }

        /** The scopes before and behind one. */
        List<Scope> neighbours(Scope scope) {
            List<Scope> found = new ArrayList<>();
            for (Map.Entry<Long, Scope> entry :
                    Arrays.asList(
                            scopes.lowerEntry(scope.address()),
                            scopes.higherEntry(scope.address()))) {
                if (entry != null) {
                    found.add(entry.getValue());
                }
            }
            return found;
        }

        /** What the last code whose origin the JVM knows came from, or null if it knows none. */
        Scope last() {
            return scopes.isEmpty() ? null : scopes.lastEntry().getValue();
        }

        /** Where the interpreter goes on if this call does not come back, or null. */
        Scope returnsTo(Instruction call) {
            return scopes.get(call.end());
        }
    }

    private record Stub(String name, int length) {}

    final List<Compiled> compiled = new ArrayList<>();
    private final List<Bytecode> methods = new ArrayList<>();
    private final TreeMap<Long, Stub> stubs = new TreeMap<>();

    /** Reads a dump and keeps the methods whose name is wanted. */
    Dump(Path file, Predicate<String> wanted) throws IOException, InterruptedException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                read(line.split("\t", -1));
            }
        }
        compiled.removeIf(c -> !wanted.test(c.method.name));
        disassemble();
    }

    private void read(String[] f) throws IOException {
        switch (f[0]) {
            case "M" -> {
                String holder = f[2].replaceAll("^L|;$", "").replace('/', '.');
                methods.add(
                        new Bytecode(
                                holder + "::" + f[3],
                                f[4],
                                Integer.parseInt(f[5]),
                                HexFormat.of().parseHex(f[6]),
                                pairs(f[7])));
            }
            case "S" -> stubs.put(hex(f[2]), new Stub(f[1], Integer.parseInt(f[3])));
            case "C" ->
                compiled.add(
                        new Compiled(
                                methods.get(Integer.parseInt(f[1])),
                                hex(f[2]),
                                HexFormat.of().parseHex(PATCHED.matcher(f[3]).replaceAll(REPAIRED))));
            case "P" -> {
                List<Bytecode.Place> places = new ArrayList<>();
                for (int[] pair : pairs(f[2])) {
                    places.add(new Bytecode.Place(methods.get(pair[0]), pair[1]));
                }
                if (!places.isEmpty()) {
                    Compiled last = compiled.get(compiled.size() - 1);
                    last.scopes.put(hex(f[1]), new Scope(hex(f[1]), places));
                }
            }
            default -> throw new IOException("no such record: " + f[0]);
        }
    }

    private static long hex(String text) {
        return Long.parseUnsignedLong(text, 16);
    }

    private static int[][] pairs(String text) {
        return Arrays.stream(text.split(","))
                .filter(pair -> !pair.isEmpty())
                .map(pair -> Arrays.stream(pair.split(":")).mapToInt(Integer::parseInt).toArray())
                .toArray(int[][]::new);
    }

    /** The name of the JVM's stub at an address, or null. */
    String stub(long at) {
        Map.Entry<Long, Stub> entry = stubs.floorEntry(at);
        return entry != null && at < entry.getKey() + entry.getValue().length()
                ? entry.getValue().name()
                : null;
    }

    /** All methods in one run of objdump. */
    private void disassemble() throws IOException, InterruptedException {
        Path raw = Files.createTempFile("machinecode", ".bin");
        TreeMap<Long, Compiled> starts = new TreeMap<>();
        try {
            try (OutputStream out = Files.newOutputStream(raw)) {
                byte[] gap = new byte[GAP];
                Arrays.fill(gap, NOP);
                long offset = 0;
                for (Compiled c : compiled) {
                    starts.put(offset, c);
                    out.write(c.code);
                    out.write(gap);
                    offset += c.code.length + GAP;
                }
            }
            Process objdump =
                    new ProcessBuilder(
                                    "objdump", "-D", "-z", "-w", "-b", "binary", "-m", "i386:x86-64",
                                    "-M", "intel", raw.toString())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(objdump.getInputStream()))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    Matcher m = LINE.matcher(line);
                    if (m.matches()) {
                        long at = hex(m.group(1));
                        Map.Entry<Long, Compiled> start = starts.floorEntry(at);
                        add(start.getValue(), at - start.getKey(), start.getKey(), m);
                    }
                }
            }
            if (objdump.waitFor() != 0) {
                throw new IOException("objdump failed");
            }
        } finally {
            Files.delete(raw);
        }
        for (Compiled c : compiled) {
            check(c);
        }
    }

    private static void add(Compiled c, long inside, long offset, Matcher m) {
        if (inside >= c.code.length) {
            return;
        }
        String text = m.group(3);
        for (Matcher p = PREFIX.matcher(text); p.lookingAt(); p = PREFIX.matcher(text)) {
            text = text.substring(p.end());
        }
        String[] parts = text.split("\\s+", 2);
        List<String> operands =
                parts.length == 1 ? List.of() : List.of(parts[1].split(",(?![^\\[]*\\])"));
        boolean direct =
                (parts[0].startsWith("j") || parts[0].equals("call"))
                        && operands.size() == 1
                        && operands.get(0).startsWith("0x");
        long target = direct ? hex(operands.get(0).substring(2)) - offset + c.address : 0;
        c.indices.put(c.address + inside, c.instructions.size());
        c.instructions.add(
                new Instruction(
                        c.address + inside, m.group(2).split(" ").length, parts[0], operands, target));
    }

    /** Had objdump lost its step, jumps and scopes would not meet its instructions. */
    private static void check(Compiled c) {
        List<Long> expected = new ArrayList<>(c.scopes.keySet());
        c.instructions.forEach(i -> expected.add(i.target()));
        for (long at : expected) {
            boolean inside = at >= c.address && at < c.address + c.code.length;
            if (inside && c.index(at) < 0) {
                throw new IllegalStateException(
                        "objdump lost its step in %s from %x at %x"
                                .formatted(c.method.name, c.address, at));
            }
        }
    }
}
