"""Checks test inputs against the bounds in a statement: arguments, and first lines of texts.

The check runs only if it is certain which number has which name: each name has exactly one pair of
bounds, the format or a sentence about the first line or the input gives the order, and every first
line has that many words. The same holds for the second line, if it is the first one of a test case.
A sample may be below the least (authors show three rows where tests have a hundred), but not above
the most. A range without any number is a contradiction by itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, zip_longest
from typing import Any

from microcoder_data import constraints
from microcoder_data.constraints import Aspect, make_plain
from microcoder_data.rows import Row, get_kind, get_tests, get_text, list_nodes, list_parameters
from microcoder_eval.audit.findings import Finding

from .conversion.markdown import ANY_FENCE
from .conversion.powers import may_lose_powers
from .examples import Example

_NAME = r"[A-Za-z](?:_?\w)?"
_HIDDEN = "\ue000"  # stands for a fence: literals are never restored
_RELATION = re.compile(r"^(?!#).*(?:[<>≤≥⩽⩾]|\\[lg]|&[lg])")
_OF_CASE = r"of (?:each|every|the|a) test ?case\b"
_REST = r"(?:[^.\n]|\.(?=\d))*"
_SENTENCE = re.compile(rf"\bfirst line\b(?! {_OF_CASE}){_REST}", re.IGNORECASE)
_CASE = re.compile(rf"\bfirst line {_OF_CASE}{_REST}", re.IGNORECASE)
_SECTION = re.compile(r"^## Input\b.*?(?=^## |\Z)", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_OUTPUT = re.compile(r"^## Output", re.IGNORECASE | re.MULTILINE)
_INPUT = re.compile(rf"^## Input[^\n]*\n+{_REST}", re.IGNORECASE | re.MULTILINE)
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
_INTEGER = re.compile(r"-?\d{1,18}")
# "2 ≤ n ≤ 2" in 2 ≤ n ≤ 2.5 × 10^5 was not read whole.
_MORE = re.compile(r"[.,' ]\d|, ?\d{3}\b| ?[·⋅×*^x/+-] ?[\w(]")
_UNCERTAIN = (0, 0)  # a range that was not read whole
Bounds = Mapping[tuple[str, Aspect], tuple[int, int]]


def check_bounds(row: Row, statement: str, examples: Sequence[Example]) -> Finding | None:
    """Return the first input that certainly violates the bounds, or bounds that exclude all
    numbers; None if there is neither.

    Of functions only the examples are checked: generated tests go beyond the bounds of many data
    sets, and have right answers.
    """
    plain = _select_relations(statement)
    for text in constraints.list_empty_ranges(plain):
        if _is_whole(text, plain):
            return Finding("tests_break_limits", f'no number is in "{text}"')
    bounds = _parse_bounds(plain)
    if get_kind(row) == "stdin":
        what, (names, inputs) = "test", _read_first_lines(row, statement, bounds)
    else:
        what, inputs = "example", [item.input for item in examples]
        names = [parameter.arg for parameter in list_parameters(row)]
    for number, values in enumerate(inputs, 1):
        for key, (least, greatest) in constraints.measure_names(names, [values]).items():
            low, high = bounds.get(key, (least, greatest))
            if low <= least and greatest <= high:
                continue
            if greatest <= high and (what == "example" or _is_shown(row, number, examples)):
                continue
            value = greatest if greatest > high else least
            name = key[0] if key[1] is Aspect.VALUE else f"the length of {key[0]}"
            detail = f"{name} is {value} in {what} {number}, said to be {low} to {high}"
            return Finding("tests_break_limits", detail, {what: number})
    return None


def _is_shown(row: Row, number: int, examples: Sequence[Example]) -> bool:
    """Whether a test, counted from 1, is a sample of the statement."""
    words = str(get_tests(row)[number - 1]["input"]).split()
    return any(str(example.input).split() == words for example in examples)


def _select_relations(statement: str) -> str:
    """Return the lines that compare something, in plain signs: the others hold no bounds."""
    lines = ANY_FENCE.sub("", statement).split("\n")
    return make_plain("\n".join(line for line in lines if _RELATION.search(line)))


def _parse_bounds(plain: str) -> Bounds:
    """Return the bounds of each name that has exactly one pair of them, and both read whole."""
    pairs: dict[tuple[str, Aspect], set[tuple[int, int]]] = {}
    for item in constraints.read_bounds(plain):
        is_measured = item.name and item.aspect in (Aspect.VALUE, Aspect.LENGTH)
        if is_measured and item.low is not None and item.high is not None:
            is_certain = _is_whole(item.text, plain) and item.low < item.high
            pair = (item.low, item.high) if is_certain else _UNCERTAIN
            pairs.setdefault((item.name, item.aspect), set()).add(pair)
    return {
        key: min(found) for key, found in pairs.items() if found != {_UNCERTAIN} and len(found) == 1
    }


def _is_whole(text: str, plain: str) -> bool:
    """Whether a range was read up to the end of its last number."""
    return not _MORE.match(plain, plain.find(text) + len(text))


def restore_proved_powers(row: Row, statement: str) -> tuple[str, Finding | None]:
    """Return the statement with the lost powers restored that tests prove, and a finding. A test
    value of 200 proves that "n <= 105" means 10^5."""
    fences, prose = ANY_FENCE.findall(statement), ANY_FENCE.sub(_HIDDEN, statement)
    if not may_lose_powers(prose) or not (seen := _measure_tests(row, statement)):
        return statement, None
    prose, lost = constraints.restore_lost_powers(prose, seen)
    if not lost:
        return statement, None
    statement = "".join(chain(*zip_longest(prose.split(_HIDDEN), fences, fillvalue="")))
    detail = f'tests are beyond "{lost[0].restored}"'
    return statement, Finding("lost_superscript", detail, {"read": lost[0].text})


def _read_first_lines(
    row: Row, statement: str, bounds: Bounds
) -> tuple[Sequence[str], list[list[int]]]:
    """Return the names of the numbers in the first line, and these numbers for each test; both
    empty where the names are uncertain, or a line holds something else."""
    section = _SECTION.search(statement)
    statement = section[0] if section else _OUTPUT.split(statement, maxsplit=1)[0]
    known = {name for name, _ in bounds}
    tests = [str(test.get("input", "")).strip().split("\n", 2) for test in get_tests(row)]
    names = list(_find_first_line_names(statement, known))
    lines = [_read_integers(test[:1]) for test in tests]
    if not names or any(len(line) != len(names) for line in lines):
        return (), []
    case_names = _list_names(_CASE.search(statement), known) if len(names) == 1 else ()
    case_lines = [_read_integers(test[1:2]) for test in tests]
    if case_names and all(len(line) == len(case_names) for line in case_lines):
        names += case_names
        lines = [[*line, *case_line] for line, case_line in zip(lines, case_lines, strict=True)]
    return names, lines


def _measure_tests(row: Row, statement: str) -> constraints.Ranges:
    """Return the least and the greatest value of each name in the tests, and the greatest length
    of anything under the name ""."""
    if get_kind(row) == "stdin":
        bounds = _parse_bounds(_select_relations(statement))
        words = (word for test in get_tests(row) for word in str(test.get("input", "")).split())
        longest = max(map(len, words), default=0)
        named = constraints.measure_names(*_read_first_lines(row, statement, bounds))
        return {**named, ("", Aspect.LENGTH): (longest, longest)}
    names = [parameter.arg for parameter in list_parameters(row)]
    if get_kind(row) == "call":
        inputs = [test["input"] for test in get_tests(row) if isinstance(test.get("input"), list)]
        return constraints.measure_names(names, inputs)
    return constraints.measure_names(names, _list_arguments(get_text(row, "test_code"), names))


def _list_arguments(code: str, names: Sequence[str]) -> Iterator[list[Any]]:
    """Yield the literal arguments of each call that gives all of them, in the order of names."""
    for node in list_nodes(code) if names else ():
        if not isinstance(node, ast.Call):
            continue
        given = {word.arg: word.value for word in node.keywords}
        given |= dict(zip(names, node.args, strict=False))
        if set(names) <= given.keys():
            with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                yield [ast.literal_eval(given[name]) for name in names]


def _find_first_line_names(statement: str, bounds: Collection[str]) -> Sequence[str]:
    """Return the names of the numbers in the first line; none where they are uncertain."""
    format_match = _FORMAT.search(statement)
    if format_match is not None:
        names = format_match["line"].split()
        return names if all(name in bounds for name in names) else ()
    return _list_names(_SENTENCE.search(statement) or _INPUT.search(statement), bounds)


def _list_names(sentence: re.Match[str] | None, bounds: Collection[str]) -> Sequence[str]:
    """Return the names with bounds in a sentence; none where they are uncertain."""
    if sentence is None or _AMBIGUOUS.search(sentence[0]):
        return ()
    names = dict.fromkeys(name for name in _NAMES.findall(sentence[0]) if name in bounds)
    return () if names.keys() & {"a", "A"} and _ARTICLE.search(sentence[0]) else list(names)


def _read_integers(lines: Sequence[str]) -> list[int]:
    """Return the numbers of a line; none where it holds something else, or there is no line."""
    words = [word for line in lines for word in line.split()]
    return [*map(int, words)] if all(map(_INTEGER.fullmatch, words)) else []
