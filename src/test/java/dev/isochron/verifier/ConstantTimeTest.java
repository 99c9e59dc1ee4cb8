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

    static Edge edge() {
        return new Edge(
                (owner, method) ->
                        owner.name.startsWith("dev/isochron/aes/")
                                && owner.name.indexOf('/', "dev/isochron/aes/".length()) < 0
                                && (owner.access & Opcodes.ACC_PUBLIC) != 0
                                && method.isPublic(),
                Set.of("dev/isochron/aes/internal/bytes/Verdict"));
    }

    @Test
    void noSecretLeaks() throws Exception {
        Report report = new Analysis(Program.ofProduct(), edge()).run();
        Files.writeString(Path.of("target", "constant-time.txt"), report.text());
        assertEquals(List.of(), report.findings(), report::text);
    }
}
