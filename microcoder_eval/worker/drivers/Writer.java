import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes a value, and ends the process with it (wire.py). */
class MicrocoderWriter {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    /** Ends the process with the value, or with the reason why it has no plain form. */
    final void report(Object value) {
        StringBuilder out = new StringBuilder("V");
        try {
            write(out, value);
        } catch (IllegalArgumentException error) {
            finish("X" + quote(error.getMessage()));
        }
        finish(out.toString());
    }

    static void finish(String report) {
        System.out.flush();
        try {
            OUT.write(("\n\u001e" + report).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException error) {
            Runtime.getRuntime().halt(3);
        }
        Runtime.getRuntime().halt(0);
    }

    /** The value as one that has a plain form. */
    Object toPlain(Object value) {
        return value;
    }

    void write(StringBuilder out, Object value) {
        value = toPlain(value);
        if (value instanceof Optional) value = ((Optional<?>) value).orElse(null);
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long
                || value instanceof Short || value instanceof Byte || value instanceof java.math.BigInteger) {
            out.append(value);
        } else if (value instanceof Double || value instanceof Float) {
            double real = ((Number) value).doubleValue();
            if (Double.isFinite(real)) out.append(real);
            else out.append("{\"$float\":\"").append(Double.isNaN(real) ? "nan" : real > 0 ? "inf" : "-inf").append("\"}");
        } else if (value instanceof CharSequence || value instanceof Character) {
            out.append(quote(value.toString()));
        } else if (value instanceof Set) {
            out.append("{\"$set\":");
            writeItems(out, (Set<?>) value);
            out.append('}');
        } else if (value instanceof Map) {
            List<Object> pairs = new ArrayList<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                pairs.add(Arrays.asList(entry.getKey(), entry.getValue()));
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

    final void writeItems(StringBuilder out, Iterable<?> items) {
        out.append('[');
        String comma = "";
        for (Object item : items) {
            out.append(comma);
            comma = ",";
            write(out, item);
        }
        out.append(']');
    }

    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c >= 32 && c < 127) out.append(c);
            else out.append(String.format("\\u%04x", (int) c));
        }
        return out.append('"').toString();
    }
}
