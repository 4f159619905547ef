"""Interactive problems: the program talks with the problem's interactor, in one pass or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from microcoder_eval.worker.kinds.stdin import make_expectation
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.passes import make_case_of_passes
from microcoder_eval.worker.test_cases import ProblemKind, SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_eval.worker.verdicts import TestRun


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """Yield all tests, each in a child of its own."""
    interactor, problem = run.interactor, run.problem
    assert interactor is not None

    def make_case(index: int) -> TestCase:
        first_test = problem.tests[index]
        output = make_expectation(run, first_test) if interactor.is_checked else None
        limits = run.make_limits()

        def run_pass(test: TextTest, files: Mapping[str, bytes]) -> TestRun:
            budget = run.checker_budget
            return interactor.judge(program, limits, budget, test, output, files)

        return make_case_of_passes(first_test, interactor, run_pass, limits)

    yield TestSeries(run.order, make_case)


KIND = ProblemKind(list_series)
