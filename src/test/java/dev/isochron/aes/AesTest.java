package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for every factory of {@link Aes} that makes a mode under a key. */
class AesTest {

    /** A tag length that every mode with a choice takes; GCM's short tags are 4 or 8. */
    private static Object[] arguments(Method factory, AesKey key) {
        int tagLength = factory.getName().equals("gcmShortTag") ? 8 : 12;
        return factory.getParameterCount() == 1
                ? new Object[] {key}
                : new Object[] {key, tagLength};
    }

    private static List<Method> factories() {
        List<Method> all =
                Stream.of(Aes.class.getDeclaredMethods())
                        .filter(m -> Modifier.isPublic(m.getModifiers()))
                        .filter(m -> m.getParameterCount() > 0)
                        .filter(m -> m.getParameterTypes()[0] == AesKey.class)
                        .toList();
        assertTrue(all.size() >= 20, all.toString());
        return all;
    }

    private static Throwable refusal(Method factory, AesKey key) {
        return assertThrows(
                        InvocationTargetException.class,
                        () -> factory.invoke(null, arguments(factory, key)),
                        factory::toString)
                .getCause();
    }

    @Test
    void aNullKeyIsNamed() {
        for (Method factory : factories()) {
            Throwable refusal = refusal(factory, null);
            assertInstanceOf(NullPointerException.class, refusal, factory.toString());
            assertEquals("key", refusal.getMessage(), factory.toString());
        }
    }

    @Test
    void aClosedKeyIsRefused() {
        AesKey key = AesKey.generate(128);
        key.close();
        for (Method factory : factories()) {
            Throwable refusal = refusal(factory, key);
            assertInstanceOf(IllegalStateException.class, refusal, factory.toString());
            assertEquals("the key was closed", refusal.getMessage(), factory.toString());
        }
    }
}
