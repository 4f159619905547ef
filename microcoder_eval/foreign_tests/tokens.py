"""The tokens of test code in languages with braces. Test code is a problem's, and trusted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from microcoder_sandbox import record

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<space>\s+)
    |(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`)
    |(?P<number>0[xX][0-9a-fA-F_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?\w*)
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<mark>===|!==|==|!=|<=|&&|\|\||::|=>|->|:=|.)""",
    re.VERBOSE | re.DOTALL,
)
# A lifetime of Rust would be read as the start of a character.
_LIFETIME = re.compile(r"(?<=[&<])'(?=[a-z]\w*+(?!'))")
_OPENING = {"(": ")", "[": "]", "{": "}"}


class NotTranslatableError(Exception):
    """Test code, or a part of it, has another form than those that are read."""


@record
class Token:
    """A token of test code.

    kind: "text", "number", "name" or "mark". start, end: its place in the test code.
    """

    kind: str
    text: str
    start: int
    end: int


Tokens = Sequence[Token]


def tokenize(language: str, source: str) -> list[Token]:
    """Return the tokens, without comments. Raises NotTranslatableError."""
    tokens = []
    for match in _TOKEN.finditer(_LIFETIME.sub(" ", source) if language == "rust" else source):
        kind = match.lastgroup or ""
        if kind not in ("comment", "space"):
            tokens.append(Token(kind, match[0], match.start(), match.end()))
    if any(token.text in ('"', "'", "`") for token in tokens):
        raise NotTranslatableError("a text that does not end")
    return tokens


def find_end(tokens: Tokens, start: int) -> int:
    """Return the index of the bracket that closes the one at ``start``. Raises
    NotTranslatableError."""
    closing: list[str] = []
    for index in range(start, len(tokens)):
        token = tokens[index]
        if token.kind != "mark":
            continue
        if token.text in _OPENING:
            closing.append(_OPENING[token.text])
        elif token.text in ")]}":
            if not closing or closing.pop() != token.text:
                break
            if not closing:
                return index
    raise NotTranslatableError("brackets that do not close")


def split(tokens: Tokens, marks: frozenset[str]) -> list[Tokens]:
    """Return the parts between marks that stand outside of brackets."""
    parts, start, index = [], 0, 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind == "mark" and token.text in _OPENING:
            index = find_end(tokens, index)
        elif token.kind == "mark" and token.text in marks:
            parts.append(tokens[start:index])
            start = index + 1
        index += 1
    return [*parts, tokens[start:]]


def split_arguments(tokens: Tokens) -> list[Tokens]:
    """Return what stands between commas; a comma at the end adds nothing."""
    parts = split(tokens, frozenset(","))
    return parts if parts[-1] else parts[:-1]


def split_call(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """Return what stands before the brackets that end an expression, and what is in them."""
    index = 0
    while index < len(tokens):
        if tokens[index].kind == "mark" and tokens[index].text in _OPENING:
            end = find_end(tokens, index)
            if end == len(tokens) - 1:
                return tokens[:index], tokens[index + 1 : -1]
            index = end
        index += 1
    raise NotTranslatableError("no brackets at the end")


def list_texts(tokens: Tokens) -> list[str]:
    """Return the text of each token."""
    return [token.text for token in tokens]


def unwrap(tokens: Tokens) -> Tokens:
    """Return the tokens without round brackets around all of them."""
    while tokens and tokens[0].text == "(" and find_end(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens
