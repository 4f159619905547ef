"""Compares lists, tuples, dictionaries and strings printed as Python or as JSON by value.

Datasets like LeetCode's print results with repr or json.dumps, so [1, 2] and [1,2], 'a' and "a",
True and true are the same answer. The module has its own parser for two reasons. ast warns of
unknown escapes on stderr. Both ast and json convert integers of any length, and lose the form of a
number, which decides whether it has a tolerance.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from microcoder_sandbox import codec, record

from .blocks import Blocks, FindMismatch, find_block_spans, sequences_match

SameToken = Callable[[bytes, bytes], bool]

_MAX_LITERAL = 1 << 17  # bytes of a line; its tree may take forty times as many
MAX_DEPTH = codec.MAX_DEPTH  # the comparison recurses
_TOKEN = re.compile(
    rb"""\s*+(?:([\[\](){},:])|("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')|([^\s\[\](){},:"']++))"""
)
_CLOSING = {b"[": b"]", b"(": b")", b"{": b"}"}
_JSON_NAMES = {b"True": b"true", b"False": b"false", b"None": b"null", b"NaN": b"nan"}
_LITERAL_LINE = re.compile(rb"""(?m)^[ \t]*+[\[({"']""")
_EMPTY_BRACKETS = re.compile(rb"[\s\[\](){},:]++")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
# What follows is for literals that are compared item by item.
_COMMA = re.compile(rb",")
_BLANKS = b" \t\r\n\v\f"
_OUTER_BYTES = b"[](){}" + _BLANKS
_STRUCTURE_TABLE = bytes(code if code in b"[](){}," else ord("x") for code in range(256))
_RUN = re.compile(rb"x{2,}+")
_ADJACENT_BRACKETS = re.compile(rb"[\])}]\s*+[\[({]")  # () () is two words, not a literal


@record
class QuotedText:
    """A string literal. content: the text without quotes and escapes."""

    content: str


@dataclass(slots=True)
class Group:
    """A bracketed group. keys: those of a dictionary, else empty."""

    opening: bytes
    items: list[Node] = field(default_factory=list)
    keys: list[Node] = field(default_factory=list)
    commas: int = 0


Node = QuotedText | Group | bytes  # bytes: a number or a bare word as written


def may_hold_literals(expected: bytes) -> bool:
    """Whether any line starts like a literal. Cheap, and False for nearly all problems."""
    return _LITERAL_LINE.search(expected) is not None


def is_same_literal(
    actual: bytes, expected: bytes, is_same_token: SameToken, find_mismatch: FindMismatch[bytes]
) -> bool:
    """Whether two lines are literals of the same value.

    ``is_same_token`` compares items that are not quoted, ``find_mismatch`` many of them at once.
    Lines of more than _MAX_LITERAL bytes must have equal brackets and the same order of items.
    """
    if not _LITERAL_LINE.match(expected):
        return False
    # Empty brackets alone are usually a bracket sequence, in which each kind of bracket matters.
    if _EMPTY_BRACKETS.fullmatch(expected):
        return _remove_spaces(actual) == _remove_spaces(expected)
    if _has_same_items(actual, expected, find_mismatch):
        return True
    if max(len(actual), len(expected)) > _MAX_LITERAL:
        return False
    expected_node = _parse_literal(expected)
    if expected_node is None or (actual_node := _parse_literal(actual)) is None:
        return False
    return _same_nodes(actual_node, expected_node, is_same_token)


def _has_same_items(actual: bytes, expected: bytes, find_mismatch: FindMismatch[bytes]) -> bool:
    """Whether two bracketed lines have the same items, split at commas.

    Brackets must be equal; white space around items and the kind of quotes do not matter. False if
    quotes contain a comma, an escape or another quote, since splitting at commas is wrong then.
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


def _remove_spaces(line: bytes) -> bytes:
    """Remove the spaces that do not matter from a line of empty brackets.

    Spaces around commas and in a single pair do not; others separate words of a bracket sequence.
    """
    compact = b"".join(line.split())
    return compact if len(compact) == 2 else b",".join(map(bytes.strip, line.split(b",")))


def _parse_literal(line: bytes) -> Node | None:
    """Parse a line; return None if it is not exactly one literal."""
    stack: list[Group] = []
    node: Node | None = None
    position, end = 0, len(line.rstrip())
    while position < end:
        match = _TOKEN.match(line, position, end)
        if match is None or (node is not None and not stack):
            return None
        position = match.end()
        symbol, quoted_text, word = match.groups()
        if symbol in _CLOSING:
            if node is not None or len(stack) == MAX_DEPTH:
                return None
            stack.append(Group(symbol))
        elif symbol is None:
            if node is not None:
                return None
            node = (
                _parse_quoted(quoted_text)
                if quoted_text is not None
                else _JSON_NAMES.get(word, word)
            )
        elif not stack or not _add_to_group(stack[-1], symbol, node):
            return None
        elif symbol in b",:":
            node = None
        else:
            node = stack.pop()
    return None if stack else node


def _add_to_group(group: Group, symbol: bytes, node: Node | None) -> bool:
    """Add the item before a comma, a colon or a closing bracket to its group."""
    if symbol == b":":
        if group.opening != b"{" or node is None or len(group.keys) != len(group.items):
            return False
        group.keys.append(node)
        return True
    if symbol == b",":
        group.commas += 1
    elif symbol != _CLOSING[group.opening]:
        return False
    if node is None:  # an empty item is allowed before a closing bracket only
        return symbol != b"," and len(group.keys) in (0, len(group.items))
    group.items.append(node)
    return len(group.keys) in (0, len(group.items))


def _parse_quoted(quoted_text: bytes) -> QuotedText:
    content = quoted_text[1:-1].decode("utf-8", "surrogateescape")
    if "\\" in content:
        content = _ESCAPE.sub(_unescape, content)
        # JSON writes characters above 16 bits as a surrogate pair.
        content = content.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return QuotedText(content)


def _unescape(match: re.Match[str]) -> str:
    body = match[1]
    if len(body) > 1:
        return chr(int(body[1:], 16))
    return _ESCAPED.get(body, body)


def _same_nodes(actual: Node, expected: Node, is_same_token: SameToken) -> bool:
    if isinstance(expected, bytes):
        return isinstance(actual, bytes) and (actual == expected or is_same_token(actual, expected))
    if isinstance(expected, QuotedText) or not isinstance(actual, Group):
        return actual == expected
    if len(actual.items) != len(expected.items):
        return False
    is_sequence = _is_sequence(expected)
    if _is_sequence(actual) != is_sequence:
        return False
    if actual.opening != expected.opening and not is_sequence:
        return False
    if expected.opening == b"{":
        return _same_braces(actual, expected, is_same_token)
    return all(
        _same_nodes(a, e, is_same_token) for a, e in zip(actual.items, expected.items, strict=True)
    )


def _is_sequence(group: Group) -> bool:
    # In Python (1) is not a tuple.
    return group.opening == b"[" or (
        group.opening == b"(" and (group.commas > 0 or not group.items)
    )


def _same_braces(actual: Group, expected: Group, is_same_token: SameToken) -> bool:
    """Compare dictionaries by key, where a number equals its JSON text, and sets by members."""
    if not expected.keys or not actual.keys:
        members = [sorted(map(_format_node, group.items)) for group in (actual, expected)]
        return not expected.keys and not actual.keys and members[0] == members[1]
    actual_items = dict(zip(map(_format_key, actual.keys), actual.items, strict=True))
    expected_items = dict(zip(map(_format_key, expected.keys), expected.items, strict=True))
    return actual_items.keys() == expected_items.keys() and all(
        _same_nodes(actual_items[key], value, is_same_token)
        for key, value in expected_items.items()
    )


def _format_key(node: Node) -> str:
    return node.content if isinstance(node, QuotedText) else _format_node(node)


def _format_node(node: Node) -> str:
    """Format a node so that equal members have equal texts; lists and tuples are the same."""
    if isinstance(node, bytes):
        return node.decode("utf-8", "surrogateescape")
    if isinstance(node, QuotedText):
        return repr(node.content)
    texts = list(map(_format_node, node.items))
    if node.keys:
        texts = sorted(f"{_format_node(k)}:{v}" for k, v in zip(node.keys, texts, strict=True))
    elif node.opening == b"{":
        texts.sort()
    return f"{'{' if node.opening == b'{' else '['}{','.join(texts)}]"
