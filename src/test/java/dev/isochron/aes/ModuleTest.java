package dev.isochron.aes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the module shows the world: one package, and a need for nothing but java.base. */
class ModuleTest {

    private static ModuleDescriptor module() throws URISyntaxException {
        Path classes =
                Path.of(Aes.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        return ModuleFinder.of(classes).find("dev.isochron.aes").orElseThrow().descriptor();
    }

    @Test
    void exportsTheApiAlone() throws Exception {
        assertEquals(
                Set.of("dev.isochron.aes"),
                module().exports().stream()
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet()));
    }

    @Test
    void requiresNothingButTheBase() throws Exception {
        assertEquals(
                Set.of("java.base"),
                module().requires().stream()
                        .map(ModuleDescriptor.Requires::name)
                        .collect(Collectors.toSet()));
    }
}
