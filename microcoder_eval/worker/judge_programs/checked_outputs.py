"""In a worker: outputs and results of calls, judged by the problem's own checker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from microcoder_eval.records import Verdict
from microcoder_eval.worker.expectations import Comparison, Expectation, bound_nodes, expect_value
from microcoder_eval.worker.messages import TextTest
from microcoder_sandbox import Outcome, codec

from .checkers import SourceChecker
from .programs import get_failed_flag

_FAILED_CHECKS_BUDGET_S = 9.0  # less than a check's CPU limit: one check that is stopped uses it up
_BUDGET_PER_TEST_S = 0.25  # added for each test, so that quick failures never use it up
_CHECKED_NODE_ALLOWANCE = 1_000_000  # nodes of a result that are read in any case


class CheckerBudget:
    """The time that failed checks of one solution may take in all, of checkers and interactors.

    Without this budget, a program could print in every test an output that keeps the checker busy
    until its limit. Checks that end well are free, and quick failures do not use the budget up.
    """

    def __init__(self) -> None:
        self._seconds_left = _FAILED_CHECKS_BUDGET_S
        self._failed_flag = ""

    def charge(self, comparison: Comparison, role: str) -> Comparison:
        """Account for a check, and return its comparison with its method or a detail. role: what
        the checking program is called."""
        self._seconds_left += _BUDGET_PER_TEST_S
        if comparison.verdict is Verdict.AC:
            return replace(comparison, method=role)
        flags: tuple[str, ...] = ()
        if comparison.failed_s is not None:
            self._seconds_left -= comparison.failed_s
            self._failed_flag = get_failed_flag(role)
            flags = (self._failed_flag,)
        return replace(
            comparison, detail=comparison.detail or f"refused by the {role}", flags=flags
        )

    def refuse_test(self) -> Comparison | None:
        """Return the verdict on a test that is not run because the time is used up, else None."""
        if self._seconds_left > 0:
            return None
        detail = "checks of earlier tests failed until the time for failed checks was used up"
        return Comparison(Verdict.WA, detail, flags=(self._failed_flag,))


def check_output(
    checker: SourceChecker,
    budget: CheckerBudget,
    test: TextTest,
    folder: Mapping[str, bytes],
    outcome: Outcome,
) -> Comparison:
    """Have the problem's own checker judge standard output. folder: the files that it finds in its
    feedback folder."""
    return budget.charge(checker.check_text(test, outcome.stdout, folder), checker.role)


def expect_checked_value(
    checker: SourceChecker, budget: CheckerBudget, input_value: Any, expected: Any
) -> Expectation:
    """Expect a result of a call that the problem's own checker accepts."""

    def accept(actual: Any) -> Comparison:
        try:
            comparison = checker.check_value(input_value, actual, expected)
        except codec.NotEncodableError as error:  # the result: the other values were encoded before
            return Comparison(Verdict.WA, f"the result cannot be given to the checker: {error}")
        return budget.charge(comparison, checker.role)

    def count_explained_nodes() -> int:
        # Where many outputs are right, the expected one may be short, or missing.
        return bound_nodes(expected) + bound_nodes(input_value)

    return expect_value(accept, count_explained_nodes, _CHECKED_NODE_ALLOWANCE)
