"""Cuts a text that is one JSON array into its items, without keeping what they hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from microcoder_eval.errors import DataError
from microcoder_eval.formats.jsontext import long_int

_SPACE = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Item:
    """The text of one item and the line it starts on; ``fault``: why the rest cannot be read."""

    line: int
    text: str
    fault: str | None = None


def items(text: str) -> Iterator[Item]:
    """The items in order. After an error in one, nothing more can be told apart: it is the last."""
    at = _skip_space(text, 0) + 1  # the caller saw the opening bracket
    decoder = json.JSONDecoder(parse_int=_any_int)
    line, counted = 1, 0
    while True:
        at = _skip_space(text, at)
        line, counted = line + text.count("\n", counted, at), at
        if text[at : at + 1] == "]":
            break
        try:
            end = decoder.raw_decode(text, at)[1]
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", None) or str(error)
            yield Item(line, text[at : at + 400], _broken(reason))
            return
        yield Item(line, text[at:end])
        at = _skip_space(text, end)
        if text[at : at + 1] not in (",", "]"):
            yield Item(line, text[at : at + 400], _broken('expecting "," or "]" after an item'))
            return
        at += text[at] == ","
    after = _skip_space(text, at + 1)
    if after < len(text):
        yield Item(line, text[after : after + 400], "text after the end of the array; remove it")


def _broken(reason: str) -> str:
    return f"the JSON array is broken here ({reason}); nothing after this was read"


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _any_int(digits: str) -> int:
    # Only where an item ends matters here; whether its integers can be read is told later.
    try:
        return long_int(digits[:20])
    except DataError:
        return 0
