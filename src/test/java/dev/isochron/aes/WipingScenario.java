package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;

/**
 * Everything that can be done with a key under one engine, and every way to end it: all modes in both
 * directions, at once and in pieces, in place and overlapping, failed and aborted. Secrets come from a
 * seed, so that two JVMs can do the same work and know nothing else of each other.
 *
 * <p>Afterwards {@link #open} has the keys, and of every kind of operation and stream one in the
 * middle of its work.
 */
final class WipingScenario {

    /** Who looks on: in one JVM it wipes what is the caller's, in the other it takes notes. */
    interface Witness {

        AesKey key(byte[] key, String engine);

        XtsMode xts(byte[] key, String engine);

        /** Bytes of the caller's that are secret, and no longer needed. */
        void secret(byte[] bytes);

        /** Bytes that anyone may see. */
        void shown(byte[] bytes);

        /** The nonce, tweak or IV of what comes next. */
        void nonce(byte[] nonce);
    }

    static final byte[] AAD = Samples.pattern(9, 53);

    /** The size of a key that is drawn at random. */
    static final int GENERATED = 256;

    private static final int SHORT = 48;

    /** Enough blocks for the kernels of many blocks, and few enough for the interpreter. */
    private static final int LONG = 1_603;

    /** More than a batch of any kernel, and enough for the tables that long texts pay for. */
    private static final int HUGE = 9_007;

    /** More than a segment. */
    private static final int STREAM = 5_003;

    /** What an operation left open has taken. */
    private static final int PIECE = 37;

    private static final int TAG = 16;

    private final Witness witness;
    private final String engine;
    private final long seed;
    private final List<AutoCloseable> open = new ArrayList<>();
    private int nonces;

    WipingScenario(Witness witness, String engine, long seed) {
        this.witness = witness;
        this.engine = engine;
        this.seed = seed;
    }

    /** What has to be closed, keys last. */
    List<AutoCloseable> open() {
        return open;
    }

    /** The key of all modes but XTS, of another size for each engine. */
    byte[] key() {
        return bytes(1, 16 + 8 * (Aes.engines().indexOf(engine) % 3));
    }

    /** The main key of the streams. */
    byte[] mainKey() {
        return bytes(2, 32);
    }

    /** The text of the streams. */
    byte[] streamText() {
        return text(STREAM);
    }

    private byte[] text(int length) {
        return bytes(3, length);
    }

