"""Explains to people why each method of a comparer refused, and shows the place."""

from __future__ import annotations

from microcoder_sandbox import record

from .blocks import count_common_prefix
from .comparer import Comparer
from .difference import Difference

_WINDOW = 36  # characters shown on each side of the first difference
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
    texts = comparer.remove_boms(actual, expected)
    matched_by, objections = None, []
    for name, difference in comparer.collect_objections(actual, expected):
        if difference is None:
            matched_by = name
        else:
            view = _make_view(*texts, difference)
            objections.append(Objection(name, difference.message, view))
    return Explanation(matched_by, tuple(objections))


def _make_view(actual: bytes, expected: bytes, difference: Difference) -> View | None:
    """Show the lines that differ; None where one of the texts lacks what differs."""
    spans = difference.actual, difference.expected
    if not all(span is not None and span[0] < span[1] for span in spans):
        return None
    left, right = (
        _cut_line(data, span[0])
        for data, span in zip((actual, expected), spans, strict=True)
        if span
    )
    column = count_common_prefix(left, right)
    start = max(0, column - _WINDOW)
    shown = [
        _make_visible(line[start : column + _WINDOW], line, start, column) for line in (left, right)
    ]
    preceding = _make_visible(left[start:column], left, start, column)
    prefix = "…" if start else ""
    return View(
        prefix + shown[0], prefix + shown[1], len(prefix) + len(preceding.removesuffix("…"))
    )


def _cut_line(data: bytes, position: int) -> bytes:
    end = data.find(b"\n", position)
    return data[data.rfind(b"\n", 0, position) + 1 : end if end >= 0 else len(data)]


def _make_visible(part: bytes, line: bytes, start: int, column: int) -> str:
    text = part.decode("utf-8", "backslashreplace")
    visible = "".join(_VISIBLE.get(c, c if c.isprintable() else repr(c)[1:-1]) for c in text)
    return visible + ("…" if start + len(part) < len(line) and len(part) > column - start else "")
