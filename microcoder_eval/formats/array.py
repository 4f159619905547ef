"""Splits a JSON array, or JSON objects in a row, into the texts of items, without their values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from microcoder_sandbox import record

_SPACE = re.compile(r"[ \t\r\n]+")


@record
class ArrayItem:
    """The text of one item and the line it starts on. fault: why the rest cannot be read."""

    line: int
    text: str
    fault: str | None = None


def split_values(text: str, *, is_array: bool) -> Iterator[ArrayItem]:
    """Yield the items of an array, or the values that follow each other, in order; one with an
    error is the last."""
    position = _skip_space(text, 0) + is_array
    line, counted_to = 1, 0
    while True:
        position = _skip_space(text, position)
        line, counted_to = line + text.count("\n", counted_to, position), position
        if text[position : position + 1] == ("]" if is_array else ""):
            break
        end, reason = _find_end(text, position)
        if end is not None:
            yield ArrayItem(line, text[position:end])
            position = _skip_space(text, end)
            if not is_array or text[position : position + 1] in (",", "]"):
                position += is_array and text[position] == ","
                continue
            reason = 'expecting "," or "]" after an item'
        fault = _BROKEN_ARRAY if is_array else _BROKEN_OBJECT
        yield ArrayItem(line, text[position : position + 400], fault.format(reason))
        return
    trailing = _skip_space(text, position + 1)
    if trailing < len(text):
        fault = "text after the end of the array; remove it"
        yield ArrayItem(line, text[trailing : trailing + 400], fault)


_BROKEN_ARRAY = "the JSON array is broken here ({}); nothing after this was read"
_BROKEN_OBJECT = (
    "the JSON object that begins here is broken ({}); nothing after this was read: write one "
    "object a line"
)


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _find_end(text: str, position: int) -> tuple[int | None, str]:
    """Return where the value that begins there ends; None and the reason where it is broken."""
    try:
        return _DECODER.raw_decode(text, position)[1], ""
    except (ValueError, RecursionError) as error:
        return None, getattr(error, "msg", None) or str(error)


# Only the end of an item matters here; errors in its integers are reported later.
_DECODER = json.JSONDecoder(parse_int=lambda digits: int(digits[:20]))
