"""Derives the name of a Java program's file and of its main class from the program's text.

The compiler requires a public class in a file of its name, and the virtual machine the name of the
class to start. A guess is enough: a wrong one is a compile or runtime error, never a pass.

The text is hostile and no limit applies here, so it is read once from left to right: no pattern
below reads a character more than a few times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# A comment or a literal, each up to its end or that of the text; or a word or mark of the code.
_TOKEN = re.compile(
    r'//[^\n]*+|/\*(?:(?!\*/).)*+(?:\*/)?|"""(?:\\.|(?!""").)*+(?:""")?'
    r"""|"(?:\\[^\n]|[^"\n])*+["\n]?|'(?:\\[^\n]|[^'\n])*+['\n]?"""
    r"|((?:[^\W\d]|\$)[\w$]*+|[{}();])",
    re.DOTALL,
)
_TYPE_KEYWORDS = frozenset({"class", "interface", "enum", "record"})
_MARKS = frozenset("(){};")
_MAX_WORDS = 8  # of a declaration, up to its name: there are few modifiers
_TAKES_TEXTS = re.compile(r"[^()]{0,200}\bString\b")
_PACKAGE = re.compile(r"\s*+([\w$]++(?:\s*+\.\s*+[\w$]++)*+)")
_MAX_NAME_CHARS = 200  # characters; file systems allow 255 bytes
_DEFAULT_NAME = "Main"


def derive_names(source: str) -> tuple[str, tuple[str, ...]]:
    """Return (the file's name, arguments for the machine: the class to start, none if nothing is
    called main)."""
    depth, top_class, public_class, package = 0, None, None, ""
    main_class = other_main_class = None  # the latter by a main that only some machines start
    words: list[str] = []  # the last ones since the last mark
    for token, end in _iter_tokens(source):
        if token == "(" and words[-2:] == ["void", "main"] and depth == 1:
            if not ({"public", "static"} <= {*words} and _TAKES_TEXTS.match(source, end)):
                other_main_class = other_main_class or top_class
            elif main_class is None or top_class == public_class:
                main_class = top_class
        elif words[-1:] and words[-1] in _TYPE_KEYWORDS and depth == 0 and token not in _MARKS:
            top_class = token
            public_class = public_class or (top_class if "public" in words else None)
        elif token == "package" and not package and depth == 0 and top_class is None:
            name = _PACKAGE.match(source, end)
            package = "".join(name[1].split()) if name else ""
        depth += {"{": 1, "}": -1}.get(token, 0)
        words = [] if token in _MARKS else [*words[1 - _MAX_WORDS :], token]
    prefix = f"{package}." if package else ""
    start_class = main_class or other_main_class or public_class or top_class or _DEFAULT_NAME
    file = f"{public_class or start_class}.java"
    return file, (prefix + start_class,) if main_class or other_main_class else ()


def rename(source: str, name: str, new_name: str) -> str:
    """Return the text with another name for a class; comments and literals stay."""
    pieces, start = [], 0
    for token, end in _iter_tokens(source):
        if token == name:
            pieces += [source[start : end - len(token)], new_name]
            start = end
    return "".join([*pieces, source[start:]])


def _iter_tokens(source: str) -> Iterator[tuple[str, int]]:
    """Yield words and marks of the code, each with its end, without comments and literals."""
    for match in _TOKEN.finditer(source):
        if match[1] and len(match[1]) <= _MAX_NAME_CHARS:
            yield match[1], match.end()
