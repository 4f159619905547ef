package org.javatuples;

public final class NAME<TYPES> extends Tuple {
    public NAME(PARAMETERS) {
        super(VALUES);
    }

    public static <TYPES> NAME<TYPES> with(PARAMETERS) {
        return new NAME<>(VALUES);
    }

GETTERS
}
