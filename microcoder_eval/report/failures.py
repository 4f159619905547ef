"""The first test that a program did not pass: what it was given, what was expected of it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from microcoder_eval.api import unix_lines
from microcoder_eval.asserts import AssertPlan, Relation, plan
from microcoder_eval.errors import DataError
from microcoder_eval.records import Judgement, Kind, Problem, Test, Verdict

from .pieces import Piece, cut, written

NOT_KEPT = "Output not kept: results hold verdicts, not what programs print."
NO_TESTS = "Input and expected output are not shown: the tests were not given."
OTHER_TESTS = "Input and expected output are not shown: the tests were changed since the judging."
_HELD = 256


def first_failing(judgement: Judgement) -> int | None:
    """Its index in file order; None where every test that ran was passed."""
    for index, test in enumerate(judgement.tests):
        if test is not None and test.verdict is not Verdict.AC:
            return index
    return None


def why_not_shown(judgement: Judgement, problem: Problem | None) -> str | None:
    """Why input and expected output of its tests cannot be shown, or None."""
    if problem is None:
        return NO_TESTS
    if judgement.tests_sha256 not in ("", problem.tests_sha256):
        return OTHER_TESTS
    return None


class Givens:
    """Inputs and expected outputs of tests, cut to be shown; those of late are held."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[str, str, int], dict[str, Any]] = OrderedDict()

    def of(self, problem: Problem, index: int) -> dict[str, Any]:
        """{"kind", "input", "expected"}, the last two Pieces or None."""
        key = problem.problem_id, problem.tests_sha256, index
        found = self._held.get(key)
        if found is None:
            given, expected = _given(problem, index)
            found = {"kind": str(problem.kind), "input": given, "expected": expected}
            self._held[key] = found
            if len(self._held) > _HELD:
                self._held.popitem(last=False)
        return dict(found)


def _given(problem: Problem, index: int) -> tuple[Piece | None, Piece | None]:
    if problem.kind is Kind.ASSERT:
        return _assertion(problem, index)
    if index >= len(problem.tests):
        return None, None
    test = problem.tests[index]
    if isinstance(test.input, str) and isinstance(test.output, str):
        return cut(unix_lines(test.input)), cut(test.output)
    return cut(call_text(problem, test)), cut(written(test.output))


def call_text(problem: Problem, test: Test) -> str:
    """The call as a person would write it."""
    args = [written(arg) for arg in test.input]
    args += [f"{name}={written(value)}" for name, value in (test.kwargs or {}).items()]
    return f"{problem.entry_point or '(the function)'}({', '.join(args)})"


def _assertion(problem: Problem, index: int) -> tuple[Piece | None, Piece | None]:
    made = _plan(problem)
    if made is None:
        return None, None
    if index >= len(made.tests):
        return (cut(made.opaque) if made.opaque is not None else None), None
    test = made.tests[index]
    exact = test.relation in (Relation.EQ, Relation.IS)
    return cut(test.source), cut(written(test.expected)) if exact else None


def _plan(problem: Problem) -> AssertPlan | None:
    style = problem.test_style if problem.test_style in ("pytest", "unittest") else None
    try:
        return plan(problem.test_code or "", problem.entry_point, problem.starter_code or "", style)
    except DataError:
        return None
