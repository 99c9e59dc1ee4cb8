package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A key that is closed while a long call is at work: the call gives the right result, or it is an
 * {@link IllegalStateException} and leaves nothing. It is never a wrong tag, and never a text made
 * with half a key.
 */
class ClosedDuringCallTest {

    private static final int LENGTH = 8 << 20;

    /** Where a block waits for the one before, less takes as long. */
    private static final int SERIAL = 1 << 20;

    /** Tries until a key was closed in the middle of a call; the first does it as a rule. */
    private static final int MOST_TRIES = 300;

    /** When the key is closed, in percent of what a whole call takes. */
    private static final int[] MOMENTS = {10, 30, 80};

    private static final byte[] NONCE = Samples.pattern(1, 12);
    private static final byte[] AAD = Samples.pattern(2, 21);
    private static final byte[] IV = Samples.pattern(3, 16);
    private static final int TAG = 16;
    private static final int SECTOR = 512;

    private static byte[] text;
    private static byte[] sealed;
    private static byte[] encrypted;
    private static byte[] ocbSealed;
    private static byte[] padded;
    private static byte[] sectors;
    private static byte[] unit;
    private static byte[] serialText;
    private static byte[] ccmSealed;
    private static byte[] eaxSealed;
    private static byte[] tag;

    @BeforeAll
    static void expectations() throws Exception {
        text = Samples.pattern(4, LENGTH);
        try (AesKey key = key(Aes.engine())) {
            sealed = Aes.gcm(key).seal(NONCE, AAD, text);
            encrypted = Aes.ctr(key).encrypt(IV, text);
            ocbSealed = Aes.ocb(key).seal(NONCE, AAD, text);
            padded = Aes.cbc(key).encrypt(IV, text);
            serialText = Samples.pattern(5, SERIAL);
            ccmSealed = Aes.ccm(key).seal(NONCE, AAD, serialText);
            eaxSealed = Aes.eax(key).seal(NONCE, AAD, serialText);
            tag = Aes.cmac(key).doFinal(serialText);
        }
        try (XtsMode xts = xts(Aes.engine())) {
            unit = xts.encrypt(IV, text);
            sectors = new byte[LENGTH];
            xts.encryptSectors(IV, SECTOR, text, 0, LENGTH, sectors, 0);
        }
    }

    @AfterAll
    static void release() {
        text = null;
        sealed = null;
        encrypted = null;
        ocbSealed = null;
        padded = null;
        sectors = null;
        unit = null;
        serialText = null;
        ccmSealed = null;
        eaxSealed = null;
        tag = null;
    }

    private static AesKey key(String engine) {
        return Samples.key(engine, 128);
    }

    private static XtsMode xts(String engine) {
        return Aes.xts(Samples.pattern(6, 32), engine);
    }

    /** One long call under a key, into the output; returns how many bytes it wrote. */
    private interface Call {
        int run(byte[] out) throws Exception;
    }

    /** A call, and how to close what it runs under. */
    private record Prepared(Call call, Runnable closing) {}

