"""Golden pairs: each comparer on outputs that differ in one respect."""

from __future__ import annotations

from collections.abc import Iterator

from microcoder_eval.compare import COMPARERS
from tests.golden.pairs import Pair, stdin

ECHO = "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())"
# What is printed, and what is expected.
TEXTS = {
    "equal": ("1 2\n", "1 2\n"),
    "no last line end": ("1 2", "1 2\n"),
    "trailing spaces": ("1 2  \n", "1 2\n"),
    "two spaces": ("1  2\n", "1 2\n"),
    "lines for spaces": ("1\n2\n", "1 2\n"),
    "another case": ("Yes\n", "YES\n"),
    "another order": ("2 1\n", "1 2\n"),
    "lines in another order": ("b c\na\n", "a\nb c\n"),
    "a missing word": ("1\n", "1 2\n"),
    "a word too many": ("1 2 3\n", "1 2\n"),
    "a real for an integer": ("2.0\n", "2\n"),
    "reals that are close": ("0.3333334\n", "0.33333333\n"),
    "reals that are not": ("0.34\n", "0.33333333\n"),
    "an exponent": ("1e-3\n", "0.001\n"),
    "leading zeros": ("007\n", "7\n"),
    "nothing": ("", "1\n"),
    "quotes": ("['a']\n", '["a"]\n'),
}
# Only the default looks for these freedoms in what is expected.
CALIBRATED = {
    "a drawing": (" *\n***\n", " *\n***\n"),
    "a drawing, shifted": ("*\n***\n", " *\n***\n"),
    "a drawing, trailing spaces": (" * \n***\n", " *\n***\n"),
    "a drawing with a gap": ("#  #\n", "#  #\n"),
    "a drawing with another gap": ("# #\n", "#  #\n"),
    "true in another case": ("true\n", "True\n"),
    "a word in another case": ("apple\n", "Apple\n"),
    "possible": ("POSSIBLE\n", "possible\n"),
    "yes with a dot": ("YES.\n", "Yes.\n"),
    "infinity": ("inf\n", "Infinity\n"),
    "minus infinity": ("inf\n", "-inf\n"),
    "not a number": ("NaN\n", "nan\n"),
    "a list, spaced": ("[1,2]\n", "[1, 2]\n"),
    "a list in another order": ("[2, 1]\n", "[1, 2]\n"),
    "a tuple for a list": ("(1, 2)\n", "[1, 2]\n"),
    "null for None in a list": ("[null]\n", "[None]\n"),
    "a dict in another order": ("{'b': 2, 'a': 1}\n", "{'a': 1, 'b': 2}\n"),
    "a close real in a list": ("[0.30000000000000004]\n", "[0.3]\n"),
    "a real for an integer in a list": ("[1.0]\n", "[1]\n"),
    "a quoted word": ("'abc'\n", '"abc"\n'),
    "a word without quotes": ("abc\n", '"abc"\n'),
    "a plus sign": ("+5\n", "5\n"),
    "minus zero": ("-0\n", "0\n"),
    "minus zero, real": ("-0.0\n", "0.0\n"),
    "an integer for a real": ("2\n", "2.0\n"),
    "a tiny real": ("0\n", "1e-9\n"),
    "twice a tiny real": ("2e-9\n", "1e-9\n"),
    "at the edge of the tolerance": ("1.000001\n", "1.0\n"),
    "beyond the edge of the tolerance": ("1.0000011\n", "1.0\n"),
    "an integer next to a long one": ("123456789012345678902\n", "123456789012345678901\n"),
    "an underscore": ("1_000\n", "1000\n"),
    "other digits": ("١٢\n", "12\n"),
    "a no-break space": ("1\u00a02\n", "1 2\n"),
    "a byte order mark": ("\ufeff5\n", "5\n"),
    "a hexadecimal number": ("0x10\n", "16\n"),
    "a percent sign": ("50%\n", "50\n"),
    "blank lines": ("\n\n1\n\n2\n\n", "1\n2\n"),
    "only white space": (" \n", "\n"),
    "something for nothing": ("1\n", "\n"),
    "reals on many lines": ("0.5\n" * 200, "0.50000001\n" * 200),
    "one wrong real on many lines": ("0.5\n" * 199 + "0.6\n", "0.5\n" * 200),
}


def pairs() -> Iterator[Pair]:
    """Every comparer on all texts, then the default's freedoms."""
    for name in sorted(COMPARERS):
        yield stdin(f"compare by {name}", ECHO, *TEXTS.values(), checker=name)
    for name, pair in CALIBRATED.items():
        yield stdin(f"compare by calibrated: {name}", ECHO, pair)
