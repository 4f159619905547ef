import java.nio.charset.StandardCharsets;

/** Says which value is asked for, and writes it. */
public class MicrocoderChecks {
    private static int wanted;

    public static void main(String[] arguments) throws Throwable {
        wanted = Integer.parseInt(new String(System.in.readAllBytes(), StandardCharsets.US_ASCII).trim());
        MICROCODER_MAIN.main(arguments);
    }

    public static boolean is(int number) {
        return number == wanted;
    }

    public static boolean report(Object value) {
        new MicrocoderWriter().report(value);
        return true;
    }
}
