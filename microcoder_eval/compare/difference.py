"""The first difference between two texts, in words a person can use, short and safe for logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

_SHOWN = 60
_DEPTH = 3
_ITEMS = 8

TokenTest = Callable[[bytes, bytes], bool]


def quoted(data: bytes) -> str:
    """A short, printable form of some output."""
    text = data[: _SHOWN * 4].decode("utf-8", "replace")
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    return f'"{plain}"' if len(plain) <= _SHOWN else f'"{plain[:_SHOWN]}…"'


def first_difference(actual: bytes, expected: bytes, same: TokenTest) -> str:
    """Where two outputs part, word by word, and what stands there.

    ``same`` tells which pairs of words the comparer takes for equal. Lines are the program's.
    """
    if not actual.strip() and expected.strip():
        return f"no output, expected {quoted(expected.strip())}"
    start = actual.rfind(b"\n", 0, _common(actual, expected)) + 1
    wanted = expected[start:].split()
    first, at = actual.count(b"\n", 0, start) + 1, 0
    for number, line in enumerate(actual[start:].split(b"\n"), first):
        words = line.split()
        if words == wanted[at : at + len(words)]:
            at += len(words)
            continue
        for column, word in enumerate(words, 1):
            if at == len(wanted):
                return f"line {number}, token {column}: {quoted(word)} is more than is expected"
            if word != wanted[at] and not same(word, wanted[at]):
                pair = f"got {quoted(word)}, expected {quoted(wanted[at])}"
                return f"line {number}, token {column}: {pair}"
            at += 1
    if at < len(wanted):
        return f"the output ends too early, expected {quoted(wanted[at])} next"
    return _layout(actual, expected, start, first)


def _layout(actual: bytes, expected: bytes, start: int, first: int) -> str:
    ours, theirs = actual[start:].split(b"\n"), expected[start:].split(b"\n")
    for number, (left, right) in enumerate(zip(ours, theirs, strict=False), first):
        if left.rstrip() != right.rstrip():
            return f"only white space differs: line {number}: {quoted(left)}, not {quoted(right)}"
    return "no token differs, but the layout or the format does"


def _common(left: bytes, right: bytes) -> int:
    """Length of the common prefix, by halving: comparing views costs no copy."""
    a, b = memoryview(left), memoryview(right)
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def shown(value: Any, depth: int = 0) -> str:
    """A short repr of a plain value; its cost does not grow with the value."""
    if isinstance(value, str):
        return repr(value) if len(value) <= _SHOWN else f"{value[:_SHOWN]!r}…"
    if isinstance(value, bytes):
        return repr(value) if len(value) <= _SHOWN else f"{value[:_SHOWN]!r}…"
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, dict):
        return _several("{", value, "}", (
            f"{shown(k, depth + 1)}: {shown(v, depth + 1)}" for k, v in value.items()
        ), depth)  # fmt: skip
    for kind, start, end in ((list, "[", "]"), (tuple, "(", ")"), (set, "{", "}")):
        if isinstance(value, kind):
            return _several(start, value, end, (shown(v, depth + 1) for v in value), depth)
    if isinstance(value, frozenset):
        return _several("frozenset({", value, "})", (shown(v, depth + 1) for v in value), depth)
    return repr(value)


def _several(start: str, value: Any, end: str, items: Iterable[str], depth: int) -> str:
    if depth >= _DEPTH:
        return f"{start}…{end}"
    pieces = [item for item, _ in zip(items, range(_ITEMS), strict=False)]
    more = ", …" if len(value) > _ITEMS else ""
    comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
    return f"{start}{', '.join(pieces)}{comma}{more}{end}"


def value_difference(actual: Any, expected: Any) -> str:
    """Both values, each cut to a readable length."""
    ours, theirs = (text if len(text) <= 80 else f"{text[:80]}…"
                    for text in (shown(actual), shown(expected)))  # fmt: skip
    return f"got {ours}, expected {theirs}"
