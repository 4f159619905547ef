"""The expected answers of a problem and its comparer, for all kinds of problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.compare import Comparer, make_comparer
from microcoder_eval.compare.difference import quote
from microcoder_eval.compare.values import format_value
from microcoder_eval.conversion import encode_text
from microcoder_eval.errors import DataError
from microcoder_eval.python_tests.assert_plan import Relation
from microcoder_eval.python_tests.planning import plan
from microcoder_eval.python_tests.unsupported import NEEDS_IN_PROCESS
from microcoder_eval.records import Kind, Problem
from microcoder_eval.suspicion import encode_call, group_equal, group_equal_inputs
from microcoder_sandbox import record


@record
class ExpectedAnswers:
    """The expected answers of a problem, and the comparer that accepts answers.

    expected: bytes for stdin, values for the other kinds. An assert problem has the values of its
        comparisons with literals, or none if its test code is in another language.
    inputs: the input of each test, shortened for people.
    same_inputs: groups of tests (positions from 0) with the same input.
    comparer: None if the problem has a checker given as source, which does not run here, or nothing
        was read.
    is_text: whether expected answers are bytes.
    is_complete: whether these are all tests; False if some assertions are not plain calls.
    """

    expected: tuple[Any, ...]
    inputs: tuple[str, ...]
    same_inputs: tuple[tuple[int, ...], ...]
    comparer: Comparer | None
    is_text: bool
    is_complete: bool = True

    def accepts(self, actual: Any, expected: Any) -> bool:
        """Whether ``actual`` would pass a test that expects ``expected``."""
        assert self.comparer is not None
        compare = self.comparer.compare_text if self.is_text else self.comparer.compare_value
        return compare(actual, expected).method is not None

    def have_common_answer(self, first: int, second: int) -> bool:
        """Whether the expected answer of one of two tests passes the other."""
        a, b = self.expected[first], self.expected[second]
        return self.accepts(a, b) or self.accepts(b, a)

    def format_expected(self, test: int) -> str:
        """Format the expected answer of a test, shortened."""
        return format_answer(self.expected[test])


def format_answer(answer: Any) -> str:
    """Format an answer for people: short and printable."""
    if isinstance(answer, bytes):
        return quote(answer.strip() or answer)
    text = format_value(answer)
    return text if len(text) <= 80 else f"{text[:80]}…"


def read_expected_answers(problem: Problem, compare: str | Mapping[str, Any]) -> ExpectedAnswers:
    """Read what a problem expects. compare: the comparer if it has no checker.

    Raises DataError if its test code cannot be read, and ComparerError.
    """
    if problem.kind is Kind.ASSERT:
        return _read_assertions(problem)
    checker = problem.checker
    comparer = None if checker and "source" in checker else make_comparer(checker or compare)
    is_text = problem.kind is Kind.STDIN
    return ExpectedAnswers(
        expected=tuple(
            encode_text(test.output) if is_text else test.output for test in problem.tests
        ),
        inputs=tuple(
            quote(test.input[:400].encode("utf-8", "replace"))
            if is_text
            else ", ".join(map(format_value, test.input))[:120]
            for test in problem.tests
        ),
        same_inputs=tuple(map(tuple, group_equal_inputs(problem))),
        comparer=comparer,
        is_text=is_text,
    )


def _read_assertions(problem: Problem) -> ExpectedAnswers:
    if problem.test_language is not None:  # only its programs can be examined
        return ExpectedAnswers((), (), (), None, is_text=False, is_complete=False)
    assertion_plan = plan(problem.test_code or "", problem.entry_point, problem.starter_code)
    if assertion_plan.unsupported is not None:
        raise DataError(f"{NEEDS_IN_PROCESS}: {assertion_plan.unsupported}")
    tests = [test for test in assertion_plan.tests if test.relation is Relation.EQ]
    calls = [encode_call(test.entry, list(test.args), dict(test.kwargs)) for test in tests]
    return ExpectedAnswers(
        expected=tuple(test.expected for test in tests),
        inputs=tuple(test.source[:120] for test in tests),
        same_inputs=tuple(map(tuple, group_equal(calls))),
        comparer=make_comparer("python"),
        is_text=False,
        is_complete=assertion_plan.test_source is None and len(tests) == len(assertion_plan.tests),
    )
