import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** The vector module: its fallback reads lanes by index and branches on masks. */
public final class Vectors {

    private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_128;

    public static void shuffleBySecret(byte[] key, byte[] out) {
        ByteVector table = ByteVector.zero(SPECIES);
        ByteVector index = ByteVector.fromArray(SPECIES, key, 0);
        ByteVector looked = index.selectFrom(table); // LEAK: gives a secret to jdk/incubator/vector/ByteVector.selectFrom
        looked.intoArray(out, 0);
    }

    public static void rearrangeBySecret(byte[] key, byte[] out) {
        ByteVector table = ByteVector.zero(SPECIES);
        VectorShuffle<Byte> shuffle =
                ByteVector.fromArray(SPECIES, key, 0)
                        .toShuffle(); // LEAK: gives a secret to jdk/incubator/vector/ByteVector.toShuffle
        table.rearrange(shuffle).intoArray(out, 0); // LEAK: jdk/incubator/vector/Vector.rearrange
    }

    public static void rearrangeByConstant(byte[] key, byte[] out) {
        VectorShuffle<Byte> shuffle = VectorShuffle.iota(SPECIES, 1, 1, true);
        ByteVector.fromArray(SPECIES, key, 0).rearrange(shuffle).intoArray(out, 0);
    }

    public static void blendBySecret(byte[] key, byte[] out) {
        ByteVector x = ByteVector.fromArray(SPECIES, key, 0);
        VectorMask<Byte> mask =
                x.compare(VectorOperators.LT, (byte) 0); // LEAK: gives a secret to jdk/incubator/vector/ByteVector.compare
        x.blend((byte) 0, mask).intoArray(out, 0); // LEAK: ByteVector.blend
    }

    public static void selectByArithmetic(byte[] key, byte[] out) {
        ByteVector x = ByteVector.fromArray(SPECIES, key, 0);
        ByteVector mask = x.lanewise(VectorOperators.ASHR, 7);
        x.lanewise(VectorOperators.AND_NOT, mask).intoArray(out, 0);
    }

    public static byte lane(byte[] key, byte[] out) {
        ByteVector x = ByteVector.fromArray(SPECIES, key, 0);
        int n = x.lane(key[0] & 15); // LEAK: jdk/incubator/vector/ByteVector.lane
        return (byte) n;
    }
}
