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
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.ShortBufferException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link CipherMode} and {@link CipherOperation} promise, for every mode: a mode's own test
 * extends this, says which messages the mode takes and what it holds back, and names implementations
 * by others.
 */
abstract class CipherModeContract {

    private static final byte FILL = (byte) 0xA5;

    private byte[] keyBytes;
    private AutoCloseable key;
    private CipherMode mode;
    private byte[] iv;

    // ---- what a mode fills in ------------------------------------------------------------------

    /** A mode under a key, and what to close when the key shall serve no more. */
    record Keyed(CipherMode mode, AutoCloseable key) {}

    /** The mode under test, with a key of its own. */
    abstract Keyed keyed(byte[] key, String engine);

    /** How many bytes a key may have. */
    int[] keyLengths() {
        return new int[] {16, 24, 32};
    }

    /** Implementations by others, at least one; the first serves as the reference. */
    abstract List<Peers.Peer> peers();

    /** Whether a plaintext may have this length. */
    abstract boolean takes(int length);

    /** Whether ciphertext has padding, 1 to 16 bytes more than the plaintext. */
    boolean pads() {
        return false;
    }

    /** How long a message is worth testing; less for a mode that takes a block for every byte. */
    int longest() {
        return 30_000;
    }

    /** What a refusal of a message's length names. */
    String refusedForItsLength() {
        return mode.mode();
    }

    /** How many bytes have come out of {@code update} after so many have gone in. */
    abstract int released(boolean encrypting, int taken);

    // ---- data ----------------------------------------------------------------------------------

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    @BeforeEach
    void makeKey() {
        keyBytes = Samples.pattern(128, keyLengths()[0]);
        Keyed keyed = keyed(keyBytes, Aes.engine());
        key = keyed.key;
        mode = keyed.mode;
        iv = Samples.pattern(9, mode.ivLength());
    }

    /** The mode under the key of these tests, on an engine. */
    private CipherMode mode(String engine) {
        return keyed(keyBytes, engine).mode;
    }

    private byte[] expected(byte[] text) throws Exception {
        return peers().get(0).encrypt(keyBytes, iv, text);
    }

    private int ciphertextLength(int length) {
        return pads() ? (length & -16) + 16 : length;
    }

    /** Room that doFinal asks for; what it writes may be less when it removes padding. */
    private int room(boolean encrypting, int length) {
        return pads() && !encrypting ? length - 1 : ciphertextLength(length);
    }

    private boolean takesCiphertext(int length) {
        return IntStream.rangeClosed(Math.max(0, length - 16), length)
                .anyMatch(n -> takes(n) && ciphertextLength(n) == length);
    }

    private boolean takes(boolean encrypting, int length) {
        return encrypting ? takes(length) : takesCiphertext(length);
    }

    /** Every length around blocks and the batches that engines work in. */
    private IntStream everyLength() {
        int[] far = {192, 255, 256, 257, 511, 512, 513, 600, 607, 608, 609, 1023, 1024, 1025, 1100};
        return IntStream.concat(
                        IntStream.rangeClosed(0, 200),
                        IntStream.concat(IntStream.rangeClosed(13, 130), Arrays.stream(far))
                                .flatMap(n -> IntStream.of(16 * n, 16 * n + 1, 16 * n + 15)))
                .filter(n -> n <= longest() && takes(n));
    }

    /** Some lengths, each of which every ending meets. */
    private int[] someLengths() {
        return IntStream.of(0, 1, 15, 16, 17, 31, 32, 33, 40, 47, 48, 49, 64, 65, 96, 100, 112, 128,
                        129, 160, 255, 256, 512, 513, 600, 704)
                .filter(this::takes)
                .toArray();
    }

    /** The longest message of at most so many bytes that the mode takes. */
    private int lengthUpTo(int length) {
        int n = length;
        while (!takes(n)) {
            n--;
        }
        return n;
    }

    private CipherOperation operation(CipherMode mode, boolean encrypting) {
        return encrypting ? mode.encryptor(iv) : mode.decryptor(iv);
    }

    private static byte[] filled(int n) {
        byte[] array = new byte[n];
        Arrays.fill(array, FILL);
        return array;
    }

    private static byte[] range(byte[] array, int off, int n) {
        return Arrays.copyOfRange(array, off, off + n);
    }

    /** A message in both forms, to go either way. */
    private record Message(byte[] text, byte[] ciphertext) {

        byte[] in(boolean encrypting) {
            return encrypting ? text : ciphertext;
        }

        byte[] out(boolean encrypting) {
            return encrypting ? ciphertext : text;
        }
    }

    private Message message(int length) throws Exception {
        byte[] text = Samples.pattern(length, length);
        return new Message(text, expected(text));
    }

    private static final boolean[] DIRECTIONS = {true, false};

    private static String way(boolean encrypting) {
        return encrypting ? "encrypting " : "decrypting ";
    }

