"""Interactive problems: the program talks with the problem's interactor, in one pass or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from microcoder_eval.worker.interactor import InteractorExpectation
from microcoder_eval.worker.kinds.stdin import make_expectation
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.passes import Pass, PassesExpectation
from microcoder_eval.worker.test_cases import ProblemKind, SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_sandbox import Outcome, RunRequest


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """All tests, each in a child of its own."""
    interactor, problem = run.interactor, run.problem
    assert interactor is not None

    def make_case(index: int) -> TestCase:
        first_test = problem.tests[index]
        output = make_expectation(run, first_test) if interactor.is_checked else None
        limits = run.make_limits()

        def run_interaction(expectation: InteractorExpectation) -> Outcome:
            def make_request() -> RunRequest:
                return program.make_request(limits, problem.limits.folder_bytes)

            return expectation.run_interaction(make_request, limits, program.adjust_outcome)

        def make_pass(test: TextTest, files: Mapping[str, bytes]) -> Pass:
            expectation = InteractorExpectation(interactor, run.checker_budget, test, output, files)
            return Pass(lambda: run_interaction(expectation), expectation)

        if interactor.max_passes > 1:
            passes = PassesExpectation(first_test, interactor.max_passes, make_pass)
            return TestCase(passes.run_passes, limits, passes)
        only_pass = make_pass(first_test, {})
        return TestCase(only_pass.run, limits, only_pass.expectation)

    yield TestSeries(run.order, make_case)


KIND = ProblemKind(list_series)
