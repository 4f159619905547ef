"""Fast comparison of literals: long flat ones item by item, many short ones together as JSON.

The parser in literals.py takes microseconds for each item, and its tree many times the memory of
the text. The functions here use C code of Python's where they can, and leave the rest to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from .blocks import (
    BLOCK_BYTES,
    Blocks,
    FindMismatch,
    TokenPredicate,
    find_block_spans,
    find_unequal_indices,
    sequences_match,
)

_COMMA = re.compile(rb",")
_CLOSING = {b"[": b"]", b"(": b")", b"{": b"}"}
_BLANKS = b" \t\r\n\v\f"
_OUTER_BYTES = b"[](){}" + _BLANKS
_STRUCTURE_TABLE = bytes(code if code in b"[](){}," else ord("x") for code in range(256))
_RUN = re.compile(rb"x{2,}+")
_ADJACENT_BRACKETS = re.compile(rb"[\])}]\s*+[\[({]")  # () () is two words, not a literal
# A line of empty brackets. The pattern matches no line ends: otherwise it would scan all following
# lines from each line.
_EMPTY_BRACKETS = re.compile(rb"(?m)^[ \t\r\f\v\[\](){},:]*+$")
_PYTHON_NAME = re.compile(rb"\b(?:True|False|None)\b")
_JSON_NAMES = {b"True": b"true", b"False": b"false", b"None": b"null"}
_SEPARATOR = b'"|"'  # an item between lines: a bracket open at a line's end changes its position
_MIN_BATCH = 16

PlainValue = Any  # lists and dicts of str, bool, None and bytes; bytes: a number as written


def has_same_items(actual: bytes, expected: bytes, find_mismatch: FindMismatch[bytes]) -> bool:
    """Whether two bracketed lines have the same items, split at commas.

    Brackets must be equal; white space around items and the kind of quotes do not matter. False
    if quotes contain a comma, an escape or another quote, as such lines cannot be split so.
    """
    if (
        _CLOSING.get(expected[:1]) != expected[-1:]
        or any(expected.count(mark) != expected.count(end) for mark, end in _CLOSING.items())
        or _ADJACENT_BRACKETS.search(expected)
    ):
        return False

    def find_block_mismatch(actual_items: list[bytes], expected_items: list[bytes]) -> int | None:
        if actual_items == expected_items:
            return None
        if _extract_structure(actual_items) != _extract_structure(expected_items):
            return 0
        return find_mismatch(
            [item.strip(_OUTER_BYTES) for item in actual_items],
            [item.strip(_OUTER_BYTES) for item in expected_items],
        )

    try:
        return sequences_match(_split_items(actual), _split_items(expected), find_block_mismatch)
    except _SplitError:
        return False


class _SplitError(Exception):
    """A comma is or may be inside quotes."""


def _split_items(line: bytes) -> Blocks[bytes]:
    for start, stop in find_block_spans(line, _COMMA):
        block = line[start:stop]
        if b"'" in block or b'"' in block:
            block = _unify_quotes(block)
        items = block.split(b",")
        if stop < len(line):
            items.pop()  # the text after the last comma belongs to the next block
        yield list(map(bytes.strip, items))


def _unify_quotes(block: bytes) -> bytes:
    """Replace single quotes by double quotes. Raises _SplitError if quotes may hold a comma."""
    if b"\\" in block or (b"'" in block and b'"' in block):
        raise _SplitError
    block = block.replace(b"'", b'"')
    parts = block.split(b'"')
    if len(parts) % 2 == 0 or any(b"," in content for content in parts[1::2]):
        raise _SplitError
    return block


def _extract_structure(items: list[bytes]) -> bytes:
    """Return the brackets and commas, with one x for each run of other characters."""
    return _RUN.sub(b"x", b",".join(items).translate(_STRUCTURE_TABLE, _BLANKS))


def find_unclear_literals(
    actual_lines: list[bytes], expected_lines: list[bytes], is_same_token: TokenPredicate
) -> list[int]:
    """Return the indices at which lines differ, without those that are equal as JSON."""
    indices = list(find_unequal_indices(actual_lines, expected_lines))
    if len(indices) < _MIN_BATCH:
        return indices
    actual_values = _decode_lines([actual_lines[index] for index in indices])
    expected_values = _decode_lines([expected_lines[index] for index in indices])
    if actual_values is None or expected_values is None:
        return indices
    return [
        index
        for index, a, e in zip(indices, actual_values, expected_values, strict=True)
        if not has_same_plain_values(a, e, is_same_token)
    ]


def _decode_lines(lines: list[bytes]) -> list[PlainValue] | None:
    """Decode lines of JSON or Python literals; None if rewriting them as JSON is not safe."""
    text = b"\n".join(lines)
    if len(text) > 4 * BLOCK_BYTES or b"|" in text or _EMPTY_BRACKETS.search(text):
        return None
    if b"'" in text:
        if b'"' in text or b"\\" in text:
            return None
        text = text.replace(b"'", b'"')
    elif b'"' not in text:
        text = _PYTHON_NAME.sub(lambda name: _JSON_NAMES[name[0]], text)
        if b"(" in text:  # one tuple, or a number in parentheses
            return None
    document = b"[%s]" % text.replace(b"\n", b",%s," % _SEPARATOR)
    try:
        values = _DECODE_JSON(document.decode())
    except (ValueError, RecursionError):
        return None
    if len(values) != 2 * len(lines) - 1 or any(mark != "|" for mark in values[1::2]):
        return None
    return list(values[::2])


def has_same_plain_values(
    actual: PlainValue, expected: PlainValue, is_same_token: TokenPredicate
) -> bool:
    """Whether two decoded lines are equal; ``is_same_token`` compares numbers as written."""
    if actual == expected:
        return True
    if type(actual) is not type(expected):
        return False
    if isinstance(expected, bytes):
        return is_same_token(actual, expected)
    if isinstance(expected, list):
        return len(actual) == len(expected) and all(
            has_same_plain_values(a, e, is_same_token)
            for a, e in zip(actual, expected, strict=True)
        )
    return (
        isinstance(expected, dict)
        and actual.keys() == expected.keys()
        and all(
            has_same_plain_values(actual[key], expected[key], is_same_token) for key in expected
        )
    )


_DECODE_JSON: Callable[[str], list[PlainValue]] = json.JSONDecoder(
    parse_int=str.encode,
    parse_float=str.encode,
    parse_constant=str.encode,
).decode
