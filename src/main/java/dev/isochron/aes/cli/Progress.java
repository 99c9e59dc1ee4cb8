package dev.isochron.aes.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * Counts what is read from a source and, if asked to, shows it on standard error: one line, redrawn
 * in place, with the rate and the time left. Nothing shows in the first second, so short work stays
 * silent.
 */
final class Progress extends FilterInputStream {

    private static final long SECOND = 1_000_000_000L;
    private static final long SILENCE = SECOND;
    private static final long INTERVAL = SECOND / 5;

    private final Environment env;
    private final boolean shown;
    private final long total;
    private final long start;

    private long count;
    private long nextDraw;
    private int drawn;
    private boolean failed;

    /**
     * Watches a source.
     *
     * @param source what to read
     * @param total how many bytes it holds, or -1 if nobody knows
     * @param shown whether to show anything
     * @param env the clock, and where to show it
     */
    Progress(InputStream source, long total, boolean shown, Environment env) {
        super(source);
        this.env = env;
        this.shown = shown;
        this.total = total;
        this.start = env.clock().getAsLong();
        this.nextDraw = SILENCE;
    }

    /** Whether the source itself gave an error. */
    boolean failed() {
        return failed;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int n = read(one, 0, 1);
        return n < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
        boolean done = false;
        try {
            int n = in.read(b, off, len);
            done = true;
            if (n > 0) {
                count += n;
                draw();
            }
            return n;
        } finally {
            failed |= !done;
        }
    }

    @Override
    public long skip(long n) {
        // Every byte must be read to be authenticated.
        return 0;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void draw() {
        if (!shown) {
            return;
        }
        long elapsed = env.clock().getAsLong() - start;
        if (elapsed < nextDraw) {
            return;
        }
        nextDraw = elapsed + INTERVAL;
        show(line(count, total, elapsed));
    }

    /** What is shown after {@code elapsed} nanoseconds, in powers of ten. */
    static String line(long count, long total, long elapsed) {
        double rate = count / (elapsed / (double) SECOND);
        String line = String.format(Locale.ROOT, "%,.1f MB, %,.1f MB/s", count / 1e6, rate / 1e6);
        if (total <= 0 || count > total) {
            return line;
        }
        long left = Math.round((total - count) / rate);
        String time =
                left < 3600
                        ? String.format(Locale.ROOT, "%d:%02d", left / 60, left % 60)
                        : String.format(
                                Locale.ROOT,
                                "%d:%02d:%02d",
                                left / 3600,
                                left / 60 % 60,
                                left % 60);
        return String.format(Locale.ROOT, "%3d %%, %s, %s left", 100 * count / total, line, time);
    }

    private void show(String line) {
        env.err().print("\r" + line + " ".repeat(Math.max(0, drawn - line.length())));
        env.err().flush();
        drawn = line.length();
    }

    /** Clears the line, so that what follows starts on a clean one; closes the source. */
    @Override
    public void close() throws IOException {
        if (drawn > 0) {
            show("");
            env.err().print("\r");
            env.err().flush();
        }
        super.close();
    }
}
