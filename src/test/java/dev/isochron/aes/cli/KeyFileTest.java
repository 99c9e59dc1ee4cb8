package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.Samples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What keygen writes, and which key files seal and open take. */
class KeyFileTest {

    private static final String DIGITS =
            "00112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1f0";

    @TempDir Path dir;

    private Path file(String content) throws IOException {
        Path file = dir.resolve("a.key");
        Files.writeString(file, content, StandardCharsets.ISO_8859_1);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /** No message shows as much as three bytes of the key. */
    private static void assertHidesKey(String said, String digits) {
        String lower = said.toLowerCase(Locale.ROOT);
        for (int i = 0; i + 6 <= digits.length(); i++) {
            assertFalse(lower.contains(digits.substring(i, i + 6)), said);
        }
    }

    @Test
    void keygenWritesOneLineForItsOwnerAlone() throws IOException {
        Path key = dir.resolve("my.key");
        assertEquals(0, new Cli().run("keygen", key).ok().out().length);
        assertTrue(Files.readString(key).matches("isochron-aes-256 [0-9a-f]{64}\n"));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
        assertEquals(Set.of("my.key"), Cli.listing(dir).keySet());
    }

    @Test
    void noTwoKeysAreAlike() throws IOException {
        assertNotEquals(
                Files.readString(Cli.key(dir, "a")), Files.readString(Cli.key(dir, "b")));
    }

    @Test
    void keygenUsage() {
        new Cli().run("keygen").usage("missing");
        new Cli().run("keygen", "-").usage("never to standard output");
        new Cli().run("keygen", "").usage("empty");
        new Cli().run("keygen", dir.resolve("a"), "b").usage("unexpected argument b");
        assertTrue(dir.toFile().list().length == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n"})
    void takesEveryLineEnd(String end) throws Exception {
        byte[] expected = HexFormat.of().parseHex(DIGITS);
        assertArrayEquals(expected, KeyFile.read(file("isochron-aes-256 " + DIGITS + end)));
        assertArrayEquals(
                expected,
                KeyFile.read(
                        file("isochron-aes-256 " + DIGITS.toUpperCase(Locale.ROOT) + end)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                DIGITS,
                DIGITS + "\n",
                "isochron-aes-256 \n",
                "isochron-aes-256 " + DIGITS + "\n\n",
                "isochron-aes-256 " + DIGITS + " ",
                "isochron-aes-256 " + DIGITS + "00\n",
                "isochron-aes-256 " + DIGITS + "\r",
                "isochron-aes-256 00" + DIGITS + "\n",
                "isochron-aes-256  " + DIGITS + "\n",
                "isochron-aes-128 " + DIGITS + "\n",
                "isochron-aes-256 g0112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1f0",
                "isochron-aes-256 00112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1 0",
                "isochron-aes-256 112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1f0\n",
                "isochron-aes-256 00112233445566778899aabbccddeeff\n",
                "isochron-aes-128 00112233445566778899aabbccddeeff\n",
            })
    void refusesWhatIsNoKeyFile(String content) throws IOException {
        Path key = file(content);
        for (String command : new String[] {"seal", "open"}) {
            Cli.Result result = new Cli().run(command, "--key", key, "-", dir.resolve("out"));
            result.failed("a.key: not a key file", "64 hexadecimal digits");
            assertHidesKey(result.err(), DIGITS);
            assertEquals(Set.of("a.key"), Cli.listing(dir).keySet());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rw-r-----", "rw--w----", "rw----r--", "rw-----w-", "r--r--r--", "rwxrwxrwx"
            })
    void refusesFilesOpenToOthers(String permissions) throws IOException {
        Path key = file("isochron-aes-256 " + DIGITS + "\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));
        Cli.Result result = new Cli().run("seal", "--key", key);
        result.failed("a.key: others can read or change this key file", "chmod 600");
        assertEquals(0, result.out().length);
        assertHidesKey(result.err(), DIGITS);
    }

    @Test
    void refusesLinksToFilesOpenToOthers() throws IOException {
        Path key = file("isochron-aes-256 " + DIGITS + "\n");
        Path link = Files.createSymbolicLink(dir.resolve("link"), key);
        new Cli().run("seal", "--key", link).ok();
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        new Cli().run("seal", "--key", link).failed("others can read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------", "rwx------"})
    void takesFilesOfTheOwnerAlone(String permissions) throws IOException {
        Path key = file("isochron-aes-256 " + DIGITS + "\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));
        new Cli().run("seal", "--key", key).ok();
    }

    @Test
    void keyFileIsNotThere() {
        new Cli().run("seal", "--key", dir.resolve("absent")).failed("absent: no such file");
        new Cli().run("seal", "--key", dir).failed("is a directory, not a key file");
        new Cli().run("seal", "--key", "-").usage("never from standard input");
        new Cli().run("open", "--key", "").usage("empty");
        new Cli().run("open").usage("--key FILE is missing");
    }

    /** A failed verification says nothing about the key or the text. */
    @Test
    void messagesHideSecrets() throws IOException {
        Path key = file("isochron-aes-256 " + DIGITS + "\n");
        byte[] sealed = Cli.seal(key, "attack at dawn".getBytes(StandardCharsets.UTF_8));
        sealed[sealed.length - 1] ^= 1;
        String said = new Cli().in(sealed).run("open", "--key", key).failed().err();
        assertHidesKey(said, DIGITS);
        assertFalse(said.contains("attack"), said);
    }

    @Test
    void hexBothWays() {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        byte[] digits = new byte[512];
        Hex.encode(all, digits, 0);
        String text = new String(digits, StandardCharsets.US_ASCII);
        assertEquals(HexFormat.of().formatHex(all), text);

        byte[] upper = text.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
        for (byte[] form : new byte[][] {digits, upper}) {
            byte[] back = new byte[256];
            assertTrue(Hex.decode(form, 0, back));
            assertArrayEquals(all, back);
        }
    }

    /** Each of the 256 byte values, at each place of a pair. */
    @Test
    void hexTakesDigitsAlone() {
        for (int c = 0; c < 256; c++) {
            boolean digit = Character.digit(c < 128 ? c : 0, 16) >= 0;
            assertEquals(digit, Hex.decode(new byte[] {(byte) c, '0'}, 0, new byte[1]));
            assertEquals(digit, Hex.decode(new byte[] {'0', (byte) c}, 0, new byte[1]));
            byte[] many = "0".repeat(64).getBytes(StandardCharsets.US_ASCII);
            many[5] = (byte) c;
            byte[] out = Samples.pattern(1, 32);
            assertEquals(digit, Hex.decode(many, 0, out));
            if (!digit) {
                assertArrayEquals(new byte[32], out, "what was decoded of a key that is none");
            }
        }
    }
}
