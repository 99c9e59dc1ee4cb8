package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.internal.block.BlockCipher;
import dev.isochron.aes.internal.block.Engines;
import dev.isochron.aes.internal.block.RoundKeys;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import javax.crypto.ShortBufferException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the cases of {@code known-faults.txt} ask for beyond a right result, which {@link
 * KnownFaultsTest} checks: steps, states and refusals. Each test names its case; cases that have no
 * result to record, or whose like in another mode has one, stand here alone.
 */
class KnownFaultsBehaviourTest {

    private static final byte FILL = (byte) 0xA5;

    static Stream<String> engines() {
        return Aes.engines().stream();
    }

    /** A recorded case, with its objects made. */
    private static final class Case {

        private final TestVectors.Vector v;
        final byte[] iv;
        final byte[] pt;
        final byte[] aad;
        final AesKey key;

        private Case(TestVectors.Vector v, String engine) {
            this.v = v;
            iv = v.has("iv") ? v.bytes("iv") : new byte[0];
            pt = v.bytes("pt");
            aad = v.has("aad") ? v.bytes("aad") : new byte[0];
            key = AesKey.of(v.bytes("key"), engine);
        }

        static List<Case> all(String id, String mode, String engine) {
            List<Case> cases =
                    TestVectors.load(KnownFaultsTest.FILE).stream()
                            .filter(v -> v.peek("id").equals(id) && v.peek("mode").equals(mode))
                            .map(v -> new Case(v, engine))
                            .toList();
            assertFalse(cases.isEmpty(), id + " in " + mode);
            return cases;
        }

        static Case first(String id, String mode) {
            return all(id, mode, Aes.engine()).get(0);
        }

        byte[] ct() {
            return v.bytes("ct");
        }

        byte[] sealed() {
            return Samples.concat(v.bytes("ct"), v.bytes("tag"));
        }

        /** The case's mode, if it is one with authentication. */
        Aead aead() {
            return Modes.aead(v.peek("mode"), key, v.bytes("tag").length);
        }

        CtrMode ctr() {
            return Aes.ctr(key);
        }

        /** The case's mode, if it is one without authentication. */
        CipherMode mode() {
            return Modes.of(v.peek("mode"), key);
        }

        /** As if no encryptor had had this nonce before. */
        AeadOperation encryptor() {
            aead().encryptor(new byte[13]).close();
            AeadOperation operation = aead().encryptor(iv);
            operation.updateAAD(aad);
            return operation;
        }

        AeadOperation decryptor() {
            AeadOperation operation = aead().decryptor(iv);
            operation.updateAAD(aad);
            return operation;
        }

        /** As given in full, or by its hash. */
        void assertCiphertext(byte[] actual) throws Exception {
            assertTrue(Samples.matches(v.text("ct"), actual), v.toString());
        }

        void assertSealed(byte[] actual) throws Exception {
            int n = actual.length - v.bytes("tag").length;
            assertCiphertext(Arrays.copyOf(actual, n));
            assertArrayEquals(v.bytes("tag"), Arrays.copyOfRange(actual, n, actual.length));
        }
    }

    private static byte[] filled(int n) {
        byte[] array = new byte[n];
        Arrays.fill(array, FILL);
        return array;
    }

    private static void assertBadTag(Callable<?> call) {
        assertThrows(AEADBadTagException.class, call::call);
    }

    // ---- the counter ---------------------------------------------------------------------------

    /** CTR-07: the counter is the operation's own. */
    @Test
    void theCallersIvStays() throws Exception {
        Case one = Case.first("CTR-07", "CTR");
        byte[] iv = one.iv.clone();
        CipherOperation operation = one.ctr().encryptor(iv);
        byte[] head = operation.update(one.pt, 0, 33);
        assertArrayEquals(one.iv, iv);
        assertArrayEquals(one.iv, operation.iv());
        Arrays.fill(iv, FILL);
        Arrays.fill(operation.iv(), FILL);
        byte[] tail = operation.doFinal(one.pt, 33, one.pt.length - 33);
        assertArrayEquals(one.ct(), Samples.concat(head, tail));
        assertArrayEquals(one.iv, operation.iv());
    }

    /** CTR-05: a keystream read through and one sought are the same. */
    @ParameterizedTest
    @MethodSource("engines")
    void seekingIsReadingThrough(String engine) throws Exception {
        List<TestVectors.Vector> blocks =
                TestVectors.load(KnownFaultsTest.FILE).stream()
                        .filter(v -> v.peek("id").equals("CTR-05") && v.has("block"))
                        .toList();
        assertEquals(13, blocks.size());
        Case one = Case.all("CTR-05", "CTR", engine).get(0);
        byte[] keystream = one.ctr().encrypt(one.iv, new byte[16 * 65537]);
        for (TestVectors.Vector v : blocks) {
            int at = (int) (16 * v.number("block"));
            assertArrayEquals(
                    v.bytes("keystream"), Arrays.copyOfRange(keystream, at, at + 16), v.toString());
        }
    }

    /** CTR-09: a call with no bytes changes nothing, in each of its forms. */
    @ParameterizedTest
    @MethodSource("engines")
    void emptyCallsChangeNothing(String engine) throws Exception {
        Case one = Case.all("CTR-09", "CTR", engine).get(0);
        CipherOperation operation = one.ctr().encryptor(one.iv);
        byte[] text = one.pt.clone();
        int at = 0;
        for (int piece : new int[] {0, 16, 0, 8, 0, 0, 0, 16}) {
            assertEquals(0, operation.update(new byte[0]).length);
            assertEquals(0, operation.update(text, at, 0, text, at));
            assertEquals(0, operation.update(ByteBuffer.allocate(0), ByteBuffer.allocate(0)));
            assertEquals(0, operation.update(ByteBuffer.allocateDirect(0), ByteBuffer.allocate(3)));
            assertEquals(piece, operation.update(text, at, piece, text, at));
            at += piece;
        }
        assertEquals(0, operation.doFinal().length);
        assertArrayEquals(one.ct(), text);
    }

    /** CTR-13: in place, at an offset, and a byte to either side. */
    @ParameterizedTest
    @MethodSource("engines")
    void outputOverInput(String engine) throws Exception {
        Case one = Case.all("CTR-13", "CTR", engine).get(0);
        int n = one.pt.length;
        for (int[] places : new int[][] {{0, 0}, {3, 3}, {3, 4}, {3, 2}}) {
            byte[] array = filled(n + 10);
            System.arraycopy(one.pt, 0, array, places[0], n);
            one.ctr().encrypt(one.iv, array, places[0], n, array, places[1]);
            assertArrayEquals(
                    one.ct(), Arrays.copyOfRange(array, places[1], places[1] + n),
                    Arrays.toString(places));
        }
    }

