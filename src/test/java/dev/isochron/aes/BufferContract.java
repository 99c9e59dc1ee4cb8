package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What every call with buffers promises, whatever kind of buffer it is given. */
final class BufferContract {

    /** A call with buffers. */
    interface Call {
        int apply(ByteBuffer in, ByteBuffer out) throws Exception;
    }

    private BufferContract() {}

    /** The kinds of buffers there are; each holds {@code content} between position and limit. */
    static List<ByteBuffer> inputs(byte[] content) {
        int n = content.length;
        List<ByteBuffer> buffers = new ArrayList<>();
        buffers.add(ByteBuffer.wrap(content.clone()));
        buffers.add(ByteBuffer.allocate(n + 9).put(4, content).position(4).limit(4 + n));
        ByteBuffer slice = ByteBuffer.allocate(n + 30).put(13, content).slice(13, n);
        buffers.add(slice);
        buffers.add(ByteBuffer.wrap(content.clone()).asReadOnlyBuffer());
        buffers.add(slice.asReadOnlyBuffer());
        ByteBuffer direct = ByteBuffer.allocateDirect(n).put(content).flip();
        buffers.add(direct);
        buffers.add(direct.asReadOnlyBuffer());
        ByteBuffer wide = ByteBuffer.allocateDirect(n + 11).put(7, content).limit(7 + n);
        buffers.add(wide.position(7));
        buffers.add(wide.duplicate().slice());
        return buffers;
    }

    /** Buffers with room for {@code n} bytes. */
    private static List<ByteBuffer> outputs(int n) {
        List<ByteBuffer> buffers = new ArrayList<>();
        buffers.add(ByteBuffer.allocate(n));
        buffers.add(ByteBuffer.allocate(n + 9).position(4).limit(n + 6));
        buffers.add(ByteBuffer.allocate(n + 30).position(13).slice());
        buffers.add(ByteBuffer.allocateDirect(n));
        buffers.add(ByteBuffer.allocateDirect(n + 9).position(4));
        buffers.add(ByteBuffer.allocateDirect(n + 30).position(13).slice());
        return buffers;
    }

    /** As {@link #check(byte[], byte[], int, Call)}, with no more room than the result needs. */
    static void check(byte[] from, byte[] to, Call call) throws Exception {
        check(from, to, to.length, call);
    }

    /**
     * Right result, positions moved, input unchanged, nothing written beside the output.
     *
     * @param room bytes that the call asks for, perhaps more than it writes
     */
    static void check(byte[] from, byte[] to, int room, Call call) throws Exception {
        for (int i = 0; i < inputs(from).size(); i++) {
            for (int j = 0; j < outputs(room).size(); j++) {
                ByteBuffer in = inputs(from).get(i);
                ByteBuffer out = outputs(room).get(j);
                String which = "input kind " + i + ", output kind " + j;
                ByteBuffer inBefore = in.duplicate();
                int outPosition = out.position();
                assertEquals(to.length, call.apply(in, out), which);
                assertEquals(in.limit(), in.position(), which);
                assertEquals(outPosition + to.length, out.position(), which);
                byte[] got = new byte[to.length];
                out.duplicate().position(outPosition).get(got);
                assertArrayEquals(to, got, which);
                for (int k = 0; k < outPosition; k++) {
                    assertEquals(0, out.get(k), which);
                }
                for (int k = out.position(); k < out.limit(); k++) {
                    assertEquals(0, out.get(k), which);
                }
                byte[] unchanged = new byte[from.length];
                inBefore.get(unchanged);
                assertArrayEquals(from, unchanged, which);
            }
        }
    }
}
