"""Names and parameters of functions, read from source text in languages with braces.

The text may be a candidate's: it is hostile, so every pattern takes linear time, and a wrong guess
is a compile error, never a pass.
"""

from __future__ import annotations

import itertools
import re

from microcoder_sandbox import record

_COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]*+|/\*(?:(?!\*/).)*+(?:\*/|\Z)"""
    r"""|"(?:\\.|[^"\\])*+(?:"|\\?\Z)|'(?:\\.|[^'\\\n])'|`(?:\\.|[^`\\])*+(?:`|\\?\Z)""",
    re.DOTALL,
)
_OPENING, _CLOSING = "(<[{", ")>]}"
_MAX_PARAMETER_CHARS, _MAX_FUNCTIONS = 4096, 16


@record
class Signature:
    """A function as it is declared. parameters: the text of each; result: the text after "->"."""

    parameters: tuple[str, ...]
    result: str = ""


def strip_comments(text: str) -> str:
    """Return the text with a space for each comment; literals stay."""
    return _COMMENT_OR_LITERAL.sub(
        lambda match: " " if match[0].startswith(("//", "/*")) else match[0], text
    )


def names_type(code: str, name: str) -> bool:
    """Whether code without comments defines a class or struct of that name."""
    return re.search(rf"\b(?:class|struct)\s+{re.escape(name)}\b(?!\s*[;*&>,)])", code) is not None


def find_function_name(entry: str, code: str) -> str:
    """Return the last part of an entry point as the code spells it: unchanged, in snake or camel
    case."""
    name = entry.rpartition(".")[2]
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
    first, *others = name.split("_")
    camel = first + "".join(part[:1].upper() + part[1:] for part in others)
    for spelling in (name, snake, camel, camel[:1].upper() + camel[1:]):
        if re.search(rf"\b{re.escape(spelling)}\b", code):
            return spelling
    return name


def read_signature(
    name: str, code: str, before: str = "", count: int | None = None
) -> Signature | None:
    """Return the first function of that name, with ``count`` parameters if there is one, in code
    without comments. before: a pattern that precedes the name."""
    pattern = rf"{before}\b{re.escape(name)}\s*+(?:<[^(){{}}]{{0,200}}>\s*+)?\("
    matches = itertools.islice(re.finditer(pattern, code), _MAX_FUNCTIONS)
    candidates = (_read_signature_at(code, match.end()) for match in matches)
    signatures = [signature for signature in candidates if signature is not None]
    same_count = [signature for signature in signatures if len(signature.parameters) == count]
    return next(iter([*same_count, *signatures]), None)


def _read_signature_at(code: str, start: int) -> Signature | None:
    parameters, end = _split_parameters(code, start)
    if end < 0:
        return None
    result = re.match(r"\s*->\s*([^{;]{1,300})", code[end : end + 400])
    return Signature(tuple(parameters), result[1].strip() if result else "")


def _split_parameters(code: str, start: int) -> tuple[list[str], int]:
    """Return the parameters that begin at ``start``, and the place after their bracket, -1 if it is
    missing."""
    parameters: list[str] = []
    depth, piece = 0, ""
    for position in range(start, min(len(code), start + _MAX_PARAMETER_CHARS)):
        mark = code[position]
        if mark == ")" and depth == 0:
            return [*parameters, *([piece.strip()] if piece.strip() else [])], position + 1
        if mark == "," and depth == 0:
            parameters.append(piece.strip())
            piece = ""
            continue
        is_arrow = mark == ">" and code[position - 1] in "-="
        depth += (mark in _OPENING) - (mark in _CLOSING and not is_arrow)
        piece += mark
    return [], -1
