package dev.isochron.verifier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.verifier.Program.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/** The product is constant-time: the verifier follows every secret and finds no leak. */
class ConstantTimeTest {

    private static final String ROOT = "dev/isochron/aes/";

    /** What reads and writes key files and texts. */
    private static final Set<String> COMMANDS =
            Set.of("KeyFile", "Keygen", "Seal", "Open", "Environment");

    /** The rest of the command line: no key of a user comes there, nor any text. */
    private static final Set<String> WITHOUT_SECRETS =
            Set.of(
                    "Figure", "KnownAnswer", "KnownAnswers", "KnownAnswers$Group", "Main", "Modes",
                    "SelfTest", "SlopeTable", "Speed", "Speed$Measuring", "Version", "Workload",
                    "Failures", "Environment", "Seal", "Open", "Keygen", "AtomicOutput");

    /** What nobody calls, or what has no code worth the name. */
    private static final Set<String> UNCALLED =
            Set.of("<init>()V", "toString()Ljava/lang/String;", "hashCode()I",
                    "equals(Ljava/lang/Object;)Z");

    /** What the API does not call. */
    private static final Map<String, String> UNREACHED =
            Map.of(
                    "dev.isochron.aes.internal.aead.Ccm.close()V", "nobody keeps a Ccm",
                    "dev.isochron.aes.internal.block.RoundKeys.rounds()I", "a length",
                    "dev.isochron.aes.internal.mode.Cbc$Style.valueOf(Ljava/lang/String;)"
                            + "Ldev/isochron/aes/internal/mode/Cbc$Style;", "made by the compiler",
                    "dev.isochron.aes.internal.mode.Xts$Direction.cipher()"
                            + "Ldev/isochron/aes/internal/mode/BlockRun;", "made by the compiler",
                    "dev.isochron.aes.internal.mode.Xts$Direction.stolenFrom()I",
                            "made by the compiler",
                    "dev.isochron.aes.internal.block.BlockCipher.ctr(JJ[BI[BII)V",
                            "only tests and benchmarks call it");

    private static Program program;
    private static Report report;

    /** Every public method of a public class of the API, and the commands. */
    static Edge edge() {
        return new Edge(
                (owner, method) ->
                        isApi(owner) && method.isPublic()
                                || owner.name.startsWith(ROOT + "cli/")
                                        && COMMANDS.contains(simpleName(owner)),
                Set.of(ROOT + "internal/bytes/Verdict"));
    }

    private static boolean isApi(ClassNode owner) {
        return owner.name.startsWith(ROOT)
                && owner.name.indexOf('/', ROOT.length()) < 0
                && (owner.access & Opcodes.ACC_PUBLIC) != 0;
    }

    private static String simpleName(ClassNode c) {
        return c.name.substring(c.name.lastIndexOf('/') + 1);
    }

    @BeforeAll
    static void analyse() throws IOException {
        program = Program.ofProduct();
        report = new Analysis(program, edge()).run();
        Files.writeString(Path.of("target", "constant-time.txt"), report.text());
    }

    @Test
    void noSecretLeaks() {
        assertTrue(report.findings().isEmpty(), report::text);
    }

    @Test
    void everyMethodThatMayMeetASecretWasAnalysed() {
        Set<String> missed = new TreeSet<>();
        for (ClassNode c : program.classes()) {
            boolean command = c.name.startsWith(ROOT + "cli/");
            if (command && WITHOUT_SECRETS.contains(simpleName(c))) {
                continue;
            }
            for (Method method : program.methods(c)) {
                String signature = method.code().name + method.code().desc;
                int hidden = Opcodes.ACC_ABSTRACT | Opcodes.ACC_SYNTHETIC;
                if ((method.code().access & hidden) == 0
                        && !UNCALLED.contains(signature)
                        && !edge().declassifies(method)
                        && !report.analysed().contains(method.toString())) {
                    missed.add(method.toString());
                }
            }
        }
        assertEquals(new TreeSet<>(UNREACHED.keySet()), missed);
    }

    /** Nearly all that is read from an array counts as secret; this is the rest. */
    @Test
    void whatIsPublicIsFew() {
        Map<String, String> expected =
                Map.of(
                        "dev.isochron.aes.internal.aead.Ocb$Message.<init>", "the nonce's last byte",
                        "dev.isochron.aes.internal.mac.Hkdf.expand", "the counter",
                        "dev.isochron.aes.internal.mode.Cbc.name", "the switch over styles",
                        "dev.isochron.aes.internal.mode.Cbc.encryption", "the switch over styles",
                        "dev.isochron.aes.internal.mode.Cbc.decryption", "the switch over styles");
        Set<String> found =
                report.publicReads().stream()
                        .map(read -> read.substring(0, read.indexOf('(')))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(expected.keySet()), found);
        long secret = report.reads().values().stream().filter(read -> read).count();
        assertTrue(secret > 300, "reads of secrets: " + secret);
    }

    /** A new place where a secret becomes public must be written down here too. */
    @Test
    void secretsBecomePublicHereAlone() {
        Map<String, String> expected = new TreeMap<>();
        String tag = "whether a tag is right";
        expected.put("AesMac.verify", tag);
        expected.put("internal.aead.Gcm$Message.open", tag);
        expected.put("internal.aead.Ccm$Message.open", tag);
        expected.put("internal.aead.Eax$Message.open", tag);
        expected.put("internal.aead.Ocb$Message.open", tag);
        expected.put(
                "internal.mode.Pkcs7$2.end",
                "the length of a right padding, for it is the plaintext's;"
                        + " whether a padding is right");
        expected.put("XtsMode.of", "whether the halves of a key are equal");
        expected.put("AesKey.drawNonce", "a nonce is sent with its message");
        expected.put("Aead.openWithNonce", "a nonce was sent with its message");
        expected.put("Segments.checkHeader", "the first byte of a sealed stream");
        expected.put("cli.Hex.decode", "whether a key file has digits alone");
        expected.put("cli.KeyFile.parse", "whether a key file has its label and its end");

        Map<String, Set<String>> found = new TreeMap<>();
        report.declassified()
                .forEach(
                        (where, reason) ->
                                found.computeIfAbsent(
                                                where.substring(
                                                        ROOT.length(), where.indexOf('(')),
                                                w -> new TreeSet<>())
                                        .add(reason));
        Map<String, String> joined = new TreeMap<>();
        found.forEach((where, reasons) -> joined.put(where, String.join("; ", reasons)));
        assertEquals(expected, joined);
    }

    /** A rule for the JDK that nobody needs would stand there unwatched. */
    @Test
    void everyListedMethodOfTheJdkIsNeeded() {
        Set<String> unused = new TreeSet<>(new Jdk().listed());
        unused.removeAll(report.listed().keySet());
        unused.removeIf(name -> name.startsWith("jdk/incubator/vector/"));
        assertEquals(Set.of(), unused);
    }

    @Test
    void theReportNamesWhatWasFound() {
        String text = report.text();
        assertTrue(text.startsWith("0 findings in "), text);
        for (String part :
                List.of(
                        "Pkcs7$2.end(Pkcs7.java:", "java/security/MessageDigest.update: SHA-256",
                        "dev.isochron.aes.internal.block.LaneKernel.encrypt([I[II)V")) {
            assertTrue(text.contains(part), part);
        }
    }
}