    private byte[] bytes(int which, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed + which).nextBytes(bytes);
        return bytes;
    }

    private byte[] nonce(int length) {
        byte[] nonce = Samples.pattern(11 * ++nonces, length);
        witness.nonce(nonce);
        return nonce;
    }

    void run() throws Exception {
        witness.shown(AAD);
        byte[] bytes = key();
        AesKey key = witness.key(bytes, engine);
        byte[] among = Samples.concat(AAD, bytes);
        AesKey.of(among, AAD.length, bytes.length).close();
        witness.secret(among);
        witness.secret(bytes);
        AesKey.generate(GENERATED).close();
        for (String name : Modes.AEAD) {
            Aead mode = Modes.aead(name, key, TAG);
            aead(mode, 12, SHORT - 3);
            aead(mode, 12, LONG);
        }
        aead(Aes.gcm(key), 16, SHORT);
        aead(Aes.ccm(key, 4), 7, SHORT);
        aead(Aes.eax(key), 16, SHORT);
        aead(Aes.ocb(key, 8), 15, SHORT);
        shortTags(key);
        huge(key);
        randomNonce(key);
        for (String name : Modes.PLAIN) {
            CipherMode mode = Modes.of(name, key);
            boolean wholeBlocks = name.equals("ECB") || name.equals("CBC");
            plain(mode, wholeBlocks ? SHORT : SHORT - 3);
            plain(mode, wholeBlocks ? LONG & -16 : name.equals("CFB8") ? LONG / 8 : LONG);
        }
        mac(key);
        byte[] pair = bytes(4, bytes.length == 32 ? 64 : 32);
        XtsMode xts = witness.xts(pair, engine);
        witness.secret(pair);
        plain(xts, SHORT);
        plain(xts, LONG);
        sectors(xts);
        streams();
        open.add(xts);
        open.add(key);
    }

    // ---- modes with authentication -------------------------------------------------------------

    private void aead(Aead mode, int nonceLength, int length) throws Exception {
        byte[] text = text(length);
        byte[] nonce = nonce(nonceLength);
        byte[] sealed = mode.seal(nonce, AAD, text);
        witness.shown(sealed);
        witness.secret(mode.open(nonce, AAD, sealed));
        byte[] forged = forged(mode, nonce, text);
        assertThrows(AEADBadTagException.class, () -> mode.open(nonce, AAD, forged));
        if (mode.mode().equals("OCB")) {
            // Offsets alone go into the cipher, for the witness to see.
            mode.seal(nonce, AAD, new byte[length & -16]);
        }
        overlapping(mode, nonce, text);
        pieces(mode, nonce, text, sealed, forged);
        witness.secret(text);
    }

    /** A ciphertext with a tag of which every bit is wrong: nobody may learn the right one. */
    private byte[] forged(Aead mode, byte[] nonce, byte[] text) {
        byte[] other = Samples.concat(text);
        other[1] ^= 4;
        byte[] sealed = mode.seal(nonce, AAD, other);
        byte[] rightTag =
                Arrays.copyOfRange(sealed, sealed.length - mode.tagLength(), sealed.length);
        for (int i = text.length; i < sealed.length; i++) {
            sealed[i] ^= (byte) 0xFF;
        }
        witness.secret(other);
        witness.secret(rightTag);
        witness.shown(sealed);
        return sealed;
    }

    /** In place, shifted in place, and through buffers without arrays. */
    private void overlapping(Aead mode, byte[] nonce, byte[] text) throws Exception {
        int n = text.length;
        for (int shift : new int[] {0, 5}) {
            byte[] room = new byte[n + TAG + shift];
            System.arraycopy(text, 0, room, 0, n);
            int length = mode.seal(nonce, AAD, room, 0, n, room, shift);
            mode.open(nonce, AAD, room, shift, length, room, 0);
            witness.secret(room);
        }
        ByteBuffer sealed = ByteBuffer.allocateDirect(n + TAG);
        mode.seal(nonce, AAD, ByteBuffer.wrap(text).asReadOnlyBuffer(), sealed);
        byte[] opened = new byte[n];
        mode.open(nonce, AAD, sealed.flip(), ByteBuffer.wrap(opened));
        witness.secret(opened);
    }

    private void pieces(Aead mode, byte[] nonce, byte[] text, byte[] sealed, byte[] forged)
            throws Exception {
        int half = text.length / 2 + 3;
        try (AeadOperation decryptor = mode.decryptor(nonce)) {
            decryptor.updateAAD(AAD, 0, 7);
            decryptor.updateAAD(AAD, 7, AAD.length - 7);
            decryptor.update(sealed, 0, half);
            witness.secret(decryptor.doFinal(sealed, half, sealed.length - half));
        }
        AeadOperation refusing = mode.decryptor(nonce);
        refusing.updateAAD(AAD);
        refusing.update(forged, 0, half);
        assertThrows(
                AEADBadTagException.class,
                () -> refusing.doFinal(forged, half, forged.length - half));
        AeadOperation kept = mode.decryptor(nonce);
        kept.updateAAD(AAD);
        kept.update(sealed, 0, PIECE);
        open.add(kept);

        AeadOperation encryptor = mode.encryptor(nonce(nonce.length));
        encryptor.updateAAD(AAD);
        witness.shown(encryptor.update(text, 0, half));
        witness.shown(encryptor.doFinal(text, half, text.length - half));
        try (AeadOperation ended = mode.encryptor(nonce(nonce.length))) {
            ended.updateAAD(AAD);
            witness.shown(ended.update(text, 0, half));
        }
        AeadOperation left = mode.encryptor(nonce(nonce.length));
        left.updateAAD(AAD);
        witness.shown(left.update(text, 0, PIECE));
        open.add(left);
    }

    /** The rest of a tag that is cut is nobody's business. */
    private void shortTags(AesKey key) throws Exception {
        byte[] text = text(SHORT);
        byte[] gcmNonce = nonce(12);
        byte[] full = Aes.gcm(key).seal(gcmNonce, AAD, text);
        Aead gcm = Aes.gcmShortTag(key, 4);
        byte[] sealed = gcm.seal(gcmNonce, AAD, text);
        witness.secret(gcm.open(gcmNonce, AAD, sealed));
        witness.secret(Arrays.copyOfRange(full, SHORT, full.length));
        witness.secret(full);
        witness.shown(sealed);
        byte[] eaxNonce = nonce(16);
        full = Aes.eax(key).seal(eaxNonce, AAD, text);
        Aead eax = Aes.eax(key, 4);
        sealed = eax.seal(eaxNonce, AAD, text);
        witness.secret(eax.open(eaxNonce, AAD, sealed));
        witness.secret(Arrays.copyOfRange(full, SHORT, full.length));
        witness.secret(full);
        witness.shown(sealed);
        witness.secret(text);
    }

    private void huge(AesKey key) throws Exception {
        byte[] text = text(HUGE);
        byte[] nonce = nonce(12);
        byte[] sealed = Aes.gcm(key).seal(nonce, AAD, text);
        witness.shown(sealed);
        witness.secret(Aes.gcm(key).open(nonce, AAD, sealed));
        byte[] iv = nonce(16);
        byte[] encrypted = Aes.cbc(key).encrypt(iv, text);
        witness.shown(encrypted);
        witness.secret(Aes.cbc(key).decrypt(iv, encrypted));
        witness.secret(text);
    }

    private void randomNonce(AesKey key) throws Exception {
        byte[] text = text(SHORT);
        byte[] sealed = Aes.gcm(key).sealWithRandomNonce(AAD, text);
        witness.shown(sealed);
        witness.secret(Aes.gcm(key).openWithNonce(AAD, sealed));
        witness.secret(text);
    }

    // ---- modes without -------------------------------------------------------------------------

    private void plain(CipherMode mode, int length) throws Exception {
        byte[] text = text(length);
        byte[] iv = nonce(mode.ivLength());
        byte[] encrypted = mode.encrypt(iv, text);
        witness.shown(encrypted);
        witness.secret(mode.decrypt(iv, encrypted));
        if (mode.mode().equals("XTS")) {
            // Tweaks alone go into the cipher, for the witness to see.
            mode.encrypt(iv, new byte[(length + 15) & -16]);
        }
        plainPieces(mode, true, iv, text);
        plainPieces(mode, false, iv, encrypted);
        for (int shift : new int[] {0, 5}) {
            byte[] room = new byte[encrypted.length + shift];
            System.arraycopy(text, 0, room, 0, length);
            int written = mode.encrypt(iv, room, 0, length, room, shift);
            mode.decrypt(iv, room, shift, written, room, 0);
            witness.secret(room);
        }
        if (encrypted.length > length) {
            badPadding(mode, iv, encrypted);
        }
        witness.secret(text);
    }

    private void plainPieces(CipherMode mode, boolean encrypting, byte[] iv, byte[] in)
            throws Exception {
        try (CipherOperation done = operation(mode, encrypting, iv)) {
            result(encrypting, done.update(in, 0, PIECE));
            result(encrypting, done.doFinal(in, PIECE, in.length - PIECE));
        }
        try (CipherOperation ended = operation(mode, encrypting, iv)) {
            byte[] room = Samples.concat(in, AAD);
            ended.update(room, 0, in.length, room, 5);
            witness.secret(room);
        }
        CipherOperation left = operation(mode, encrypting, iv);
        result(encrypting, left.update(in, 0, PIECE));
        open.add(left);
    }

    private static CipherOperation operation(CipherMode mode, boolean encrypting, byte[] iv) {
        return encrypting ? mode.encryptor(iv) : mode.decryptor(iv);
    }

    private void result(boolean encrypting, byte[] bytes) {
        if (encrypting) {
            witness.shown(bytes);
        } else {
            witness.secret(bytes);
        }
    }

    private void badPadding(CipherMode mode, byte[] iv, byte[] encrypted) {
        byte[] damaged = Samples.concat(encrypted);
        damaged[damaged.length - 1] ^= 1;
        witness.shown(damaged);
        try {
            // One of 256 damaged blocks has a right padding by chance.
            witness.secret(mode.decrypt(iv, damaged));
        } catch (BadPaddingException refused) {
            witness.shown(iv);
        }
    }

    private void sectors(XtsMode xts) throws Exception {
        byte[] text = text(LONG);
        for (int size : new int[] {144, 100}) {
            byte[] room = new byte[8 * size + 5];
            System.arraycopy(text, 0, room, 0, 8 * size);
            byte[] tweak = XtsMode.sector(7_000_000_000L);
            witness.nonce(tweak);
            xts.encryptSectors(tweak, size, room, 0, 8 * size, room, 5);
            xts.decryptSectors(tweak, size, room, 5, 8 * size, room, 0);
            witness.secret(room);
        }
        witness.secret(text);
    }

    private void mac(AesKey key) {
        byte[] text = text(LONG);
        AesMac mac = Aes.cmac(key);
        byte[] tag = mac.doFinal(text);
        witness.shown(tag);
        mac.update(text, 0, PIECE);
        mac.reset();
        mac.update(ByteBuffer.wrap(text, 0, 99).asReadOnlyBuffer());
        byte[] unsent = mac.doFinal();
        AesMac brief = Aes.cmac(key, 4);
        brief.update(text, 0, 99);
        witness.shown(brief.doFinal());
        mac.update(text, 0, 99);
        assertFalse(mac.verify(tag));
        mac.update(text, 0, PIECE);
        mac.close();
        brief.update(text, 0, PIECE);
        open.add(brief);
        // Ended or reset, and dropped.
        AesMac ended = Aes.cmac(key, 4);
        ended.update(text, 0, 99);
        witness.shown(ended.doFinal());
        AesMac reset = Aes.cmac(key);
        reset.update(text, 0, PIECE);
        reset.reset();
        witness.secret(unsent);
        witness.secret(text);
    }

    // ---- streams -------------------------------------------------------------------------------

    private void streams() throws Exception {
        byte[] mainKey = mainKey();
        StreamingAead aead = StreamingAead.segments4KB(mainKey);
        witness.secret(mainKey);
        byte[] text = streamText();
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (OutputStream sealing = aead.sealing(sink, AAD)) {
            sealing.write(text);
        }
        byte[] sealed = sink.toByteArray();
        witness.shown(sealed);
        sink = new ByteArrayOutputStream();
        try (WritableByteChannel sealing = aead.sealing(Channels.newChannel(sink), AAD)) {
            sealing.write(ByteBuffer.wrap(text));
        }
        witness.shown(sink.toByteArray());
        failingSink(aead, text);

        byte[] out = new byte[STREAM];
        try (InputStream opening = aead.opening(new ByteArrayInputStream(sealed), AAD)) {
            opening.readNBytes(out, 0, STREAM);
        }
        try (InputStream opening = aead.opening(new ByteArrayInputStream(sealed), AAD)) {
            opening.readNBytes(out, 0, 100);
        }
        try (ReadableByteChannel opening =
                aead.opening(Channels.newChannel(new ByteArrayInputStream(sealed)), AAD)) {
            opening.read(ByteBuffer.wrap(out));
        }
        try (SeekableByteChannel opening = aead.openingSeekable(source(sealed), AAD)) {
            opening.position(4500).read(ByteBuffer.wrap(out));
        }
        byte[] damaged = Samples.concat(sealed);
        damaged[damaged.length - 2] ^= 4;
        witness.shown(damaged);
        for (byte[] bad : new byte[][] {damaged, AAD}) {
            // Failed and dropped, not closed.
            InputStream refusing = aead.opening(new ByteArrayInputStream(bad), AAD);
            assertThrows(IOException.class, () -> refusing.readNBytes(out, 0, STREAM));
        }
        assertThrows(IOException.class, () -> aead.openingSeekable(source(damaged), AAD));

        leftOpen(aead, text, sealed, out);
        witness.secret(out);
        witness.secret(text);
        open.add(aead);
    }

    private void failingSink(StreamingAead aead, byte[] text) {
        ByteArrayOutputStream torso = new ByteArrayOutputStream();
        OutputStream full =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        if (torso.size() == 4000) {
                            throw new IOException("full");
                        }
                        torso.write(b);
                    }
                };
        // Failed and dropped, not closed.
        OutputStream sealing = aead.sealing(full, AAD);
        assertThrows(IOException.class, () -> sealing.write(text));
        witness.shown(torso.toByteArray());
    }

    private void leftOpen(StreamingAead aead, byte[] text, byte[] sealed, byte[] out)
            throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        OutputStream sealing = aead.sealing(sink, AAD);
        sealing.write(text, 0, 4500);
        open.add(sealing);
        witness.shown(sink.toByteArray());
        InputStream opening = aead.opening(new ByteArrayInputStream(sealed), AAD);
        opening.readNBytes(out, 0, 100);
        open.add(opening);
        open.add(aead.opening(new ByteArrayInputStream(sealed), AAD));
        open.add(aead.openingSeekable(source(sealed), AAD));
    }

    private static SeekableByteChannel source(byte[] sealed) {
        return new StreamForms.StingyChannel(sealed);
    }
}
