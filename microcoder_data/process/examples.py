"""Parses the examples of a clean statement: inputs and outputs in fences, calls, doctests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from microcoder_eval.syntax import parse_tree

_LABEL = (
    r"^[ \t]*(?:#{1,2}[ \t]*|[-*][ \t]+)?(?P<sample>(?:sample|example)s?[ \t]*(?:#?\d+[ \t]*)?)?"
    r"(?P<what>input|output)s?(?:[ \t]*(?:copy|data|file|example|sample))?[ \t]*#?(?P<number>\d*)"
    r"[ \t]*:?[ \t]*"
)
_SAMPLE_SECTION = re.compile(
    r"^#{1,2} (?:sample|example)s?(?: (?:input|test|case)s?)*[ \t]*#?\d*[ \t]*:?$",
    re.IGNORECASE | re.MULTILINE,
)
_FENCED = re.compile(
    _LABEL + r"\n+```[^\n]*\n(?P<body>.*?)\n?```", re.IGNORECASE | re.MULTILINE | re.DOTALL
)
_NAMED_ARGUMENTS = re.compile(
    r"^[ \t]*(?:-[ \t]+)?Input:?[ \t]+(?P<input>[A-Za-z_]\w*[ \t]*=.*?)\n+"
    r"[ \t]*(?:-[ \t]+)?Output:?[ \t]+(?P<output>[^\n]+)",
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

_CONSTANTS = {"true": "True", "false": "False", "null": "None"}
# Outside of the texts in quotes, which are matched to be passed over.
_CONSTANT = re.compile(r"""\b(true|false|null)\b|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?""")
_PARSE_ERRORS = (ValueError, SyntaxError, MemoryError, RecursionError, TypeError)


@dataclass(frozen=True, slots=True)
class Example:
    """An example: texts for programs; a list of arguments and the result for functions."""

    input: Any
    output: Any


def parse_program_examples(text: str) -> list[Example]:
    """Pairs of input and output, in fences under titles such as "Sample Input 1"."""
    return [example for _, _, example in find_program_examples(text)]


def find_program_examples(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int], Example]]:
    """(place of the input, of the output, example) of each pair: places in characters, with titles.

    An output belongs to the input of its number, else to the input right before it. What stands
    under "Input" above the section with the samples is their format, not a sample.
    """
    inputs: dict[str, re.Match[str]] = {}
    previous: re.Match[str] | None = None
    section = _SAMPLE_SECTION.search(text)
    for match in _FENCED.finditer(text):
        is_format = section is not None and match.end() <= section.start()
        if is_format and not (match["sample"] or match["number"]):
            continue
        if match["what"].lower() == "input":
            previous = inputs[match["number"]] = match
            continue
        opening = inputs.pop(match["number"], previous) if match["number"] else previous
        previous = None
        if opening is not None:
            bodies = (part["body"].strip("\n") + "\n" for part in (opening, match))
            yield opening.span(), match.span(), Example(*bodies)


def parse_call_examples(text: str, name: str) -> list[Example]:
    """Return the calls of ``name`` with literal results; also named arguments in the style of
    LeetCode."""
    examples: list[Example] = []
    for call, output in _find_calls(text):
        arguments = _parse_arguments(call, name)
        if arguments is not None:
            examples += [Example(arguments, value) for value in _parse_literal(output)]
    return examples


def _find_calls(text: str) -> Iterator[tuple[str, str]]:
    for match in _NAMED_ARGUMENTS.finditer(text):
        yield re.sub(r"\s*\n\s*", " ", match["input"]), match["output"]
    for pattern in (_DOCTEST, _ARROWS):
        for match in pattern.finditer(text):
            yield match["call"].strip(), match["output"]


def _translate_constants(text: str) -> str:
    """Return the text with the constants of JSON written as Python's."""
    return _CONSTANT.sub(lambda match: _CONSTANTS.get(match[1], match[0]), text)


def _parse_literal(text: str) -> list[Any]:
    """Return the value of a Python or JSON literal, in a list; empty where the text is no
    literal."""
    text = text.strip().rstrip(".,;")
    for candidate in (text, _translate_constants(text)):
        with suppress(*_PARSE_ERRORS):
            return [_evaluate(parse_tree(candidate, "eval").body)]
    return []


def _evaluate(node: ast.expr) -> Any:
    """Return the value of a literal. Raises ValueError for a set: {2, 1, 1} may be the list of
    another language."""
    if any(isinstance(part, ast.Set) for part in ast.walk(node)):
        raise ValueError("a set")
    return ast.literal_eval(node)


def _parse_arguments(call: str, name: str) -> list[Any] | None:
    """Return the values of ``name(1, [2])``, or of ``nums = [1], k = 2``; None where it is
    neither."""
    call = _translate_constants(call)
    if re.match(r"[A-Za-z_]\w*[ \t]*=(?!=)", call):
        call = f"{name}({call})"
    with suppress(*_PARSE_ERRORS):
        node = parse_tree(call.strip(), "eval").body
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
            return [*map(_evaluate, node.args), *(_evaluate(word.value) for word in node.keywords)]
    return None
