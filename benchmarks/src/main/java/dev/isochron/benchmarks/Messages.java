package dev.isochron.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Random;

/**
 * An endless run of messages of one size under one key, each with another nonce, written into one
 * array made beforehand. Sealing counts the nonce up. Opening goes round a few messages sealed
 * beforehand, since each nonce belongs to one ciphertext.
 */
final class Messages {

    /** Even at 64 KiB a message they fit a level-two cache. */
    private static final int SEALED_MESSAGES = 4;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final Subject subject;
    private final byte[] plaintext;
    private final byte[] nonce;
    private final byte[] out;
    private final byte[][] nonces = new byte[SEALED_MESSAGES][];
    private final byte[][] sealed = new byte[SEALED_MESSAGES][];
    private long count;

    /**
     * Sets the key and proves that the subject computes what the mode's {@link Subject#oracle oracle}
     * computes.
     *
     * @param subject what is measured
     * @param mode its mode
     * @param bits the key's size
     * @param size bytes in a message, a number that the mode takes
     */
    Messages(Subject subject, AesMode mode, int bits, int size) throws GeneralSecurityException {
        this.subject = subject;
        byte[] key = new byte[mode.keyLength(bits)];
        Random random = new Random(1);
        random.nextBytes(key);
        plaintext = new byte[size];
        random.nextBytes(plaintext);
        nonce = new byte[mode.nonceLength()];
        out = new byte[size + Subject.TAG_LENGTH];

        subject.key(key);
        Subject oracle = Subject.oracle(mode);
        oracle.key(key);
        for (int i = 0; i < SEALED_MESSAGES; i++) {
            nonces[i] = new byte[mode.nonceLength()];
            number(nonces[i], -1L - i);
            int written = oracle.seal(nonces[i], plaintext, size, out);
            sealed[i] = Arrays.copyOf(out, written);
            Arrays.fill(out, (byte) 0);
            check(sealed[i], subject.seal(nonces[i], plaintext, size, out));
            if (mode.has("open")) {
                check(plaintext, subject.open(nonces[i], sealed[i], written, out));
            }
        }
    }

    /** Makes a nonce one that no other message has, if the mode takes one. */
    private static void number(byte[] nonce, long number) {
        if (nonce.length > 0) {
            LONG.set(nonce, 0, number);
        }
    }

    int seal() throws GeneralSecurityException {
        number(nonce, ++count);
        return subject.seal(nonce, plaintext, plaintext.length, out);
    }

    int open() throws GeneralSecurityException {
        int i = (int) ++count & SEALED_MESSAGES - 1;
        return subject.open(nonces[i], sealed[i], sealed[i].length, out);
    }

    private void check(byte[] expected, int written) {
        if (!Arrays.equals(expected, 0, expected.length, out, 0, written)) {
            throw new AssertionError("the subject's answer is not its oracle's");
        }
    }
}