    /** What there is to call, what comes before it, and what comes out. */
    private enum Kind {
        SEAL {
            @Override
            Call prepare(AesKey key) {
                Aead gcm = Aes.gcm(key);
                return out -> gcm.seal(NONCE, AAD, text, 0, LENGTH, out, 0);
            }
        },
        SEAL_READ_ONLY_BUFFER {
            @Override
            Call prepare(AesKey key) {
                Aead gcm = Aes.gcm(key);
                ByteBuffer in = ByteBuffer.wrap(text).asReadOnlyBuffer();
                return out -> gcm.seal(NONCE, AAD, in, ByteBuffer.wrap(out));
            }
        },
        OPEN {
            @Override
            Call prepare(AesKey key) {
                Aead gcm = Aes.gcm(key);
                return out -> gcm.open(NONCE, AAD, sealed, 0, sealed.length, out, 0);
            }
        },
        ENCRYPTOR_UPDATE {
            @Override
            Call prepare(AesKey key) {
                AeadOperation operation = Aes.gcm(key).encryptor(NONCE);
                operation.updateAAD(AAD);
                return out -> operation.update(text, 0, LENGTH, out, 0);
            }
        },
        ENCRYPTOR_DO_FINAL {
            @Override
            Call prepare(AesKey key) {
                AeadOperation operation = Aes.gcm(key).encryptor(NONCE);
                operation.updateAAD(AAD);
                return out -> operation.doFinal(text, 0, LENGTH, out, 0);
            }
        },
        DECRYPTOR_DO_FINAL {
            @Override
            Call prepare(AesKey key) {
                AeadOperation operation = Aes.gcm(key).decryptor(NONCE);
                operation.updateAAD(AAD);
                operation.update(sealed, 0, LENGTH / 2);
                int rest = sealed.length - LENGTH / 2;
                return out -> operation.doFinal(sealed, LENGTH / 2, rest, out, 0);
            }
        },
        CTR_UPDATE {
            @Override
            Call prepare(AesKey key) {
                CipherOperation operation = Aes.ctr(key).encryptor(IV);
                return out -> operation.update(text, 0, LENGTH, out, 0);
            }
        },
        CTR_DO_FINAL {
            @Override
            Call prepare(AesKey key) {
                CtrMode ctr = Aes.ctr(key);
                return out -> ctr.encrypt(IV, text, 0, LENGTH, out, 0);
            }
        },
        OCB_SEAL {
            @Override
            Call prepare(AesKey key) {
                Aead ocb = Aes.ocb(key);
                return out -> ocb.seal(NONCE, AAD, text, 0, LENGTH, out, 0);
            }
        },
        OCB_OPEN {
            @Override
            Call prepare(AesKey key) {
                Aead ocb = Aes.ocb(key);
                return out -> ocb.open(NONCE, AAD, ocbSealed, 0, ocbSealed.length, out, 0);
            }
        },
        /** The padding of half a key's text is wrong, and must not be what the caller hears of. */
        CBC_PADDED_DECRYPT {
            @Override
            Call prepare(AesKey key) {
                CipherMode cbc = Aes.cbc(key);
                return out -> cbc.decrypt(IV, padded, 0, padded.length, out, 0);
            }
        },
        CCM_SEAL {
            @Override
            Call prepare(AesKey key) {
                Aead ccm = Aes.ccm(key);
                return out -> ccm.seal(NONCE, AAD, serialText, 0, SERIAL, out, 0);
            }
        },
        CCM_OPEN {
            @Override
            Call prepare(AesKey key) {
                Aead ccm = Aes.ccm(key);
                return out -> ccm.open(NONCE, AAD, ccmSealed, 0, ccmSealed.length, out, 0);
            }
        },
        EAX_SEAL {
            @Override
            Call prepare(AesKey key) {
                Aead eax = Aes.eax(key);
                return out -> eax.seal(NONCE, AAD, serialText, 0, SERIAL, out, 0);
            }
        },
        EAX_OPEN {
            @Override
            Call prepare(AesKey key) {
                Aead eax = Aes.eax(key);
                return out -> eax.open(NONCE, AAD, eaxSealed, 0, eaxSealed.length, out, 0);
            }
        },
        CMAC_TAG {
            @Override
            Call prepare(AesKey key) {
                AesMac mac = Aes.cmac(key);
                return begun(mac, out -> mac.doFinal(out, 0));
            }
        },
        /** That a tag is wrong must not be what the caller hears of either. */
        CMAC_VERIFY {
            @Override
            Call prepare(AesKey key) {
                AesMac mac = Aes.cmac(key);
                return begun(
                        mac,
                        out -> {
                            assertTrue(mac.verify(tag));
                            return 0;
                        });
            }
        },
        XTS_ENCRYPT {
            @Override
            Prepared prepare(String engine) {
                XtsMode xts = xts(engine);
                return new Prepared(out -> xts.encrypt(IV, text, 0, LENGTH, out, 0), xts::close);
            }
        },
        XTS_DECRYPT {
            @Override
            Prepared prepare(String engine) {
                XtsMode xts = xts(engine);
                return new Prepared(out -> xts.decrypt(IV, unit, 0, LENGTH, out, 0), xts::close);
            }
        },
        XTS_SECTORS {
            @Override
            Prepared prepare(String engine) {
                XtsMode xts = xts(engine);
                return new Prepared(
                        out -> xts.encryptSectors(IV, SECTOR, text, 0, LENGTH, out, 0),
                        xts::close);
            }
        };

