"""Cuts excerpts from long texts, and marks the place that matters in them."""

from __future__ import annotations

from typing import Any, TypedDict

from microcoder_eval.formats import error_text

Span = tuple[int, int]
MAX_CHARS = 2000  # characters shown of an input, an output, a message
_CHARS_BEFORE = 800  # of MAX_CHARS, before the mark
_MAX_NAME_CHARS = 160  # characters shown of an identifier


class Excerpt(TypedDict, total=False):
    """A part of a text.

    before, after: how much is left out on each side: characters of a text, bytes of an output.
    line: the number of its first line.
    mark: [start, end] of the important place in ``text``.
    """

    text: str
    before: int
    after: int
    line: int
    mark: list[int]


def cut_start(text: str, max_chars: int = MAX_CHARS) -> Excerpt:
    """Cut the start of a text."""
    return {
        "text": text[:max_chars],
        "before": 0,
        "after": max(0, len(text) - max_chars),
        "line": 1,
    }


def cut_end(text: str, max_chars: int = MAX_CHARS) -> Excerpt:
    """Cut the end of a text."""
    start = max(0, len(text) - max_chars)
    line = text.count("\n", 0, start) + 1
    return {"text": text[start:], "before": start, "after": 0, "line": line}


def cut_around(data: bytes, span: Span, max_bytes: int = MAX_CHARS) -> Excerpt:
    """Cut the text around a span, from the start of a line if one is near, and mark the span."""
    start = _find_boundary(data, span[0])
    end = _find_boundary(data, span[1], forward=True)
    end = max(start, min(end, start + max_bytes - _CHARS_BEFORE))
    first = max(0, start - _CHARS_BEFORE)
    if first:
        line_end = data.find(b"\n", first, start)
        first = line_end + 1 if line_end >= 0 else _find_boundary(data, first)
    last = _find_boundary(data, min(len(data), max(end, first + max_bytes)), forward=True)
    prefix, mark, suffix = (
        _decode(data[a:b]) for a, b in ((first, start), (start, end), (end, last))
    )
    return {
        "text": prefix + mark + suffix,
        "before": first,
        "after": len(data) - last,
        "line": data.count(b"\n", 0, first) + 1,
        "mark": [len(prefix), len(prefix) + len(mark)],
    }


def cut_output(data: bytes) -> Excerpt:
    """Cut the start of an output, as text."""
    last = _find_boundary(data, min(len(data), MAX_CHARS), forward=True)
    return {"text": _decode(data[:last]), "before": 0, "after": len(data) - last, "line": 1}


def shorten(name: str) -> str:
    """Shorten an identifier for a table."""
    return error_text.shorten(name, _MAX_NAME_CHARS)


def format_value(value: Any) -> str:
    """Return the repr of a value, or the reason why it has none."""
    try:
        return repr(value)
    except (ValueError, RecursionError) as error:  # an integer of very many digits
        return f"(a value that cannot be written out: {error})"


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _find_boundary(data: bytes, offset: int, *, forward: bool = False) -> int:
    """Move ``offset`` back to a UTF-8 character boundary; forward: move it on instead."""
    step = 1 if forward else -1
    for distance in range(4):
        candidate = offset + step * distance
        if not 0 < candidate < len(data) or data[candidate] & 0xC0 != 0x80:
            return candidate
    return offset
