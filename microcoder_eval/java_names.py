"""What a Java program's text says of its file's and its main class's name.

The compiler wants a public class in a file of its name, and the machine wants to be told which
class to start. Only a guess is needed: a wrong one is an error in their words, never a pass.
"""

from __future__ import annotations

import re

_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
    re.DOTALL,
)
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_TOKEN = re.compile(
    r"(?P<public>\bpublic\s+(?:(?:abstract|final|strictfp|sealed)\s+)*)?"
    r"\b(?:class|interface|enum|record)\s+(?P<name>\w+)"
    r"|(?P<main>\bstatic\s+(?:final\s+)?void\s+main\s*\()|(?P<brace>[{}])"
)
_DEFAULT = "Main"


def of(source: str) -> tuple[str, tuple[str, ...]]:
    """(the file's name, arguments for the machine): the class that has a main method."""
    code = _NOT_CODE.sub(" ", source)
    depth, top, public, main = 0, None, None, None
    for token in _TOKEN.finditer(code):
        if token["brace"]:
            depth += 1 if token["brace"] == "{" else -1
        elif token["name"] and depth == 0:
            top = token["name"]
            public = public or (top if token["public"] else None)
        elif token["main"] and depth == 1:
            main = main or top
    package = _PACKAGE.search(code)
    prefix = f"{package[1]}." if package else ""
    started = main or public or top or _DEFAULT
    return f"{public or started}.java", (prefix + started,)