        /** Prepares a call under a fresh key. */
        Prepared prepare(String engine) {
            AesKey key = key(engine);
            return new Prepared(prepare(key), key::close);
        }

        Call prepare(AesKey key) {
            throw new AssertionError(this + " does not go under such a key");
        }

        /**
         * A MAC takes a message by calls that give nothing out, and says at its end that the key is
         * closed. If it has taken some, that was during the call.
         */
        private static Call begun(AesMac mac, Call end) {
            return out -> {
                mac.update(serialText, 0, 1);
                try {
                    mac.update(serialText, 1, SERIAL - 1);
                    return end.run(out);
                } catch (IllegalStateException e) {
                    throw new IllegalStateException("during the call: " + e.getMessage(), e);
                }
            };
        }

        /** All that may come out; an update leaves out the tag. */
        byte[] expected() {
            return switch (this) {
                case OPEN, DECRYPTOR_DO_FINAL, OCB_OPEN, CBC_PADDED_DECRYPT -> text;
                case OCB_SEAL -> ocbSealed;
                case CTR_UPDATE, CTR_DO_FINAL -> encrypted;
                case CCM_SEAL -> ccmSealed;
                case EAX_SEAL -> eaxSealed;
                case CCM_OPEN, EAX_OPEN -> serialText;
                case CMAC_TAG -> tag;
                case CMAC_VERIFY -> new byte[0];
                case XTS_ENCRYPT -> unit;
                case XTS_DECRYPT -> text;
                case XTS_SECTORS -> sectors;
                default -> sealed;
            };
        }

        int written() {
            return this == ENCRYPTOR_UPDATE ? LENGTH : expected().length;
        }
    }

    static Stream<Arguments> calls() {
        return Aes.engines().stream()
                .flatMap(
                        engine ->
                                Stream.of(Kind.values())
                                        .map(kind -> Arguments.of(engine, kind)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void rightOrRefusedAndNothingLeft(String engine, Kind kind) throws Exception {
        byte[] out = new byte[LENGTH + TAG + 1];
        long start = System.nanoTime();
        Prepared first = kind.prepare(engine);
        assertEquals(kind.written(), first.call().run(out));
        first.closing().run();
        long whole = System.nanoTime() - start;
        boolean met = false;
        for (int i = 0; i < MOMENTS.length || !met; i++) {
            assertTrue(i < MOST_TRIES, "the key was never closed during the call");
            long moment = whole * MOMENTS[i % MOMENTS.length] / 100;
            String refusal = closedAfter(moment, engine, kind, out);
            if (refusal == null) {
                // Too late. The first call may have been far slower than the others.
                whole -= whole / 4;
            } else if (refusal.contains("during the call")) {
                met = true;
            } else {
                whole += whole / 4;
            }
        }
    }

    /** Returns how the call was refused, or null if it was done. */
    private static String closedAfter(long nanos, String engine, Kind kind, byte[] out)
            throws Exception {
        Arrays.fill(out, (byte) 0);
        Prepared prepared = kind.prepare(engine);
        CountDownLatch started = new CountDownLatch(1);
        Thread closing =
                new Thread(
                        () -> {
                            started.countDown();
                            long end = System.nanoTime() + nanos;
                            for (long left = nanos; left > 0; left = end - System.nanoTime()) {
                                LockSupport.parkNanos(left);
                            }
                            prepared.closing().run();
                        });
        closing.start();
        assertTrue(started.await(1, TimeUnit.MINUTES));
        String refusal = null;
        try {
            assertEquals(kind.written(), prepared.call().run(out));
        } catch (IllegalStateException e) {
            refusal = e.getMessage();
        }
        closing.join();
        byte[] wanted = new byte[out.length];
        if (refusal == null) {
            System.arraycopy(kind.expected(), 0, wanted, 0, kind.written());
        }
        assertArrayEquals(wanted, out, "after " + (refusal == null ? "the result" : refusal));
        return refusal;
    }
}
