"""Splits a JSON array, or JSON objects in a row, into the texts of items, without their values."""

from __future__ import annotations

import json
from collections.abc import Iterator

from microcoder_eval.errors import DataError
from microcoder_eval.formats.jsontext import parse_integer
from microcoder_sandbox import record

_SPACE = " \t\r\n"


@record
class ArrayItem:
    """The text of one item and the line it starts on. fault: why the rest cannot be read."""

    line: int
    text: str
    fault: str | None = None


def split_array(text: str) -> Iterator[ArrayItem]:
    """Yield the items in order; an item with an error is the last."""
    position = _skip_space(text, 0) + 1  # the caller saw the opening bracket
    line, counted_to = 1, 0
    while True:
        position = _skip_space(text, position)
        line, counted_to = line + text.count("\n", counted_to, position), position
        if text[position : position + 1] == "]":
            break
        end, reason = _find_end(text, position)
        if end is None:
            yield ArrayItem(line, text[position : position + 400], _describe_broken_array(reason))
            return
        yield ArrayItem(line, text[position:end])
        position = _skip_space(text, end)
        if text[position : position + 1] not in (",", "]"):
            fault = _describe_broken_array('expecting "," or "]" after an item')
            yield ArrayItem(line, text[position : position + 400], fault)
            return
        position += text[position] == ","
    trailing = _skip_space(text, position + 1)
    if trailing < len(text):
        fault = "text after the end of the array; remove it"
        yield ArrayItem(line, text[trailing : trailing + 400], fault)


def split_objects(text: str) -> Iterator[ArrayItem]:
    """Yield the JSON values that follow each other in a text; one with an error is the last."""
    position, line, counted_to = _skip_space(text, 0), 1, 0
    while position < len(text):
        line, counted_to = line + text.count("\n", counted_to, position), position
        end, reason = _find_end(text, position)
        if end is None:
            fault = (
                f"the JSON object that begins here is broken ({reason}); nothing after this was "
                "read: write one object a line"
            )
            yield ArrayItem(line, text[position : position + 400], fault)
            return
        yield ArrayItem(line, text[position:end])
        position = _skip_space(text, end)


def _describe_broken_array(reason: str) -> str:
    return f"the JSON array is broken here ({reason}); nothing after this was read"


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in _SPACE:
        position += 1
    return position


def _find_end(text: str, position: int) -> tuple[int | None, str]:
    """Return where the value that begins there ends; None and the reason where it is broken."""
    try:
        return _DECODER.raw_decode(text, position)[1], ""
    except (ValueError, RecursionError) as error:
        return None, getattr(error, "msg", None) or str(error)


def _parse_any_integer(digits: str) -> int:
    # Only the end of an item matters here; errors in its integers are reported later.
    try:
        return parse_integer(digits[:20])
    except DataError:
        return 0


_DECODER = json.JSONDecoder(parse_int=_parse_any_integer)
