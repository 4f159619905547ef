"""Checks the first lines of test inputs against the bounds in a statement.

The check runs only if it is certain which number has which name: each name has exactly one pair of
bounds, a sentence about the first line or the format gives the order, and every first line has that
many words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Any

from microcoder_data import constraints
from microcoder_data.constraints import Aspect, make_plain, read_constraints
from microcoder_data.rows import Row, get_kind, get_tests, get_text
from microcoder_eval.audit.findings import Finding
from microcoder_eval.syntax import parse_python, parse_starter_code

_NAME = r"[A-Za-z](?:_?\w)?"
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"\bfirst line\b(?:[^.\n]|\.(?=\d))*", re.IGNORECASE)
_FORMAT = re.compile(
    r"\binput\b[^\n]*\bformat\b[^\n]*\n+(?:```[^\n]*\n)?(?P<line>[^\n]+)\n", re.IGNORECASE
)
# A first line with texts or lists is skipped: the meaning of its numbers is uncertain.
_AMBIGUOUS = re.compile(
    r"\b(?:strings?|texts?|words?|digits|characters|letters|bits)\b|"
    rf"\b{_NAME} (?:(?:space|comma)-separated |different |distinct |positive )*"
    r"(?:integers|numbers|values)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\ba (?!and\b|or\b)[a-z]{2}", re.IGNORECASE)
_NAMES = re.compile(r"[A-Za-z_]\w*")
_MORE_DIGITS = r"\s?[.,·⋅×*^]\s?\d"  # "2 ≤ n ≤ 2" in 2 ≤ n ≤ 2.5 × 10^5 was not read whole
Bounds = tuple[int, int]


def check_bounds(row: Row, statement: str) -> Finding | None:
    """Return the first test whose first line certainly violates the bounds; None if there is
    none."""
    if get_kind(row) != "stdin":
        return None
    first_lines = _read_first_lines(row, statement)
    bounds = _parse_bounds(statement) if first_lines else {}
    names = _find_first_line_names(statement, bounds)
    if not names or any(len(tokens) != len(names) for tokens in first_lines):
        return None
    for number, tokens in enumerate(first_lines, 1):
        for name, token in zip(names, tokens, strict=True):
            low, high = bounds[name]
            if not low <= int(token) <= high:
                detail = f"{name} is {token} in test {number}, and said to be from {low} to {high}"
                return Finding("tests_break_limits", detail, {"test": number})
    return None


def _parse_bounds(statement: str) -> dict[str, Bounds]:
    """Return the bounds of each name that has exactly one pair of them, and both read whole."""
    lines = _FENCE.sub("", statement).split("\n")
    return _parse_prose("\n".join(line for line in lines if line and not line.startswith("#")))


@lru_cache(maxsize=1)  # asked for twice: before title and samples are added, and after
def _parse_prose(statement: str) -> dict[str, Bounds]:
    plain = make_plain(statement)
    pairs_by_name: dict[str, set[Bounds]] = {}
    for item in read_constraints(statement):
        if item.aspect is not Aspect.VALUE or not item.name or item.low is None:
            continue
        if item.high is not None and not re.search(re.escape(item.text) + _MORE_DIGITS, plain):
            pairs_by_name.setdefault(item.name, set()).add((item.low, item.high))
    pairs = {name: choices.pop() for name, choices in pairs_by_name.items() if len(choices) == 1}
    return {name: (low, high) for name, (low, high) in pairs.items() if low < high}


def restore_powers(row: Row, statement: str) -> tuple[str, Finding | None]:
    """Return the statement with the lost powers restored that tests prove, and a finding. A test
    value of 200 proves that "n <= 105" means 10^5."""
    seen = _measure_tests(row, statement)
    statement, lost = constraints.restore_powers(statement, seen) if seen else (statement, [])
    if not lost:
        return statement, None
    detail = f'tests are beyond "{lost[0].restored}"'
    return statement, Finding("lost_superscript", detail, {"read": lost[0].text})


def _read_first_lines(row: Row, statement: str) -> list[list[str]]:
    """Return the numbers in the first line of each test; empty where a line holds something else,
    or where the statement describes no first line."""
    if not (_FORMAT.search(statement) or _SENTENCE.search(statement)):
        return []
    inputs = (str(test.get("input", "")).strip() for test in get_tests(row))
    lines = [text.partition("\n")[0].split() for text in inputs]
    return lines if all(map(_is_integer, chain.from_iterable(lines))) else []


def _measure_tests(row: Row, statement: str) -> constraints.Ranges:
    """Return the least and the greatest value of each name in the tests."""
    if get_kind(row) == "stdin":
        lines = _read_first_lines(row, statement)
        names = _find_first_line_names(statement, _parse_bounds(statement) if lines else {})
        if not names or any(len(tokens) != len(names) for tokens in lines):
            return {}
        return constraints.measure_names(names, ([*map(int, tokens)] for tokens in lines))
    names = _list_parameters(row)
    if get_kind(row) == "call":
        inputs = [test["input"] for test in get_tests(row) if isinstance(test.get("input"), list)]
        return constraints.measure_names(names, inputs)
    return constraints.measure_names(names, _list_arguments(get_text(row, "test_code"), names))


def _list_parameters(row: Row) -> list[str]:
    """Return the names of the function's parameters in the starter code."""
    name = get_text(row, "entry_point").rpartition(".")[2]
    tree = parse_starter_code(get_text(row, "starter_code"))
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return [argument.arg for argument in node.args.args if argument.arg != "self"]
    return []


def _list_arguments(code: str, names: Sequence[str]) -> Iterator[list[Any]]:
    """Yield the literal arguments of each call that gives all of them, in the order of names."""
    tree = parse_python(code)
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Call) or not names:
            continue
        given = {word.arg: word.value for word in node.keywords}
        given |= dict(zip(names, node.args, strict=False))
        if set(names) <= given.keys():
            with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                yield [ast.literal_eval(given[name]) for name in names]


def _find_first_line_names(statement: str, bounds: dict[str, Bounds]) -> Sequence[str]:
    """Return the names of the numbers in the first line; none where they are uncertain."""
    format_match = _FORMAT.search(statement)
    if format_match is not None:
        names = format_match["line"].split()
        return names if all(name in bounds for name in names) else ()
    return _list_names(_SENTENCE.search(statement), bounds)


def _list_names(sentence: re.Match[str] | None, bounds: dict[str, Bounds]) -> Sequence[str]:
    """Return the names with bounds in a sentence; none where they are uncertain."""
    if sentence is None or _AMBIGUOUS.search(sentence[0]):
        return ()
    names = dict.fromkeys(name for name in _NAMES.findall(sentence[0]) if name in bounds)
    return () if names.keys() & {"a", "A"} and _ARTICLE.search(sentence[0]) else list(names)


def _is_integer(token: str) -> bool:
    return bool(re.fullmatch(r"-?\d{1,18}", token))
