"""Lists, tuples, dictionaries and quoted texts printed as Python or as JSON, equal by value.

LeetCode-like sets print results with repr or json.dumps; [1, 2] and [1,2], 'a' and "a", True and
true are one answer. Read by a parser of its own: ast would warn of odd escapes on stderr, both
ast and json would make integers of any number of digits and give up the form in which an expected
number is written, which decides whether it has a tolerance.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from .blocks import Rule
from .flat import same_items, unclear_literals

__all__ = ["may_hold_literals", "same_literal", "unclear_literals"]

SameToken = Callable[[bytes, bytes], bool]

MAX_LITERAL = 1 << 17  # bytes of a line: the tree of one may take forty times as many
MAX_DEPTH = 150  # the codec's own bound; comparing recurses
_PIECE = re.compile(
    rb"""\s*+(?:([\[\](){},:])|("(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')|([^\s\[\](){},:"']++))"""
)
_CLOSING = {b"[": b"]", b"(": b")", b"{": b"}"}
_WORDS = {b"True": b"true", b"False": b"false", b"None": b"null", b"NaN": b"nan"}
_LITERAL_LINE = re.compile(rb"""(?m)^[ \t]*+[\[({"']""")
_EMPTY = re.compile(rb"[\s\[\](){},:]++")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted text, without its quotes and escapes."""

    content: str


@dataclass(slots=True)
class Group:
    """What stands between brackets; keys only in a dictionary."""

    mark: bytes
    items: list[Node] = field(default_factory=list)
    keys: list[Node] = field(default_factory=list)
    commas: int = 0


Node = Text | Group | bytes  # bytes: a number or a bare word, as it was written


def may_hold_literals(expected: bytes) -> bool:
    """Whether any line starts like a literal: cheap, and false for nearly every problem."""
    return _LITERAL_LINE.search(expected) is not None


def same_literal(actual: bytes, expected: bytes, same_token: SameToken, rule: Rule[bytes]) -> bool:
    """Two lines that are literals of the same value; ``same_token`` compares what is not quoted,
    ``rule`` does it for many at once.

    Lines of more than MAX_LITERAL bytes must have the same brackets and order of items.
    """
    if not _LITERAL_LINE.match(expected):
        return False
    if _EMPTY.fullmatch(expected):
        return _unspaced(actual) == _unspaced(expected)
    if same_items(actual, expected, rule):
        return True
    if max(len(actual), len(expected)) > MAX_LITERAL:
        return False
    wanted = parse(expected)
    if wanted is None or (found := parse(actual)) is None:
        return False
    # Brackets without anything in them are as a rule a bracket sequence: there each kind counts.
    return _same(found, wanted, same_token, any_bracket=_has_leaf(wanted))


def _unspaced(line: bytes) -> bytes:
    """A line of empty brackets as it counts: ( ) may be the words of a bracket sequence, and then
    each is its own; beside a comma, or in a single pair, blanks mean nothing."""
    bare = b"".join(line.split())
    return bare if len(bare) == 2 else re.sub(rb"\s*+,\s*+", b",", line.strip())


def parse(line: bytes) -> Node | None:
    """The structure of one line; None when it is not exactly one literal."""
    stack: list[Group] = []
    node: Node | None = None
    place, end = 0, len(line.rstrip())
    while place < end:
        piece = _PIECE.match(line, place, end)
        if piece is None or (node is not None and not stack):
            return None
        place = piece.end()
        mark, quoted, word = piece.groups()
        if mark in _CLOSING:
            if node is not None or len(stack) == MAX_DEPTH:
                return None
            stack.append(Group(mark))
        elif mark is None:
            if node is not None:
                return None
            node = _text(quoted) if quoted is not None else _WORDS.get(word, word)
        elif not stack or not _take(stack[-1], mark, node):
            return None
        elif mark in b",:":
            node = None
        else:
            node = stack.pop()
    return None if stack else node


def _take(group: Group, mark: bytes, node: Node | None) -> bool:
    """Put the item before a comma, a colon or the closing bracket into its group."""
    if mark == b":":
        if group.mark != b"{" or node is None or len(group.keys) != len(group.items):
            return False
        group.keys.append(node)
        return True
    if mark == b",":
        group.commas += 1
    elif mark != _CLOSING[group.mark]:
        return False
    if node is None:  # nothing between: fine before a closing bracket only
        return mark != b"," and len(group.keys) in (0, len(group.items))
    group.items.append(node)
    return len(group.keys) in (0, len(group.items))


def _text(quoted: bytes) -> Text:
    content = quoted[1:-1].decode("utf-8", "surrogateescape")
    if "\\" in content:
        content = _ESCAPE.sub(_unescaped, content)
        # JSON writes what lies beyond 16 bits as two halves.
        content = content.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return Text(content)


def _unescaped(found: re.Match[str]) -> str:
    body = found[1]
    if len(body) > 1:
        return chr(int(body[1:], 16))
    return _ESCAPED.get(body, body)


def _has_leaf(node: Node) -> bool:
    return not isinstance(node, Group) or any(map(_has_leaf, [*node.items, *node.keys]))


def _same(found: Node, wanted: Node, same_token: SameToken, any_bracket: bool) -> bool:
    if isinstance(wanted, bytes):
        return isinstance(found, bytes) and (found == wanted or same_token(found, wanted))
    if isinstance(wanted, Text) or not isinstance(found, Group):
        return found == wanted
    if len(found.items) != len(wanted.items):
        return False
    if found.mark != wanted.mark and not (
        any_bracket and _is_sequence(found) and _is_sequence(wanted)
    ):
        return False
    if wanted.mark == b"{":
        return _same_braces(found, wanted, same_token)
    return all(
        _same(a, e, same_token, any_bracket) for a, e in zip(found.items, wanted.items, strict=True)
    )


def _is_sequence(group: Group) -> bool:
    # (1) is no tuple in Python, and so no list.
    return group.mark == b"[" or (group.mark == b"(" and (group.commas > 0 or not group.items))


def _same_braces(found: Group, wanted: Group, same_token: SameToken) -> bool:
    """Dictionaries by key, a number being equal to the text JSON makes of it; sets by members."""
    if not wanted.keys or not found.keys:
        members = [sorted(map(_name, group.items)) for group in (found, wanted)]
        return not wanted.keys and not found.keys and members[0] == members[1]
    ours = dict(zip(map(_key_name, found.keys), found.items, strict=True))
    theirs = dict(zip(map(_key_name, wanted.keys), wanted.items, strict=True))
    return ours.keys() == theirs.keys() and all(
        _same(ours[key], value, same_token, any_bracket=True) for key, value in theirs.items()
    )


def _key_name(node: Node) -> str:
    return node.content if isinstance(node, Text) else _name(node)


def _name(node: Node) -> str:
    """A text that is the same for equal members; lists and tuples are one kind."""
    if isinstance(node, bytes):
        return node.decode("utf-8", "surrogateescape")
    if isinstance(node, Text):
        return repr(node.content)
    names = list(map(_name, node.items))
    if node.keys:
        names = sorted(f"{_name(k)}:{v}" for k, v in zip(node.keys, names, strict=True))
    elif node.mark == b"{":
        names.sort()
    return f"{'{' if node.mark == b'{' else '['}{','.join(names)}]"
