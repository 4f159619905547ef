/** Starts the tests, and tells when they have come to their end (tests.py). */
public class MicrocoderTests {
    public static void main(String[] arguments) throws Throwable {
        byte[] key = System.in.readAllBytes();
        java.io.FileOutputStream out = new java.io.FileOutputStream(java.io.FileDescriptor.out);
        // Before the class is loaded: tests of MultiPL-E are assert statements.
        ClassLoader.getSystemClassLoader().setClassAssertionStatus("MICROCODER_MAIN", true);
        MICROCODER_MAIN.main(arguments);
        System.out.flush();
        out.write(key);
        out.flush();
    }
}