    /** CTR-14: pieces of less than a block, often enough to be compiled. */
    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("engines")
    void piecesOfLessThanABlockHot(String engine) throws Exception {
        Case one = Case.all("CTR-14", "CTR", engine).get(0);
        byte[] expected = one.ct();
        byte[] out = new byte[one.pt.length];
        for (int round = 0; round < Math.min(20_000, Samples.hotCalls()); round++) {
            Arrays.fill(out, (byte) 0);
            CipherOperation operation = one.ctr().encryptor(one.iv);
            int at = 0;
            for (int piece = 1; piece <= 15; piece++) {
                at += operation.update(one.pt, at, piece, out, at);
            }
            for (int i = 0; i < 120; i++) {
                at += operation.update(one.pt, at, 1, out, at);
            }
            operation.doFinal(one.pt, at, 120, out, at);
            assertArrayEquals(expected, out, "round " + round);
        }
    }

    /** CTR-17: no bytes in, no bytes out. */
    @ParameterizedTest
    @MethodSource("engines")
    void emptyCallsWriteNothing(String engine) throws Exception {
        Case one = Case.all("CTR-17", "CTR", engine).get(0);
        byte[] out = filled(64);
        CipherOperation operation = one.ctr().encryptor(one.iv);
        assertEquals(0, operation.update(one.pt, 0, 0, out, 0));
        assertArrayEquals(filled(64), out);
        assertArrayEquals(one.ct(), operation.update(one.pt));
        assertEquals(0, operation.doFinal(one.pt, 0, 0, out, 16));
        assertEquals(0, one.ctr().encrypt(one.iv, one.pt, 0, 0, out, 0));
        assertArrayEquals(filled(64), out);
        try (RoundKeys keys = RoundKeys.expand(new byte[16]);
                BlockCipher cipher = Engines.byName(engine).cipher(keys)) {
            cipher.ctr(1, 2, one.pt, 0, out, 0, 0);
            cipher.encrypt(one.pt, 0, out, 0, 0);
            cipher.decrypt(one.pt, 0, out, 0, 0);
            assertArrayEquals(filled(64), out);
        }
    }

    /** CTR-18: one stream past 2 and past 4 GiB, the slow way. */
    @Tag("long")
    @Test
    void oneStreamOfFourGibibytes() throws Exception {
        List<TestVectors.Vector> places =
                TestVectors.load(KnownFaultsTest.FILE).stream()
                        .filter(v -> v.peek("id").equals("CTR-18") && v.has("offset"))
                        .toList();
        assertEquals(2, places.size());
        Case one = Case.first("CTR-18", "CTR");
        try (CipherOperation operation = one.ctr().encryptor(one.iv)) {
            byte[] piece = new byte[1 << 20];
            long at = 0;
            for (TestVectors.Vector v : places) {
                while (at < v.number("offset")) {
                    int n = (int) Math.min(piece.length, v.number("offset") - at);
                    at += operation.update(piece, 0, n, piece, 0);
                }
                assertArrayEquals(v.bytes("keystream"), operation.update(new byte[48]));
                at += 48;
            }
        }
    }

    // ---- nonces --------------------------------------------------------------------------------

    /** GCN-06: without a nonce the mask of the tag would be made from the hash key alone. */
    @Test
    void aNonceOfNoBytesIsRefused() {
        Aead gcm = Aes.gcm(AesKey.of(TestVectors.hex("f237bbaf894b54b2f6c566878519681c")));
        byte[] none = new byte[0];
        byte[] out = filled(40);
        byte[] pt = Samples.pattern(1, 16);
        for (Callable<?> call :
                List.<Callable<?>>of(
                        () -> gcm.seal(none, none, pt),
                        () -> gcm.seal(none, none, pt, 0, 16, out, 0),
                        () -> gcm.seal(none, none, ByteBuffer.wrap(pt), ByteBuffer.wrap(out)),
                        () -> gcm.open(none, none, out),
                        () -> gcm.open(none, none, out, 0, 40, out, 0),
                        () -> gcm.encryptor(none),
                        () -> gcm.decryptor(none))) {
            String message =
                    assertThrows(IllegalArgumentException.class, call::call).getMessage();
            assertTrue(message.contains("nonce"), message);
        }
        assertArrayEquals(filled(40), out);
    }

    // ---- long inputs ---------------------------------------------------------------------------

    /** LEN-06: promised sizes are never negative, and stop at the largest int. */
    @Test
    void promisedSizesDoNotOverflow() {
        int max = Integer.MAX_VALUE;
        AesKey key = AesKey.of(new byte[16]);
        for (String mode : Modes.AEAD) {
            AeadOperation operation = Modes.aead(mode, key, 16).encryptor(new byte[12]);
            Modes.aead(mode, key, 16).encryptor(new byte[13]).close();
            assertEquals(16, operation.outputSize(0), mode);
            for (int n : new int[] {max, max - 15, max - 16}) {
                assertEquals(max, operation.outputSize(n), mode);
            }
            operation.update(new byte[5]);
            assertTrue(operation.outputSize(max - 4) >= max - 4, mode);
        }
        CipherOperation padding = Aes.cbc(key).encryptor(new byte[16]);
        assertEquals(16, padding.outputSize(0));
        for (int n : new int[] {max, max - 15, max - 16}) {
            assertTrue(padding.outputSize(n) > n || n == max, "for " + n);
            assertTrue(padding.outputSize(n) >= n, "for " + n);
        }
        padding.update(new byte[5]);
        assertTrue(padding.outputSize(max - 4) >= max - 4);
    }

    // ---- associated data -----------------------------------------------------------------------

    /** AAD-01: associated data after text is refused, and the message can still be finished. */
    @Test
    void lateAssociatedDataIsRefused() throws Exception {
        Case one = Case.first("AAD-01", "GCM");
        AeadOperation operation = one.encryptor();
        byte[] head = operation.update(one.pt, 0, 4);
        assertThrows(IllegalStateException.class, () -> operation.updateAAD(new byte[1]));
        byte[] tail = operation.doFinal(one.pt, 4, one.pt.length - 4);
        assertArrayEquals(one.sealed(), Samples.concat(head, tail));
    }

