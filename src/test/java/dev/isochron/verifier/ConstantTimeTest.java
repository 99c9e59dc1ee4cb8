package dev.isochron.verifier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;

/** The product is constant-time: the verifier finds no leak. */
class ConstantTimeTest {

    /** What reads and writes key files and texts; the rest of the command line has no secrets. */
    private static final Set<String> CLI =
            Set.of(
                    "dev/isochron/aes/cli/KeyFile", "dev/isochron/aes/cli/Keygen",
                    "dev/isochron/aes/cli/Seal", "dev/isochron/aes/cli/Open",
                    "dev/isochron/aes/cli/Environment");

    static Edge edge() {
        return new Edge(
                (owner, method) ->
                        owner.name.startsWith("dev/isochron/aes/")
                                && owner.name.indexOf('/', "dev/isochron/aes/".length()) < 0
                                && (owner.access & Opcodes.ACC_PUBLIC) != 0
                                && method.isPublic()
                        || CLI.contains(owner.name),
                Set.of("dev/isochron/aes/internal/bytes/Verdict"));
    }

    @Test
    void noSecretLeaks() throws Exception {
        Report report = new Analysis(Program.ofProduct(), edge()).run();
        Files.writeString(Path.of("target", "constant-time.txt"), report.text());
        assertEquals(List.of(), report.findings(), report::text);
    }
}
