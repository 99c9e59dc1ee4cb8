package dev.isochron.aes;

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
import java.security.GeneralSecurityException;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Every way to seal and to open a stream, and the format once more, written from its description
 * with the JDK's cryptography.
 */
final class StreamForms {

    static final int HEADER = 40;
    static final int TAG = 16;

    private StreamForms() {}

    /** The sealed stream by the JDK: header, then AES-256-GCM by segments under an HKDF key. */
    static byte[] reference(
            byte[] mainKey, int segmentSize, byte[] header, byte[] aad, byte[] text)
            throws GeneralSecurityException {
        Mac extract = Mac.getInstance("HmacSHA256");
        extract.init(new SecretKeySpec(header, 1, 32, "HmacSHA256"));
        Mac expand = Mac.getInstance("HmacSHA256");
        expand.init(new SecretKeySpec(extract.doFinal(mainKey), "HmacSHA256"));
        expand.update(aad);
        expand.update((byte) 1);
        SecretKeySpec key = new SecretKeySpec(expand.doFinal(), "AES");
        Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        sealed.writeBytes(header);
        int done = 0;
        int index = 0;
        boolean last;
        do {
            int room = segmentSize - TAG - (index == 0 ? HEADER : 0);
            int length = Math.min(room, text.length - done);
            last = done + length == text.length;
            ByteBuffer nonce = ByteBuffer.allocate(12);
            nonce.put(header, 33, 7).putInt(index).put((byte) (last ? 1 : 0));
            gcm.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce.array()));
            sealed.writeBytes(gcm.doFinal(text, done, length));
            done += length;
            index++;
        } while (!last);
        return sealed.toByteArray();
    }

    /** A way to seal. */
    enum Sealing {
        STREAM_AT_ONCE {
            @Override
            void seal(StreamingAead aead, byte[] text, byte[] aad, OutputStream sink)
                    throws IOException {
                try (OutputStream out = aead.sealing(sink, aad)) {
                    out.write(text);
                }
            }
        },
        STREAM_BY_BYTES {
            @Override
            void seal(StreamingAead aead, byte[] text, byte[] aad, OutputStream sink)
                    throws IOException {
                try (OutputStream out = aead.sealing(sink, aad)) {
                    for (byte b : text) {
                        out.write(b);
                    }
                }
            }
        },
        STREAM_IN_CUTS {
            @Override
            void seal(StreamingAead aead, byte[] text, byte[] aad, OutputStream sink)
                    throws IOException {
                try (OutputStream out = aead.sealing(sink, aad)) {
                    int done = 0;
                    for (int piece : Samples.cuts(new Random(text.length), text.length)) {
                        out.write(text, done, piece);
                        out.flush();
                        done += piece;
                    }
                }
            }
        },
        CHANNEL_AT_ONCE {
            @Override
            void seal(StreamingAead aead, byte[] text, byte[] aad, OutputStream sink)
                    throws IOException {
                try (WritableByteChannel out = aead.sealing(Channels.newChannel(sink), aad)) {
                    ByteBuffer in = ByteBuffer.wrap(text).asReadOnlyBuffer();
                    int written = out.write(in);
                    if (written != text.length || in.hasRemaining()) {
                        throw new AssertionError("wrote " + written + " of " + text.length);
                    }
                }
            }
        },
        CHANNEL_IN_DIRECT_CUTS {
            @Override
            void seal(StreamingAead aead, byte[] text, byte[] aad, OutputStream sink)
                    throws IOException {
                try (WritableByteChannel out = aead.sealing(Channels.newChannel(sink), aad)) {
                    ByteBuffer direct = ByteBuffer.allocateDirect(text.length + 3);
                    direct.position(3);
                    direct.put(text).position(3);
                    for (int piece : Samples.cuts(new Random(text.length), text.length)) {
                        out.write(direct.limit(direct.position() + piece));
                    }
                }
            }
        };

        abstract void seal(StreamingAead aead, byte[] text, byte[] aad, OutputStream sink)
                throws IOException;

        byte[] seal(StreamingAead aead, byte[] text, byte[] aad) throws IOException {
            ByteArrayOutputStream sink = new ByteArrayOutputStream();
            seal(aead, text, aad, sink);
            return sink.toByteArray();
        }
    }

    /** A way to open. What it releases goes to {@code out}, also when it fails later. */
    enum Opening {
        STREAM {
            @Override
            void open(StreamingAead aead, byte[] sealed, byte[] aad, ByteArrayOutputStream out)
                    throws IOException {
                try (InputStream in = aead.opening(new ByteArrayInputStream(sealed), aad)) {
                    byte[] buffer = new byte[1013];
                    for (int n = in.read(buffer, 7, 1000); n >= 0; n = in.read(buffer, 7, 1000)) {
                        out.write(buffer, 7, n);
                    }
                }
            }
        },
        STREAM_BY_BYTES {
            @Override
            void open(StreamingAead aead, byte[] sealed, byte[] aad, ByteArrayOutputStream out)
                    throws IOException {
                try (InputStream in = aead.opening(new ByteArrayInputStream(sealed), aad)) {
                    for (int b = in.read(); b >= 0; b = in.read()) {
                        out.write(b);
                    }
                }
            }
        },
        STREAM_FROM_STINGY_SOURCE {
            @Override
            void open(StreamingAead aead, byte[] sealed, byte[] aad, ByteArrayOutputStream out)
                    throws IOException {
                try (InputStream in = aead.opening(stingy(sealed), aad)) {
                    in.transferTo(out);
                }
            }
        },
        CHANNEL {
            @Override
            void open(StreamingAead aead, byte[] sealed, byte[] aad, ByteArrayOutputStream out)
                    throws IOException {
                ReadableByteChannel source = Channels.newChannel(new ByteArrayInputStream(sealed));
                try (ReadableByteChannel in = aead.opening(source, aad)) {
                    drain(in, ByteBuffer.allocate(777), out);
                }
            }
        },
        CHANNEL_DIRECT_FROM_STINGY_SOURCE {
            @Override
            void open(StreamingAead aead, byte[] sealed, byte[] aad, ByteArrayOutputStream out)
                    throws IOException {
                try (ReadableByteChannel in = aead.opening(new StingyChannel(sealed), aad)) {
                    drain(in, ByteBuffer.allocateDirect(2_000_000), out);
                }
            }
        },
        SEEKABLE {
            @Override
            void open(StreamingAead aead, byte[] sealed, byte[] aad, ByteArrayOutputStream out)
                    throws IOException {
                try (SeekableByteChannel in =
                        aead.openingSeekable(new StingyChannel(sealed), aad)) {
                    drain(in, ByteBuffer.allocate(5000), out);
                }
            }
        };

        abstract void open(
                StreamingAead aead, byte[] sealed, byte[] aad, ByteArrayOutputStream out)
                throws IOException;

        byte[] open(StreamingAead aead, byte[] sealed, byte[] aad) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            open(aead, sealed, aad, out);
            return out.toByteArray();
        }

        private static void drain(
                ReadableByteChannel in, ByteBuffer buffer, ByteArrayOutputStream out)
                throws IOException {
            while (in.read(buffer) >= 0) {
                byte[] bytes = new byte[buffer.flip().remaining()];
                buffer.get(bytes).clear();
                out.writeBytes(bytes);
            }
        }
    }

    /** A stream that gives less than asked, and sometimes nothing. */
    static InputStream stingy(byte[] bytes) {
        StingyChannel channel = new StingyChannel(bytes);
        return new InputStream() {
            @Override
            public int read() {
                byte[] one = new byte[1];
                int n = 0;
                while (n == 0) {
                    n = read(one, 0, 1);
                }
                return n < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] out, int off, int length) {
                return channel.read(ByteBuffer.wrap(out, off, length));
            }
        };
    }

    /** A channel over an array that gives less than asked, and sometimes nothing. */
    static class StingyChannel implements SeekableByteChannel {

        private final byte[] bytes;
        private final Random random = new Random(5);
        private long position;
        private int closes;

        StingyChannel(byte[] bytes) {
            this.bytes = bytes;
        }

        int closes() {
            return closes;
        }

        @Override
        public int read(ByteBuffer out) {
            if (position >= bytes.length) {
                return -1;
            }
            int most = Math.min(out.remaining(), bytes.length - (int) position);
            int n = Math.min(most, random.nextInt(6) * random.nextInt(400));
            out.put(bytes, (int) position, n);
            position += n;
            return n;
        }

        @Override
        public int write(ByteBuffer in) {
            throw new AssertionError("a source is never written to");
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public SeekableByteChannel position(long newPosition) {
            position = newPosition;
            return this;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new AssertionError("a source is never cut");
        }

        @Override
        public boolean isOpen() {
            return closes == 0;
        }

        @Override
        public void close() {
            closes++;
        }
    }
}