    /** AAD-04: buffers without an array, and with one that starts elsewhere. */
    @Test
    void associatedDataInBuffers() throws Exception {
        Case one = Case.first("AAD-04", "GCM");
        byte[] aad = one.aad;
        int n = aad.length;
        List<ByteBuffer> buffers = new ArrayList<>();
        buffers.add(ByteBuffer.wrap(aad.clone()));
        buffers.add(ByteBuffer.allocate(n + 9).position(7).slice().put(aad).flip());
        buffers.add(ByteBuffer.allocateDirect(n).put(aad).flip());
        buffers.add(ByteBuffer.allocateDirect(n + 9).position(7).slice().put(aad).flip());
        buffers.add(ByteBuffer.wrap(aad.clone()).asReadOnlyBuffer());
        buffers.add(ByteBuffer.allocateDirect(n).put(aad).flip().asReadOnlyBuffer());
        buffers.add(ByteBuffer.allocate(50).position(3).put(aad).limit(3 + n).position(3));
        for (ByteBuffer buffer : buffers) {
            AeadOperation operation = one.aead().decryptor(one.iv);
            ByteBuffer before = buffer.duplicate();
            operation.updateAAD(buffer);
            assertEquals(buffer.limit(), buffer.position());
            assertEquals(ByteBuffer.wrap(aad), before);
            assertArrayEquals(one.pt, operation.doFinal(one.sealed()));
        }
    }

    /** AAD-05: empty pieces change nothing. */
    @Test
    void emptyAssociatedData() throws Exception {
        for (String mode : Modes.AEAD) {
            Case one = Case.first("AAD-05", mode);
            AeadOperation operation = one.aead().encryptor(one.iv);
            operation.updateAAD(new byte[0]);
            operation.updateAAD(one.aad, 0, 16);
            operation.updateAAD(new byte[0]);
            operation.updateAAD(one.aad, 16, 0);
            operation.updateAAD(one.aad, 16, one.aad.length - 16);
            operation.updateAAD(ByteBuffer.allocate(0));
            operation.updateAAD(ByteBuffer.allocateDirect(0));
            assertArrayEquals(one.sealed(), operation.doFinal(one.pt), mode);
        }
    }

    // ---- tags ----------------------------------------------------------------------------------

    /** TAG-01, TAG-11: a tag is as long as was chosen at the start, never as was given. */
    @ParameterizedTest
    @ValueSource(strings = {"TAG-01", "TAG-11"})
    void aTagOfAnotherLengthIsNoTag(String id) throws Exception {
        Case one = Case.first(id, "GCM");
        for (String mode : Modes.AEAD) {
            assertThrows(IllegalArgumentException.class, () -> Modes.aead(mode, one.key, 0));
        }
        assertThrows(IllegalArgumentException.class, () -> Aes.gcmShortTag(one.key, 0));
        assertThrows(IllegalArgumentException.class, () -> Aes.cmac(one.key, 0));
        byte[] sealed = one.sealed();
        for (int n = 0; n < sealed.length; n++) {
            byte[] cut = Arrays.copyOf(sealed, n);
            byte[] out = filled(sealed.length);
            assertBadTag(() -> one.aead().open(one.iv, one.aad, cut));
            assertBadTag(() -> one.aead().open(one.iv, one.aad, cut, 0, cut.length, out, 0));
            assertBadTag(() -> one.decryptor().doFinal(cut));
            assertArrayEquals(filled(sealed.length), out);
        }
        byte[] longer = Arrays.copyOf(sealed, sealed.length + 1);
        assertBadTag(() -> one.aead().open(one.iv, one.aad, longer));
    }

    /** TAG-04, TAG-06: no byte of plaintext is left behind by a wrong tag. */
    @ParameterizedTest
    @MethodSource("engines")
    void aWrongTagLeavesNoPlaintext(String engine) throws Exception {
        assertLeavesNoPlaintext(
                Case.all("TAG-04", "GCM", engine).get(0), "854c92f570665a11f5f6822ca466571b");
        assertLeavesNoPlaintext(
                Case.all("TAG-06", "CCM", engine).get(0), "23b2f626140276c34fec404bb161cf8f");
    }

    private static void assertLeavesNoPlaintext(Case one, String badTag) throws Exception {
        byte[] bad = Samples.concat(one.ct(), TestVectors.hex(badTag));
        byte[] inPlace = bad.clone();
        assertBadTag(() -> one.aead().open(one.iv, one.aad, inPlace, 0, bad.length, inPlace, 0));
        assertArrayEquals(bad, inPlace);

        byte[] out = filled(bad.length);
        assertBadTag(() -> one.aead().open(one.iv, one.aad, bad, 0, bad.length, out, 0));
        assertBadTag(() -> one.decryptor().doFinal(bad, 0, bad.length, out, 0));
        assertArrayEquals(filled(bad.length), out);

        AeadOperation decryptor = one.decryptor();
        decryptor.update(inPlace, 0, 20, inPlace, 0);
        assertBadTag(() -> decryptor.doFinal(inPlace, 20, bad.length - 20, inPlace, 0));
        assertArrayEquals(bad, inPlace);

        for (ByteBuffer memory :
                List.of(
                        ByteBuffer.wrap(bad.clone()),
                        ByteBuffer.allocateDirect(bad.length).put(bad).flip())) {
            ByteBuffer in = memory.duplicate();
            ByteBuffer to = memory.duplicate();
            assertBadTag(() -> one.aead().open(one.iv, one.aad, in, to));
            assertBadTag(() -> one.decryptor().doFinal(in, to));
            assertEquals(ByteBuffer.wrap(bad), memory);
            assertEquals(0, in.position());
            assertEquals(0, to.position());
        }
    }

    /** TAG-07: a short tag is short in memory too. */
    @ParameterizedTest
    @MethodSource("engines")
    void aShortTagIsWrittenShort(String engine) throws Exception {
        Case one = Case.all("TAG-07", "GCM", engine).get(0);
        assertEquals(12, one.aead().tagLength());
        byte[] wanted = filled(64);
        System.arraycopy(one.sealed(), 0, wanted, 8, 32);
        byte[] out = filled(64);
        assertEquals(
                32, one.aead().seal(one.iv, one.aad, one.pt, 0, one.pt.length, out, 8));
        assertArrayEquals(wanted, out);
        out = filled(64);
        assertEquals(32, one.encryptor().doFinal(one.pt, 0, one.pt.length, out, 8));
        assertArrayEquals(wanted, out);
    }

