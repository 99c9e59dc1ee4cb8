package dev.isochron.verifier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Leaks planted in copies of the product's classes, such as a hurried developer might write: the
 * verifier reports each where it was planted.
 */
class MutationTest {

    private static final String ROOT = "dev/isochron/aes/";

    /**
     * @param file the source, below the root package
     * @param right a part of it that is there once
     * @param wrong what takes its place, on one line
     * @param report a part of the report
     * @param entries the public methods by which the place is reached
     */
    private record Mutant(String file, String right, String wrong, String report, String entries) {

        @Override
        public String toString() {
            return file + ": " + wrong;
        }
    }

    private static final String GCM = "Aes.gcm Aead.seal Aead.open";
    private static final String ECB = "Aes.ecb CipherMode.encrypt CipherMode.decrypt";
    private static final String CBC = "Aes.cbc CipherMode.encrypt CipherMode.decrypt";

    static Stream<Mutant> mutants() {
        return Stream.of(
                // Key schedule and engines.
                new Mutant(
                        "internal/block/PermuteEngine.java",
                        "        long w = word & 0xFFFFFFFFL;\n",
                        "        long w = (new int[256])[word & 0xFF];\n",
                        "an array index", ""),
                new Mutant(
                        "internal/block/RoundKeys.java",
                        "            words[i] = words[i - keyWords] ^ word;\n",
                        "            words[i] = word == 0 ? words[i - keyWords] : words[i - keyWords] ^ word;\n",
                        "a branch", ""),
                new Mutant(
                        "internal/block/Tower.java",
                        "        long y2 = Long.rotateRight(y, 32);\n",
                        "        long y2 = x == 0 ? 0 : Long.rotateRight(y, 32);\n",
                        "a comparison of longs", ECB),
                new Mutant(
                        "internal/block/QuadKernel.java",
                        "        return ((half >>> i) & 0x1111111111111111L) * 15;\n",
                        "        return ((half >>> i) & 0x1111111111111111L) % 15;\n",
                        "a division's dividend", ECB),
                new Mutant(
                        "internal/block/LaneKernel.java",
                        "            int t0 = Integer.rotateRight(i4, 16);\n",
                        "            int t0 = Integer.rotateRight(i4, i5);\n",
                        "argument 2 of java/lang/Integer.rotateRight", ECB),
                new Mutant(
                        "internal/block/BitslicedEngine.java",
                        "                    QuadKernel.encrypt(roundKeys.bulk(), s);\n",
                        "                    if (s[0] != s[1]) { QuadKernel.encrypt(roundKeys.bulk(), s); }\n",
                        "a branch", ECB),
                new Mutant(
                        "internal/block/CtrHybrid.java",
                        "        int done = BLOCK_SIZE * many;\n        single.encrypt(",
                        "        int done = BLOCK_SIZE * many; if (in[inOff] == 0) { done += 0; }\n        single.encrypt(",
                        "a branch", ECB),
                // Universal hashing and MACs.
                new Mutant(
                        "internal/mac/Clmul.java",
                        "        long w = mirror(x);\n        long x0 = w & CLASS;\n        long x1 = (w >>> 1) & CLASS;\n        long x2 = (w >>> 2) & CLASS;\n        long x3 = (w >>> 3) & CLASS;\n        long x02 = x0 ^ x2;\n        long x13 = x1 ^ x3;\n        return joinHigh(\n                x0 * forms[off],",
                        "        long w = 0; for (int i = 0; i < 64; i++) { if ((x >>> i & 1) != 0) { w ^= 1; } }\n        long x0 = w & CLASS;\n        long x1 = (w >>> 1) & CLASS;\n        long x2 = (w >>> 2) & CLASS;\n        long x3 = (w >>> 3) & CLASS;\n        long x02 = x0 ^ x2;\n        long x13 = x1 ^ x3;\n        return joinHigh(\n                x0 * forms[off],",
                        "a branch", GCM),
                new Mutant(
                        "internal/mac/Ghash.java",
                        "        long sum = high ^ low;\n        reduce(",
                        "        long sum = high == 0 ? low : high ^ low;\n        reduce(",
                        "a branch", GCM),
                new Mutant(
                        "internal/mac/Cmac.java",
                        "        long fallenOut = -(high >>> 63);\n",
                        "        long fallenOut = high < 0 ? -1 : 0;\n",
                        "a branch", "Aes.cmac AesMac.doFinal"),
                new Mutant(
                        "internal/mode/Xts.java",
                        "                l = l << 1 ^ carry & 0x87;\n",
                        "                l = carry != 0 ? l << 1 ^ 0x87 : l << 1;\n",
                        "a branch", "Aes.xts XtsMode.encrypt CipherMode.encrypt"),
                new Mutant(
                        "internal/aead/Ocb.java",
                        "            l[at + 1] = (low << 1) ^ ((high >> 63) & 0x87);\n",
                        "            l[at + 1] = high < 0 ? (low << 1) ^ 0x87 : low << 1;\n",
                        "a branch", "Aes.ocb Aead.seal"),
                // Comparisons of tags and paddings.
                new Mutant(
                        "internal/bytes/Bytes.java",
                        "            d |= x[xOff + i] ^ y[yOff + i];\n",
                        "            d |= x[xOff + i] ^ y[yOff + i]; if (d != 0) { return d; }\n",
                        "a branch", GCM),
                new Mutant(
                        "internal/aead/Gcm.java",
                        "            int difference = Bytes.difference(tag, 0, in, inOff + text, tagLength);\n",
                        "            int difference = java.util.Arrays.equals(tag, 0, tagLength, in, inOff + text, inOff + text + tagLength) ? 0 : 1;\n",
                        "java/util/Arrays.equals", GCM),
                new Mutant(
                        "internal/aead/Ccm.java",
                        "                int difference = Bytes.difference(tag, 0, in, inOff + textLength, tagLength);\n",
                        "                int difference = java.util.Arrays.compare(tag, 0, tagLength, in, inOff + textLength, inOff + textLength + tagLength);\n",
                        "java/util/Arrays.compare", "Aes.ccm Aead.open"),
                new Mutant(
                        "internal/aead/Eax.java",
                        "            int difference = Bytes.difference(tag, 0, in, inOff + textLength, tagLength);\n",
                        "            int difference = tag[0] != in[inOff + textLength] ? 1 : Bytes.difference(tag, 0, in, inOff + textLength, tagLength);\n",
                        "a branch", "Aes.eax Aead.open"),
                new Mutant(
                        "internal/aead/Ocb.java",
                        "                int difference = Bytes.difference(last, tag, in, inOff + textEnd, tagLength);\n",
                        "                int difference = 0; while (difference < tagLength && last[tag + difference] == in[inOff + textEnd + difference]) { difference++; }\n",
                        "a branch", "Aes.ocb Aead.open"),
                new Mutant(
                        "AesMac.java",
                        "        return Verdict.accept(difference, \"whether a tag is right\");\n",
                        "        return difference == 0;\n",
                        "a branch", "Aes.cmac AesMac.verify"),
                new Mutant(
                        "internal/mode/Pkcs7.java",
                        "        int difference = wrong >>> 31;\n",
                        "        int difference = wrong >>> 31; if (difference != 0) { return difference; }\n",
                        "a branch", CBC),
                new Mutant(
                        "internal/mode/Pkcs7.java",
                        "        for (int i = 0; i < BLOCK; i++) {\n            // All ones",
                        "        for (int i = BLOCK - padding; i < BLOCK; i++) {\n            // All ones",
                        "a branch", CBC),
                // Modes.
                new Mutant(
                        "internal/mode/Cbc.java",
                        "            cipher.encryptCbc(block, in, inOff, out, outOff, blocks);\n",
                        "            cipher.encryptCbc(block, in, inOff, out, outOff, in[inOff] == 0 ? blocks : blocks);\n",
                        "a branch", CBC),
                new Mutant(
                        "internal/mode/Stealing.java",
                        "            Bytes.copy(z, d, stolenFrom, d, BLOCK - d);\n",
                        "            Bytes.copy(z, d, stolenFrom, d, z[0] < 0 ? BLOCK - d : BLOCK - d);\n",
                        "a branch", "Aes.cbcCs3 CipherMode.decrypt"),
                new Mutant(
                        "internal/mode/Cfb.java",
                        "            Bytes.xor(segment, at, in, inOff, segment, at, n);\n",
                        "            for (int i = 0; i < n; i++) { segment[at + i] = (new byte[256])[segment[at + i] & 0xFF]; }\n",
                        "an array index", "Aes.cfb CipherMode.encrypt"),
                new Mutant(
                        "internal/mode/Ofb.java",
                        "                Bytes.xor(in, inOff + done, block, used, out, outOff + done, n);\n",
                        "                Bytes.xor(in, inOff + done, block, used, out, outOff + done, block[used] == 0 ? n : n);\n",
                        "a branch", "Aes.ofb CipherMode.encrypt"),
                // Around them.
                new Mutant(
                        "internal/bytes/Bytes.java",
                        "        java.util.Arrays.fill(a, (byte) 0);\n",
                        "        for (int i = 0; i < a.length; i++) { if (a[i] != 0) { a[i] = 0; } }\n",
                        "a branch", GCM),
                new Mutant(
                        "AesKey.java",
                        "        this.bits = 8 * key.length;\n",
                        "        this.bits = 8 * key.length; System.getLogger(\"keys\").log(System.Logger.Level.DEBUG, \"a key of {0}\", key);\n",
                        "java/lang/System$Logger.log", ""),
                new Mutant(
                        "SegmentReader.java",
                        "        Bytes.copy(text, position, out, off, n);\n",
                        "        Bytes.copy(text, position, out, off, n); if (out[off] == '\\n') { n = 1; }\n",
                        "a branch",
                        "StreamingAead.segments4KB StreamingAead.opening StreamingAead$3.read"),
                new Mutant(
                        "cli/KeyFile.java",
                        "        int wrong = Bytes.difference(content, 0, LABEL, 0, LABEL.length);\n",
                        "        int wrong = Arrays.mismatch(content, LABEL);\n",
                        "java/util/Arrays.mismatch", "KeyFile.read"));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aPlantedLeakIsReported(Mutant mutant) throws IOException {
        Path source = Path.of("src", "main", "java").resolve(ROOT + mutant.file());
        String text = Files.readString(source);
        int at = text.indexOf(mutant.right());
        assertTrue(at >= 0 && text.indexOf(mutant.right(), at + 1) < 0, "to be there once");
        String name = source.getFileName().toString();
        Program program = Program.ofProduct();
        Sources.compile(
                        Map.of(name, text.replace(mutant.right(), mutant.wrong())))
                .values()
                .forEach(program::add);

        List<Finding> findings =
                new Analysis(program, ConstantTimeTest.edge().only(entries(mutant))).run().findings();

        assertFalse(findings.isEmpty(), "nothing was reported");
        long line = text.substring(0, at).lines().count() + 1;
        String place = "(" + name + ":" + line + ")";
        List<Finding> there =
                findings.stream()
                        .filter(f -> f.where().endsWith(place) && f.what().contains(mutant.report()))
                        .toList();
        assertFalse(there.isEmpty(), () -> mutant.report() + " at " + place + " in " + findings);
        assertTrue(there.get(0).way().get(0).startsWith("secret: "), there::toString);
        assertEquals(
                List.of(),
                findings.stream().filter(f -> !f.where().contains("(" + name + ":")).toList(),
                "elsewhere");
    }

    private static Set<String> entries(Mutant mutant) {
        return Stream.concat(Stream.of("AesKey.of"), Arrays.stream(mutant.entries().split(" ")))
                .collect(Collectors.toSet());
    }
}