    // ---- right results -------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("engines")
    void everyLength(String engine) throws Exception {
        for (int keyLength : keyLengths()) {
            byte[] own = Samples.pattern(3, keyLength);
            CipherMode mode = keyed(own, engine).mode;
            for (int length : everyLength().toArray()) {
                byte[] text = Samples.pattern(length, length);
                byte[] before = text.clone();
                byte[] expected = peers().get(0).encrypt(own, iv, text);
                byte[] ciphertext = mode.encrypt(iv, text);
                assertArrayEquals(expected, ciphertext, length + " bytes");
                assertArrayEquals(text, mode.decrypt(iv, ciphertext), length + " bytes");
                assertArrayEquals(before, text);
                assertArrayEquals(expected, ciphertext);
                if (!pads()) {
                    // As a ciphertext, these bytes were made by nobody.
                    assertArrayEquals(
                            peers().get(0).decrypt(own, iv, text),
                            mode.decrypt(iv, text),
                            length + " bytes");
                }
            }
        }
        assertArrayEquals(Samples.pattern(9, mode.ivLength()), iv);
    }

    /** Random keys, IVs, lengths and cuts, against every other implementation. */
    @ParameterizedTest
    @MethodSource("engines")
    void differsFromNoOther(String engine) throws Exception {
        Random random = new Random(38);
        for (int round = 0; round < 1500; round++) {
            byte[] own = Samples.random(random, keyLengths()[random.nextInt(keyLengths().length)]);
            byte[] first = Samples.random(random, iv.length);
            int length = random.nextInt(round % 40 == 0 ? longest() : 700);
            while (!takes(length)) {
                length++;
            }
            byte[] text = Samples.random(random, length);
            String which = "round " + round;
            CipherMode mode = keyed(own, engine).mode;
            byte[] ciphertext = mode.encrypt(first, text);
            for (Peers.Peer peer : peers()) {
                assertArrayEquals(peer.encrypt(own, first, text), ciphertext, which);
                assertArrayEquals(text, peer.decrypt(own, first, ciphertext), which);
                if (!pads()) {
                    assertArrayEquals(
                            peer.decrypt(own, first, text), mode.decrypt(first, text), which);
                }
            }
            assertArrayEquals(
                    ciphertext, inPieces(mode.encryptor(first), true, random, text), which);
            assertArrayEquals(
                    text, inPieces(mode.decryptor(first), false, random, ciphertext), which);
        }
    }