    /** TAG-10: cleaning up after a wrong tag works wherever the output is. */
    @Test
    void aWrongTagAtAnyOffset() {
        Case one = Case.first("TAG-10", "GCM");
        byte[] sealed = one.sealed();
        sealed[sealed.length - 9] ^= 1;
        assertEquals(
                "1a17131dd6474a5a41a7f2978253a0d9",
                TestVectors.hex(Arrays.copyOfRange(sealed, sealed.length - 16, sealed.length)));
        for (int outOff : new int[] {0, 100, 150 - one.pt.length}) {
            byte[] out = filled(150);
            assertBadTag(
                    () -> one.decryptor().doFinal(sealed, 0, sealed.length, out, outOff));
            assertBadTag(
                    () ->
                            one.aead().open(
                                    one.iv, one.aad, sealed, 0, sealed.length, out, outOff));
            assertArrayEquals(filled(150), out);
        }
    }

    // ---- buffers -------------------------------------------------------------------------------

    /** BUF-01: a refusal for want of room takes nothing in. */
    @Test
    void aShortOutputCanBeRetried() throws Exception {
        for (String mode : Modes.AEAD) {
            Case one = Case.first("BUF-01", mode);
            assertRetried(one.encryptor(), one.pt, one.sealed());
        }
        CipherMode cbc = Aes.cbc(Case.first("BUF-01", "GCM").key);
        byte[] iv = new byte[16];
        byte[] text = Samples.pattern(1, 39);
        assertRetried(cbc.encryptor(iv), text, cbc.encrypt(iv, text));
    }

    private static void assertRetried(CipherOperation operation, byte[] in, byte[] expected)
            throws Exception {
        int n = in.length;
        assertEquals(expected.length, operation.outputSize(n));
        assertThrows(
                ShortBufferException.class, () -> operation.doFinal(in, 0, n, new byte[10], 0));
        assertThrows(
                ShortBufferException.class,
                () ->
                        operation.doFinal(
                                ByteBuffer.wrap(in),
                                ByteBuffer.allocateDirect(expected.length - 1)));
        byte[] out = new byte[expected.length];
        assertEquals(out.length, operation.doFinal(in, 0, n, out, 0));
        assertArrayEquals(expected, out);
    }

    /** BUF-03: slices of arrays, at places that fit no word. */
    @ParameterizedTest
    @ValueSource(ints = {10, 13})
    void slices(int place) throws Exception {
        Case one = Case.first("BUF-03", "GCM");
        byte[] from = filled(100);
        System.arraycopy(one.pt, 0, from, place, 32);
        byte[] fromBefore = from.clone();
        byte[] to = filled(100);
        ByteBuffer in = ByteBuffer.wrap(from, place, 32).slice();
        ByteBuffer out = ByteBuffer.wrap(to, place + 10, 48).slice();
        assertEquals(48, one.aead().seal(one.iv, one.aad, in, out));
        assertEquals(32, in.position());
        assertEquals(48, out.position());
        byte[] wanted = filled(100);
        System.arraycopy(one.sealed(), 0, wanted, place + 10, 48);
        assertArrayEquals(wanted, to);
        assertArrayEquals(fromBefore, from);

        Case cbc = Case.first("BUF-03", "CBC");
        Arrays.fill(to, FILL);
        Arrays.fill(wanted, FILL);
        assertEquals(32, cbc.mode().encrypt(cbc.iv, in.flip(), out.clear()));
        assertEquals(32, in.position());
        assertEquals(32, out.position());
        System.arraycopy(cbc.ct(), 0, wanted, place + 10, 32);
        assertArrayEquals(wanted, to);
        assertArrayEquals(fromBefore, from);
    }

    /** A call with buffers. */
    private interface BufferCall {
        int apply(ByteBuffer in, ByteBuffer out) throws Exception;
    }

    /** BUF-06: views of one memory, in every way and at every distance. */
    @Test
    void viewsOfOneMemory() throws Exception {
        for (String name : List.of("CTR", "CBC", "ECB", "CFB128", "OFB")) {
            Case one = Case.first("BUF-06", name);
            CipherMode mode = one.mode();
            assertViews(one.pt, one.ct(), (in, out) -> mode.encrypt(one.iv, in, out));
            assertViews(one.ct(), one.pt, (in, out) -> mode.decrypt(one.iv, in, out));
            assertViews(one.pt, one.ct(), (in, out) -> mode.encryptor(one.iv).update(in, out));
            assertViews(one.ct(), one.pt, (in, out) -> mode.decryptor(one.iv).update(in, out));
        }
        Case gcm = Case.first("BUF-06", "GCM");
        byte[] sealed = gcm.sealed();
        assertViews(gcm.pt, sealed, (in, out) -> gcm.aead().seal(gcm.iv, gcm.aad, in, out));
        assertViews(sealed, gcm.pt, (in, out) -> gcm.aead().open(gcm.iv, gcm.aad, in, out));
        assertViews(sealed, gcm.pt, (in, out) -> gcm.decryptor().doFinal(in, out));
        assertViews(
                gcm.pt,
                Arrays.copyOf(sealed, gcm.pt.length),
                (in, out) -> {
                    try (AesKey fresh = AesKey.of(gcm.v.bytes("key"))) {
                        return Aes.gcm(fresh).encryptor(gcm.iv).update(in, out);
                    }
                });
    }

    private static void assertViews(byte[] from, byte[] to, BufferCall call) throws Exception {
        for (int distance = -8; distance <= 33; distance++) {
            for (int kind = 0; kind < 4; kind++) {
                ByteBuffer memory =
                        kind < 2 ? ByteBuffer.allocate(200) : ByteBuffer.allocateDirect(200);
                memory.position(8).put(from);
                ByteBuffer in = memory.duplicate().limit(8 + from.length).position(8).slice();
                in = kind % 2 == 0 ? in : in.asReadOnlyBuffer();
                ByteBuffer out = memory.duplicate().position(8 + distance).slice();
                String which = "distance " + distance + ", kind " + kind;
                assertEquals(to.length, call.apply(in, out), which);
                assertEquals(in.limit(), in.position(), which);
                assertEquals(ByteBuffer.wrap(to), out.flip(), which);
            }
        }
    }

