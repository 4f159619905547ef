"""Explains to people why each method of a comparer refused, and shows the place."""

from __future__ import annotations

from microcoder_sandbox import record

from .blocks import count_common_prefix
from .comparer import Comparer

_WINDOW = 36  # characters shown on each side of the first difference
_LINE_METHODS = ("lines", "stripped_lines", "stripped", "nonempty_lines", "split_expected")
_VISIBLE = {" ": "·", "\t": "→", "\r": "␍", "\n": "⏎", "\ufeff": "[BOM]", "\xa0": "⍽"}


@record
class View:
    """Two lines with visible white space. caret: the column of their first difference."""

    actual: str
    expected: str
    caret: int


@record
class Objection:
    """Why a method refused the output. view: the place, if there is a single one."""

    method: str
    reason: str
    view: View | None = None


@record
class Explanation:
    """Why an output was accepted or refused.

    matched_by: the method that accepted, or None. objections: those of the methods before it.
    """

    matched_by: str | None
    objections: tuple[Objection, ...]


def explain(comparer: Comparer, actual: bytes, expected: bytes) -> Explanation:
    """Explain the comparison: the objection of each method up to the first that accepts."""
    actual_text, expected_text = comparer.remove_boms(actual, expected)
    matched_by, objections = None, []
    for name, difference in comparer.collect_objections(actual, expected):
        if difference is None:
            matched_by = name
        elif name == "exact" or name in _LINE_METHODS:
            objection = _compare_lines(name, actual_text, expected_text)
            objections.append(objection or Objection(name, difference.message))
        else:
            objections.append(Objection(name, difference.message))
    return Explanation(matched_by, tuple(objections))


def _compare_lines(method: str, actual: bytes, expected: bytes) -> Objection | None:
    """Describe the first lines that differ. None: the method reads them otherwise."""
    actual_lines, expected_lines = (
        data.split(b"\n")
        if method == "exact"
        else [line.rstrip() for line in data.rstrip().split(b"\n")]
        for data in (actual, expected)
    )
    pairs = zip(actual_lines, expected_lines, strict=False)
    for number, (left, right) in enumerate(pairs, 1):
        if left != right:
            return Objection(method, _describe_line(number, left, right), _make_view(left, right))
    number = min(len(actual_lines), len(expected_lines))
    if len(actual_lines) == len(expected_lines):
        return None
    has_fewer = len(actual_lines) == number
    if (expected_lines if has_fewer else actual_lines)[number] == b"":
        missing_text = "no line end" if has_fewer else "a line end more"
        return Objection(method, f"{missing_text} after line {number}")
    quantity = "too few" if has_fewer else "too many"
    reason = f"{quantity} lines: {len(actual_lines)}, expected {len(expected_lines)}"
    return Objection(method, reason)


def _describe_line(number: int, left: bytes, right: bytes) -> str:
    if left.rstrip() == right.rstrip():
        return f"line {number}: only white space at its end differs"
    if left.split() == right.split():
        return f"line {number}: only white space differs"
    return f"line {number} differs at column {count_common_prefix(left, right) + 1}"


def _make_view(left: bytes, right: bytes) -> View:
    column = count_common_prefix(left, right)
    start = max(0, column - _WINDOW)
    texts = [
        _make_visible(line[start : column + _WINDOW], line, start, column) for line in (left, right)
    ]
    preceding = _make_visible(left[start:column], left, start, column)
    prefix = "…" if start else ""
    return View(
        prefix + texts[0], prefix + texts[1], len(prefix) + len(preceding.removesuffix("…"))
    )


def _make_visible(part: bytes, line: bytes, start: int, column: int) -> str:
    text = part.decode("utf-8", "backslashreplace")
    visible = "".join(_VISIBLE.get(c, c if c.isprintable() else repr(c)[1:-1]) for c in text)
    return visible + ("…" if start + len(part) < len(line) and len(part) > column - start else "")
