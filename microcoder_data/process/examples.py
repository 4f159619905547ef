"""Examples of a clean statement: inputs and outputs in fences, calls in words or doctests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_LABEL = (
    r"^[ \t]*(?:#{1,2}[ \t]*|[-*][ \t]+)?(?:(?:sample|example)s?[ \t]*)?(?P<what>input|output)s?"
    r"(?:[ \t]*(?:copy|data|file|example|sample))?[ \t]*#?(?P<number>\d*)[ \t]*:?[ \t]*"
)
_FENCED = re.compile(
    _LABEL + r"\n+```[^\n]*\n(?P<body>.*?)\n?```", re.IGNORECASE | re.MULTILINE | re.DOTALL
)
_ARGUMENTS = re.compile(
    r"^[ \t]*(?:-[ \t]+)?Input:?[ \t]+(?P<input>[A-Za-z_]\w*[ \t]*=.*?)\n+[ \t]*(?:-[ "
    r"\t]+)?Output:?[ \t]+"
    r"(?P<output>[^\n]+)",
    re.MULTILINE | re.DOTALL,
)
_DOCTEST = re.compile(
    r"^[ \t]*>>>[ \t]*(?P<call>.+)\n[ \t]*(?P<output>(?!>>>)\S[^\n]*)", re.MULTILINE
)
_ARROWS = re.compile(
    r"^[ \t]*(?:(?:for )?examples?:?[ \t]*|[-*#][ \t]*|"
    r"\d+[.)][ \t]*)?`?(?P<call>[A-Za-z_]\w*\(.*\))`?"
    r"[ \t]*(?:==|➞|=>|➡|->|→|returns?|should return|#)[ \t]*`?(?P<output>[^\n`]+?)`?[ \t]*[.;]?$",
    re.MULTILINE | re.IGNORECASE,
)
_PLAIN = re.compile(
    r"^(?:sample|example)[ \t]+(?P<what>input|output)[ \t]*#?(?P<number>\d*)[ \t]*:?[ \t]*\n"
    r"(?P<body>(?:(?!^(?:##|sample|example|explanation|note|input|output|constraints)).*\n?)+)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Example:
    """What a statement shows. Texts for programs; a list of arguments and a value for functions."""

    input: Any
    output: Any


def of_program(text: str) -> list[Example]:
    """Pairs of input and output, in fences or under "Sample Input 1" and the like."""
    pattern = _FENCED if _FENCED.search(text) else _PLAIN
    waiting: str | None = None
    found: list[Example] = []
    for part in pattern.finditer(text):
        body = part["body"].strip("\n")
        body = body.removeprefix("```\n").removesuffix("\n```")
        if part["what"].lower() == "input":
            waiting = body
        elif waiting is not None:
            found.append(Example(waiting + "\n", body + "\n"))
            waiting = None
    return found


def of_function(text: str, name: str) -> list[Example]:
    """Calls of ``name`` (or of named arguments, as LeetCode shows them) with literal results."""
    short = name.rpartition(".")[2]
    found: list[Example] = []
    for call, output in _calls(text):
        arguments = _arguments(call, short)
        value = _literal(output)
        if arguments is not None and value is not _NONE:
            found.append(Example(arguments, value))
    return found


def _calls(text: str) -> Iterator[tuple[str, str]]:
    for part in _ARGUMENTS.finditer(text):
        yield " ".join(part["input"].split()), part["output"]
    for pattern in (_DOCTEST, _ARROWS):
        for part in pattern.finditer(text):
            yield part["call"].strip(), part["output"]


_NONE = object()


def _literal(text: str) -> Any:
    """The Python (or JSON) value a text is, else _NONE."""
    words = {"true": "True", "false": "False", "null": "None"}
    text = text.strip().rstrip(".;")
    for tried in (text, re.sub(r"\b(true|false|null)\b", lambda found: words[found[1]], text)):
        try:
            return ast.literal_eval(tried)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
    return _NONE


def _arguments(call: str, name: str) -> list[Any] | None:
    """The values of ``name(1, [2])``, or of ``nums = [1], k = 2``; None where it is neither."""
    words = {"true": "True", "false": "False", "null": "None"}
    call = re.sub(r"\b(true|false|null)\b", lambda found: words[found[1]], call)
    if re.match(r"[A-Za-z_]\w*[ \t]*=(?!=)", call):
        call = f"{name}({call})"
    try:
        node = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != name:
        return None
    try:
        values = [ast.literal_eval(argument) for argument in node.args]
        return values + [ast.literal_eval(argument.value) for argument in node.keywords]
    except (ValueError, TypeError, MemoryError, RecursionError, SyntaxError):
        return None
