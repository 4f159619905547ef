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
            strip = name != "exact"
            view = _make_view(actual_text, expected_text, strip)
            objections.append(
                Objection(name, _describe_difference(actual_text, expected_text, strip), view)
            )
        else:
            objections.append(Objection(name, difference.message))
    return Explanation(matched_by, tuple(objections))


def _split_lines(data: bytes, strip: bool) -> list[bytes]:
    if not strip:
        return data.split(b"\n")
    return [line.rstrip() for line in data.rstrip().split(b"\n")]


def _find_first_difference(
    actual: bytes, expected: bytes, strip: bool
) -> tuple[int, bytes | None, bytes | None]:
    """Find the first lines that differ: (number from 1, actual, expected); None past the end."""
    actual_lines, expected_lines = _split_lines(actual, strip), _split_lines(expected, strip)
    for number, (left, right) in enumerate(zip(actual_lines, expected_lines, strict=False), 1):
        if left != right:
            return number, left, right
    number = min(len(actual_lines), len(expected_lines))
    extra, missing_text = (
        lines[number] if len(lines) > number else None for lines in (actual_lines, expected_lines)
    )
    return number + 1, extra, missing_text


def _describe_difference(actual: bytes, expected: bytes, strip: bool) -> str:
    number, left, right = _find_first_difference(actual, expected, strip)
    if left is None or right is None:
        quantity = "too few" if left is None else "too many"
        counts = [len(_split_lines(data, strip)) for data in (actual, expected)]
        if left == b"" or right == b"":
            missing_text = "no line end" if left is None else "a line end more"
            return f"{missing_text} after line {number - 1}"
        return f"{quantity} lines: {counts[0]}, expected {counts[1]}"
    if left.rstrip() == right.rstrip():
        return f"line {number}: only white space at its end differs"
    if left.split() == right.split():
        return f"line {number}: only white space differs"
    return f"line {number} differs at column {count_common_prefix(left, right) + 1}"


def _make_view(actual: bytes, expected: bytes, strip: bool) -> View | None:
    _number, left, right = _find_first_difference(actual, expected, strip)
    if left is None or right is None:
        return None
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
