package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Aes;
import dev.isochron.aes.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a process of its own: real streams, real exit codes, real signals. */
class ProcessTest {

    private static final byte[] CONTENT = Samples.pattern(8, 3_000_000);

    @TempDir Path dir;
    private Path work;
    private Path err;

    @BeforeEach
    void prepare() throws IOException {
        work = Files.createDirectory(dir.resolve("work"));
        err = dir.resolve("err");
    }

    private static String classes() throws URISyntaxException {
        return Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    private ProcessBuilder java(List<String> options, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx64m");
        command.addAll(options);
        command.addAll(List.of(args));
        return new ProcessBuilder(command).directory(work.toFile()).redirectError(err.toFile());
    }

    private ProcessBuilder cli(String... args) throws URISyntaxException {
        return java(List.of("-cp", classes(), "dev.isochron.aes.cli.Main"), args);
    }

    private static int code(Process process) throws InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the process hangs");
        return process.exitValue();
    }

    /** Runs with files at both ends. */
    private int run(ProcessBuilder builder, Path in, Path out) throws Exception {
        return code(builder.redirectInput(in.toFile()).redirectOutput(out.toFile()).start());
    }

    private String said() throws IOException {
        return Files.readString(err);
    }

    @Test
    void exitCodesAndBytes() throws Exception {
        Path in = Files.write(dir.resolve("in"), CONTENT);
        Path sealed = dir.resolve("sealed");
        Path out = dir.resolve("out");
        Path nothing = Files.createFile(dir.resolve("nothing"));

        assertEquals(0, run(cli("keygen", "my.key"), nothing, out));
        assertEquals(0, run(cli("seal", "--key", "my.key"), in, sealed));
        assertEquals(0, run(cli("open", "--key", "my.key"), sealed, out));
        assertEquals("", said());
        assertArrayEquals(CONTENT, Files.readAllBytes(out));

        assertEquals(1, run(cli("open", "--key", "my.key"), nothing, out));
        assertTrue(said().contains("verification failed"), said());
        assertEquals(2, run(cli("open"), nothing, out));
        assertTrue(said().contains("--key FILE is missing"), said());
        assertEquals(2, run(cli(), nothing, out));
        assertEquals(Set.of("my.key"), Cli.listing(work).keySet());
    }

    /** As a module, where resources and reflection have narrower ways. */
    @Test
    void selfTestAsAModule() throws Exception {
        Path nothing = Files.createFile(dir.resolve("nothing"));
        Path out = dir.resolve("out");
        List<String> options =
                List.of("-p", classes(), "-m", "dev.isochron.aes/dev.isochron.aes.cli.Main");
        assertEquals(0, run(java(options, "selftest"), nothing, out));
        assertTrue(Files.readString(out).contains("passed"));
        assertEquals("", said());
    }

    @Test
    void engineByProperty() throws Exception {
        Path nothing = Files.createFile(dir.resolve("nothing"));
        Path out = dir.resolve("out");
        String last = Aes.engines().get(Aes.engines().size() - 1);
        List<String> main = List.of("-cp", classes(), "dev.isochron.aes.cli.Main");

        List<String> good = new ArrayList<>(List.of("-Disochron.engine=" + last));
        good.addAll(main);
        assertEquals(
                0, run(java(good, "speed", "--seconds", "0.001", "--mode", "CTR"), nothing, out));
        assertTrue(
                Files.readString(out)
                        .contains("active engine: " + last + " (forced by -Disochron.engine)"));

        List<String> bad = new ArrayList<>(List.of("-Disochron.engine=warp"));
        bad.addAll(main);
        Cli.key(work, "my.key");
        for (String[] args :
                new String[][] {{"selftest"}, {"speed"}, {"seal", "--key", "my.key", "-", "o"}}) {
            assertEquals(2, run(java(bad, args), nothing, out));
            assertTrue(said().contains("isochron.engine") && said().contains("\"warp\""), said());
            for (String engine : Aes.engines()) {
                assertTrue(said().contains(engine), said());
            }
        }
        assertEquals(Set.of("my.key"), Cli.listing(work).keySet());
    }

