"""Literals compared without being parsed here: long flat ones item by item, many at once as JSON.

The parser in literals.py takes some microseconds for each item, and a tree takes many times the
memory of its text. What can be settled at the speed of C is settled here; the rest goes there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from .blocks import BLOCK, Blocks, Rule, TokenTest, alike, cuts, differing

_COMMA = re.compile(rb",")
_ENDS = {b"[": b"]", b"(": b")", b"{": b"}"}
_BLANKS = b" \t\r\n\v\f"
_AROUND = b"[](){}" + _BLANKS
_MARKS = bytes(code if code in b"[](){}," else ord("x") for code in range(256))
_RUN = re.compile(rb"x{2,}+")
_TUPLE = re.compile(rb"\(([^()\[\]]*+,[^()\[\]]*+)\)")
_SEVERAL = re.compile(rb"[\])}]\s*+[\[({]")  # () () is no literal, but two words
_EMPTY = re.compile(rb"(?m)^[\s\[\](){},:]*+$")  # a line of brackets, with nothing in them
_NAME = re.compile(rb"\b(?:True|False|None)\b")
_JSON_NAMES = {b"True": b"true", b"False": b"false", b"None": b"null"}
_MARK = b'"|"'  # between lines, so that no structure can reach over a line's end
_FEW = 16

Plain = Any  # lists and dicts of str, bool, None, and bytes: a number as it was written


def same_items(actual: bytes, expected: bytes, rule: Rule[bytes]) -> bool:
    """Whether two lines with brackets around have the same items, split at commas.

    Brackets must be the same, white space around items and the kind of quotes are free. No where
    a comma, an escape or another quote stands inside quotes: there a comma splits too much.
    """
    if (
        _ENDS.get(expected[:1]) != expected[-1:]
        or any(expected.count(mark) != expected.count(end) for mark, end in _ENDS.items())
        or _SEVERAL.search(expected)
    ):
        return False

    def unlike(ours: list[bytes], theirs: list[bytes]) -> int | None:
        if ours == theirs:
            return None
        if _skeleton(ours) != _skeleton(theirs):
            return 0
        return rule([i.strip(_AROUND) for i in ours], [i.strip(_AROUND) for i in theirs])

    try:
        return alike(_items(actual), _items(expected), unlike)
    except _SplitError:
        return False


class _SplitError(Exception):
    """A comma that stands between quotes, or may."""


def _items(line: bytes) -> Blocks[bytes]:
    for start, stop in cuts(line, _COMMA):
        block = line[start:stop]
        if b"'" in block or b'"' in block:
            block = _one_quote(block)
        found = block.split(b",")
        if stop < len(line):
            found.pop()  # what stands after a comma belongs to the next block
        yield list(map(bytes.strip, found))


def _one_quote(block: bytes) -> bytes:
    """The same with double quotes. Raises _SplitError when quotes hold what they should not."""
    if b"\\" in block or (b"'" in block and b'"' in block):
        raise _SplitError
    block = block.replace(b"'", b'"')
    parts = block.split(b'"')
    if len(parts) % 2 == 0 or any(b"," in inside for inside in parts[1::2]):
        raise _SplitError
    return block


def _skeleton(items: list[bytes]) -> bytes:
    """Brackets and commas, and one x for what stands between them."""
    return _RUN.sub(b"x", b",".join(items).translate(_MARKS, _BLANKS))


def unclear_literals(ours: list[bytes], theirs: list[bytes], same_token: TokenTest) -> list[int]:
    """The places where lines differ, without those that are the same as JSON."""
    places = list(differing(ours, theirs))
    if len(places) < _FEW:
        return places
    found = _decoded([ours[at] for at in places])
    wanted = _decoded([theirs[at] for at in places])
    if found is None or wanted is None:
        return places
    return [
        at
        for at, f, w in zip(places, found, wanted, strict=True)
        if not same_plain(f, w, same_token)
    ]


def _decoded(lines: list[bytes]) -> list[Plain] | None:
    """Lines as JSON, after what Python writes otherwise; None when they are not, or not surely."""
    text = b"\n".join(lines)
    if len(text) > 4 * BLOCK or b"|" in text or _EMPTY.search(text):
        return None
    if b"'" in text:
        if b'"' in text or b"\\" in text:
            return None
        text = text.replace(b"'", b'"')
    elif b'"' not in text:
        text = _NAME.sub(lambda name: _JSON_NAMES[name[0]], text)
        if b"(" in text:
            text, tuples = _TUPLE.subn(rb"[\1]", text)
            if b"(" in text or b")" in text or not tuples:
                return None
    marked = b"[%s]" % text.replace(b"\n", b",%s," % _MARK)
    try:
        members = _READ(marked.decode())
    except (ValueError, RecursionError):
        return None
    if len(members) != 2 * len(lines) - 1 or any(mark != "|" for mark in members[1::2]):
        return None
    return list(members[::2])


def same_plain(found: Plain, wanted: Plain, same_token: TokenTest) -> bool:
    """Two decoded lines; numbers are compared as they were written."""
    if found == wanted:
        return True
    if type(found) is not type(wanted):
        return False
    if isinstance(wanted, bytes):
        return same_token(found, wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(
            same_plain(f, w, same_token) for f, w in zip(found, wanted, strict=True)
        )
    return (
        isinstance(wanted, dict)
        and found.keys() == wanted.keys()
        and all(same_plain(found[key], wanted[key], same_token) for key in wanted)
    )


_READ: Callable[[str], list[Plain]] = json.JSONDecoder(
    parse_int=str.encode,
    parse_float=str.encode,
    parse_constant=str.encode,
).decode
