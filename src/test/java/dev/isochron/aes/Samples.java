package dev.isochron.aes;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;

/** Data for tests, the same in every run. */
public final class Samples {

    /** Calls after which the compilers have done all they do. */
    private static final int HOT_CALLS = 30_000;

    /** The interpreter alone learns nothing from repetition. */
    private static final int INTERPRETED_CALLS = 50;

    private Samples() {}

    /** How often a hot test repeats a call in this JVM. */
    public static int hotCalls() {
        return isInterpreted() ? INTERPRETED_CALLS : HOT_CALLS;
    }

    /** From length to length: every one, but in the slow interpreter every seventh, so every tail. */
    public static int lengthStep() {
        return isInterpreted() ? 7 : 1;
    }

    /** The longest text for a test that runs in every tier: the interpreter has its own measure. */
    static int longestShortText() {
        return isInterpreted() ? 2_000 : 20_000;
    }

    private static boolean isInterpreted() {
        return System.getProperty("java.vm.info").contains("interpreted");
    }

    /** The notation P:s:n of the vector files: n bytes that do not repeat soon. */
    public static byte[] pattern(int s, int n) {
        return pattern(s, 0, n);
    }

    /** A piece of P:s:n, of {@code n} bytes from {@code from}. */
    static byte[] pattern(int s, int from, int n) {
        byte[] bytes = new byte[n];
        for (int k = 0; k < n; k++) {
            int i = from + k;
            bytes[k] = (byte) (167 * i + 59 * (i >> 8) + s);
        }
        return bytes;
    }

    /** Random bytes. */
    public static byte[] random(Random random, int n) {
        byte[] bytes = new byte[n];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A fixed key of 128, 192 or 256 bits under an engine. */
    public static AesKey key(String engine, int bits) {
        return AesKey.of(pattern(bits, bits / 8), engine);
    }

    /** Every length from 0 to 200, and the neighbourhood of what engines and modes batch by. */
    public static int[] lengths() {
        int[] edges = {256, 512, 1024, 2048, 4096, 8192};
        int[] lengths =
                Arrays.stream(edges)
                        .flatMap(
                                edge ->
                                        Arrays.stream(
                                                new int[] {
                                                    edge - 16, edge - 1, edge, edge + 1, edge + 15,
                                                    edge + 16, edge + 17
                                                }))
                        .toArray();
        int[] all = new int[201 + lengths.length];
        for (int i = 0; i <= 200; i++) {
            all[i] = i;
        }
        System.arraycopy(lengths, 0, all, 201, lengths.length);
        return all;
    }

    /** Cuts a length at random, with pieces of no bytes among them; the pieces sum up to it. */
    public static int[] cuts(Random random, int length) {
        int[] pieces = new int[length + 4];
        int n = 0;
        int longest = 1 + random.nextInt(Math.max(1, Math.min(length, 300)));
        for (int left = length; left > 0 && n < pieces.length - 1; ) {
            int piece = Math.min(left, random.nextInt(longest + 1));
            pieces[n++] = piece;
            left -= piece;
        }
        int done = Arrays.stream(pieces).sum();
        pieces[n++] = length - done;
        return Arrays.copyOf(pieces, n);
    }

    /** Two arrays as one. */
    public static byte[] concat(byte[]... parts) {
        byte[] all = new byte[Stream.of(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** Bytes in the notation of the vector files. */
    static byte[] parse(String text) {
        String[] parts = text.split(":");
        return switch (parts[0]) {
            case "P" -> pattern(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
            case "Z" -> new byte[Integer.parseInt(parts[1])];
            default -> TestVectors.hex(text);
        };
    }

    /** Whether bytes are what a vector file says: in full, or by length and SHA-256. */
    static boolean matches(String expected, byte[] actual) throws NoSuchAlgorithmException {
        String[] parts = expected.split(":");
        if (!parts[0].equals("sha256")) {
            return Arrays.equals(parse(expected), actual);
        }
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(actual);
        return Integer.parseInt(parts[2]) == actual.length
                && parts[1].equals(HexFormat.of().formatHex(digest));
    }
}
