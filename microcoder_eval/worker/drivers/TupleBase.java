package org.javatuples;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** A fixed number of values of their own types; equal where class and values are. */
public abstract class Tuple implements Iterable<Object>, Serializable, Comparable<Tuple> {
    private final Object[] values;

    Tuple(Object... values) {
        this.values = values;
    }

    public final Object getValue(int position) {
        return values[position];
    }

    public final int getSize() {
        return values.length;
    }

    public final boolean contains(Object value) {
        return toList().contains(value);
    }

    public final List<Object> toList() {
        return Arrays.asList(values);
    }

    public final Object[] toArray() {
        return values.clone();
    }

    @Override
    public final Iterator<Object> iterator() {
        return toList().iterator();
    }

    @Override
    public final String toString() {
        return toList().toString();
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public final boolean equals(Object other) {
        return other != null && other.getClass() == getClass() && Arrays.equals(values, ((Tuple) other).values);
    }

    @Override
    @SuppressWarnings("unchecked")
    public int compareTo(Tuple other) {
        for (int i = 0; i < Math.min(values.length, other.values.length); i++) {
            int order = ((Comparable<Object>) values[i]).compareTo(other.values[i]);
            if (order != 0) return order;
        }
        return Integer.compare(values.length, other.values.length);
    }
}