    private byte[] inPieces(
            CipherOperation operation, boolean encrypting, Random random, byte[] in)
            throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int[] pieces = Samples.cuts(random, in.length);
        int at = 0;
        for (int i = 0; i < pieces.length - 1; i++) {
            out.write(operation.update(in, at, pieces[i]));
            at += pieces[i];
            assertEquals(released(encrypting, at), out.size());
        }
        int room = operation.outputSize(in.length - at);
        byte[] last = operation.doFinal(in, at, in.length - at);
        assertTrue(last.length <= room, last.length + " bytes in room for " + room);
        out.write(last);
        return out.toByteArray();
    }

    /** Every size up to a few batches of the smallest engine; then around larger powers of 2. */
    private static final int[] SIZES_OF_PIECES =
            IntStream.concat(
                            IntStream.rangeClosed(1, 290),
                            IntStream.of(512, 1024)
                                    .flatMap(n -> IntStream.rangeClosed(n - 18, n + 18)))
                    .toArray();

    /** Pieces of one size, for many sizes from one byte at a time. */
    @ParameterizedTest
    @MethodSource("engines")
    void everySizeOfPieces(String engine) throws Exception {
        CipherMode mode = mode(engine);
        for (int length : new int[] {lengthUpTo(3001), lengthUpTo(2989)}) {
            Message message = message(length);
            for (boolean encrypting : DIRECTIONS) {
                byte[] in = message.in(encrypting);
                byte[] expected = message.out(encrypting);
                for (int size : SIZES_OF_PIECES) {
                    byte[] out = new byte[room(encrypting, in.length)];
                    CipherOperation operation = operation(mode, encrypting);
                    int from = 0;
                    int to = 0;
                    while (in.length - from > size) {
                        assertTrue(operation.outputSize(size) >= released(encrypting, from + size) - to);
                        to += operation.update(in, from, size, out, to);
                        from += size;
                        assertEquals(released(encrypting, from), to, way(encrypting) + size);
                    }
                    to += operation.doFinal(in, from, in.length - from, out, to);
                    assertArrayEquals(
                            expected, Arrays.copyOf(out, to), way(encrypting) + "pieces of " + size);
                }
            }
        }
    }

    /** One cut, at every place; in a long message around the batches of engines. */
    @ParameterizedTest
    @MethodSource("engines")
    void everyCutInTwo(String engine) throws Exception {
        CipherMode mode = mode(engine);
        for (int length : new int[] {lengthUpTo(33), lengthUpTo(640), lengthUpTo(1393)}) {
            Message message = message(length);
            for (int cut = 0; cut <= message.ciphertext.length; cut++) {
                checkCut(mode, message, cut);
            }
        }
        Message message = message(lengthUpTo(Math.min(17_607, longest())));
        for (int blocks : new int[] {2, 95, 96, 97, 511, 512, 513, 600, 1024, 1098, 1099}) {
            for (int cut = 16 * blocks - 18; cut <= 16 * blocks + 18; cut++) {
                checkCut(mode, message, cut);
            }
        }
    }

    private void checkCut(CipherMode mode, Message message, int cut) throws Exception {
        for (boolean encrypting : DIRECTIONS) {
            byte[] in = message.in(encrypting);
            if (cut > in.length) {
                continue;
            }
            CipherOperation operation = operation(mode, encrypting);
            byte[] head = operation.update(in, 0, cut);
            assertEquals(released(encrypting, cut), head.length);
            byte[] tail = operation.doFinal(in, cut, in.length - cut);
            assertArrayEquals(
                    message.out(encrypting),
                    Samples.concat(head, tail),
                    way(encrypting) + in.length + " bytes, cut at " + cut);
        }
    }

    /** A call with no bytes changes nothing, in each of its forms, wherever it comes. */
    @ParameterizedTest
    @MethodSource("engines")
    void emptyCallsChangeNothing(String engine) throws Exception {
        CipherMode mode = mode(engine);
        Message message = message(lengthUpTo(80));
        for (boolean encrypting : DIRECTIONS) {
            byte[] in = message.in(encrypting);
            CipherOperation operation = operation(mode, encrypting);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] array = filled(9);
            int[] pieces = {0, 16, 5, 11, 1, 0, in.length - 33};
            int at = 0;
            for (int piece : pieces) {
                assertEquals(0, operation.update(new byte[0]).length);
                assertEquals(0, operation.update(in, at, 0, array, 4));
                assertEquals(0, operation.update(in, at, 0, in, at));
                assertEquals(0, operation.update(ByteBuffer.allocate(0), ByteBuffer.allocate(0)));
                assertEquals(
                        0, operation.update(ByteBuffer.allocateDirect(0), ByteBuffer.allocate(3)));
                out.write(operation.update(in, at, piece));
                at += piece;
            }
            out.write(operation.doFinal(in, at, 0));
            assertArrayEquals(message.out(encrypting), out.toByteArray(), way(encrypting));
            assertArrayEquals(filled(9), array);
        }
    }

    /** Messages of many lengths again and again, so that all of it gets compiled. */
    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("engines")
    void staysRightWhenCompiled(String engine) throws Exception {
        CipherMode mode = mode(engine);
        List<Message> messages = new ArrayList<>();
        for (int length = 0; length <= 70; length++) {
            if (takes(length)) {
                messages.add(message(length));
            }
        }
        messages.add(message(lengthUpTo(1700)));
        for (int i = 0; i < Samples.hotCalls(); i++) {
            Message one = messages.get(i % messages.size());
            assertArrayEquals(one.ciphertext, mode.encrypt(iv, one.text));
            assertArrayEquals(one.text, mode.decrypt(iv, one.ciphertext));
        }
    }

    // ---- places --------------------------------------------------------------------------------

    private static final int[] SHIFTS = {-704, -65, -33, -31, -17, -16, -15, -8, -1, 0, 1, 2, 3, 8,
        15, 16, 17, 31, 33, 64, 65, 127, 704};

    /** Output anywhere in the array of its input: exact, shifted to either side, far apart. */
    @ParameterizedTest
    @MethodSource("engines")
    void overlap(String engine) throws Exception {
        CipherMode mode = mode(engine);
        for (int length : someLengths()) {
            Message message = message(length);
            for (boolean encrypting : DIRECTIONS) {
                for (int shift : SHIFTS) {
                    byte[] out =
                            encrypting
                                    ? oneCall(mode::encrypt, message.text, shift)
                                    : oneCall(mode::decrypt, message.ciphertext, shift);
                    String which = way(encrypting) + length + " bytes, shift " + shift;
                    assertArrayEquals(message.out(encrypting), out, which);
                    byte[] in = message.in(encrypting);
                    for (int head : new int[] {0, Math.min(in.length, 5), Math.min(in.length, 21)}) {
                        assertArrayEquals(
                                message.out(encrypting),
                                threeCalls(operation(mode, encrypting), in, head, shift),
                                which + ", in pieces from " + head);
                    }
                }
            }
        }
    }

    /** Either direction, from array to array. */
    private interface ArrayCall {
        int apply(byte[] iv, byte[] in, int inOff, int length, byte[] out, int outOff)
                throws Exception;
    }

    private byte[] oneCall(ArrayCall call, byte[] in, int shift) throws Exception {
        byte[] array = filled(2400);
        System.arraycopy(in, 0, array, 750, in.length);
        int n = call.apply(iv, array, 750, in.length, array, 750 + shift);
        return range(array, 750 + shift, n);
    }

    /** The first piece apart; then two over themselves, when something may be held back. */
    private static byte[] threeCalls(CipherOperation operation, byte[] in, int head, int shift)
            throws Exception {
        byte[] array = filled(2400);
        byte[] first = operation.update(in, 0, head);
        int middle = (in.length - head) * 2 / 3;
        int at = 750;
        System.arraycopy(in, head, array, at, middle);
        int n = operation.update(array, at, middle, array, at + shift);
        byte[] second = range(array, at + shift, n);
        int rest = in.length - head - middle;
        System.arraycopy(in, head + middle, array, at, rest);
        n = operation.doFinal(array, at, rest, array, at + shift);
        return Samples.concat(first, second, range(array, at + shift, n));
    }

    /** The same in long messages, where batches follow one another. */
    @ParameterizedTest
    @MethodSource("engines")
    void overlapOfLongMessages(String engine) throws Exception {
        CipherMode mode = mode(engine);
        for (int most : new int[] {9600, 17_615}) {
            int length = lengthUpTo(Math.min(most, longest()));
            Message message = message(length);
            for (int shift : new int[] {-17, -16, -3, 0, 1, 16, 8192}) {
                int off = 40;
                byte[] array = new byte[length + 8300];
                System.arraycopy(message.text, 0, array, off, length);
                int n = mode.encrypt(iv, array, off, length, array, off + shift);
                String which = length + " bytes, shift " + shift;
                assertArrayEquals(message.ciphertext, range(array, off + shift, n), which);
                System.arraycopy(message.ciphertext, 0, array, off, n);
                n = mode.decrypt(iv, array, off, n, array, off + shift);
                assertArrayEquals(message.text, range(array, off + shift, n), which);
            }
        }
    }

    /** Nothing but the output changes, whatever the offsets. */
    @ParameterizedTest
    @MethodSource("engines")
    void offsets(String engine) throws Exception {
        CipherMode mode = mode(engine);
        for (int length : someLengths()) {
            Message message = message(length);
            for (boolean encrypting : DIRECTIONS) {
                byte[] from = message.in(encrypting);
                byte[] to = message.out(encrypting);
                for (int off = 0; off < 20; off++) {
                    byte[] in = Samples.concat(new byte[off], from, new byte[40 - off]);
                    byte[] inBefore = in.clone();
                    byte[] out = filled(to.length + 60);
                    byte[] wanted = out.clone();
                    System.arraycopy(to, 0, wanted, 19 - off, to.length);
                    int n =
                            encrypting
                                    ? mode.encrypt(iv, in, off, from.length, out, 19 - off)
                                    : mode.decrypt(iv, in, off, from.length, out, 19 - off);
                    assertEquals(to.length, n);
                    assertArrayEquals(wanted, out);
                    assertArrayEquals(inBefore, in);
                }
            }
        }
    }

    @Test
    void buffersOfEveryKind() throws Exception {
        for (int length : someLengths()) {
            Message message = message(length);
            byte[] text = message.text;
            byte[] ciphertext = message.ciphertext;
            int textRoom = room(false, ciphertext.length);
            BufferContract.check(text, ciphertext, (in, out) -> mode.encrypt(iv, in, out));
            BufferContract.check(
                    ciphertext, text, textRoom, (in, out) -> mode.decrypt(iv, in, out));
            BufferContract.check(
                    text, ciphertext, (in, out) -> twoBuffers(mode.encryptor(iv), in, out));
            BufferContract.check(
                    ciphertext,
                    text,
                    textRoom,
                    (in, out) -> twoBuffers(mode.decryptor(iv), in, out));
        }
    }

    private static int twoBuffers(CipherOperation operation, ByteBuffer in, ByteBuffer out)
            throws Exception {
        int limit = in.limit();
        in.limit(in.position() + in.remaining() / 3);
        int head = operation.update(in, out);
        in.limit(limit);
        return head + operation.doFinal(in, out);
    }

    @Test
    void overlapInBuffers() throws Exception {
        Message message = message(112);
        for (boolean encrypting : DIRECTIONS) {
            byte[] from = message.in(encrypting);
            byte[] to = message.out(encrypting);
            for (boolean direct : new boolean[] {false, true}) {
                for (boolean readOnly : new boolean[] {false, true}) {
                    for (int shift = -40; shift <= 40; shift++) {
                        ByteBuffer memory =
                                direct ? ByteBuffer.allocateDirect(300) : ByteBuffer.allocate(300);
                        memory.position(50).put(from);
                        ByteBuffer in =
                                memory.duplicate().position(50).limit(50 + from.length).slice();
                        in = readOnly ? in.asReadOnlyBuffer() : in;
                        ByteBuffer out = memory.duplicate().position(50 + shift).slice();
                        String which = way(encrypting) + "direct " + direct + ", shift " + shift;
                        int n =
                                encrypting
                                        ? mode.encrypt(iv, in, out)
                                        : mode.decrypt(iv, in, out);
                        assertEquals(to.length, n, which);
                        assertEquals(from.length, in.position(), which);
                        assertEquals(to.length, out.position(), which);
                        byte[] got = new byte[n];
                        out.flip().get(got);
                        assertArrayEquals(to, got, which);
                    }
                }
            }
        }
    }

    // ---- refusals ------------------------------------------------------------------------------

    @Test
    void refusesBuffersThatCannotWork() {
        ByteBuffer one = ByteBuffer.allocate(32);
        ByteBuffer readOnly = ByteBuffer.allocate(200).asReadOnlyBuffer();
        for (boolean encrypting : DIRECTIONS) {
            CipherOperation operation = operation(mode, encrypting);
            assertThrows(IllegalArgumentException.class, () -> operation.update(one, one));
            assertThrows(IllegalArgumentException.class, () -> operation.doFinal(one, one));
            assertThrows(IllegalArgumentException.class, () -> operation.update(one, readOnly));
            assertThrows(IllegalArgumentException.class, () -> operation.doFinal(one, readOnly));
            assertThrows(NullPointerException.class, () -> operation.update(null, one));
            assertThrows(NullPointerException.class, () -> operation.doFinal(one, null));
        }
        assertThrows(IllegalArgumentException.class, () -> mode.encrypt(iv, one, one));
        assertThrows(IllegalArgumentException.class, () -> mode.encrypt(iv, one, readOnly));
        assertThrows(IllegalArgumentException.class, () -> mode.decrypt(iv, one, one));
        assertThrows(IllegalArgumentException.class, () -> mode.decrypt(iv, one, readOnly));
        assertEquals(0, one.position());
    }

    @Test
    void refusesIvsOfOtherLengths() throws Exception {
        byte[] text = new byte[32];
        byte[] out = filled(60);
        for (int length : new int[] {0, 1, 8, 12, 15, 16, 17, 24, 32}) {
            if (length == iv.length) {
                continue;
            }
            byte[] bad = new byte[length];
            for (Callable<?> call :
                    List.<Callable<?>>of(
                            () -> mode.encrypt(bad, text),
                            () -> mode.encrypt(bad, text, 0, 32, out, 0),
                            () -> mode.encrypt(bad, ByteBuffer.wrap(text), ByteBuffer.wrap(out)),
                            () -> mode.decrypt(bad, text),
                            () -> mode.decrypt(bad, text, 0, 32, out, 0),
                            () -> mode.decrypt(bad, ByteBuffer.wrap(text), ByteBuffer.wrap(out)),
                            () -> mode.encryptor(bad),
                            () -> mode.decryptor(bad))) {
                String message =
                        assertThrows(IllegalArgumentException.class, call::call).getMessage();
                assertTrue(
                        message.contains(mode.ivName())
                                && message.contains(String.valueOf(iv.length))
                                && message.contains(String.valueOf(length)),
                        message);
            }
        }
        assertArrayEquals(filled(60), out);
    }

    @Test
    void refusesNull() throws Exception {
        byte[] in = new byte[32];
        assertThrows(NullPointerException.class, () -> mode.encrypt(iv, null));
        assertThrows(NullPointerException.class, () -> mode.decrypt(iv, null));
        assertThrows(NullPointerException.class, () -> mode.encrypt(iv, in, 0, 32, null, 0));
        assertThrows(NullPointerException.class, () -> mode.decrypt(iv, null, 0, 32, in, 0));
        CipherOperation operation = mode.encryptor(iv);
        assertThrows(NullPointerException.class, () -> operation.update(null));
        assertThrows(NullPointerException.class, () -> operation.update(null, 0, 0));
        assertThrows(NullPointerException.class, () -> operation.update(in, 0, 32, null, 0));
        assertThrows(NullPointerException.class, () -> operation.doFinal(null));
        assertThrows(NullPointerException.class, () -> operation.doFinal(in, 0, 32, null, 0));
        assertArrayEquals(expected(in), operation.doFinal(in), "no refusal changed anything");
        if (iv.length > 0) {
            assertThrows(NullPointerException.class, () -> mode.encrypt(null, in));
            assertThrows(NullPointerException.class, () -> mode.decryptor(null));
        } else {
            assertArrayEquals(expected(in), mode.encrypt(null, in), "there is no IV to give");
            assertArrayEquals(in, mode.decrypt(null, expected(in)));
        }
    }

    @Test
    void refusesRangesOutsideTheirArrays() throws Exception {
        byte[] out = filled(100);
        int[][] ranges = {{-1, 16}, {0, -1}, {33, 16}, {49, 0}, {48, 1}, {16, Integer.MAX_VALUE},
            {Integer.MAX_VALUE, 16}, {Integer.MIN_VALUE, 16}, {16, Integer.MIN_VALUE}};
        for (boolean encrypting : DIRECTIONS) {
            Message message = message(32);
            byte[] in = Arrays.copyOf(message.in(encrypting), 48);
            CipherOperation operation = operation(mode, encrypting);
            for (int[] range : ranges) {
                int off = range[0];
                int length = range[1];
                assertOutside(() -> operation.update(in, off, length));
                assertOutside(() -> operation.update(in, off, length, out, 0));
                assertOutside(() -> operation.doFinal(in, off, length));
                assertOutside(() -> operation.doFinal(in, off, length, out, 0));
                assertOutside(() -> mode.encrypt(iv, in, off, length, out, 0));
                assertOutside(() -> mode.decrypt(iv, in, off, length, out, 0));
            }
            for (int outOff : new int[] {-1, 101, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertOutside(() -> operation.update(in, 0, 48, out, outOff));
                assertOutside(() -> operation.doFinal(in, 0, 48, out, outOff));
                assertOutside(() -> mode.encrypt(iv, in, 0, 48, out, outOff));
                assertOutside(() -> mode.decrypt(iv, in, 0, 48, out, outOff));
            }
            assertArrayEquals(
                    message.out(encrypting),
                    operation.doFinal(message.in(encrypting)),
                    "no refusal changed anything");
        }
        assertArrayEquals(filled(100), out);
    }

    private static void assertOutside(Callable<?> call) {
        String message = assertThrows(IndexOutOfBoundsException.class, call::call).getMessage();
        assertTrue(message.contains("input") || message.contains("output"), message);
    }

    /** Every length there is no message of: refused in each form, and nothing is written. */
    @Test
    void refusesOtherLengths() {
        byte[] in = new byte[700];
        byte[] out = filled(740);
        for (int length = 0; length <= 700; length += length < 100 ? 1 : 7) {
            int n = length;
            for (boolean encrypting : DIRECTIONS) {
                if (takes(encrypting, n)) {
                    continue;
                }
                for (Callable<?> call :
                        encrypting
                                ? List.<Callable<?>>of(
                                        () -> mode.encrypt(iv, new byte[n]),
                                        () -> mode.encrypt(iv, in, 0, n, out, 3),
                                        () ->
                                                mode.encrypt(
                                                        iv,
                                                        ByteBuffer.wrap(in, 0, n),
                                                        ByteBuffer.wrap(out)),
                                        () -> mode.encryptor(iv).doFinal(in, 0, n))
                                : List.<Callable<?>>of(
                                        () -> mode.decrypt(iv, new byte[n]),
                                        () -> mode.decrypt(iv, in, 0, n, out, 3),
                                        () ->
                                                mode.decrypt(
                                                        iv,
                                                        ByteBuffer.wrap(in, 0, n),
                                                        ByteBuffer.wrap(out)),
                                        () -> mode.decryptor(iv).doFinal(in, 0, n))) {
                    assertWrongLength(call, n);
                }
            }
        }
        assertArrayEquals(filled(740), out);
    }

    private void assertWrongLength(Callable<?> call, int length) {
        String message = assertThrows(IllegalArgumentException.class, call::call).getMessage();
        assertTrue(message.contains("16") && message.contains(refusedForItsLength()), message);
        String had = message.substring(message.lastIndexOf(' ') + 1);
        assertTrue(had.equals("" + length) || had.equals("" + length % 16), message);
    }

    /** An end at a wrong length is refused before anything changes, and the message goes on. */
    @Test
    void goesOnAfterAWrongLength() throws Exception {
        Message message = message(lengthUpTo(75));
        for (boolean encrypting : DIRECTIONS) {
            byte[] in = message.in(encrypting);
            for (int head = 0; head <= 50; head++) {
                CipherOperation operation = operation(mode, encrypting);
                byte[] first = operation.update(in, 0, head);
                byte[] out = filled(100);
                ByteBuffer to = ByteBuffer.wrap(out);
                for (int tail = 0; tail <= 40; tail++) {
                    if (takes(encrypting, head + tail)) {
                        continue;
                    }
                    int n = tail;
                    byte[] more = Samples.pattern(3, tail);
                    ByteBuffer from = ByteBuffer.wrap(more);
                    assertWrongLength(() -> operation.doFinal(more), head + n);
                    assertWrongLength(() -> operation.doFinal(more, 0, n, out, 0), head + n);
                    assertWrongLength(() -> operation.doFinal(from, to), head + n);
                    assertEquals(0, from.position());
                    assertEquals(0, to.position());
                }
                if (!takes(encrypting, head)) {
                    assertWrongLength(operation::doFinal, head);
                }
                assertArrayEquals(filled(100), out);
                byte[] rest = operation.doFinal(in, head, in.length - head);
                assertArrayEquals(
                        message.out(encrypting),
                        Samples.concat(first, rest),
                        way(encrypting) + "after " + head);
            }
        }
    }

    /** Too short an output is refused before anything changes, and the same call can be repeated. */
    @Test
    void tooShortAnOutputCanBeRetried() throws Exception {
        for (int length : someLengths()) {
            Message message = message(length);
            for (boolean encrypting : DIRECTIONS) {
                for (int head : new int[] {0, 1, 16, 21, 40}) {
                    byte[] in = message.in(encrypting);
                    if (head <= in.length) {
                        checkShort(encrypting, in, message.out(encrypting), head);
                    }
                }
            }
        }
    }

    private void checkShort(boolean encrypting, byte[] in, byte[] expected, int head)
            throws Exception {
        CipherOperation operation = operation(mode, encrypting);
        byte[] first = operation.update(in, 0, head);
        int middle = (in.length - head) / 2;
        int needed = released(encrypting, head + middle) - first.length;
        for (int room = 0; room < needed; room++) {
            assertTooShort(
                    room,
                    in,
                    head,
                    middle,
                    (from, at, n, to, off) -> operation.update(from, at, n, to, off),
                    operation::update);
        }
        byte[] second = new byte[needed];
        assertEquals(needed, operation.update(in, head, middle, second, 0));
        int last = in.length - head - middle;
        int lastNeeded = room(encrypting, in.length) - first.length - second.length;
        for (int room = 0; room < lastNeeded; room++) {
            assertTooShort(
                    room,
                    in,
                    head + middle,
                    last,
                    (from, at, n, to, off) -> operation.doFinal(from, at, n, to, off),
                    operation::doFinal);
        }
        if (head == 0) {
            for (int room = 0; room < room(encrypting, in.length); room++) {
                assertTooShort(
                        room,
                        in,
                        0,
                        in.length,
                        (from, at, n, to, off) ->
                                encrypting
                                        ? mode.encrypt(iv, from, at, n, to, off)
                                        : mode.decrypt(iv, from, at, n, to, off),
                        (from, to) ->
                                encrypting
                                        ? mode.encrypt(iv, from, to)
                                        : mode.decrypt(iv, from, to));
            }
        }
        byte[] third = new byte[lastNeeded];
        int n = operation.doFinal(in, head + middle, last, third, 0);
        assertArrayEquals(
                expected,
                Samples.concat(first, second, Arrays.copyOf(third, n)),
                way(encrypting) + in.length + " bytes from " + head);
    }

    /** A call from array to array. */
    private interface PieceCall {
        int apply(byte[] in, int inOff, int length, byte[] out, int outOff) throws Exception;
    }

    private static void assertTooShort(
            int room, byte[] in, int off, int n, PieceCall arrays, BufferContract.Call buffers) {
        byte[] small = filled(room + 2);
        assertThrows(ShortBufferException.class, () -> arrays.apply(in, off, n, small, 2));
        assertArrayEquals(filled(room + 2), small);
        for (ByteBuffer out :
                List.of(
                        ByteBuffer.wrap(small).position(1).limit(room + 1),
                        ByteBuffer.allocateDirect(room))) {
            int position = out.position();
            ByteBuffer from = ByteBuffer.wrap(in, off, n);
            assertThrows(ShortBufferException.class, () -> buffers.apply(from, out));
            assertEquals(off, from.position());
            assertEquals(position, out.position());
        }
        assertArrayEquals(filled(room + 2), small);
    }

    @Test
    void outputSizeIsEnoughAndNeverNegative() {
        int max = Integer.MAX_VALUE;
        for (boolean encrypting : DIRECTIONS) {
            for (int head : new int[] {0, 1, 5, 16, 17, 31, 32}) {
                CipherOperation operation = operation(mode, encrypting);
                operation.update(new byte[head]);
                for (int n = 0; n <= 100; n++) {
                    int size = operation.outputSize(n);
                    int before = released(encrypting, head);
                    int atMost = head + n - before + (pads() ? 16 : 0);
                    assertTrue(size >= released(encrypting, head + n) - before, size + " for " + n);
                    assertTrue(size <= atMost, size + " for " + n);
                }
                for (int n = max; n > max - 70; n--) {
                    assertTrue(operation.outputSize(n) >= n - 32, "for " + n);
                }
                assertThrows(IllegalArgumentException.class, () -> operation.outputSize(-1));
            }
        }
    }

    // ---- states --------------------------------------------------------------------------------

    private static void assertRefused(Callable<?> call) {
        assertThrows(IllegalStateException.class, call::call);
    }

    private static void assertEnded(CipherOperation operation) {
        byte[] out = filled(100);
        byte[] in = new byte[32];
        assertRefused(() -> operation.update(new byte[0]));
        assertRefused(() -> operation.update(in));
        assertRefused(() -> operation.update(in, 0, 16));
        assertRefused(() -> operation.update(in, 0, 16, out, 0));
        assertRefused(() -> operation.update(ByteBuffer.wrap(in), ByteBuffer.wrap(out)));
        assertRefused(operation::doFinal);
        assertRefused(() -> operation.doFinal(in));
        assertRefused(() -> operation.doFinal(in, 0, 16));
        assertRefused(() -> operation.doFinal(in, 0, 16, out, 0));
        assertRefused(() -> operation.doFinal(ByteBuffer.wrap(in), ByteBuffer.wrap(out)));
        assertArrayEquals(filled(100), out);
    }

    @Test
    void anOperationServesOneMessage() throws Exception {
        Message message = message(48);
        for (boolean encrypting : DIRECTIONS) {
            CipherOperation ended = operation(mode, encrypting);
            ended.doFinal(message.in(encrypting));
            assertEnded(ended);
            assertArrayEquals(iv, ended.iv());
            ended.close();
            assertEnded(ended);

            CipherOperation closed = operation(mode, encrypting);
            closed.update(new byte[21]);
            closed.close();
            closed.close();
            assertEnded(closed);
        }
    }

    @Test
    void aClosedKeyServesNothing() throws Exception {
        CipherOperation encryptor = mode.encryptor(iv);
        CipherOperation decryptor = mode.decryptor(iv);
        encryptor.update(new byte[21]);
        decryptor.update(new byte[21]);
        key.close();
        byte[] in = new byte[32];
        byte[] out = filled(100);
        assertEnded(encryptor);
        assertEnded(decryptor);
        assertRefused(() -> mode.encrypt(iv, in));
        assertRefused(() -> mode.encrypt(iv, in, 0, 16, out, 0));
        assertRefused(() -> mode.encrypt(iv, ByteBuffer.wrap(in), ByteBuffer.wrap(out)));
        assertRefused(() -> mode.decrypt(iv, in));
        assertRefused(() -> mode.decrypt(iv, in, 0, 16, out, 0));
        assertRefused(() -> mode.decrypt(iv, ByteBuffer.wrap(in), ByteBuffer.wrap(out)));
        assertRefused(() -> mode.encryptor(iv));
        assertRefused(() -> mode.decryptor(iv));
        assertArrayEquals(filled(100), out);
        encryptor.close();
        decryptor.close();
    }

    @Test
    void argumentsAreNotKept() throws Exception {
        Message message = message(lengthUpTo(75));
        for (boolean encrypting : DIRECTIONS) {
            byte[] own = iv.clone();
            byte[] ownKey = keyBytes.clone();
            CipherMode mode = keyed(ownKey, Aes.engine()).mode;
            CipherOperation operation =
                    encrypting ? mode.encryptor(own) : mode.decryptor(own);
            Arrays.fill(own, FILL);
            Arrays.fill(ownKey, FILL);
            Arrays.fill(operation.iv(), FILL);
            assertArrayEquals(iv, operation.iv());
            byte[] piece = range(message.in(encrypting), 0, 37);
            byte[] head = operation.update(piece);
            Arrays.fill(piece, FILL);
            byte[] in = message.in(encrypting);
            byte[] tail = operation.doFinal(in, 37, in.length - 37);
            assertArrayEquals(message.out(encrypting), Samples.concat(head, tail));
            assertArrayEquals(iv, operation.iv());
        }
    }

    @Test
    void showsNothingSecret() {
        String secret = TestVectors.hex(keyBytes).substring(0, 8);
        for (Object object : List.of(mode, mode.encryptor(iv), mode.decryptor(iv))) {
            String shown = object.toString().toLowerCase(Locale.ROOT);
            assertFalse(shown.contains(secret), shown);
            assertFalse(object instanceof java.io.Serializable);
        }
        assertTrue(mode.toString().contains(mode.mode()), mode.toString());
    }

    /** Whatever ends an operation leaves nothing of the message in it. */
    @ParameterizedTest
    @MethodSource("engines")
    void endingAnOperationWipesItsState(String engine) throws Exception {
        CipherMode mode = mode(engine);
        Message message = message(lengthUpTo(75));
        for (boolean encrypting : DIRECTIONS) {
            byte[] in = message.in(encrypting);
            for (boolean closes : new boolean[] {true, false}) {
                int holding = 0;
                for (int head = 1; head <= 64; head++) {
                    CipherOperation operation = operation(mode, encrypting);
                    operation.update(in, 0, head);
                    List<Object> arrays = Secrets.arrays(operation, NO_STATE::contains);
                    boolean blank = arrays.stream().allMatch(Secrets::isBlank);
                    holding += blank && registers(operation) == 0 ? 0 : 1;
                    if (closes) {
                        operation.close();
                    } else {
                        operation.doFinal(in, head, in.length - head);
                    }
                    arrays.addAll(Secrets.arrays(operation, NO_STATE::contains));
                    for (Object array : arrays) {
                        assertTrue(Secrets.isBlank(array), array + " of " + operation);
                    }
                    assertEquals(0, registers(operation));
                }
                assertTrue(holding >= 50, holding + " operations that held something");
            }
        }
    }

    /** What is set in those words that hold a block in two halves. */
    private static long registers(CipherOperation operation) throws Exception {
        return Secrets.fields(operation, NO_STATE::contains).entrySet().stream()
                .filter(field -> field.getKey().endsWith("high") || field.getKey().endsWith("low"))
                .mapToLong(Map.Entry::getValue)
                .reduce(0, (one, other) -> one | other);
    }

    /** What an operation shares with others, and its IV, which is public. */
    private static final Set<String> NO_STATE = Set.of("key", "iv", "cipher", "style", "this$0");

    // ---- threads -------------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("engines")
    void manyThreadsShareOneObject(String engine) throws Exception {
        CipherMode mode = mode(engine);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                byte[] own = Samples.pattern(t, iv.length);
                byte[] text = Samples.pattern(t, lengthUpTo(333 + 200 * t));
                byte[] expected = peers().get(0).encrypt(keyBytes, own, text);
                all.add(
                        threads.submit(
                                () -> {
                                    for (int i = 0; i < 3000; i++) {
                                        assertArrayEquals(expected, mode.encrypt(own, text));
                                        assertArrayEquals(text, mode.decrypt(own, expected));
                                    }
                                    return null;
                                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Whoever is at work when a key is closed gets a right result or a refusal, nothing else. */
    @ParameterizedTest
    @MethodSource("engines")
    void closingDuringCalls(String engine) throws Exception {
        Message message = message(lengthUpTo(700));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 100; round++) {
                Keyed own = keyed(keyBytes, engine);
                CipherMode mode = own.mode;
                CountDownLatch started = new CountDownLatch(2);
                List<Future<?>> all = new ArrayList<>();
                for (boolean encrypting : DIRECTIONS) {
                    byte[] in = message.in(encrypting);
                    byte[] expected = message.out(encrypting);
                    all.add(
                            threads.submit(
                                    () -> {
                                        started.countDown();
                                        untilRefused(
                                                expected,
                                                () ->
                                                        encrypting
                                                                ? mode.encrypt(iv, in)
                                                                : mode.decrypt(iv, in));
                                        return null;
                                    }));
                }
                started.await();
                own.key.close();
                for (Future<?> one : all) {
                    one.get();
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void untilRefused(byte[] expected, Callable<byte[]> call) throws Exception {
        while (true) {
            byte[] result;
            try {
                result = call.call();
            } catch (IllegalStateException e) {
                return;
            }
            assertArrayEquals(expected, result);
        }
    }
}
