/** Constant-time AES for the JVM: pure Java, no native code, no runtime dependency. */
module dev.isochron.aes {
    exports dev.isochron.aes;
}
