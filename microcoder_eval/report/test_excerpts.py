"""Excerpts of a failed test: its input and its expected output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.conversion import normalize_newlines
from microcoder_eval.errors import DataError
from microcoder_eval.lru import LruCache
from microcoder_eval.python_tests.assert_plan import AssertPlan, Relation
from microcoder_eval.python_tests.planning import plan
from microcoder_eval.records import Judgement, Kind, Problem, Test

from .excerpts import Excerpt, cut_start, format_value

NOT_KEPT = "Output not kept: results hold verdicts, not what programs print."
_NO_TESTS = "Input and expected output are not shown: the tests were not given."
OTHER_TESTS = "Input and expected output are not shown: the tests have changed since the judging."
_CACHE_SIZE = 256


def explain_not_shown(judgement: Judgement, problem: Problem | None) -> str | None:
    """Return why the input and the expected output cannot be shown; None if they can."""
    if problem is None:
        return _NO_TESTS
    if judgement.tests_sha256 not in ("", problem.tests_sha256):
        return OTHER_TESTS
    return None


class TestExcerpts:
    """Excerpts of the inputs and expected outputs of tests, with a cache of the latest ones."""

    def __init__(self) -> None:
        self._cache: LruCache[tuple[str, str, int], dict[str, Any]] = LruCache(_CACHE_SIZE)

    def cut_test(self, problem: Problem, index: int) -> dict[str, Any]:
        """Return {"kind", "input", "expected"}; the last two are Excerpts or None."""
        key = problem.problem_id, problem.tests_sha256, index
        excerpts = self._cache.get(key)
        if excerpts is None:
            input_excerpt, expected = _cut_test(problem, index)
            excerpts = {"kind": str(problem.kind), "input": input_excerpt, "expected": expected}
            self._cache.put(key, excerpts)
        return dict(excerpts)


def _cut_test(problem: Problem, index: int) -> tuple[Excerpt | None, Excerpt | None]:
    if problem.kind is Kind.ASSERT:
        return _cut_assertion(problem, index)
    if index >= len(problem.tests):
        return None, None
    test = problem.tests[index]
    if isinstance(test.input, str) and isinstance(test.output, str):
        return cut_start(normalize_newlines(test.input)), cut_start(test.output)
    return cut_start(_format_call(problem, test)), cut_start(format_value(test.output))


def find_asserted_value(failure: Mapping[str, Any]) -> Excerpt | None:
    """Return what a tested call gave: the judge's detail says it after the source of the test."""
    start = f"{(failure['input'] or {}).get('text')}: got "
    detail = failure["detail"] or ""
    return cut_start(detail.removeprefix(start)) if detail.startswith(start) else None


def _format_call(problem: Problem, test: Test) -> str:
    """Format the call of a test as Python code."""
    args = [format_value(arg) for arg in test.input]
    args += [f"{name}={format_value(value)}" for name, value in (test.kwargs or {}).items()]
    return f"{problem.entry_point or '(the function)'}({', '.join(args)})"


def _cut_assertion(problem: Problem, index: int) -> tuple[Excerpt | None, Excerpt | None]:
    assert_plan = _plan_assertions(problem)
    if assert_plan is None:
        return None, None
    if index >= len(assert_plan.tests):
        return (
            cut_start(assert_plan.test_source) if assert_plan.test_source is not None else None
        ), None
    test = assert_plan.tests[index]
    exact = test.relation in (Relation.EQ, Relation.IS)
    return cut_start(test.source), cut_start(format_value(test.expected)) if exact else None


def _plan_assertions(problem: Problem) -> AssertPlan | None:
    try:
        return plan(problem.test_code or "", problem.entry_point, problem.starter_code or "")
    except DataError:
        return None
