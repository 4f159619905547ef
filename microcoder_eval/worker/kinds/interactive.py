"""Interactive problems: the program talks with the problem's interactor, in one pass or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from microcoder_eval.worker.interactor import InteractorExpectation
from microcoder_eval.worker.kinds.stdin import make_expectation
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.passes import Pass, PassesExpectation
from microcoder_eval.worker.test_cases import ProblemKind, SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_sandbox import Outcome


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """All tests, each in a child of its own."""
    interactor, problem = run.interactor, run.problem
    assert interactor is not None

    def make_case(index: int) -> TestCase:
        first_test = problem.tests[index]
        output = make_expectation(run, first_test) if interactor.is_checked else None
        limits = run.make_limits()

        make_request = partial(program.make_request, limits)

        def make_pass(test: TextTest, files: Mapping[str, bytes]) -> Pass:
            expectation = InteractorExpectation(interactor, run.checker_budget, test, output, files)

            def run_once() -> Outcome:
                return expectation.run_interaction(make_request, limits, program.adjust_outcome)

            return Pass(run_once, expectation)

        passes = PassesExpectation(first_test, interactor, make_pass)
        return TestCase(passes.run_passes, limits, passes)

    yield TestSeries(run.order, make_case)


KIND = ProblemKind(list_series)
