package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isochron.aes.StreamForms.Opening;
import dev.isochron.aes.StreamForms.Sealing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No damage to a sealed stream goes unnoticed, in any form: what is released before it is thrown is
 * the start of the true text and not the whole, and closing without reading to the end throws too.
 */
class StreamDamageTest {

    private static final int SEGMENT = 4096;
    private static final int FIRST_TEXT = SEGMENT - 40 - 16;
    private static final int FULL_TEXT = SEGMENT - 16;

    private final StreamingAead aead = StreamingAead.segments4KB(Samples.pattern(1, 32));
    private final byte[] aad = Samples.pattern(2, 21);

    private byte[] seal(byte[] text) throws IOException {
        return Sealing.STREAM_AT_ONCE.seal(aead, text, aad);
    }

    private void assertDamaged(byte[] damaged, byte[] text, String what) throws IOException {
        for (Opening form : Opening.values()) {
            assertDamaged(form, damaged, text, what);
        }
        assertCloseThrows(damaged, what);
    }

    private void assertDamaged(Opening form, byte[] damaged, byte[] text, String what) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThrows(
                IOException.class, () -> form.open(aead, damaged, aad, out), form + ": " + what);
        byte[] released = out.toByteArray();
        assertTrue(released.length <= text.length, form + ": " + what);
        assertTrue(
                Arrays.equals(released, 0, released.length, text, 0, released.length),
                form + " released what was never sealed: " + what);
    }

    private void assertCloseThrows(byte[] damaged, String what) {
        InputStream unread = aead.opening(new ByteArrayInputStream(damaged), aad);
        assertThrows(IOException.class, unread::close, "stream closed unread: " + what);
        ReadableByteChannel channel =
                aead.opening(Channels.newChannel(new ByteArrayInputStream(damaged)), aad);
        assertThrows(IOException.class, channel::close, "channel closed unread: " + what);
    }

    /** Every length but the whole; the streams' end is past a segment's edge, on it, and before it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100, FIRST_TEXT, FIRST_TEXT + 1, FIRST_TEXT + FULL_TEXT + 9})
    void cutAtEveryLength(int length) throws Exception {
        byte[] text = Samples.pattern(3, length);
        byte[] sealed = seal(text);
        Opening[] forms = {Opening.STREAM, Opening.CHANNEL, Opening.SEEKABLE};
        for (int cut = 0; cut < sealed.length; cut++) {
            byte[] damaged = Arrays.copyOf(sealed, cut);
            if (cut < 80 || cut % SEGMENT < 20 || cut % SEGMENT > SEGMENT - 20) {
                assertDamaged(damaged, text, "cut to " + cut);
            } else {
                assertDamaged(forms[cut % forms.length], damaged, text, "cut to " + cut);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, FIRST_TEXT, FIRST_TEXT + FULL_TEXT, FIRST_TEXT + FULL_TEXT + 9})
    void extended(int length) throws Exception {
        byte[] text = Samples.pattern(4, length);
        byte[] sealed = seal(text);
        for (int more : new int[] {1, 15, 16, 17, SEGMENT - 1, SEGMENT, SEGMENT + 1}) {
            byte[] zeros = Arrays.copyOf(sealed, sealed.length + more);
            assertDamaged(zeros, text, "zeros: " + more);
            byte[] garbage = Samples.concat(sealed, Samples.pattern(5, more));
            assertDamaged(garbage, text, "garbage: " + more);
        }
        assertDamaged(Samples.concat(sealed, sealed), text, "the stream again");
        assertDamaged(Samples.concat(sealed, seal(text)), text, "another stream after it");
        assertDamaged(Samples.concat(new byte[1], sealed), text, "a byte before it");
    }

    /** Every segment lost, doubled, moved, or exchanged with any other. */
    @ParameterizedTest
    @ValueSource(ints = {FIRST_TEXT + 3 * FULL_TEXT, FIRST_TEXT + 3 * FULL_TEXT + 77})
    void segmentsRearranged(int length) throws Exception {
        byte[] text = Samples.pattern(6, length);
        byte[] sealed = seal(text);
        List<byte[]> segments = split(sealed);
        assertArrayEquals(sealed, join(sealed, segments));
        int n = segments.size();
        for (int i = 0; i < n; i++) {
            List<byte[]> lost = new ArrayList<>(segments);
            lost.remove(i);
            assertDamaged(join(sealed, lost), text, "lost " + i);
            for (int j = 0; j <= n; j++) {
                List<byte[]> doubled = new ArrayList<>(segments);
                doubled.add(j, segments.get(i));
                assertDamaged(join(sealed, doubled), text, i + " again at " + j);
            }
            for (int j = 0; j < n; j++) {
                if (i != j) {
                    List<byte[]> swapped = new ArrayList<>(segments);
                    Collections.swap(swapped, i, j);
                    assertDamaged(join(sealed, swapped), text, "swapped " + i + " and " + j);
                    List<byte[]> overwritten = new ArrayList<>(segments);
                    overwritten.set(j, segments.get(i));
                    assertDamaged(join(sealed, overwritten), text, i + " over " + j);
                }
            }
        }
        Collections.reverse(segments);
        assertDamaged(join(sealed, segments), text, "reversed");
    }

    /** A segment of another stream, of the same text under the same key, fits in no place. */
    @Test
    void segmentsOfAnotherStream() throws Exception {
        byte[] text = Samples.pattern(7, FIRST_TEXT + 2 * FULL_TEXT + 50);
        byte[] sealed = seal(text);
        byte[] other = seal(text);
        List<byte[]> segments = split(sealed);
        for (int i = 0; i < segments.size(); i++) {
            List<byte[]> mixed = new ArrayList<>(segments);
            mixed.set(i, split(other).get(i));
            assertDamaged(join(sealed, mixed), text, "segment " + i + " of another stream");
        }
        assertDamaged(join(other, segments), text, "the header of another stream");
    }

    /** A stream under one salt and prefix cannot be cut where a shorter one would have ended. */
    @Test
    void theEndOfAShorterStream() throws Exception {
        byte[] text = Samples.pattern(8, FIRST_TEXT + 2 * FULL_TEXT + 50);
        byte[] header = Segments.header(Samples.pattern(9, 39));
        byte[] key = Samples.pattern(1, 32);
        byte[] sealed = StreamForms.reference(key, SEGMENT, header, aad, text);
        assertArrayEquals(text, Opening.STREAM.open(aead, sealed, aad));
        byte[] shorter = Arrays.copyOf(text, FIRST_TEXT + FULL_TEXT);
        List<byte[]> ended = split(StreamForms.reference(key, SEGMENT, header, aad, shorter));
        List<byte[]> segments = split(sealed);
        assertFalse(Arrays.equals(ended.get(1), segments.get(1)));
        segments.set(1, ended.get(1));
        assertDamaged(join(sealed, segments), text, "an end in the middle");
    }

    @Test
    void flippedBits() throws Exception {
        byte[] text = Samples.pattern(10, FIRST_TEXT + FULL_TEXT + 40);
        byte[] sealed = seal(text);
        for (int at = 0; at < 40; at++) {
            for (int bit = 0; bit < 8; bit++) {
                assertFlipDamages(sealed, at, bit, text);
            }
        }
        int[] ends = {SEGMENT, 2 * SEGMENT, sealed.length};
        for (int end : ends) {
            for (int at = end - 20; at < end; at++) {
                assertFlipDamages(sealed, at, at % 8, text);
            }
        }
        for (int at = 40; at < sealed.length; at += 1 + at % 173) {
            assertFlipDamages(sealed, at, at % 8, text);
        }
    }

    private void assertFlipDamages(byte[] sealed, int at, int bit, byte[] text)
            throws IOException {
        byte[] damaged = sealed.clone();
        damaged[at] ^= (byte) (1 << bit);
        assertDamaged(damaged, text, "bit " + bit + " of byte " + at);
    }

    @Test
    void flippedBitsInLargeSegments() throws Exception {
        StreamingAead large = StreamingAead.segments1MB(Samples.pattern(1, 32));
        byte[] text = Samples.pattern(11, (1 << 20) + 1000);
        byte[] sealed = Sealing.STREAM_AT_ONCE.seal(large, text, aad);
        Random random = new Random(12);
        for (int i = 0; i < 12; i++) {
            byte[] damaged = sealed.clone();
            damaged[i < 6 ? random.nextInt(1 << 20) : (1 << 20) + random.nextInt(900)] ^= 64;
            for (Opening form : Opening.values()) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                assertThrows(IOException.class, () -> form.open(large, damaged, aad, out));
                assertTrue(out.size() == 0 || out.size() == (1 << 20) - 56);
            }
        }
    }

    @Test
    void anotherKeyAadOrSegmentSize() throws Exception {
        byte[] text = Samples.pattern(13, 5000);
        byte[] sealed = seal(text);
        byte[] otherKey = Samples.pattern(1, 32);
        otherKey[31] ^= 1;
        byte[] otherAad = aad.clone();
        otherAad[0] ^= 1;
        StreamingAead other = StreamingAead.segments4KB(otherKey);
        StreamingAead large = StreamingAead.segments1MB(Samples.pattern(1, 32));
        for (Opening form : Opening.values()) {
            assertNotAuthentic(() -> form.open(other, sealed, aad));
            assertNotAuthentic(() -> form.open(large, sealed, aad));
            assertNotAuthentic(() -> form.open(aead, sealed, otherAad));
            assertNotAuthentic(() -> form.open(aead, sealed, Arrays.copyOf(aad, 20)));
            assertNotAuthentic(() -> form.open(aead, sealed, Arrays.copyOf(aad, 22)));
            assertNotAuthentic(() -> form.open(aead, sealed, null));
        }
    }

    private static void assertNotAuthentic(Executable opens) {
        IOException e = assertThrows(IOException.class, opens);
        assertInstanceOf(AEADBadTagException.class, e.getCause());
        assertTrue(e.getMessage().startsWith("the stream is not authentic"), e.getMessage());
    }

    @Test
    void whatIsNoSealedStreamIsSaid() {
        for (Opening form : Opening.values()) {
            IOException empty =
                    assertThrows(IOException.class, () -> form.open(aead, new byte[0], aad));
            assertTrue(empty.getMessage().contains("there were 0"), empty.getMessage());
            byte[] noise = Samples.pattern(77, 5000);
            IOException other = assertThrows(IOException.class, () -> form.open(aead, noise, aad));
            assertTrue(other.getMessage().contains("did with 77"), other.getMessage());
        }
    }

    /** The failure comes again with every read, as a fresh exception with the same cause. */
    @ParameterizedTest
    @ValueSource(ints = {50, SEGMENT + 50})
    void everyReadAfterAFailureFails(int flipped) throws Exception {
        byte[] damaged = seal(Samples.pattern(14, 10_000));
        damaged[flipped] ^= 1;
        InputStream in = aead.opening(new ByteArrayInputStream(damaged), aad);
        List<IOException> failures = new ArrayList<>();
        failures.add(assertThrows(IOException.class, in::readAllBytes));
        failures.add(assertThrows(IOException.class, in::read));
        failures.add(assertThrows(IOException.class, () -> in.read(new byte[10])));
        failures.add(assertThrows(IOException.class, () -> in.skip(1)));
        ReadableByteChannel channel =
                aead.opening(Channels.newChannel(new ByteArrayInputStream(damaged)), aad);
        ByteBuffer out = ByteBuffer.allocate(9000);
        failures.add(
                assertThrows(
                        IOException.class,
                        () -> {
                            while (channel.read(out) >= 0) {
                                continue;
                            }
                        }));
        assertEquals(flipped < SEGMENT ? 0 : FIRST_TEXT, out.position());
        failures.add(assertThrows(IOException.class, () -> channel.read(out)));
        for (IOException failure : failures) {
            assertInstanceOf(AEADBadTagException.class, failure.getCause());
            assertEquals(failures.get(0).getMessage(), failure.getMessage());
        }
        assertNotSame(failures.get(0), failures.get(1));
        assertEquals(0, in.available());
        assertEquals(0, in.read(new byte[0]));
        // Thrown already: closing does not hide or repeat it.
        in.close();
        channel.close();
    }

    @Test
    void aDamagedSegmentFailsEachTimeAndTheOthersCanBeSought() throws Exception {
        byte[] text = Samples.pattern(15, 12_000);
        byte[] damaged = seal(text);
        damaged[SEGMENT + 50] ^= 1;
        try (SeekableByteChannel in =
                aead.openingSeekable(new StreamForms.StingyChannel(damaged), aad)) {
            for (int i = 0; i < 3; i++) {
                ByteBuffer out = ByteBuffer.allocate(9000);
                in.position(FIRST_TEXT - 10);
                IOException e = assertThrows(IOException.class, () -> in.read(out));
                assertInstanceOf(AEADBadTagException.class, e.getCause());
                assertEquals(10, out.position());
                assertEquals(FIRST_TEXT, in.position());
                assertThrows(IOException.class, () -> in.read(out));
                assertThrows(IOException.class, () -> in.position(FIRST_TEXT + 900).read(out));

                assertEquals(100, in.position(100).read(out.limit(110)));
                assertEquals(text[199], out.get(109));
                out.clear();
                in.position(FIRST_TEXT + FULL_TEXT);
                assertEquals(12_000 - FIRST_TEXT - FULL_TEXT, in.read(out));
                assertEquals(text[11_999], out.get(out.position() - 1));
            }
        }
    }

    /** A parser that stops at the end of its document closes before the end of the stream. */
    @ParameterizedTest
    @EnumSource(names = {"STREAM", "CHANNEL"})
    void closingBeforeTheEndVerifiesTheRest(Opening form) throws Exception {
        byte[] text = Samples.pattern(16, 30_000);
        byte[] sealed = seal(text);
        byte[] cut = Arrays.copyOf(sealed, sealed.length - 1);
        byte[] cutAtSegment = Arrays.copyOf(sealed, 7 * SEGMENT);
        byte[] extended = Arrays.copyOf(sealed, sealed.length + 1);
        for (int read : new int[] {0, 1, FIRST_TEXT, FIRST_TEXT + 1, 20_000}) {
            assertEquals(sealed.length, closeAfter(form, sealed, read));
            for (byte[] damaged : List.of(cut, cutAtSegment, extended)) {
                IOException e =
                        assertThrows(IOException.class, () -> closeAfter(form, damaged, read));
                assertInstanceOf(AEADBadTagException.class, e.getCause());
            }
        }
    }

    /** Reads some bytes and closes; returns how many bytes the source had given. */
    private int closeAfter(Opening form, byte[] sealed, int length) throws IOException {
        ByteArrayInputStream source = new ByteArrayInputStream(sealed);
        if (form == Opening.STREAM) {
            InputStream in = aead.opening(source, aad);
            assertEquals(length, in.readNBytes(length).length);
            in.close();
            in.close();
        } else {
            ReadableByteChannel in = aead.opening(Channels.newChannel(source), aad);
            ByteBuffer out = ByteBuffer.allocate(length);
            while (out.hasRemaining()) {
                assertTrue(in.read(out) > 0);
            }
            in.close();
            in.close();
        }
        return sealed.length - source.available();
    }

    private static List<byte[]> split(byte[] sealed) {
        List<byte[]> segments = new ArrayList<>();
        for (int at = 0; at < sealed.length; at += SEGMENT) {
            int start = Math.max(at, 40);
            int end = Math.min(at + SEGMENT, sealed.length);
            segments.add(Arrays.copyOfRange(sealed, start, end));
        }
        return segments;
    }

    private static byte[] join(byte[] headerOf, List<byte[]> segments) {
        return Samples.concat(
                Arrays.copyOf(headerOf, 40), Samples.concat(segments.toArray(byte[][]::new)));
    }
}
