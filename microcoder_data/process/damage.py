"""Finds damaged tests, limits and starter code, and tests that say little, without running
programs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from microcoder_data.rows import Row, get_kind, get_tests, get_text, list_nodes
from microcoder_eval.audit.findings import Finding
from microcoder_eval.records import find_unusual_limits
from microcoder_eval.syntax import parse_starter_code

from .examples import Example

# "1 2 3 ...": a text that was cut for display, unless "..." occurs in it elsewhere too.
_CUT_TEXT = re.compile(
    r"[\w,]\s?(?:\.{3}|…)\s*\Z|\[(?:\.{3}|truncated)\]\s*\Z|<truncated>|\.{3} ?\(\d+ more\b"
)
_DOTS = re.compile(r"\.{2,}|…")
_DOT = re.compile(r"(?<!\d)\.(?!\d)|…")  # as a character, not of a number
_CRASH_OUTPUT = re.compile(
    r"Traceback \(most recent call last\)|\bSegmentation fault\b|\bcore dumped\b|"
    r"\A\s*(?:(?:Time|Memory|Output) Limit Exceeded|Runtime Error|Internal Error)\s*\Z|"
    r"<[\w. <>]+ at 0x[0-9a-f]+>",
    re.IGNORECASE,
)
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f\x7f\ufeff]")  # not \x1a: it ends DOS files
_FILE_NAME = re.compile(r"\s*\S*[\w-]\.(?:in|out|ans|txt|dat|inp|input|output)\s*")
MIN_TESTS = 3  # a pattern is believed only if this many tests show it


def list_findings(row: Row, statement: str, examples: Sequence[Example]) -> Iterator[Finding]:
    """All that is wrong with the tests, limits and starter code of a valid problem. statement:
    cleaned."""
    kind, tests = get_kind(row), [case for case in get_tests(row) if "input" in case]
    if kind != "assert" and (reason := _find_damage(tests, statement, examples)) is not None:
        yield Finding("damaged_test", reason)
    if (
        kind == "stdin"
        and _inputs_hold_answers(tests)
        and not _inputs_hold_answers(
            [{"input": case.input, "output": case.output} for case in examples], 1
        )
    ):
        yield Finding("answer_in_input", "the last lines of every input are its expected output")
    for reason in find_unusual_limits(row.get("limits") or {}):
        yield Finding("implausible_limits", reason)
    starter = get_text(row, "starter_code")
    if starter.strip() and parse_starter_code(starter) is None:
        yield Finding("broken_starter", "no Python program starts with the starter code")
    if kind == "assert":
        yield from _check_assertions(get_text(row, "test_code"))
    elif kind == "stdin":
        yield from _check_inputs(row, examples)


def _find_damage(tests: Sequence[Row], statement: str, examples: Sequence[Example]) -> str | None:
    """Say which test is damaged and how; None if none is."""
    shown = [text for item in examples for text in (item.input, item.output)]
    name_count = sum(isinstance(test["input"], str) and bool(_FILE_NAME.fullmatch(test["input"]))
                     for test in tests)  # fmt: skip
    if name_count == len(tests) >= MIN_TESTS:
        return f"the inputs are names of files, such as {tests[0]['input'].strip()!r:.40}"
    cut_tests = [
        number for number, test in enumerate(tests, 1) if any(map(_is_cut, _get_texts(test)))
    ]
    dotted_count = sum(any(map(_DOT.search, _get_texts(test))) for test in tests)
    is_usual = dotted_count > len(tests) / 2 or any(
        isinstance(text, str) and _is_cut(text) for text in shown
    )
    if cut_tests and not is_usual:
        return f"test {cut_tests[0]} ends in dots: it was cut for display"
    for number, test in enumerate(tests, 1):
        match = _CRASH_OUTPUT.search(str(test.get("output")))
        if match and match[0].strip().lower() not in statement.lower():
            return f"test {number} expects {match[0].strip()!r:.50}"
        if isinstance(test["input"], str) and (match := _UNPRINTABLE.search(test["input"])):
            return f"the input of test {number} has the character {match[0]!r}"
    return None


def _get_texts(test: Row) -> list[str]:
    return [value for key in ("input", "output") if isinstance(value := test.get(key), str)]


def _is_cut(text: str) -> bool:
    return bool(_CUT_TEXT.search(text)) and len(_DOTS.findall(text)) <= 1


def _inputs_hold_answers(tests: Sequence[Row], minimum: int = MIN_TESTS) -> bool:
    """Whether every input ends with the lines of its expected output.

    False for fewer tests than ``minimum``. If ``minimum`` is 2 or more, also false if all outputs
    are equal.
    """
    if len(tests) < minimum or len({str(test.get("output")) for test in tests}) < min(minimum, 2):
        return False
    return all(map(_input_holds_answer, tests))


def _input_holds_answer(test: Row) -> bool:
    lines, answer = (
        [" ".join(line.split()) for line in str(value).strip().split("\n")]
        for value in (test["input"], test.get("output"))
    )
    return len(lines) > len(answer) and lines[-len(answer) :] == answer and any(answer)


def _check_inputs(row: Row, examples: Sequence[Example]) -> Iterator[Finding]:
    """Yield a finding if all tests are samples of the statement."""
    shown_inputs = {" ".join(example.input.split()) for example in examples}
    inputs = [" ".join(str(test.get("input")).split()) for test in get_tests(row)]
    if inputs and shown_inputs.issuperset(inputs):
        yield Finding("tests_are_samples", f"all {len(inputs)} tests are samples of the statement")


def _check_assertions(code: str) -> Iterator[Finding]:
    nodes = list_nodes(code)
    assertions = [node.test for node in nodes if isinstance(node, ast.Assert)]
    if assertions and all(map(_is_vacuous, assertions)):
        yield Finding("vacuous_tests", f'such as "assert {ast.unparse(assertions[0])[:80]}"')
    if len(assertions) == 1 and not any(isinstance(node, ast.For | ast.While) for node in nodes):
        yield Finding("few_tests", "a single assertion")


def _is_vacuous(test: ast.expr) -> bool:
    """Whether nearly every program passes an assertion: its two sides are equal, or it checks only
    a type."""
    if isinstance(test, ast.Call):
        return getattr(test.func, "id", "") in ("isinstance", "callable")
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    other = test.comparators[0]
    is_not_none = isinstance(test.ops[0], ast.IsNot | ast.NotEq) and ast.unparse(other) == "None"
    return is_not_none or (
        isinstance(test.ops[0], ast.Eq) and ast.dump(test.left) == ast.dump(other)
    )
