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
from typing import Any

from microcoder_data import constraints
from microcoder_data.constraints import Aspect, read_constraints
from microcoder_data.rows import Row, get_kind, get_tests, get_text
from microcoder_eval.audit.findings import Finding
from microcoder_eval.syntax import parse_python, parse_starter_code

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_NUMBER = r"-?\d[\d,]*(?:(?: ?[·×*] ?\d+)?\^\{?\d+\}?)?"
_NAME = r"[A-Za-z](?:_?\w)?"
_SIGN = r" ?(?:≤|<=|<|\\le) ?"
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
_VALUE = re.compile(r"(-?)(?:(\d+)[·×*])?(\d+)(?:\^(\d{1,2}))?")

_CHAIN = re.compile(
    rf"(?<![\w.^-])(?P<low>{_NUMBER}){_SIGN}(?P<term>[^\n≤<≥>]{{1,30}}?){_SIGN}"
    rf"(?P<high>{_NUMBER})(?![\w^]|[.,]\d| ?[·×*+-]| \d)"
)
# "3 n 2000": a line of limits whose signs are gone.
_BARE_LIMITS = re.compile(
    r"^\W*?(?P<low>-?\d+) (?P<name>[A-Za-z]) (?P<high>\d{2,})\W*$", re.MULTILINE
)
# The same within a sentence or in brackets: "with 1 n 10 and 1 m 20". 3 x 10 is a product.
_BARE_LIMITS_INLINE = re.compile(
    r"(?:\(|, |\b(?:with|where|and|that|for) )"
    r"(?P<low>-?\d+) (?P<name>[A-WYZa-wyz]) (?P<high>\d{2,})"
    r"(?=\)|[.,;](?!\d)| and\b|\s*$)",
    re.MULTILINE,
)
_MIN_BARE_LIMITS = 2  # names with such limits in sentences

Bounds = tuple[int, int]


def check_bounds(row: Row, statement: str) -> Finding | None:
    """Return the first test whose first line certainly violates the bounds; None if there is
    none."""
    if get_kind(row) != "stdin":
        return None
    bounds = _parse_bounds(statement)
    names = _find_first_line_names(statement, bounds)
    if not names:
        return None
    inputs = [str(test.get("input", "")).strip() for test in get_tests(row)]
    first_lines = [text.partition("\n")[0].split() for text in inputs]
    if not all(
        len(tokens) == len(names) and all(map(_is_integer, tokens)) for tokens in first_lines
    ):
        return None
    for number, tokens in enumerate(first_lines, 1):
        for name, token in zip(names, tokens, strict=True):
            low, high = bounds[name]
            if not low <= int(token) <= high:
                detail = f"{name} is {token} in test {number}, and said to be from {low} to {high}"
                return Finding("tests_break_limits", detail, {"test": number})
    return None


def list_impossible_limits(statement: str) -> Iterator[Finding]:
    """List limits that no number can satisfy, and limits that lost their relation signs."""
    prose = _FENCE.sub(" ", statement).replace("`", "").replace("$", "")
    for match in _CHAIN.finditer(prose):
        low, high = parse_value(match["low"]), parse_value(match["high"])
        if low is not None and high is not None and low > high:
            yield Finding("impossible_limits", f'it says "{match[0].strip()}"')
            break
    inline_limits = list(_BARE_LIMITS_INLINE.finditer(prose))
    is_usual = len({match["name"] for match in inline_limits}) >= _MIN_BARE_LIMITS
    bare_limits = _BARE_LIMITS.search(prose) or (inline_limits[0] if is_usual else None)
    if bare_limits is not None:
        yield Finding("lost_operators", f'it says "{bare_limits[0].strip()}"')


def _parse_bounds(statement: str) -> dict[str, Bounds]:
    """Return the bounds of each name that has exactly one pair of them."""
    pairs_by_name: dict[str, set[Bounds]] = {}
    for item in read_constraints(statement):
        if item.aspect is not Aspect.VALUE or not item.name or item.low is None:
            continue
        if item.high is not None:
            pairs_by_name.setdefault(item.name, set()).add((item.low, item.high))
    return {name: pairs.pop() for name, pairs in pairs_by_name.items() if len(pairs) == 1}


def restore_powers(row: Row, statement: str) -> tuple[str, Finding | None]:
    """Return the statement with the lost powers restored that tests prove, and a finding. A test
    value of 200 proves that "n <= 105" means 10^5."""
    statement, lost = constraints.restore_powers(statement, _measure_tests(row, statement))
    if not lost:
        return statement, None
    detail = f'tests are beyond "{lost[0].restored}"'
    return statement, Finding("lost_superscript", detail, {"read": lost[0].text})


def _measure_tests(row: Row, statement: str) -> constraints.Ranges:
    """Return the least and the greatest value of each name in the tests."""
    if get_kind(row) == "stdin":
        names = _find_first_line_names(statement, _parse_bounds(statement))
        lines = (str(test.get("input", "")).strip().partition("\n")[0] for test in get_tests(row))
        rows = [line.split() for line in lines]
        if not names or not all(
            len(tokens) == len(names) and all(map(_is_integer, tokens)) for tokens in rows
        ):
            return {}
        return constraints.measure_names(names, ([*map(int, tokens)] for tokens in rows))
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


def parse_value(text: str) -> int | None:
    """Return the whole number in a text such as 2*10^5 or 1,000; None if it is not one."""
    match = _VALUE.fullmatch(re.sub(r"[ ,{}]", "", text))
    if match is None:
        return None
    magnitude: int = int(match[3]) ** int(match[4] or 1) * int(match[2] or 1)
    return -magnitude if match[1] else magnitude


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