    /** Whoever reads goes away in the middle. */
    @Test
    void brokenPipe() throws Exception {
        Path key = Cli.key(work, "my.key");
        Path in = Files.write(dir.resolve("in"), CONTENT);
        Path sealed = Files.write(dir.resolve("sealed"), Cli.seal(key, CONTENT));
        for (String[] args :
                new String[][] {{"seal", "--key", "my.key"}, {"open", "--key", "my.key"}}) {
            Path source = args[0].equals("seal") ? in : sealed;
            Process process = cli(args).redirectInput(source.toFile()).start();
            try (InputStream out = process.getInputStream()) {
                assertNotEquals(-1, out.read());
            }
            assertEquals(1, code(process));
            assertTrue(said().startsWith("isochron: " + args[0] + ": "), said());
            assertEquals(1, said().lines().count(), said());
        }
    }

    /** An interrupt leaves no temporary file, and what was there before. */
    @Test
    void interrupted() throws Exception {
        Cli.key(work, "my.key");
        Files.writeString(work.resolve("old"), "precious");
        Process process = cli("seal", "--key", "my.key", "--force", "-", "old").start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(CONTENT);
            in.flush();
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (Cli.listing(work).size() < 3 && System.nanoTime() < deadline) {
                Thread.sleep(10);
            }
            assertEquals(3, Cli.listing(work).size(), "the temporary file has come up");
            // Process.destroy would close the input as well, and so end it properly.
            process.toHandle().destroy();
            assertNotEquals(0, code(process));
        }
        assertEquals(Set.of("my.key", "old"), Cli.listing(work).keySet());
        assertEquals("precious", Files.readString(work.resolve("old")));
    }

    /** Several times as much data as memory. */
    @Test
    void moreDataThanMemory() throws Exception {
        Path key = Cli.key(work, "my.key");
        int rounds = 60;
        Path sealed = work.resolve("sealed");
        Process seal =
                java(
                                List.of("-Xmx16m", "-cp", classes(), "dev.isochron.aes.cli.Main"),
                                "seal", "--key", key.toString(), "-", sealed.toString())
                        .start();
        try (OutputStream in = seal.getOutputStream()) {
            for (int i = 0; i < rounds; i++) {
                in.write(CONTENT, 0, 1 << 20);
            }
        }
        assertEquals(0, code(seal), said());

        Process open =
                java(
                                List.of("-Xmx16m", "-cp", classes(), "dev.isochron.aes.cli.Main"),
                                "open", "--key", key.toString(), sealed.toString())
                        .start();
        byte[] expected = Arrays.copyOf(CONTENT, 1 << 20);
        try (InputStream out = open.getInputStream()) {
            for (int i = 0; i < rounds; i++) {
                assertArrayEquals(expected, out.readNBytes(1 << 20));
            }
            assertEquals(-1, out.read());
        }
        assertEquals(0, code(open), said());
    }

    /** A gibibyte from pipe to pipe, through two processes with little memory. */
    @Tag("long")
    @Test
    void gibibyteThroughPipes() throws Exception {
        Path key = Cli.key(work, "my.key");
        Path openErr = dir.resolve("open-err");
        List<Process> processes =
                ProcessBuilder.startPipeline(
                        List.of(
                                cli("seal", "--key", key.toString(), "-"),
                                cli("open", "--key", key.toString(), "-")
                                        .redirectError(openErr.toFile())));
        CompletableFuture<byte[]> written =
                CompletableFuture.supplyAsync(
                        () -> {
                            try (OutputStream in = processes.get(0).getOutputStream()) {
                                return writeGibibyte(in);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        try {
            MessageDigest digest = sha256();
            long length = 0;
            try (InputStream out = processes.get(1).getInputStream()) {
                byte[] buffer = new byte[1 << 16];
                for (int n = out.read(buffer); n >= 0; n = out.read(buffer)) {
                    digest.update(buffer, 0, n);
                    length += n;
                }
            }
            String both = said() + Files.readString(openErr);
            assertEquals(0, code(processes.get(0)), both);
            assertEquals(0, code(processes.get(1)), both);
            assertEquals("", both);
            assertEquals(1L << 30, length);
            assertArrayEquals(written.get(1, TimeUnit.MINUTES), digest.digest());
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** Writes a gibibyte of which no two megabytes are the same, and returns its digest. */
    private static byte[] writeGibibyte(OutputStream to) throws IOException {
        MessageDigest digest = sha256();
        byte[] piece = Arrays.copyOf(CONTENT, 1 << 20);
        for (int i = 0; i < 1 << 10; i++) {
            ByteBuffer.wrap(piece).putInt(i);
            digest.update(piece);
            to.write(piece);
        }
        return digest.digest();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JVM has SHA-256", e);
        }
    }
}
