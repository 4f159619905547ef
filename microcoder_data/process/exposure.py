"""Finds tests that the statement shows, and tests that nearly every program passes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from microcoder_data.rows import Row, get_kind, get_tests, get_text
from microcoder_eval.audit.findings import Finding
from microcoder_eval.syntax import parse_python

from .examples import Example

_MIN_SHOWN = 3  # a statement may show fewer tests: they may be samples that the parser missed
# Total length of shown tests; shorter ones may occur in a text by chance.
_MIN_SHOWN_CHARACTERS = 24
_INSIDE_WORD = re.compile(r"[\w.]")
_MAX_DISTANCE = 20  # characters between an input and its output


def list_findings(row: Row, statement: str, examples: Sequence[Example]) -> Iterator[Finding]:
    """Find hidden tests in the statement, tests that are its samples, and tests that any program
    passes."""
    kind = get_kind(row)
    if kind == "assert":
        yield from _check_assertions(get_text(row, "test_code"))
    if kind != "stdin":
        return
    shown_inputs = {" ".join(example.input.split()) for example in examples}
    pairs = [
        (" ".join(str(test.get("input")).split()), " ".join(str(test.get("output")).split()))
        for test in get_tests(row)
    ]
    hidden_pairs = [pair for pair in pairs if pair[0] not in shown_inputs]
    if pairs and not hidden_pairs:
        yield Finding("tests_are_samples", f"all {len(pairs)} tests are samples of the statement")
    listed_pairs = [pair for pair in hidden_pairs if _is_listed(" ".join(statement.split()), *pair)]
    if (
        len(listed_pairs) >= max(_MIN_SHOWN, len(hidden_pairs) / 2)
        and sum(len(input_text) + len(answer) for input_text, answer in listed_pairs)
        >= _MIN_SHOWN_CHARACTERS
    ):
        detail = f"{len(listed_pairs)} of {len(hidden_pairs)} tests that are no samples"
        yield Finding("tests_in_statement", detail)


def _is_listed(statement: str, input_text: str, answer: str) -> bool:
    """Whether the statement shows an input and, right after it, the output. Linear: plain searches,
    and none for an input that is longer than the statement."""
    if not input_text or not answer or len(input_text) + len(answer) > len(statement):
        return False
    start = statement.find(input_text)
    while start >= 0:
        end = start + len(input_text)
        if _is_apart(statement, start, end):
            place = statement.find(answer, end, end + _MAX_DISTANCE + len(answer))
            if place >= 0 and _is_apart(statement, place, place + len(answer)):
                return True
        start = statement.find(input_text, start + 1)
    return False


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether the match is not part of a longer word or number."""
    return not _INSIDE_WORD.match(text[max(0, start - 1) : start]) and not _INSIDE_WORD.match(
        text[end : end + 1]
    )


def _check_assertions(code: str) -> Iterator[Finding]:
    tree = parse_python(code)
    assertions = [node.test for node in ast.walk(tree or ast.Module([], []))
                  if isinstance(node, ast.Assert)]  # fmt: skip
    if assertions and all(map(_is_vacuous, assertions)):
        yield Finding("vacuous_tests", f'such as "assert {ast.unparse(assertions[0])[:80]}"')
    has_loop = any(isinstance(node, ast.For | ast.While) for node in ast.walk(tree or ast.Pass()))
    if len(assertions) == 1 and not has_loop:
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
