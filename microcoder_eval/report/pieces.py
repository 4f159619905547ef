"""Cuts of long texts, with the place that matters in them: what a browser is given to show."""

from __future__ import annotations

from typing import Any, TypedDict

Span = tuple[int, int]
MOST = 2000  # characters of an input, an answer, a message
AROUND = 800  # of them before the place that matters


class Piece(TypedDict, total=False):
    """A cut of a text. before, after: characters left out there; line: the number of its first
    line; mark: [start, end] in ``text`` of what matters."""

    text: str
    before: int
    after: int
    line: int
    mark: list[int]


def cut(text: str, most: int = MOST) -> Piece:
    """The start of a text."""
    return {"text": text[:most], "before": 0, "after": max(0, len(text) - most), "line": 1}


def tail(text: str, most: int = MOST) -> Piece:
    """The end of a text."""
    start = max(0, len(text) - most)
    line = text.count("\n", 0, start) + 1
    return {"text": text[start:], "before": start, "after": 0, "line": line}


def around(data: bytes, span: Span, most: int = MOST) -> Piece:
    """What stands around a place, which is marked; whole lines where they are short."""
    start, end = _whole(data, span[0]), _whole(data, span[1], forward=True)
    end = max(start, min(end, start + most - AROUND))
    first = max(0, start - AROUND)
    if first:
        line_end = data.find(b"\n", first, start)
        first = line_end + 1 if line_end >= 0 else _whole(data, first)
    last = _whole(data, min(len(data), max(end, first + most)), forward=True)
    lead, inside, rest = (_text(data[a:b]) for a, b in ((first, start), (start, end), (end, last)))
    return {
        "text": lead + inside + rest,
        "before": first,
        "after": len(data) - last,
        "line": data.count(b"\n", 0, first) + 1,
        "mark": [len(lead), len(lead) + len(inside)],
    }


def whole_or_cut(data: bytes, most: int = MOST) -> Piece:
    """The start of some output, as text."""
    last = _whole(data, min(len(data), most), forward=True)
    return {"text": _text(data[:last]), "before": 0, "after": len(data) - last, "line": 1}


def written(value: Any) -> str:
    """A value as Python writes it."""
    try:
        return repr(value)
    except (ValueError, RecursionError) as error:  # an integer of very many digits
        return f"(a value that cannot be written out: {error})"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _whole(data: bytes, at: int, *, forward: bool = False) -> int:
    """The nearest place that is not inside a character of UTF-8."""
    step = 1 if forward else -1
    for moved in range(4):
        place = at + step * moved
        if not 0 < place < len(data) or data[place] & 0xC0 != 0x80:
            return place
    return at
