"""In a worker: how one solution is run, as all of its tests see it."""

from __future__ import annotations

from collections.abc import Sequence

from microcoder_eval.points import list_needed_tests
from microcoder_eval.records import TestResult
from microcoder_eval.results.solution_points import list_outcomes
from microcoder_sandbox import ResourceLimits

from .judge_programs.checked_outputs import CheckerBudget
from .messages import SolutionRequest
from .prepared_problem import PreparedProblem
from .text_programs import WorkerContext


class SolutionRun:
    """One solution and the tests of its problem.

    order: the tests by index, as they are run.
    stops_early: whether they stop at the first failed one.
    alone, hash_seed: see ``SolutionRequest``.
    """

    def __init__(
        self,
        context: WorkerContext,
        problem: PreparedProblem,
        request: SolutionRequest,
        test_count: int,
    ) -> None:
        resolved = problem.resolved
        self.context = context
        self.sandbox = context.sandbox
        self.checker = problem.get_checker(context)
        self.interactor = problem.get_interactor(context)
        self.checker_budget = CheckerBudget()
        self.problem = problem
        self.alone = request.alone
        self.hash_seed = request.hash_seed
        self.batch = resolved.batch and not request.alone and not problem.limits.folder_bytes
        self.order: Sequence[int] = range(test_count)
        # With points, run all tests that the points depend on, not only those up to a failure.
        self._keeps_points = bool(problem.groups) and resolved.stop == "first_failure"
        self.stops_early = resolved.stop != "never" and not self._keeps_points
        if resolved.adaptive and self.stops_early and problem.tests:
            counts = problem.failure_counts
            self.order = sorted(problem.tests_by_size, key=lambda index: -counts[index])

    def select_needed(self, indices: list[int], results: Sequence[TestResult | None]) -> list[int]:
        """Return the tests to be run that the points still need, given the results so far."""
        if not self._keeps_points:
            return indices
        needed_indices = self._list_needed(results)
        return [index for index in indices if index in needed_indices]

    def misses_needed_tests(self, results: Sequence[TestResult | None]) -> bool:
        """Whether tests that the points need have not run."""
        return bool(self._list_needed(results))

    def _list_needed(self, results: Sequence[TestResult | None]) -> set[int]:
        outcomes = list_outcomes(results, len(self.problem.tests))
        return list_needed_tests(self.problem.groups, outcomes)

    def make_limits(self, expected_bytes: int = 0) -> ResourceLimits:
        """Return the limits of one test. expected_bytes: the size of its expected output."""
        return self.problem.make_limits(expected_bytes, self.alone)
