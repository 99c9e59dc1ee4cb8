package dev.isochron.aes.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file that appears under its name only when it is whole. Until {@link #commit} the bytes go to
 * a temporary file beside it, which its owner alone may read or write where the file system knows
 * POSIX permissions, and the result keeps them. {@link #close} without a commit deletes that file,
 * and so does the end of the JVM: an interrupt leaves nothing behind.
 *
 * <p>Two threads meet here, the one that works and the shutdown hook; whoever holds the lock first
 * decides between commit and discard.
 */
final class AtomicOutput implements Closeable {

    private static final String PREFIX = ".isochron-";
    private static final String SUFFIX = ".part";

    private final Path target;
    private final boolean replace;
    private final Thread hook = new Thread(this::discard, "isochron-discard");

    /** The temporary file, or null once committed or discarded. */
    private Path part;

    private FileChannel channel;

    private AtomicOutput(Path target, boolean replace) {
        this.target = target;
        this.replace = replace;
    }

    /**
     * Begins a file.
     *
     * @param name where it shall appear; of a symbolic link, the file it points to is meant
     * @param replace whether it may replace a regular file
     * @throws FailureException if something is there that must not be replaced, or the JVM is
     *     about to end
     * @throws IOException if the temporary file cannot be made
     */
    static AtomicOutput create(Path name, boolean replace) throws FailureException, IOException {
        AtomicOutput output = new AtomicOutput(resolve(name, replace), replace);
        try {
            Runtime.getRuntime().addShutdownHook(output.hook);
        } catch (IllegalStateException ending) {
            throw new FailureException("interrupted");
        }
        try {
            output.begin();
            return output;
        } finally {
            if (!output.isOpen()) {
                output.forgetHook();
            }
        }
    }

    private static Path resolve(Path name, boolean replace) throws FailureException, IOException {
        if (Files.isDirectory(name)) {
            throw new FailureException(name + ": is a directory");
        }
        if (Files.exists(name, LinkOption.NOFOLLOW_LINKS)) {
            if (Files.exists(name) && !Files.isRegularFile(name)) {
                // Renaming over a device or a pipe would replace it for everyone.
                throw new FailureException(name + ": is not a regular file");
            }
            if (!replace) {
                throw new FailureException(name + ": exists already");
            }
            return name.toRealPath();
        }
        Path directory = name.toAbsolutePath().getParent();
        if (!Files.isDirectory(directory)) {
            throw new FailureException(directory + ": no such directory");
        }
        return name.toAbsolutePath();
    }

    private synchronized void begin() throws IOException {
        Path directory = target.getParent();
        part = Files.createTempFile(directory, PREFIX, SUFFIX, ownerOnly(directory));
        try {
            channel = FileChannel.open(part, StandardOpenOption.WRITE);
        } finally {
            if (channel == null) {
                discard();
            }
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path directory) throws IOException {
        FileStore store = Files.getFileStore(directory);
        return store.supportsFileAttributeView(PosixFileAttributeView.class)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    private synchronized boolean isOpen() {
        return part != null;
    }

    /** Where to write; closing it is left to this object. */
    OutputStream stream() {
        return Channels.newOutputStream(channel);
    }

    /**
     * Makes the file appear under its name, after all its bytes have reached the disk.
     *
     * @throws FailureException if the JVM is about to end and the file is gone
     * @throws IOException if the bytes or the name could not be written, or a file of that name has
     *     come up meanwhile that must not be replaced
     */
    synchronized void commit() throws FailureException, IOException {
        if (part == null) {
            throw new FailureException("interrupted");
        }
        channel.force(true);
        channel.close();
        if (replace) {
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } else {
            moveWithoutReplacing();
        }
        part = null;
    }

    /** A rename replaces what is there; a second link to the file never does. */
    private void moveWithoutReplacing() throws IOException {
        boolean linked;
        try {
            Files.createLink(target, part);
            linked = true;
        } catch (UnsupportedOperationException noLinksHere) {
            linked = false;
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (FileSystemException noLinksHere) {
            linked = false;
        }
        if (linked) {
            Files.deleteIfExists(part);
        } else {
            Files.move(part, target);
        }
    }

    /** Deletes the temporary file unless it was committed; a writer at work gets an error. */
    synchronized void discard() {
        if (part == null) {
            return;
        }
        try {
            try {
                if (channel != null) {
                    channel.close();
                }
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            // Nothing is left to try, and the error that led here is the one to report.
        }
        part = null;
    }

    @Override
    public void close() {
        discard();
        forgetHook();
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook runs now or has run, and finds nothing to do.
        }
    }
}
