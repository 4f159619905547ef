"""Golden pairs: each comparer on outputs that differ in one respect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from microcoder_eval.compare import registry
from tests.golden.pairs import Pair, call, stdin

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
OPTIONS: dict[str, tuple[dict[str, Any], str, str]] = {
    "floats, absolute": ({"name": "floats", "abs": 0.1, "rel": None}, "1.05\n", "1.0\n"),
    "floats, absolute, too far": ({"name": "floats", "abs": 0.01, "rel": None}, "1.05\n", "1.0\n"),
    "floats, relative": ({"name": "floats", "abs": None, "rel": 0.1}, "105.0\n", "100.0\n"),
    "floats, relative, too far": ({"name": "floats", "abs": None, "rel": 0.01}, "105.0\n", "100.0\n"),
    "floats, case": ({"name": "floats", "case_sensitive": True}, "Yes\n", "yes\n"),
    "tokens, any case": ({"name": "tokens", "case_sensitive": False}, "Yes\n", "yes\n"),
    "kattis, case": ({"name": "kattis", "case_sensitive": True}, "Yes\n", "yes\n"),
    "kattis, spaces": ({"name": "kattis", "space_change_sensitive": True}, "1  2\n", "1 2\n"),
    "kattis, tolerance": ({"name": "kattis", "float_tolerance": 0.1}, "1.05\n", "1.0\n"),
    "kattis, tolerance of an integer": ({"name": "kattis", "float_tolerance": 0.6}, "1.5\n", "1\n"),
    "kattis, absolute": ({"name": "kattis", "float_absolute_tolerance": 0.1}, "105.0\n", "100.0\n"),
    "kattis, relative": ({"name": "kattis", "float_relative_tolerance": 0.1}, "105.0\n", "100.0\n"),
    "an alias": ({"name": "testlib_wcmp"}, "1  2\n", "1 2\n"),
    "an unknown name": ({"name": "nosuch"}, "1\n", "1\n"),
    "an unknown option": ({"name": "floats", "nosuch": 1}, "1\n", "1\n"),
}  # fmt: skip
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
# What a function returns, as Python, and the value that is expected.
VALUES: dict[str, tuple[str, Any]] = {
    "an integer": ("5", 5),
    "another integer": ("6", 5),
    "an integer as text": ("'5'", 5),
    "text as an integer": ("5", "5"),
    "a real for an integer": ("5.0", 5),
    "a close real": ("0.1 + 0.2", 0.3),
    "a far real": ("0.31", 0.3),
    "True for 1": ("True", 1),
    "1 for true": ("1", True),
    "None": ("None", None),
    "None for an empty list": ("None", []),
    "an empty list for None": ("[]", None),
    "a tuple for a list": ("(1, 2)", [1, 2]),
    "a list in another order": ("[2, 1]", [1, 2]),
    "a range": ("range(3)", [0, 1, 2]),
    "a generator": ("(i for i in range(3))", [0, 1, 2]),
    "a map": ("map(int, '012')", [0, 1, 2]),
    "a set": ("{1, 2}", [1, 2]),
    "a frozenset": ("frozenset({1})", [1]),
    "a deque": ("__import__('collections').deque([1, 2])", [1, 2]),
    "a Counter": ("__import__('collections').Counter('aab')", {"a": 2, "b": 1}),
    "a defaultdict": ("__import__('collections').defaultdict(int, a=1)", {"a": 1}),
    "a dict in another order": ("{'b': 2, 'a': 1}", {"a": 1, "b": 2}),
    "a dict with keys that are numbers": ("{1: 2}", {"1": 2}),
    "nested lists": ("[[1], [2, [3]]]", [[1], [2, [3]]]),
    "nested tuples": ("((1,), (2, (3,)))", [[1], [2, [3]]]),
    "a list too long": ("[1, 2, 3]", [1, 2]),
    "a list too short": ("[1]", [1, 2]),
    "one item for the list": ("1", [1]),
    "text in another case": ("'Yes'", "yes"),
    "text with a space": ("'a '", "a"),
    "bytes": ("b'a'", "a"),
    "a long integer": ("10**5000", 10**30),
    "the same long integer": ("10**30", 10**30),
    "a complex number": ("1j", 1),
    "not a number": ("float('nan')", 1.0),
    "infinity": ("float('inf')", 1.0),
    "an object": ("object()", 1),
    "a class": ("int", 1),
    "a function": ("f", 1),
    "a Decimal": ("__import__('decimal').Decimal('1.5')", 1.5),
    "a Fraction": ("__import__('fractions').Fraction(3, 2)", 1.5),
    "a numpy integer": ("__import__('numpy').int64(5)", 5),
    "a numpy array": ("__import__('numpy').arange(3)", [0, 1, 2]),
    "a list that holds itself": ("(lambda x: x.append(x) or x)([])", [1]),
    "a list nested too deeply": ("(lambda: [x := []] and [x := [x] for _ in range(20000)][-1])()", []),
}  # fmt: skip


def pairs() -> Iterator[Pair]:
    """Every comparer on all texts, then options, then the default's freedoms, then values."""
    for name, *_ in registry.list_comparers():
        yield stdin(f"compare by {name}", ECHO, *TEXTS.values(), checker=name)
    for name, (checker, text, expected) in OPTIONS.items():
        yield _text(f"option: {name}", checker, text, expected)
    for name, (text, expected) in CALIBRATED.items():
        yield _text(f"calibrated: {name}", None, text, expected)
    for name, (value, expected) in VALUES.items():
        yield call(f"compare: {name}", f"def f():\n    return {value}", ([], expected))
    for comparer in ("python", "unordered_tokens", "lcb", "paper", "floats", "exact"):
        for name in ("a close real", "a list in another order", "a tuple for a list", "True for 1"):
            value, expected = VALUES[name]
            code = f"def f():\n    return {value}"
            yield call(f"compare by {comparer}: {name}", code, ([], expected), checker=comparer)


def _text(name: str, checker: Any, text: str, expected: str) -> Pair:
    return stdin(f"compare by {name}", ECHO, (text, expected), checker=checker)