    /** BUF-08: the promised size is enough for what really comes, whatever is held back. */
    @Test
    void thePromisedSizeIsEnough() throws Exception {
        Case one = Case.first("BUF-08", "GCM");
        AeadOperation encryptor = one.encryptor();
        byte[] head = encryptor.update(one.pt, 0, 21);
        int promised = encryptor.outputSize(16);
        byte[] tail = encryptor.doFinal(one.pt, 21, 16);
        assertTrue(promised >= tail.length && promised >= 32, "promised " + promised);
        byte[] sealed = Samples.concat(head, tail);
        assertArrayEquals(one.sealed(), sealed);

        AeadOperation decryptor = one.decryptor();
        decryptor.update(sealed, 0, 21);
        promised = decryptor.outputSize(32);
        ByteBuffer out = ByteBuffer.allocate(promised);
        assertEquals(37, decryptor.doFinal(ByteBuffer.wrap(sealed, 21, 32), out));
        assertEquals(ByteBuffer.wrap(one.pt), out.flip());

        Case cbc = Case.first("BUF-08", "CBC-PKCS7");
        CipherOperation padding = cbc.mode().encryptor(cbc.iv);
        byte[] block = padding.update(cbc.pt, 0, 21);
        assertEquals(32, padding.outputSize(16), "5 bytes held back, 16 more, and padding");
        assertArrayEquals(cbc.ct(), Samples.concat(block, padding.doFinal(cbc.pt, 21, 16)));
    }

    /** BUF-12: the room needed follows from the input's length, not from its array's. */
    @Test
    void inputInsideALargeArray() throws Exception {
        assertExactRoom(Case.first("BUF-12", "CCM"));
        assertExactRoom(Case.first("BUF-13", "GCM"));
        AesKey key = AesKey.of(Samples.pattern(1, 16));
        byte[] nonce = Samples.pattern(2, 13);
        byte[] text = Samples.pattern(3, 10);
        for (String mode : Modes.AEAD) {
            Aead aead = Modes.aead(mode, key, 16);
            assertExactRoom(aead, nonce, null, text, aead.seal(nonce, null, text));
        }
        for (String name : Modes.PLAIN) {
            assertExactRoom(Modes.of(name, key));
        }
        assertExactRoom(Aes.xts(Samples.pattern(1, 32)));
    }

    private static void assertExactRoom(Case one) throws Exception {
        assertExactRoom(one.aead(), one.iv, one.aad, one.pt, one.sealed());
    }

    private static void assertExactRoom(
            Aead aead, byte[] nonce, byte[] aad, byte[] text, byte[] sealed) throws Exception {
        int n = text.length;
        byte[] in = filled(1000);
        System.arraycopy(text, 0, in, 500, n);
        System.arraycopy(sealed, 0, in, 600, n + 16);
        byte[] out = new byte[n + 16];
        assertEquals(n + 16, aead.seal(nonce, aad, in, 500, n, out, 0));
        assertArrayEquals(sealed, out);
        byte[] back = new byte[n];
        assertEquals(n, aead.open(nonce, aad, in, 600, n + 16, back, 0));
        assertArrayEquals(text, back);
        aead.encryptor(new byte[13]).close();
        AeadOperation encryptor = aead.encryptor(nonce);
        AeadOperation decryptor = aead.decryptor(nonce);
        if (aad != null) {
            encryptor.updateAAD(aad);
            decryptor.updateAAD(aad);
        }
        assertEquals(n + 16, encryptor.doFinal(in, 500, n, out, 0));
        assertArrayEquals(sealed, out);
        assertEquals(n, decryptor.doFinal(in, 600, n + 16, back, 0));
        assertArrayEquals(text, back);
    }

    private static void assertExactRoom(CipherMode mode) throws Exception {
        byte[] iv = new byte[mode.ivLength()];
        byte[] in = Samples.pattern(4, 1000);
        byte[] ciphertext = mode.encrypt(iv, Arrays.copyOfRange(in, 500, 532));
        byte[] out = new byte[ciphertext.length];
        assertEquals(out.length, mode.encrypt(iv, in, 500, 32, out, 0));
        assertArrayEquals(ciphertext, out);
        assertEquals(out.length, mode.encryptor(iv).doFinal(in, 500, 32, out, 0));
        assertArrayEquals(ciphertext, out);
        byte[] large = Arrays.copyOf(ciphertext, 1000);
        // With padding, room for all of the ciphertext but one byte.
        byte[] back = new byte[Math.max(32, ciphertext.length - 1)];
        assertEquals(32, mode.decrypt(iv, large, 0, ciphertext.length, back, 0));
        assertEquals(32, mode.decryptor(iv).doFinal(large, 0, ciphertext.length, back, 0));
        assertArrayEquals(Arrays.copyOfRange(in, 500, 532), Arrays.copyOf(back, 32));
    }

    /** BUF-13: three bytes at the end of their memory, and nothing else touched. */
    @ParameterizedTest
    @MethodSource("engines")
    void threeBytesAtTheEndOfMemory(String engine) throws Exception {
        Case ctr = Case.all("BUF-13", "CTR", engine).get(0);
        byte[] in = filled(64);
        System.arraycopy(ctr.pt, 0, in, 61, 3);
        byte[] out = filled(64);
        assertEquals(3, ctr.ctr().encrypt(ctr.iv, in, 61, 3, out, 61));
        byte[] wanted = filled(64);
        System.arraycopy(ctr.ct(), 0, wanted, 61, 3);
        assertArrayEquals(wanted, out);
        ByteBuffer direct = ByteBuffer.allocateDirect(3).put(ctr.pt).flip();
        ctr.ctr().encrypt(ctr.iv, direct, direct.duplicate());
        assertEquals(ByteBuffer.wrap(ctr.ct()), direct.flip());

        Case gcm = Case.all("BUF-13", "GCM", engine).get(0);
        out = filled(64);
        assertEquals(19, gcm.aead().seal(gcm.iv, gcm.aad, in, 61, 3, out, 45));
        wanted = filled(64);
        System.arraycopy(gcm.sealed(), 0, wanted, 45, 19);
        assertArrayEquals(wanted, out);
        byte[] back = filled(64);
        assertEquals(3, gcm.aead().open(gcm.iv, gcm.aad, out, 45, 19, back, 61));
        wanted = filled(64);
        System.arraycopy(gcm.pt, 0, wanted, 61, 3);
        assertArrayEquals(wanted, back);
    }

    // ---- states --------------------------------------------------------------------------------

