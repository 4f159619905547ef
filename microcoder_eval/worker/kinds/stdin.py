"""Problems of text: the program reads the input and prints the output."""

from __future__ import annotations

from collections.abc import Iterator

from microcoder_eval.worker.checkers import CheckedOutputExpectation
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.test_cases import SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_eval.worker.verdicts import Expectation
from microcoder_sandbox.driver.sandbox import sealed_memfd
from microcoder_sandbox.outcome import Outcome


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """All tests."""

    def make_case(index: int) -> TestCase:
        return _make_case(run, program, index)

    yield TestSeries(run.order, make_case, program.python_program)


def _make_case(run: SolutionRun, program: TextProgram, index: int) -> TestCase:
    problem = run.problem
    test: TextTest = problem.tests[index]
    limits = run.make_limits(len(test.output))
    expectation = (
        CheckedOutputExpectation(run.checker, test)
        if run.checker is not None
        else Expectation(problem.get_comparer(test.checker_args), test.output)
    )

    def run_once() -> Outcome:
        fd = problem.get_input_file(index, lambda: sealed_memfd(test.input))
        return program.run(fd, limits, problem.limits.folder_bytes)

    return TestCase(run_once, limits, expectation, lambda: test.input)
