package dev.isochron.aes;

/** Placeholder. */
public final class Aes {
    private Aes() {}
}
