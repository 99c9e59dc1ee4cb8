package dev.isochron.aes.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, and arguments that make no sense: exit code 2, the error, the usage, and nothing done. */
class UsageTest {

    private static final String[] NAMES = {"keygen", "seal", "open", "selftest", "speed"};

    @TempDir Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help"})
    void help(String asked) {
        String text = new Cli().run(asked).ok().text();
        for (String name : NAMES) {
            assertTrue(text.lines().anyMatch(line -> (line + " ").startsWith(name + " ")), name);
        }
        assertTrue(text.contains("--version"));
        assertTrue(text.contains("Exit codes: 0 done, 1 failed work or verification, 2"));
        assertTrue(text.lines().allMatch(line -> line.length() <= 90), text);
    }

    @Test
    void helpOfOneCommand() {
        for (String name : NAMES) {
            String text = new Cli().run(name, "--help").ok().text();
            assertTrue(text.lines().anyMatch(line -> (line + " ").startsWith(name + " ")), text);
            assertEquals(text, new Cli().run(name, "-h").ok().text());
        }
    }

    /** Each row of the README's table is the form that help prints, or has no options at all. */
    @Test
    void readmeAgrees() throws IOException {
        String section = commandLineSection();
        Matcher rows =
                Pattern.compile("(?m)^\\| `((?:" + String.join("|", NAMES) + ")\\b[^`]*)` \\|")
                        .matcher(section);
        int count = 0;
        while (rows.find()) {
            String row = rows.group(1);
            String help = new Cli().run(row.split(" ")[0], "--help").ok().text();
            assertTrue(
                    help.lines()
                            .anyMatch(
                                    form ->
                                            form.equals(row)
                                                    || !row.contains("-")
                                                            && form.startsWith(row + " ")),
                    row);
            count++;
        }
        assertEquals(NAMES.length, count);
    }

    /** Whatever option the README speaks of, help does too; --force among them. */
    @Test
    void optionsOfTheReadmeExist() throws IOException {
        String help = new Cli().run("--help").ok().text() + " --help";
        Set<String> inHelp = options(help);
        Set<String> inReadme = options(commandLineSection());
        assertTrue(inReadme.containsAll(Set.of("--key", "--aad", "--force")), inReadme.toString());
        assertTrue(inHelp.containsAll(inReadme), inReadme + ", where help has " + inHelp);
    }

    private static Set<String> options(String text) {
        return Pattern.compile("(?<![-\\w])--[a-z][a-z-]*")
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    private static String commandLineSection() throws IOException {
        Matcher section =
                Pattern.compile("(?s)\n## On the command line\n(.*?)\n## ")
                        .matcher(Files.readString(Path.of("README.md")));
        assertTrue(section.find());
        return section.group(1);
    }

    @Test
    void version() {
        String text = new Cli().run("--version").ok().text();
        assertTrue(text.startsWith("Isochron AES "), text);
        assertTrue(text.contains("Java " + Runtime.version()), text);
        assertEquals(1, text.lines().count());
    }

    @Test
    void noCommandAndUnknownCommand() {
        String said = new Cli().run().usage("no command").err();
        for (String name : NAMES) {
            assertTrue(said.contains(" " + name), said);
        }
        new Cli().run("encrypt").usage("unknown command encrypt", "seal --key FILE");
        new Cli().run("").usage("unknown command");
        new Cli().run("--key").usage("unknown command --key");
        new Cli().run("SEAL").usage("unknown command SEAL");
    }

    @Test
    void wrongOptions() throws IOException {
        Path key = Cli.key(dir, "my.key");
        Path in = Files.write(dir.resolve("in"), new byte[3]);
        Path out = dir.resolve("out");
        Map<String, String> before = Cli.listing(dir);
        for (String command : new String[] {"seal", "open"}) {
            String form = "usage: " + command + " --key FILE";
            new Cli().run(command, "--bogus").usage(form, "unknown option --bogus");
            new Cli().run(command, "--key=" + key, "-x", in, out).usage(form, "option -x");
            new Cli().run(command, in, out).usage(form, "--key FILE is missing");
            new Cli().run(command, in, out, "--key").usage(form, "--key needs a value");
            new Cli().run(command, "--key", key, "--aad").usage(form, "--aad needs a value");
            new Cli()
                    .run(command, "--key", key, "--key", key, in, out)
                    .usage(form, "--key is given twice");
            new Cli()
                    .run(command, "--key", key, "--force", "--force", in, out)
                    .usage(form, "--force is given twice");
            new Cli()
                    .run(command, "--key", key, "--force=yes", in, out)
                    .usage(form, "--force takes no value");
            new Cli()
                    .run(command, "--key", key, in, out, "more")
                    .usage(form, "unexpected argument more");
            new Cli().run(command, "--key", key, "", out).usage(form, "a file name is empty");
            new Cli().run(command, "--key", key, "a\0b", out).usage(form, "not a file name");
            new Cli()
                    .run(command, "--key", key, "--aad", "\uFFFD", in, out)
                    .usage(form, "locale cannot represent");
        }
        new Cli().run("selftest", "now").usage("usage: selftest", "unexpected argument now");
        new Cli().run("selftest", "--fast").usage("unknown option --fast");
        assertEquals(before, Cli.listing(dir));
    }

    @Test
    void sealedBytesStayOffTheTerminal() {
        Path key = Cli.key(dir, "my.key");
        new Cli().terminal().run("seal", "--key", key).usage("do not belong on a terminal");
        byte[] sealed = Cli.seal(key, new byte[3]);
        byte[] opened = new Cli().terminal().in(sealed).run("open", "--key", key).ok().out();
        assertEquals(3, opened.length);
    }

    /** Text that cannot be written is a failure too. */
    @Test
    void helpIntoABrokenPipe() {
        OutputStream broken =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("broken pipe");
                    }
                };
        new Cli().out(broken).run("--help").failed("standard output cannot be written");
        new Cli().out(broken).run("--version").failed("standard output cannot be written");
        new Cli().out(broken).clock(5000).run("selftest").failed("cannot be written");
        new Cli().out(broken).clock(5000).run("speed").failed("cannot be written");
    }
}
