"""Interactive problems: the program talks with the problem's interactor, in one pass or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from microcoder_eval.worker.interactor import InteractiveRun
from microcoder_eval.worker.kinds.stdin import make_expectation
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.passes import Pass, Passes
from microcoder_eval.worker.test_cases import ProblemKind, SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """Yield all tests, each in a child of its own."""
    interactor, problem = run.interactor, run.problem
    assert interactor is not None

    def make_case(index: int) -> TestCase:
        first_test = problem.tests[index]
        output = make_expectation(run, first_test) if interactor.is_checked else None
        limits = run.make_limits()

        make_request = partial(program.make_request, limits)

        def make_pass(test: TextTest, files: Mapping[str, bytes]) -> Pass:
            turn = InteractiveRun(interactor, run.checker_budget, test, output, files)
            run_once = partial(turn.run, make_request, limits, program.adjust_outcome)
            return Pass(run_once, turn.compare)

        return Passes(first_test, interactor, make_pass).make_case(limits)

    yield TestSeries(run.order, make_case)


KIND = ProblemKind(list_series)
