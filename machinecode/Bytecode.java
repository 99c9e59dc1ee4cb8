import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** A method in bytecode, and what its instructions may do. */
final class Bytecode {

    private static final String[] NAMES =
            """
            nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0
            lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload
            lload fload dload aload iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3
            fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2
            aload_3 iaload laload faload daload aaload baload caload saload istore lstore fstore dstore
            astore istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0
            fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2
            astore_3 iastore lastore fastore dastore aastore bastore castore sastore pop pop2 dup dup_x1
            dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul
            idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr
            iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s
            lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt
            if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch
            ireturn lreturn freturn dreturn areturn return getstatic putstatic getfield putfield
            invokevirtual invokespecial invokestatic invokeinterface invokedynamic new newarray
            anewarray arraylength athrow checkcast instanceof monitorenter monitorexit wide
            multianewarray ifnull ifnonnull goto_w jsr_w
            """
                    .strip()
                    .split("\\s+");

    /** What a bytecode may do besides computing. */
    enum Sort {
        ENTRY, BRANCH, ARRAY, FIELD, CALL, NEW, TYPE, MONITOR, RETURN, THROW, DIVIDE, MOVE, COMPUTE
    }

    /** A place in a method. */
    record Place(Bytecode method, int bci) {

        Sort sort() {
            return method.sort(bci);
        }

        @Override
        public String toString() {
            return method.name + "@" + bci + " " + method.opcode(bci) + ", line " + method.line(bci);
        }
    }

    /** Class and name, as {@code a.b.C::m}. */
    final String name;

    /** The types, as {@code (JI)V}. */
    final String signature;

    /** As {@link Modifier} has them. */
    private final int modifiers;

    private final byte[] code;
    private final int[][] lines;

    /** @param lines pairs of a bytecode's index and the source line that starts there */
    Bytecode(String name, String signature, int modifiers, byte[] code, int[][] lines) {
        this.name = name;
        this.signature = signature;
        this.modifiers = modifiers;
        this.code = code;
        this.lines = lines;
    }

    boolean isStatic() {
        return Modifier.isStatic(modifiers);
    }

    /** The name of a bytecode. */
    String opcode(int bci) {
        return bci < 0 || bci >= code.length ? "entry" : NAMES[code[bci] & 0xFF];
    }

    int line(int bci) {
        int line = -1;
        for (int[] entry : lines) {
            if (entry[0] <= Math.max(bci, 0)) {
                line = entry[1];
            }
        }
        return line;
    }

    Sort sort(int bci) {
        String op = opcode(bci);
        boolean locked = Modifier.isSynchronized(modifiers);
        if (op.equals("entry")) {
            return locked ? Sort.MONITOR : Sort.ENTRY;
        }
        if (op.startsWith("if") || op.startsWith("goto") || op.endsWith("switch")) {
            return Sort.BRANCH;
        }
        if (op.matches("[ilfdabcs]a(load|store)|arraylength")) {
            return Sort.ARRAY;
        }
        if (op.matches("(get|put)(static|field)")) {
            return Sort.FIELD;
        }
        if (op.startsWith("invoke")) {
            return Sort.CALL;
        }
        if (op.matches("new|newarray|anewarray|multianewarray|ldc|ldc_w")) {
            return Sort.NEW;
        }
        if (op.matches("checkcast|instanceof")) {
            return Sort.TYPE;
        }
        if (op.startsWith("monitor")) {
            return Sort.MONITOR;
        }
        if (op.endsWith("return")) {
            return locked ? Sort.MONITOR : Sort.RETURN;
        }
        if (op.equals("athrow")) {
            return Sort.THROW;
        }
        if (op.matches("[il](div|rem)")) {
            return Sort.DIVIDE;
        }
        boolean moves = op.matches("nop|.*const_.*|.ipush|ldc2_w|.load.*|.store.*|pop.*|dup.*|swap");
        return moves ? Sort.MOVE : Sort.COMPUTE;
    }

    /**
     * Whether what a bytecode computes goes into a branch of the same expression: nothing from there to
     * the branch stores, calls or ends.
     */
    boolean feedsBranch(int bci) {
        for (int at = Math.max(bci, 0); at < code.length; at += length(at)) {
            if (opcode(at).startsWith("if")) {
                return true;
            }
            if (opcode(at).matches("goto.*|iinc|.*(store|switch|return|throw|invoke).*|put.*|store_.")) {
                return false;
            }
        }
        return false;
    }

    /** Whether there is a branch at or behind a bytecode. */
    boolean branchesFrom(int bci) {
        for (int at = Math.max(bci, 0); at < code.length; at += length(at)) {
            if (sort(at) == Sort.BRANCH) {
                return true;
            }
            if (opcode(at).endsWith("switch")) {
                return true;
            }
        }
        return false;
    }

    /**
     * The bytecodes for which C1, and C2 in part, jump though they are no branches: conversions of
     * floating-point numbers to integers, and comparisons whose result goes into no branch.
     */
    List<Place> hiddenBranches() {
        List<Place> found = new ArrayList<>();
        for (int at = 0; at < code.length && !opcode(at).endsWith("switch"); at += length(at)) {
            boolean compares = opcode(at).matches("[lfd]cmp.?") && !feedsBranch(at);
            if (compares || opcode(at).matches("[fd]2[il]")) {
                found.add(new Place(this, at));
            }
        }
        return found;
    }

    /** Whether a return gives back what a branch before it chose: {@code x ? true : false}. */
    boolean returnsChoice(int bci) {
        return opcode(bci).equals("ireturn")
                && bci >= 4
                && opcode(bci - 1).startsWith("iconst_")
                && opcode(bci - 4).equals("goto");
    }

    /** Where the instruction behind a bytecode is. */
    int next(int bci) {
        return bci + length(bci);
    }

    /** The length of an instruction that is no switch and not wide. */
    private int length(int bci) {
        String op = opcode(bci);
        if (op.matches("bipush|ldc|newarray|[ilfda](load|store)|ret")) {
            return 2;
        }
        if (op.matches("invoke(interface|dynamic)|goto_w|jsr_w")) {
            return 5;
        }
        if (op.equals("multianewarray")) {
            return 4;
        }
        boolean index =
                op.matches(
                        "sipush|ldc_w|ldc2_w|iinc|if.*|goto|jsr|(get|put).*|invoke.*|new|anewarray"
                                + "|checkcast|instanceof");
        return index ? 3 : 1;
    }
}
