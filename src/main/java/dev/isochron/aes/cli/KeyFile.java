package dev.isochron.aes.cli;

import dev.isochron.aes.internal.bytes.Bytes;
import dev.isochron.aes.internal.bytes.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * The key file: one line of ASCII text, {@code isochron-aes-256}, a space, and the 32-byte main
 * key as 64 hexadecimal digits. Lower case is written, either case is read, and the newline at the
 * end may be missing or be a CR LF.
 *
 * <p>Constant-time in the key: it stays in byte arrays, which are wiped, and its digits are
 * converted by {@link Hex}. No message shows what a file contains.
 */
final class KeyFile {

    /** Bytes of a main key. */
    static final int KEY_LENGTH = 32;

    private static final byte[] LABEL = "isochron-aes-256 ".getBytes(StandardCharsets.US_ASCII);
    private static final int LINE_LENGTH = LABEL.length + 2 * KEY_LENGTH;

    private static final Set<PosixFilePermission> OTHERS =
            PosixFilePermissions.fromString("---rw-rw-");

    private KeyFile() {}

    /** The content of a key file; the caller wipes it. */
    static byte[] format(byte[] key) {
        byte[] line = new byte[LINE_LENGTH + 1];
        System.arraycopy(LABEL, 0, line, 0, LABEL.length);
        Hex.encode(key, line, LABEL.length);
        line[LINE_LENGTH] = '\n';
        return line;
    }

    /**
     * Reads a key file.
     *
     * @return the 32-byte key; the caller wipes it
     * @throws FailureException if the file is not a key file, or if others than its owner can read
     *     or change it
     * @throws IOException if it cannot be read
     */
    static byte[] read(Path file) throws FailureException, IOException {
        if (Files.isDirectory(file)) {
            throw new FailureException(file + ": is a directory, not a key file");
        }
        refuseIfOpenToOthers(file);
        // Room for CR LF and one byte more, which shows that a file is too long.
        byte[] content = new byte[LINE_LENGTH + 3];
        try (InputStream in = Files.newInputStream(file)) {
            int length = in.readNBytes(content, 0, content.length);
            byte[] key = parse(content, length);
            if (key == null) {
                throw new FailureException(
                        file
                                + ": not a key file (one line: isochron-aes-256, a space,"
                                + " 64 hexadecimal digits)");
            }
            return key;
        } finally {
            Arrays.fill(content, (byte) 0);
        }
    }

    /** The key, or null: what is wrong with a file that holds none stays secret. */
    private static byte[] parse(byte[] content, int length) {
        int end = length - LINE_LENGTH;
        if (end < 0 || end > 2) {
            return null;
        }
        int wrong = Bytes.difference(content, 0, LABEL, 0, LABEL.length);
        if (end > 0) {
            wrong |= content[length - 1] ^ '\n';
        }
        if (end > 1) {
            wrong |= content[length - 2] ^ '\r';
        }
        if (!Verdict.accept(wrong, "whether a key file has its label and its end")) {
            return null;
        }
        byte[] key = new byte[KEY_LENGTH];
        return Hex.decode(content, LABEL.length, key) ? key : null;
    }

    private static void refuseIfOpenToOthers(Path file) throws FailureException, IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        // A pipe, such as a shell's <(...), has no lasting content to protect.
        if (view == null || !Files.isRegularFile(file)) {
            return;
        }
        Set<PosixFilePermission> open = EnumSet.copyOf(OTHERS);
        open.retainAll(view.readAttributes().permissions());
        if (!open.isEmpty()) {
            throw new FailureException(
                    file
                            + ": others can read or change this key file; make it its owner's alone"
                            + " (chmod 600), and think about a new key");
        }
    }
}
