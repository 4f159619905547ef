"""Interactive problems: the program talks with the problem's interactor."""

from __future__ import annotations

from collections.abc import Iterator

from microcoder_eval.worker.interactor import InteractorExpectation
from microcoder_eval.worker.kinds.stdin import make_expectation
from microcoder_eval.worker.test_cases import SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_sandbox.outcome import Outcome


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """All tests, each in a child of its own."""
    interactor, problem = run.interactor, run.problem
    assert interactor is not None

    def make_case(index: int) -> TestCase:
        test = problem.tests[index]
        output = make_expectation(run, test) if interactor.is_checked else None
        expectation = InteractorExpectation(interactor, test, output)
        limits = run.make_limits()

        def run_once() -> Outcome:
            request = program.make_request(limits, problem.limits.folder_bytes)
            return expectation.run_interaction(request, limits, program.adjust_outcome)

        return TestCase(run_once, limits, expectation)

    yield TestSeries(run.order, make_case)
