import dev.isochron.aes.Aead;
import dev.isochron.aes.Aes;
import dev.isochron.aes.AesKey;
import dev.isochron.aes.AesMac;
import dev.isochron.aes.CipherMode;
import dev.isochron.aes.XtsMode;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;

/**
 * Makes the JIT compilers compile Isochron: every engine and mode, both directions, short and long
 * texts, keys new and used, right and wrong tags and paddings. Then the controls.
 */
final class Workload {

    private static final int[] SIZES = {0, 1, 15, 16, 17, 48, 100, 256, 1019, 16384 + 5};
    private static final long QUIET = 1_000_000_000L;

    /** How many times the time asked for it may take until the compilers are quiet. */
    private static final int MOST = 3;

    private static final Random RANDOM = new Random(1);

    private Workload() {}

    public static void main(String[] args) throws InterruptedException {
        long least = 1_000_000_000L * Long.parseLong(args[0]);
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        long start = System.nanoTime();
        long spent = 0;
        long busy = start;
        long rounds = 0;
        long sum = 0;
        do {
            for (String engine : Aes.engines()) {
                sum += round(engine, rounds);
            }
            rounds++;
            if (compilers.getTotalCompilationTime() > spent) {
                spent = compilers.getTotalCompilationTime();
                busy = System.nanoTime();
            }
            // Until the compilers have had nothing to do for a while.
        } while (System.nanoTime() - start < least
                || System.nanoTime() - busy < QUIET && System.nanoTime() - start < MOST * least);
        for (int i = 0; i < 200_000; i++) {
            sum += Controls.all(RANDOM.nextInt(), RANDOM.nextInt());
        }
        // The JVM tells the agent of a compiled method a little later.
        Thread.sleep(300);
        System.out.println("rounds " + rounds + ", sum " + sum);
    }

    private static long round(String engine, long n) {
        long sum = 0;
        // Each round one key length, and mostly short texts: they are what needs many calls.
        byte[] bytes = random(new int[] {16, 24, 32}[(int) (n % 3)]);
        try (AesKey key = AesKey.of(bytes, engine)) {
            for (int size : SIZES) {
                if (size > 2000 && n % 8 != 7) {
                    continue;
                }
                sum += texts(key, random(size));
            }
        }
        try (XtsMode xts = Aes.xts(random(n % 2 == 0 ? 32 : 64), engine)) {
            for (int size : SIZES) {
                if (size >= 16 && (size < 2000 || n % 8 == 7)) {
                    byte[] tweak = random(16);
                    sum += xts.decrypt(tweak, xts.encrypt(tweak, random(size)))[0];
                }
            }
        }
        return sum;
    }

    private static long texts(AesKey key, byte[] text) {
        long sum = 0;
        List<Function<AesKey, Aead>> aeads = List.of(Aes::gcm, Aes::ccm, Aes::eax, Aes::ocb);
        for (Function<AesKey, Aead> make : aeads) {
            Aead aead = make.apply(key);
            byte[] nonce = random(12);
            byte[] aad = random(text.length % 50);
            byte[] sealed = aead.seal(nonce, aad, text);
            sum += opened(aead, nonce, aad, sealed);
            sealed[RANDOM.nextInt(sealed.length)] ^= 1;
            sum += opened(aead, nonce, aad, sealed);
        }
        List<Function<AesKey, CipherMode>> modes =
                List.of(
                        Aes::ctr, Aes::cbc, Aes::ecbPadded, Aes::cfb, Aes::cfb8, Aes::ofb,
                        Aes::cbcCs1, Aes::cbcCs2, Aes::cbcCs3);
        for (int i = 0; i < modes.size(); i++) {
            CipherMode mode = modes.get(i).apply(key);
            if (i >= 6 && text.length < 16) {
                continue;
            }
            byte[] iv = random(mode.ivLength());
            byte[] sealed = mode.encrypt(iv, text);
            sum += decrypted(mode, iv, sealed);
            if (sealed.length > 0) {
                sealed[sealed.length - 1] ^= (byte) (1 << RANDOM.nextInt(8));
                sum += decrypted(mode, iv, sealed);
            }
        }
        try (AesMac mac = Aes.cmac(key)) {
            byte[] tag = mac.doFinal(text);
            sum += mac.verify(text, tag) ? 1 : 0;
            tag[RANDOM.nextInt(tag.length)] ^= 1;
            sum += mac.verify(text, tag) ? 1 : 0;
        }
        return sum;
    }

    private static int opened(Aead aead, byte[] nonce, byte[] aad, byte[] sealed) {
        try {
            return aead.open(nonce, aad, sealed).length;
        } catch (AEADBadTagException e) {
            return -1;
        }
    }

    private static int decrypted(CipherMode mode, byte[] iv, byte[] sealed) {
        try {
            return mode.decrypt(iv, sealed).length;
        } catch (BadPaddingException e) {
            return -1;
        }
    }

    private static byte[] random(int n) {
        byte[] bytes = new byte[n];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
