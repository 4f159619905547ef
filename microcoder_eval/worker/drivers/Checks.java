import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Says which value is asked for, and writes it (wire.py). */
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
        StringBuilder out = new StringBuilder("\n\u001e");
        try {
            StringBuilder text = new StringBuilder();
            write(text, value);
            out.append('V').append(text);
        } catch (IllegalArgumentException error) {
            out.append("X\"").append(error.getMessage()).append('"');
        }
        System.out.flush();
        try {
            new FileOutputStream(FileDescriptor.out).write(out.toString().getBytes(StandardCharsets.US_ASCII));
        } catch (java.io.IOException error) {
            Runtime.getRuntime().halt(3);
        }
        Runtime.getRuntime().halt(0);
        return true;
    }

    private static void write(StringBuilder out, Object value) {
        if (value instanceof Optional) value = ((Optional<?>) value).orElse(null);
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long
                || value instanceof Short || value instanceof Byte || value instanceof java.math.BigInteger) {
            out.append(value);
        } else if (value instanceof Double || value instanceof Float) {
            double real = ((Number) value).doubleValue();
            if (Double.isFinite(real)) out.append(real);
            else out.append("{\"$float\":\"").append(Double.isNaN(real) ? "nan" : real > 0 ? "inf" : "-inf").append("\"}");
        } else if (value instanceof CharSequence || value instanceof Character) {
            writeText(out, value.toString());
        } else if (value instanceof Set) {
            out.append("{\"$set\":");
            writeItems(out, (Set<?>) value);
            out.append('}');
        } else if (value instanceof Map) {
            List<Object> pairs = new ArrayList<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                List<Object> pair = new ArrayList<>();
                pair.add(entry.getKey());
                pair.add(entry.getValue());
                pairs.add(pair);
            }
            out.append("{\"$dict\":");
            writeItems(out, pairs);
            out.append('}');
        } else if (value instanceof Iterable) {
            writeItems(out, (Iterable<?>) value);
        } else if (value.getClass().isArray()) {
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) items.add(Array.get(value, i));
            writeItems(out, items);
        } else {
            throw new IllegalArgumentException("a value of type " + value.getClass().getName() + " has no plain form");
        }
    }

    private static void writeItems(StringBuilder out, Iterable<?> items) {
        out.append('[');
        String comma = "";
        for (Object item : items) {
            out.append(comma);
            comma = ",";
            write(out, item);
        }
        out.append(']');
    }

    private static void writeText(StringBuilder out, String text) {
        out.append('"');
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c >= 32 && c < 127) out.append(c);
            else out.append(String.format("\\u%04x", (int) c));
        }
        out.append('"');
    }
}
