package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.ShortBufferException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link Aead} and {@link AeadOperation} promise, for every mode: a mode's own test extends
 * this, and gives the mode and an independent implementation of it.
 */
abstract class AeadContract {

    static final int TAG = 16;
    private static final byte FILL = (byte) 0xA5;
    private static final String BAD_TAG = Aead.badTag().getMessage();

    private final byte[] nonce = Samples.pattern(1, 12);
    private final byte[] aad = Samples.pattern(2, 21);
    private AesKey key;
    private Aead aead;

    /** The mode under test, with a tag of 16 bytes. */
    abstract Aead mode(AesKey key);

    /** What an implementation by others seals. */
    abstract byte[] reference(byte[] key, byte[] nonce, byte[] aad, byte[] plaintext)
            throws Exception;

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    @BeforeEach
    void makeKey() {
        key = AesKey.of(Samples.pattern(128, 16));
        aead = mode(key);
    }

    private byte[] expected(byte[] text) throws Exception {
        return reference(Samples.pattern(128, 16), nonce, aad, text);
    }

    // ---- right results -------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("engines")
    void everyLength(String engine) throws Exception {
        for (int bits : new int[] {128, 192, 256}) {
            Aead mode = mode(Samples.key(engine, bits));
            for (int length : Samples.lengths()) {
                byte[] text = Samples.pattern(length, length);
                byte[] textBefore = text.clone();
                byte[] data = Samples.pattern(length + 1, (length * 7) % 61);
                byte[] dataBefore = data.clone();
                byte[] sealed = mode.seal(nonce, data, text);
                assertArrayEquals(
                        reference(Samples.pattern(bits, bits / 8), nonce, data, text),
                        sealed,
                        length + " bytes");
                byte[] sealedBefore = sealed.clone();
                assertArrayEquals(text, mode.open(nonce, data, sealed), length + " bytes");
                assertArrayEquals(sealedBefore, sealed);
                assertArrayEquals(textBefore, text);
                assertArrayEquals(dataBefore, data);
                assertArrayEquals(Samples.pattern(1, 12), nonce);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void everyLengthOfAssociatedData(String engine) throws Exception {
        Aead mode = mode(Samples.key(engine, 256));
        byte[] text = Samples.pattern(3, 37);
        for (int length : Samples.lengths()) {
            byte[] data = Samples.pattern(length, length);
            byte[] sealed = mode.seal(nonce, data, text);
            assertArrayEquals(
                    reference(Samples.pattern(256, 32), nonce, data, text),
                    sealed,
                    length + " bytes");
            assertArrayEquals(text, mode.open(nonce, data, sealed));
        }
        assertArrayEquals(
                mode.seal(nonce, new byte[0], text), mode.seal(nonce, null, text), "null is empty");
    }

    @ParameterizedTest
    @MethodSource("engines")
    void everyChunking(String engine) throws Exception {
        AesKey ownKey = Samples.key(engine, 128);
        Aead mode = mode(ownKey);
        Random random = new Random(engine.hashCode());
        for (int round = 0; round < 1500; round++) {
            int length = random.nextInt(round % 50 == 0 ? 10_000 : 400);
            byte[] text = Samples.random(random, length);
            byte[] data = Samples.random(random, random.nextInt(100));
            byte[] own = Samples.random(random, 12);
            byte[] sealed = mode.seal(own, data, text);
            assertArrayEquals(
                    sealed, inPieces(mode.encryptor(own), random, data, text), "round " + round);
            assertArrayEquals(
                    text, inPieces(mode.decryptor(own), random, data, sealed), "round " + round);
        }
    }

    private static byte[] inPieces(AeadOperation operation, Random random, byte[] aad, byte[] in)
            throws Exception {
        int at = 0;
        for (int piece : Samples.cuts(random, aad.length)) {
            operation.updateAAD(aad, at, piece);
            at += piece;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int[] pieces = Samples.cuts(random, in.length);
        at = 0;
        for (int i = 0; i < pieces.length - 1; i++) {
            out.write(operation.update(in, at, pieces[i]));
            at += pieces[i];
        }
        out.write(operation.doFinal(in, at, in.length - at));
        return out.toByteArray();
    }

    /** One cut, at every place. */
    @ParameterizedTest
    @MethodSource("engines")
    void everyCutInTwo(String engine) throws Exception {
        Aead mode = mode(Samples.key(engine, 256));
        byte[] text = Samples.pattern(8, 600);
        byte[] sealed = mode.seal(nonce, aad, text);
        for (int cut = 0; cut <= text.length; cut++) {
            try (AeadOperation operation = mode.encryptor(numbered(cut))) {
                operation.updateAAD(aad);
                byte[] head = operation.update(text, 0, cut);
                byte[] tail = operation.doFinal(text, cut, text.length - cut);
                assertArrayEquals(
                        mode.seal(numbered(cut), aad, text),
                        Samples.concat(head, tail),
                        "cut at " + cut);
            }
        }
        for (int cut = 0; cut <= sealed.length; cut++) {
            try (AeadOperation operation = mode.decryptor(nonce)) {
                operation.updateAAD(aad);
                assertEquals(0, operation.update(sealed, 0, cut).length, "nothing before the tag");
                assertArrayEquals(text, operation.doFinal(sealed, cut, sealed.length - cut));
            }
        }
    }

    private static byte[] numbered(int n) {
        return ByteBuffer.allocate(12).putInt(8, n).array();
    }

    // ---- places --------------------------------------------------------------------------------

    /** Output anywhere in the array of its input: exact, shifted to either side, far apart. */
    @Test
    void overlap() throws Exception {
        for (int length : new int[] {0, 1, 15, 16, 17, 33, 64, 100, 128, 129, 512, 513, 700}) {
            byte[] text = Samples.pattern(length, length);
            byte[] sealed = expected(text);
            for (int shift : new int[] {-600, -65, -17, -16, -15, -8, -1, 0, 1, 3, 8, 15, 16, 17,
                    31, 33, 64, 65, 127, 600}) {
                int off = 700;
                byte[] array = filled(2300, text, off);
                assertEquals(
                        sealed.length,
                        aead.seal(nonce, aad, array, off, length, array, off + shift));
                assertAt(sealed, array, off + shift, "seal", length, shift);

                array = filled(2300, sealed, off);
                assertEquals(
                        length,
                        aead.open(nonce, aad, array, off, sealed.length, array, off + shift));
                assertAt(text, array, off + shift, "open", length, shift);

                array = filled(2300, text, off);
                AeadOperation operation = encryptor(length, shift);
                int head = Math.min(length, 21);
                int n = operation.update(array, off, head, array, 2200);
                int rest = off + head;
                byte[] tail = Arrays.copyOfRange(text, head, length);
                System.arraycopy(tail, 0, array, rest, tail.length);
                byte[] headOut = Arrays.copyOfRange(array, 2200, 2200 + n);
                n = operation.doFinal(array, rest, tail.length, array, rest + shift);
                byte[] tailOut = Arrays.copyOfRange(array, rest + shift, rest + shift + n);
                assertArrayEquals(
                        aead.seal(operation.iv(), aad, text),
                        Samples.concat(headOut, tailOut),
                        "pieces, length " + length + ", shift " + shift);

                array = filled(2300, sealed, off);
                operation = aead.decryptor(nonce);
                operation.updateAAD(aad);
                operation.update(array, off, 16, array, off + 5);
                n = operation.doFinal(
                        array, off + 16, sealed.length - 16, array, off + 16 + shift);
                assertEquals(length, n);
                assertAt(text, array, off + 16 + shift, "decryptor", length, shift);
            }
        }
    }

    private AeadOperation encryptor(int length, int shift) {
        AeadOperation operation = aead.encryptor(numbered(10_000 * length + shift));
        operation.updateAAD(aad);
        return operation;
    }

    private static byte[] filled(int size, byte[] content, int off) {
        byte[] array = new byte[size];
        Arrays.fill(array, FILL);
        System.arraycopy(content, 0, array, off, content.length);
        return array;
    }

    private static void assertAt(
            byte[] expected, byte[] array, int off, String what, int length, int shift) {
        assertArrayEquals(
                expected,
                Arrays.copyOfRange(array, off, off + expected.length),
                () -> what + ", length " + length + ", shift " + shift);
    }

    /** Nothing but the output changes, whatever the offsets. */
    @Test
    void offsets() throws Exception {
        for (int length : new int[] {0, 1, 16, 31, 100, 600}) {
            byte[] text = Samples.pattern(length, length);
            byte[] sealed = expected(text);
            for (int off = 0; off < 20; off++) {
                byte[] in = filled(length + 40, text, off);
                byte[] inBefore = in.clone();
                byte[] out = filled(sealed.length + 40, new byte[0], 0);
                aead.seal(nonce, aad, in, off, length, out, 19 - off);
                assertArrayEquals(filled(sealed.length + 40, sealed, 19 - off), out);
                assertArrayEquals(inBefore, in);

                in = filled(sealed.length + 40, sealed, off);
                inBefore = in.clone();
                out = filled(length + 40, new byte[0], 0);
                aead.open(nonce, aad, in, off, sealed.length, out, 19 - off);
                assertArrayEquals(filled(length + 40, text, 19 - off), out);
                assertArrayEquals(inBefore, in);
            }
        }
    }

    @Test
    void buffersOfEveryKind() throws Exception {
        for (int length : new int[] {0, 1, 16, 37, 512, 600}) {
            byte[] text = Samples.pattern(length, length);
            byte[] sealed = expected(text);
            BufferContract.check(text, sealed, (in, out) -> aead.seal(nonce, aad, in, out));
            BufferContract.check(sealed, text, (in, out) -> aead.open(nonce, aad, in, out));
            BufferContract.check(
                    sealed,
                    text,
                    (in, out) -> {
                        AeadOperation operation = aead.decryptor(nonce);
                        operation.updateAAD(ByteBuffer.wrap(aad).asReadOnlyBuffer());
                        ByteBuffer head = in.duplicate().limit(in.position() + 5);
                        assertEquals(0, operation.update(head, out));
                        return operation.doFinal(in.position(in.position() + 5), out);
                    });
        }
    }

    @Test
    void associatedDataInBuffersOfEveryKind() throws Exception {
        byte[] text = Samples.pattern(1, 5);
        byte[] sealed = expected(text);
        for (ByteBuffer buffer : BufferContract.inputs(aad)) {
            AeadOperation operation = aead.decryptor(nonce);
            operation.updateAAD(buffer);
            assertEquals(buffer.limit(), buffer.position());
            assertArrayEquals(text, operation.doFinal(sealed));
        }
    }

    @Test
    void refusesBuffersThatCannotWork() {
        ByteBuffer one = ByteBuffer.allocate(100);
        assertThrows(IllegalArgumentException.class, () -> aead.seal(nonce, aad, one, one));
        assertThrows(IllegalArgumentException.class, () -> aead.open(nonce, aad, one, one));
        ByteBuffer readOnly = ByteBuffer.allocate(200).asReadOnlyBuffer();
        assertThrows(IllegalArgumentException.class, () -> aead.seal(nonce, aad, one, readOnly));
        assertThrows(IllegalArgumentException.class, () -> aead.open(nonce, aad, one, readOnly));
        ByteBuffer shorter = ByteBuffer.allocate(115);
        assertThrows(ShortBufferException.class, () -> aead.seal(nonce, aad, one, shorter));
        ByteBuffer shorterDirect = ByteBuffer.allocateDirect(83);
        assertThrows(ShortBufferException.class, () -> aead.open(nonce, aad, one, shorterDirect));
        assertEquals(0, one.position());
        assertEquals(0, shorter.position());
        assertEquals(0, shorterDirect.position());
        AeadOperation operation = aead.encryptor(nonce);
        assertThrows(IllegalArgumentException.class, () -> operation.update(one, one));
        assertThrows(IllegalArgumentException.class, () -> operation.doFinal(one, readOnly));
        assertThrows(NullPointerException.class, () -> operation.updateAAD((ByteBuffer) null));
    }

    // ---- forgeries -----------------------------------------------------------------------------

    private void assertRefused(byte[] nonce, byte[] aad, byte[] sealed) throws Exception {
        assertBadTag(() -> aead.open(nonce, aad, sealed));
        byte[] out = filled(sealed.length + 20, new byte[0], 0);
        assertBadTag(() -> aead.open(nonce, aad, sealed, 0, sealed.length, out, 3));
        assertArrayEquals(filled(out.length, new byte[0], 0), out, "output untouched");

        byte[] inPlace = sealed.clone();
        assertBadTag(() -> aead.open(nonce, aad, inPlace, 0, sealed.length, inPlace, 0));
        assertArrayEquals(sealed, inPlace, "in place untouched");

        for (ByteBuffer to :
                List.of(
                        ByteBuffer.wrap(filled(sealed.length + 9, new byte[0], 0)),
                        ByteBuffer.allocateDirect(sealed.length + 9))) {
            ByteBuffer untouched = ByteBuffer.allocate(to.capacity()).put(to.duplicate()).flip();
            ByteBuffer from = ByteBuffer.wrap(sealed);
            assertBadTag(() -> aead.open(nonce, aad, from, to));
            assertEquals(0, from.position());
            assertEquals(0, to.position());
            assertEquals(untouched, to);
        }

        AeadOperation operation = aead.decryptor(nonce);
        operation.updateAAD(aad);
        int half = sealed.length / 2;
        assertEquals(0, operation.update(sealed, 0, half).length);
        assertBadTag(() -> operation.doFinal(sealed, half, sealed.length - half, out, 3));
        assertArrayEquals(filled(out.length, new byte[0], 0), out, "output untouched");
        assertThrows(IllegalStateException.class, operation::doFinal);
    }

    private static void assertBadTag(Callable<?> call) {
        assertEquals(BAD_TAG, assertThrows(AEADBadTagException.class, call::call).getMessage());
    }

    @Test
    void refusesEveryFlippedBit() throws Exception {
        for (int length : new int[] {0, 1, 33, 530}) {
            byte[] sealed = expected(Samples.pattern(length, length));
            for (int bit = 0; bit < 8 * sealed.length; bit += length > 100 ? 13 : 1) {
                byte[] bad = sealed.clone();
                bad[bit / 8] ^= (byte) (1 << bit % 8);
                assertRefused(nonce, aad, bad);
            }
            for (int bit = 0; bit < 8 * nonce.length; bit++) {
                byte[] bad = nonce.clone();
                bad[bit / 8] ^= (byte) (1 << bit % 8);
                assertRefused(bad, aad, sealed);
            }
            for (int bit = 0; bit < 8 * aad.length; bit++) {
                byte[] bad = aad.clone();
                bad[bit / 8] ^= (byte) (1 << bit % 8);
                assertRefused(nonce, bad, sealed);
            }
        }
    }

    @Test
    void refusesEveryTruncationAndExtension() throws Exception {
        for (int length : new int[] {0, 1, 33}) {
            byte[] sealed = expected(Samples.pattern(length, length));
            for (int n = 0; n < sealed.length; n++) {
                assertRefused(nonce, aad, Arrays.copyOf(sealed, n));
            }
            assertRefused(nonce, aad, Arrays.copyOf(sealed, sealed.length + 1));
            assertRefused(nonce, aad, Arrays.copyOf(sealed, sealed.length + 16));
            for (int n = 0; n < aad.length; n++) {
                assertRefused(nonce, Arrays.copyOf(aad, n), sealed);
            }
            assertRefused(nonce, Arrays.copyOf(aad, aad.length + 1), sealed);
        }
    }

    @Test
    void refusesAnotherKey() throws Exception {
        byte[] sealed = mode(Samples.key(Aes.engine(), 256)).seal(nonce, aad, new byte[40]);
        assertRefused(nonce, aad, sealed);
    }

    @Test
    void associatedDataAndTextDoNotMix() throws Exception {
        byte[] text = Samples.pattern(1, 32);
        byte[] sealed = aead.seal(nonce, text, new byte[0]);
        assertRefused(nonce, new byte[0], Samples.concat(text, sealed));
        byte[] shifted = aead.seal(nonce, Arrays.copyOf(text, 16), new byte[16]);
        assertFalse(Arrays.equals(shifted, aead.seal(nonce, Arrays.copyOf(text, 17), new byte[16])));
    }

    // ---- arguments -----------------------------------------------------------------------------

    @Test
    void refusesNull() {
        assertThrows(NullPointerException.class, () -> aead.seal(null, aad, new byte[1]));
        assertThrows(NullPointerException.class, () -> aead.seal(nonce, aad, (byte[]) null));
        assertThrows(NullPointerException.class, () -> aead.open(null, aad, new byte[20]));
        assertThrows(NullPointerException.class, () -> aead.open(nonce, aad, (byte[]) null));
        assertThrows(
                NullPointerException.class,
                () -> aead.seal(nonce, aad, new byte[9], 0, 9, null, 0));
        assertThrows(
                NullPointerException.class,
                () -> aead.seal(nonce, aad, null, ByteBuffer.allocate(9)));
        assertThrows(
                NullPointerException.class,
                () -> aead.open(nonce, aad, ByteBuffer.allocate(30), null));
        assertThrows(NullPointerException.class, () -> aead.encryptor(null));
        assertThrows(NullPointerException.class, () -> aead.decryptor(null));
        assertThrows(NullPointerException.class, () -> aead.sealWithRandomNonce(aad, null));
        assertThrows(NullPointerException.class, () -> aead.openWithNonce(aad, null));
        assertThrows(NullPointerException.class, () -> mode(null));
        AeadOperation operation = aead.encryptor(nonce);
        assertThrows(NullPointerException.class, () -> operation.updateAAD((byte[]) null));
        assertThrows(NullPointerException.class, () -> operation.update(null));
        assertThrows(NullPointerException.class, () -> operation.doFinal(null));
    }

    @Test
    void refusesRangesOutsideTheirArrays() throws Exception {
        byte[] in = new byte[40];
        byte[] out = new byte[100];
        int[][] ranges = {{-1, 10}, {0, -1}, {31, 10}, {41, 0}, {40, 1}, {10, Integer.MAX_VALUE},
            {Integer.MAX_VALUE, 10}, {Integer.MIN_VALUE, 10}, {10, Integer.MIN_VALUE}};
        AeadOperation encryptor = aead.encryptor(nonce);
        AeadOperation decryptor = aead.decryptor(nonce);
        for (int[] range : ranges) {
            int off = range[0];
            int length = range[1];
            assertOutside(() -> aead.seal(nonce, aad, in, off, length, out, 0));
            assertOutside(() -> aead.open(nonce, aad, in, off, length, out, 0));
            for (AeadOperation operation : List.of(encryptor, decryptor)) {
                assertOutside(() -> operation.update(in, off, length));
                assertOutside(() -> operation.update(in, off, length, out, 0));
                assertOutside(() -> operation.doFinal(in, off, length));
                assertOutside(() -> operation.doFinal(in, off, length, out, 0));
                assertOutside(
                        () -> {
                            operation.updateAAD(in, off, length);
                            return null;
                        });
            }
        }
        for (int outOff : new int[] {-1, 101, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertOutside(() -> aead.seal(nonce, aad, in, 0, 40, out, outOff));
            assertOutside(() -> aead.open(nonce, aad, in, 0, 40, out, outOff));
            assertOutside(() -> encryptor.update(in, 0, 40, out, outOff));
            assertOutside(() -> encryptor.doFinal(in, 0, 40, out, outOff));
            assertOutside(() -> decryptor.doFinal(in, 0, 40, out, outOff));
        }
        assertArrayEquals(new byte[100], out);
        encryptor.updateAAD(aad);
        assertArrayEquals(expected(in), encryptor.doFinal(in), "no refusal changed anything");
        decryptor.updateAAD(aad);
        assertArrayEquals(in, decryptor.doFinal(expected(in)), "no refusal changed anything");
    }

    private static void assertOutside(Callable<?> call) {
        String message = assertThrows(IndexOutOfBoundsException.class, call::call).getMessage();
        assertTrue(message.contains("input") || message.contains("output")
                || message.contains("aad"), message);
    }

    @Test
    void tooShortAnOutputCanBeRetried() throws Exception {
        byte[] text = Samples.pattern(1, 50);
        byte[] sealed = expected(text);
        byte[] out = new byte[sealed.length];
        for (int room = 0; room < sealed.length; room++) {
            byte[] small = new byte[room];
            assertShort(() -> aead.seal(nonce, aad, text, 0, 50, small, 0));
            int outOff = sealed.length - room;
            assertShort(() -> aead.seal(nonce, aad, text, 0, 50, out, outOff));
        }
        for (int room = 0; room < 50; room++) {
            byte[] small = new byte[room];
            assertShort(() -> aead.open(nonce, aad, sealed, 0, sealed.length, small, 0));
        }
        // How much comes out at once is the mode's affair.
        int head = aead.encryptor(numbered(1)).update(text, 0, 20).length;
        AeadOperation encryptor = aead.encryptor(nonce);
        encryptor.updateAAD(aad);
        for (int room = 0; room < head; room++) {
            byte[] small = new byte[room];
            assertShort(() -> encryptor.update(text, 0, 20, small, 0));
            assertShort(
                    () ->
                            encryptor.update(
                                    ByteBuffer.wrap(text, 0, 20), ByteBuffer.wrap(small)));
        }
        assertEquals(head, encryptor.update(text, 0, 20, out, 0));
        for (int room = 0; room < sealed.length - head; room++) {
            byte[] small = new byte[room];
            assertShort(() -> encryptor.doFinal(text, 20, 30, small, 0));
        }
        assertEquals(sealed.length - head, encryptor.doFinal(text, 20, 30, out, head));
        assertArrayEquals(sealed, out);

        AeadOperation decryptor = aead.decryptor(nonce);
        decryptor.updateAAD(aad);
        decryptor.update(sealed, 0, 20);
        for (int room = 0; room < 50; room++) {
            byte[] small = new byte[room];
            assertShort(() -> decryptor.doFinal(sealed, 20, 46, small, 0));
            assertShort(
                    () ->
                            decryptor.doFinal(
                                    ByteBuffer.wrap(sealed, 20, 46), ByteBuffer.wrap(small)));
        }
        byte[] opened = new byte[50];
        assertEquals(50, decryptor.doFinal(sealed, 20, 46, opened, 0));
        assertArrayEquals(text, opened);
    }

    private static void assertShort(Callable<?> call) {
        assertThrows(ShortBufferException.class, call::call);
    }

    @Test
    void outputSizeIsEnoughAndNeverNegative() throws Exception {
        AeadOperation encryptor = aead.encryptor(nonce);
        AeadOperation decryptor = aead.decryptor(nonce);
        assertEquals(16, encryptor.outputSize(0));
        assertEquals(0, decryptor.outputSize(0));
        assertEquals(0, decryptor.outputSize(15));
        assertEquals(1, decryptor.outputSize(17));
        int max = Integer.MAX_VALUE;
        assertEquals(max, encryptor.outputSize(max));
        assertEquals(max, encryptor.outputSize(max - 15));
        assertEquals(max, encryptor.outputSize(max - 16));
        assertEquals(max - 1, encryptor.outputSize(max - 17));
        assertEquals(max - 16, decryptor.outputSize(max));
        assertThrows(IllegalArgumentException.class, () -> encryptor.outputSize(-1));
        encryptor.update(new byte[5]);
        decryptor.update(new byte[21]);
        assertTrue(encryptor.outputSize(max - 4) > 0);
        assertEquals(32 + 21 - 16, decryptor.outputSize(32));
        assertTrue(decryptor.outputSize(max) > 0);
        assertTrue(encryptor.outputSize(16) >= 32);
        assertEquals(encryptor.outputSize(7), encryptor.doFinal(new byte[7]).length);
    }

    // ---- states --------------------------------------------------------------------------------

    /** A call that must be refused. */
    private interface Action {
        void run() throws Exception;
    }

    private static void assertEnded(AeadOperation operation) {
        byte[] out = new byte[100];
        for (Action action :
                List.<Action>of(
                        () -> operation.updateAAD(out),
                        () -> operation.updateAAD(out, 0, 0),
                        () -> operation.updateAAD(ByteBuffer.allocate(3)),
                        () -> operation.update(new byte[0]),
                        () -> operation.update(out, 0, 5),
                        () -> operation.update(out, 0, 5, out, 0),
                        () -> operation.update(ByteBuffer.allocate(3), ByteBuffer.allocate(30)),
                        operation::doFinal,
                        () -> operation.doFinal(out),
                        () -> operation.doFinal(out, 0, 20, out, 0),
                        () -> operation.doFinal(ByteBuffer.allocate(3), ByteBuffer.allocate(30)))) {
            assertThrows(IllegalStateException.class, action::run);
        }
        assertArrayEquals(new byte[100], out);
    }

    @Test
    void anOperationServesOneMessage() throws Exception {
        byte[] sealed = expected(new byte[9]);
        AeadOperation encryptor = aead.encryptor(nonce);
        encryptor.doFinal(new byte[9]);
        assertEnded(encryptor);
        encryptor.close();
        assertEnded(encryptor);

        AeadOperation decryptor = aead.decryptor(nonce);
        decryptor.updateAAD(aad);
        decryptor.doFinal(sealed);
        assertEnded(decryptor);

        AeadOperation failed = aead.decryptor(nonce);
        assertBadTag(() -> failed.doFinal(sealed));
        assertEnded(failed);

        AeadOperation closed = aead.decryptor(nonce);
        closed.update(sealed);
        closed.close();
        closed.close();
        assertEnded(closed);
    }

    @Test
    void aClosedKeyServesNothing() throws Exception {
        byte[] sealed = expected(new byte[9]);
        AeadOperation encryptor = aead.encryptor(nonce);
        AeadOperation decryptor = aead.decryptor(nonce);
        encryptor.update(new byte[3]);
        decryptor.update(sealed);
        assertFalse(key.isDestroyed());
        key.close();
        key.close();
        key.destroy();
        assertTrue(key.isDestroyed());
        assertEnded(encryptor);
        assertEnded(decryptor);
        byte[] out = new byte[100];
        for (Action action :
                List.<Action>of(
                        () -> aead.seal(nonce, aad, out),
                        () -> aead.seal(nonce, aad, out, 0, 5, out, 0),
                        () -> aead.seal(nonce, aad, ByteBuffer.allocate(3), ByteBuffer.wrap(out)),
                        () -> aead.open(nonce, aad, sealed),
                        () -> aead.open(nonce, aad, sealed, 0, sealed.length, out, 0),
                        () -> aead.open(nonce, aad, ByteBuffer.wrap(sealed), ByteBuffer.wrap(out)),
                        () -> aead.encryptor(nonce),
                        () -> aead.decryptor(nonce),
                        () -> aead.sealWithRandomNonce(aad, out),
                        () -> aead.openWithNonce(aad, out),
                        () -> mode(key))) {
            assertThrows(IllegalStateException.class, action::run);
        }
        assertArrayEquals(new byte[100], out);
    }

    @Test
    void argumentsAreNotKept() throws Exception {
        byte[] own = nonce.clone();
        byte[] keyBytes = Samples.pattern(128, 16);
        Aead mode = mode(AesKey.of(keyBytes));
        AeadOperation operation = mode.encryptor(own);
        Arrays.fill(own, (byte) 0);
        Arrays.fill(keyBytes, (byte) 0);
        Arrays.fill(operation.iv(), (byte) 0);
        assertArrayEquals(nonce, operation.iv());
        byte[] data = aad.clone();
        operation.updateAAD(data);
        Arrays.fill(data, (byte) 0);
        byte[] text = Samples.pattern(4, 7);
        byte[] head = operation.update(text);
        Arrays.fill(text, (byte) 0);
        byte[] tail = operation.doFinal();
        assertArrayEquals(expected(Samples.pattern(4, 7)), Samples.concat(head, tail));
        assertArrayEquals(nonce, operation.iv());

        byte[] sealed = expected(Samples.pattern(4, 7));
        AeadOperation decryptor = mode.decryptor(nonce);
        decryptor.updateAAD(aad);
        byte[] piece = sealed.clone();
        decryptor.update(piece);
        Arrays.fill(piece, (byte) 0);
        assertArrayEquals(Samples.pattern(4, 7), decryptor.doFinal());
    }

    @Test
    void associatedDataAfterTextIsRefusedAndHarmless() throws Exception {
        byte[] text = Samples.pattern(3, 40);
        AeadOperation encryptor = aead.encryptor(nonce);
        encryptor.updateAAD(aad);
        byte[] head = encryptor.update(text, 0, 4);
        assertThrows(IllegalStateException.class, () -> encryptor.updateAAD(new byte[1]));
        assertThrows(
                IllegalStateException.class, () -> encryptor.updateAAD(ByteBuffer.allocate(1)));
        byte[] tail = encryptor.doFinal(text, 4, 36);
        assertArrayEquals(expected(text), Samples.concat(head, tail));

        AeadOperation decryptor = aead.decryptor(nonce);
        decryptor.updateAAD(aad);
        decryptor.update(expected(text), 0, 4);
        assertThrows(IllegalStateException.class, () -> decryptor.updateAAD(new byte[1]));
        assertArrayEquals(text, decryptor.doFinal(expected(text), 4, 52));
    }

    /** An update of no bytes is no text yet. */
    @Test
    void emptyTextDoesNotEndAssociatedData() throws Exception {
        byte[] text = Samples.pattern(3, 40);
        AeadOperation encryptor = aead.encryptor(nonce);
        encryptor.updateAAD(aad, 0, 5);
        encryptor.update(new byte[0]);
        encryptor.updateAAD(aad, 5, aad.length - 5);
        assertArrayEquals(expected(text), encryptor.doFinal(text));
    }

    /** However a message ends, nothing is left of its text, its keystream and its tag. */
    @ParameterizedTest
    @MethodSource("engines")
    void endingAnOperationWipesItsState(String engine) throws Exception {
        Aead mode = mode(Samples.key(engine, 128));
        byte[] text = Samples.pattern(4, 60);
        byte[] sealed = mode.seal(nonce, aad, text);
        for (int end = 0; end < 5; end++) {
            boolean encrypts = end < 2;
            byte[] in = encrypts ? text : sealed;
            AeadOperation operation =
                    encrypts ? mode.encryptor(numbered(end)) : mode.decryptor(nonce);
            operation.updateAAD(aad);
            operation.update(in, 0, 21);
            List<Object> arrays = Secrets.arrays(operation, SHARED::contains);
            assertTrue(arrays.stream().anyMatch(array -> !Secrets.isBlank(array)), "in use");
            switch (end) {
                case 0, 2 -> operation.close();
                case 1, 3 -> operation.doFinal(in, 21, in.length - 21);
                default -> assertBadTag(() -> operation.doFinal(in, 20, in.length - 21));
            }
            arrays.addAll(Secrets.arrays(operation, SHARED::contains));
            for (Object array : arrays) {
                assertTrue(Secrets.isBlank(array), array + " of " + operation + ", end " + end);
            }
        }
    }

    /** What an operation shares with others of its key, and its nonce, which is public. */
    private static final Set<String> SHARED =
            Set.of("key", "iv", "cipher", "ghash", "cmac", "prefix", "this$0");

    // ---- nonces --------------------------------------------------------------------------------

    @Test
    void anEncryptorRefusesTheNonceBefore() {
        byte[] own = nonce.clone();
        aead.encryptor(own).close();
        assertThrows(IllegalStateException.class, () -> aead.encryptor(nonce));
        assertThrows(IllegalStateException.class, () -> mode(key).encryptor(nonce));
        aead.decryptor(nonce).close();
        own[0] ^= 1;
        aead.encryptor(own).close();
        assertThrows(IllegalStateException.class, () -> aead.encryptor(own));
        aead.encryptor(Arrays.copyOf(own, 11)).close();
    }

    @Test
    void randomNoncesGoInFrontAndDiffer() throws Exception {
        byte[] text = Samples.pattern(6, 77);
        byte[] one = aead.sealWithRandomNonce(aad, text);
        byte[] two = aead.sealWithRandomNonce(aad, text);
        assertEquals(12 + 77 + TAG, one.length);
        assertFalse(Arrays.equals(one, 0, 12, two, 0, 12));
        assertArrayEquals(text, aead.openWithNonce(aad, one));
        assertArrayEquals(
                text,
                aead.open(
                        Arrays.copyOf(one, 12), aad, Arrays.copyOfRange(one, 12, one.length)));
        for (int n = 0; n < one.length; n++) {
            byte[] cut = Arrays.copyOf(one, n);
            assertBadTag(() -> aead.openWithNonce(aad, cut));
            byte[] flipped = one.clone();
            flipped[n] ^= 4;
            assertBadTag(() -> aead.openWithNonce(aad, flipped));
        }
        assertBadTag(() -> aead.openWithNonce(null, one));
    }

    @Test
    void randomNoncesStopBeforeTheLimit() throws Exception {
        var field = AesKey.class.getDeclaredField("randomNonces");
        field.setAccessible(true);
        AtomicLong count = (AtomicLong) field.get(key);
        count.set((1L << 32) - 2);
        byte[] last = aead.sealWithRandomNonce(aad, new byte[1]);
        assertThrows(
                IllegalStateException.class, () -> aead.sealWithRandomNonce(aad, new byte[1]));
        assertThrows(
                IllegalStateException.class, () -> mode(key).sealWithRandomNonce(aad, new byte[1]));
        assertArrayEquals(new byte[1], aead.openWithNonce(aad, last));
        aead.seal(nonce, aad, new byte[1]);
    }

    // ---- the object ----------------------------------------------------------------------------

    @Test
    void showsNothingSecret() throws Exception {
        String secret = TestVectors.hex(Samples.pattern(128, 16)).substring(0, 8);
        AeadOperation operation = aead.encryptor(nonce);
        for (Object object : List.of(key, aead, operation)) {
            String shown = object.toString();
            assertFalse(shown.toLowerCase(java.util.Locale.ROOT).contains(secret), shown);
            assertFalse(object instanceof java.io.Serializable);
        }
        assertTrue(key.toString().contains("128"), key.toString());
        assertTrue(aead.toString().contains(aead.mode()), aead.toString());
        assertEquals(TAG, aead.tagLength());
        assertEquals(
                aead.seal(nonce, aad, new byte[3]).length, 3 + aead.tagLength(), aead.toString());
    }

    @ParameterizedTest
    @MethodSource("engines")
    void manyThreadsShareOneObject(String engine) throws Exception {
        AesKey shared = Samples.key(engine, 256);
        Aead mode = mode(shared);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                all.add(threads.submit(() -> sealAndOpen(mode, thread)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Void sealAndOpen(Aead mode, int thread) throws Exception {
        byte[] own = numbered(thread);
        byte[] text = Samples.pattern(thread, 333 + 100 * thread);
        byte[] sealed = reference(Samples.pattern(256, 32), own, aad, text);
        for (int i = 0; i < 3000; i++) {
            assertArrayEquals(sealed, mode.seal(own, aad, text));
            assertArrayEquals(text, mode.open(own, aad, sealed));
        }
        return null;
    }
}