    /** ST-01: the last nonce is remembered by its bytes. */
    @Test
    void theLastNonceIsRememberedByItsBytes() throws Exception {
        List<Case> both = Case.all("ST-01", "GCM", Aes.engine());
        Aead gcm = both.get(0).aead();
        byte[] nonce = both.get(0).iv.clone();
        assertArrayEquals(both.get(0).sealed(), gcm.encryptor(nonce).doFinal(both.get(0).pt));
        System.arraycopy(both.get(1).iv, 0, nonce, 0, 12);
        assertArrayEquals(both.get(1).sealed(), gcm.encryptor(nonce).doFinal(both.get(1).pt));
        assertThrows(IllegalStateException.class, () -> gcm.encryptor(nonce));
        assertThrows(IllegalStateException.class, () -> gcm.encryptor(nonce.clone()));
    }

    /** ST-02: an encryptor serves one message; a new decryptor serves the same one again. */
    @Test
    void noSecondMessageUnderOneNonce() throws Exception {
        Case gcm = Case.first("ST-02", "GCM");
        assertArrayEquals(gcm.sealed(), gcm.encryptor().doFinal(gcm.pt));
        for (String mode : Modes.AEAD) {
            Aead aead = Modes.aead(mode, gcm.key, 16);
            byte[] sealed = aead.seal(gcm.iv, null, gcm.pt);
            aead.encryptor(new byte[13]).close();
            AeadOperation operation = aead.encryptor(gcm.iv);
            assertArrayEquals(sealed, operation.doFinal(gcm.pt), mode);
            assertThrows(IllegalStateException.class, () -> operation.doFinal(gcm.pt));
            assertThrows(IllegalStateException.class, () -> operation.update(gcm.pt));
            assertThrows(IllegalStateException.class, () -> operation.updateAAD(gcm.pt));
            assertThrows(IllegalStateException.class, () -> aead.encryptor(gcm.iv));
            for (int i = 0; i < 2; i++) {
                assertArrayEquals(gcm.pt, aead.decryptor(gcm.iv).doFinal(sealed), mode);
            }
        }
    }

    /** ST-05: after the end the IV is still the one that was used, and fresh ones differ. */
    @Test
    void theIvIsTheOneThatWasUsed() throws Exception {
        byte[] keyBytes = TestVectors.hex("67b0b7d33d073852b43c7d8a376177e2");
        AesKey key = AesKey.of(keyBytes);
        byte[] text = Samples.pattern(5, 48);
        List<CipherMode> modes = new ArrayList<>();
        Modes.PLAIN.forEach(name -> modes.add(Modes.of(name, key)));
        modes.add(Aes.xts(Samples.concat(keyBytes, new byte[16])));
        for (CipherMode mode : modes) {
            byte[] iv = Samples.pattern(1, mode.ivLength());
            CipherOperation operation = mode.encryptor(iv);
            byte[] ciphertext = operation.doFinal(text);
            assertArrayEquals(iv, operation.iv(), mode.mode());
            assertArrayEquals(text, mode.decrypt(operation.iv(), ciphertext), mode.mode());
        }
        for (String mode : Modes.AEAD) {
            Aead aead = Modes.aead(mode, key, 16);
            byte[] nonce = Samples.pattern(1, 12);
            aead.encryptor(new byte[13]).close();
            AeadOperation operation = aead.encryptor(nonce);
            byte[] sealed = operation.doFinal(text);
            assertArrayEquals(nonce, operation.iv(), mode);
            assertNotSame(operation.iv(), operation.iv());
            assertArrayEquals(text, aead.open(operation.iv(), null, sealed), mode);
            byte[] one = aead.sealWithRandomNonce(null, text);
            byte[] two = aead.sealWithRandomNonce(null, text);
            assertFalse(Arrays.equals(one, 0, 12, two, 0, 12));
        }
    }

    /** ST-07: no key, or one of another length, is refused at once by every mode. */
    @Test
    void aKeyIsNeeded() {
        for (String mode : Modes.AEAD) {
            assertThrows(NullPointerException.class, () -> Modes.aead(mode, null, 16));
        }
        for (String mode : Modes.PLAIN) {
            assertThrows(NullPointerException.class, () -> Modes.of(mode, null));
        }
        assertThrows(NullPointerException.class, () -> Aes.cmac(null));
        assertThrows(NullPointerException.class, () -> Aes.xts(null));
        assertThrows(NullPointerException.class, () -> AesKey.of(null));
        for (int length : new int[] {0, 15, 17, 31, 33}) {
            byte[] bytes = Samples.pattern(1, length);
            for (Callable<?> call :
                    List.<Callable<?>>of(() -> AesKey.of(bytes), () -> Aes.xts(bytes))) {
                String message =
                        assertThrows(IllegalArgumentException.class, call::call).getMessage();
                assertTrue(message.contains("" + length), message);
            }
        }
    }

    /** ST-08: closing twice, after the end or before it, is never an error of its own. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 512, 4096, 8192})
    void closingTwice(int bufferSize) throws Exception {
        Case one = Case.first("ST-08", "GCM");
        AeadOperation operation = one.encryptor();
        byte[] sealed = operation.doFinal(one.pt);
        one.assertSealed(sealed);
        operation.close();
        operation.close();
        AeadOperation decryptor = one.decryptor();
        assertArrayEquals(one.pt, decryptor.doFinal(sealed));
        decryptor.close();
        decryptor.close();

        StreamingAead streaming = StreamingAead.segments4KB(new byte[32]);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        OutputStream sealing = streaming.sealing(sink, one.aad);
        for (int at = 0; at < one.pt.length; at += bufferSize) {
            sealing.write(one.pt, at, Math.min(bufferSize, one.pt.length - at));
        }
        sealing.close();
        int size = sink.size();
        assertDoesNotThrow(sealing::close);
        assertEquals(size, sink.size(), "one end only");
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        InputStream opening =
                streaming.opening(new ByteArrayInputStream(sink.toByteArray()), one.aad);
        byte[] buffer = new byte[bufferSize];
        for (int n = opening.read(buffer); n >= 0; n = opening.read(buffer)) {
            back.write(buffer, 0, n);
        }
        opening.close();
        assertDoesNotThrow(opening::close);
        assertArrayEquals(one.pt, back.toByteArray());
        InputStream unread =
                streaming.opening(new ByteArrayInputStream(sink.toByteArray()), one.aad);
        unread.close();
        assertDoesNotThrow(unread::close);
    }

    /** ST-11: a last piece of no bytes. */
    @ParameterizedTest
    @MethodSource("engines")
    void aLastPieceOfNoBytes(String engine) throws Exception {
        Case one = Case.all("ST-11", "GCM", engine).get(0);
        ByteBuffer out = ByteBuffer.allocate(4112);
        AeadOperation operation = one.encryptor();
        operation.update(ByteBuffer.wrap(one.pt), out);
        operation.doFinal(ByteBuffer.allocate(0), out);
        one.assertSealed(out.array());
        Case again = Case.all("ST-11", "GCM", engine).get(0);
        operation = again.encryptor();
        byte[] sealed =
                Samples.concat(
                        operation.update(one.pt, 0, 4095),
                        operation.update(one.pt, 4095, 1),
                        operation.doFinal(new byte[0]));
        one.assertSealed(sealed);
        AeadOperation decryptor = one.decryptor();
        decryptor.update(sealed);
        assertArrayEquals(one.pt, decryptor.doFinal(new byte[0]));
    }

    /** CCM-10: no text at all, however that is said. */
    @ParameterizedTest
    @MethodSource("engines")
    void noTextAtAll(String engine) throws Exception {
        List<Case> cases = new ArrayList<>(Case.all("OCB-12", "OCB", engine));
        for (String mode : Modes.AEAD) {
            cases.addAll(Case.all("CCM-10", mode, engine));
        }
        assertEquals(6, cases.size());
        for (Case one : cases) {
            byte[] sealed = one.sealed();
            assertArrayEquals(sealed, one.encryptor().doFinal());
            assertArrayEquals(sealed, one.encryptor().doFinal(new byte[0]));
            assertArrayEquals(sealed, one.encryptor().doFinal(new byte[5], 5, 0));
            ByteBuffer out = ByteBuffer.allocate(16);
            one.encryptor().doFinal(ByteBuffer.allocateDirect(0), out);
            assertArrayEquals(sealed, out.array());
            assertEquals(0, one.aead().open(one.iv, one.aad, sealed).length);
            assertEquals(0, one.decryptor().doFinal(sealed).length);
        }
    }

    /** ST-14: eight threads with keys of their own, and eight that share one. */
    @ParameterizedTest
    @MethodSource("engines")
    void threads(String engine) throws Exception {
        List<Case> ctr = Case.all("ST-14", "CTR", engine);
        Case gcm = Case.all("ST-14", "GCM", engine).get(0);
        byte[][] ct = new byte[2][];
        for (int i = 0; i < 2; i++) {
            ct[i] = ctr.get(i).ctr().encrypt(ctr.get(i).iv, ctr.get(i).pt);
            ctr.get(i).assertCiphertext(ct[i]);
        }
        byte[] sealed = gcm.aead().seal(gcm.iv, gcm.aad, gcm.pt);
        gcm.assertSealed(sealed);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int which = t % 2;
                all.add(
                        threads.submit(
                                () -> {
                                    Case own = Case.all("ST-14", "CTR", engine).get(which);
                                    for (int i = 0; i < 1000; i++) {
                                        assertArrayEquals(
                                                ct[which], own.ctr().encrypt(own.iv, own.pt));
                                        assertArrayEquals(
                                                ct[which],
                                                ctr.get(which).ctr().encrypt(own.iv, own.pt));
                                        assertArrayEquals(
                                                sealed, gcm.aead().seal(gcm.iv, gcm.aad, gcm.pt));
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

    /** ST-16: every byte comes back at once, and an ended stream gives no more. */
    @Test
    void everyByteAtOnce() throws Exception {
        Case ctr = Case.first("ST-16", "CTR");
        assertArrayEquals(ctr.ct(), ctr.ctr().encrypt(ctr.iv, ctr.pt));
        for (String name : List.of("CTR", "CFB128", "CFB8", "OFB")) {
            CipherMode mode = Modes.of(name, ctr.key);
            byte[] expected = mode.encrypt(ctr.iv, ctr.pt);
            CipherOperation operation = mode.encryptor(ctr.iv);
            assertEquals(5, operation.update(ctr.pt, 0, 5).length);
            assertEquals(32, operation.doFinal(ctr.pt, 5, 32).length);
            assertThrows(IllegalStateException.class, () -> operation.doFinal(ctr.pt));
            for (int i = 0; i < 2; i++) {
                assertArrayEquals(expected, mode.encryptor(ctr.iv).doFinal(ctr.pt), name);
            }
            for (int n = 0; n <= ctr.pt.length; n++) {
                CipherOperation fresh = mode.encryptor(ctr.iv);
                assertArrayEquals(Arrays.copyOf(expected, n), fresh.update(ctr.pt, 0, n), name);
                assertArrayEquals(
                        Arrays.copyOf(ctr.pt, n), mode.decryptor(ctr.iv).update(expected, 0, n));
            }
        }
    }

    /** FB-01: a part of a feedback block is carried from piece to piece. */
    @ParameterizedTest
    @MethodSource("engines")
    void partsOfFeedbackBlocks(String engine) throws Exception {
        for (String name : List.of("CFB128", "CFB8")) {
            Case one = Case.all("FB-01", name, engine).get(0);
            assertEquals(50, one.pt.length);
            CipherOperation encryptor = one.mode().encryptor(one.iv);
            CipherOperation decryptor = one.mode().decryptor(one.iv);
            int at = 0;
            for (int piece : new int[] {5, 20, 3, 22}) {
                assertArrayEquals(
                        Arrays.copyOfRange(one.ct(), at, at + piece),
                        encryptor.update(one.pt, at, piece));
                assertArrayEquals(
                        Arrays.copyOfRange(one.pt, at, at + piece),
                        decryptor.update(one.ct(), at, piece));
                at += piece;
            }
            assertEquals(0, encryptor.doFinal().length + decryptor.doFinal().length);
        }
    }

    // ---- compilers and engines -----------------------------------------------------------------

    /** JIT-01, JIT-10: batches and single blocks of each key size, often enough to be compiled. */
    @Tag("known-answer")
    @ParameterizedTest
    @MethodSource("engines")
    void blocksHot(String engine) throws Exception {
        for (TestVectors.Vector v : TestVectors.load(KnownFaultsTest.FILE)) {
            if (!v.peek("id").equals("JIT-01") && !v.peek("id").equals("JIT-10")) {
                continue;
            }
            byte[] pt = v.bytes("pt");
            int blocks = pt.length / 16;
            try (RoundKeys keys = RoundKeys.expand(v.bytes("key"));
                    BlockCipher cipher = Engines.byName(engine).cipher(keys)) {
                byte[] expected = new byte[pt.length];
                cipher.encrypt(pt, 0, expected, 0, blocks);
                assertTrue(Samples.matches(v.text("ct"), expected), v.toString());
                byte[] out = new byte[pt.length];
                for (int i = 0; i < Math.min(5000, Samples.hotCalls()); i++) {
                    cipher.encrypt(pt, 0, out, 0, blocks);
                    assertArrayEquals(expected, out);
                    cipher.decrypt(out, 0, out, 0, blocks);
                    assertArrayEquals(pt, out);
                }
            }
        }
    }

    /** JIT-06: last pieces of every small size, by every way to decrypt. */
    @ParameterizedTest
    @MethodSource("engines")
    void smallLastPieces(String engine) throws Exception {
        for (Case one : Case.all("JIT-06", "GCM", engine)) {
            if (one.pt.length > 20) {
                continue;
            }
            byte[] sealed = one.sealed();
            assertArrayEquals(one.pt, one.decryptor().doFinal(sealed));
            AeadOperation tagLast = one.decryptor();
            tagLast.update(sealed, 0, one.pt.length);
            assertArrayEquals(one.pt, tagLast.doFinal(sealed, one.pt.length, 16));
            byte[] inPlace = sealed.clone();
            one.decryptor().doFinal(inPlace, 0, inPlace.length, inPlace, 0);
            assertArrayEquals(one.pt, Arrays.copyOf(inPlace, one.pt.length));
            ByteBuffer out = ByteBuffer.allocateDirect(one.pt.length);
            one.decryptor().doFinal(ByteBuffer.wrap(sealed), out);
            assertEquals(ByteBuffer.wrap(one.pt), out.flip());
        }
    }

    /** JIT-07: every engine agrees with every other, for each count of blocks and each tail. */
    @Test
    void enginesAgree() {
        Case one = Case.first("JIT-07", "CTR");
        byte[] text = Samples.pattern(88, 41 * 16);
        for (int n = 0; n < text.length; n++) {
            byte[] expected = null;
            for (String engine : Aes.engines()) {
                try (AesKey key = AesKey.of(one.v.bytes("key"), engine)) {
                    byte[] ct = Aes.ctr(key).encrypt(one.iv, Arrays.copyOf(text, n));
                    expected = expected == null ? ct : expected;
                    assertArrayEquals(expected, ct, engine + ", " + n + " bytes");
                }
            }
            assertArrayEquals(
                    Arrays.copyOf(one.ct(), Math.min(n, 309)),
                    Arrays.copyOf(expected, Math.min(n, 309)));
        }
    }

    // ---- blocks, stealing and padding ----------------------------------------------------------

    /** BLK-01: output a little beside its input, either way, in one call and in two. */
    @ParameterizedTest
    @MethodSource("engines")
    void outputBesideInput(String engine) throws Exception {
        for (String name : List.of("ECB", "CBC", "CBC-CS3")) {
            Case one = Case.all("BLK-01", name, engine).get(0);
            CipherMode mode = one.mode();
            for (int d : new int[] {-17, -16, -15, -1, 0, 1, 2, 15, 16, 17}) {
                String which = name + ", output " + d + " bytes after input";
                assertArrayEquals(one.ct(), besideInput(mode.encryptor(one.iv), one.pt, d), which);
                assertArrayEquals(one.pt, besideInput(mode.decryptor(one.iv), one.ct(), d), which);
                byte[] array = filled(150);
                System.arraycopy(one.pt, 0, array, 40, one.pt.length);
                int n = mode.encrypt(one.iv, array, 40, one.pt.length, array, 40 + d);
                assertArrayEquals(one.ct(), Arrays.copyOfRange(array, 40 + d, 40 + d + n), which);
            }
        }
    }

    private static byte[] besideInput(CipherOperation operation, byte[] in, int d)
            throws Exception {
        byte[] array = filled(150);
        System.arraycopy(in, 0, array, 40, in.length);
        int head = operation.update(array, 40, in.length, array, 40 + d);
        byte[] first = Arrays.copyOfRange(array, 40 + d, 40 + d + head);
        int tail = operation.doFinal(array, 0, 0, array, 40);
        return Samples.concat(first, Arrays.copyOfRange(array, 40, 40 + tail));
    }

    /** BLK-11: calls with no bytes between the blocks of a chain. */
    @ParameterizedTest
    @MethodSource("engines")
    void emptyCallsInAChain(String engine) throws Exception {
        Case one = Case.all("BLK-11", "CBC", engine).get(0);
        byte[] empty = new byte[0];
        CipherOperation encryptor = one.mode().encryptor(one.iv);
        encryptor.update(empty);
        byte[] first = encryptor.update(one.pt, 0, 16);
        encryptor.update(empty);
        byte[] others = encryptor.update(one.pt, 16, 32);
        assertEquals(0, encryptor.doFinal(empty).length);
        assertArrayEquals(one.ct(), Samples.concat(first, others));
        CipherOperation decryptor = one.mode().decryptor(one.iv);
        decryptor.update(empty);
        first = decryptor.update(one.ct(), 0, 16);
        decryptor.update(empty);
        others = decryptor.update(one.ct(), 16, 32);
        assertEquals(0, decryptor.doFinal(empty).length);
        assertArrayEquals(one.pt, Samples.concat(first, others));
    }

    /** BLK-13: what is no number of whole blocks is refused, and the object serves on. */
    @ParameterizedTest
    @MethodSource("engines")
    void partsOfBlocksAreRefused(String engine) throws Exception {
        AesKey key = AesKey.of(TestVectors.hex("52d1782d30fdf4dd28e12b23c16bc3fa"), engine);
        for (String name : List.of("ECB", "CBC")) {
            CipherMode mode = Modes.of(name, key);
            byte[] iv = new byte[mode.ivLength()];
            byte[] before = mode.encrypt(iv, Samples.pattern(1, 32));
            for (int n : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 31}) {
                byte[] in = new byte[n];
                byte[] out = filled(50);
                for (Callable<?> call :
                        List.<Callable<?>>of(
                                () -> mode.encrypt(iv, in),
                                () -> mode.encrypt(iv, in, 0, n, out, 0),
                                () -> mode.encryptor(iv).doFinal(in, 0, n, out, 0),
                                () -> mode.decrypt(iv, in),
                                () -> mode.decrypt(iv, in, 0, n, out, 0),
                                () -> mode.decryptor(iv).doFinal(in, 0, n, out, 0))) {
                    assertThrows(IllegalArgumentException.class, call::call, name + ", " + n);
                }
                assertArrayEquals(filled(50), out);
            }
            assertArrayEquals(before, mode.encrypt(iv, Samples.pattern(1, 32)));
        }
    }
}
