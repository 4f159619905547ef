"""Problems of text: the program reads the input and prints the output."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from microcoder_eval.worker.checked_outputs import CheckedOutputExpectation
from microcoder_eval.worker.checkers import SourceChecker
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.passes import Pass, PassesExpectation
from microcoder_eval.worker.test_cases import ProblemKind, SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_eval.worker.verdicts import Expectation
from microcoder_sandbox import Outcome, ResourceLimits, sealed_memfd


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """All tests."""

    def make_case(index: int) -> TestCase:
        return _make_case(run, program, index)

    has_passes = run.checker is not None and run.checker.max_passes > 1
    yield TestSeries(run.order, make_case, None if has_passes else program.python_program)


def make_expectation(run: SolutionRun, test: TextTest) -> Expectation:
    """Return what the problem's checker or comparer expects of an output."""
    if run.checker is not None:
        return CheckedOutputExpectation(run.checker, run.checker_budget, test)
    return Expectation(run.problem.get_comparer(test.checker_args), test.output)


def _make_case(run: SolutionRun, program: TextProgram, index: int) -> TestCase:
    problem = run.problem
    test: TextTest = problem.tests[index]
    limits = run.make_limits(len(test.output))
    if run.checker is not None and run.checker.max_passes > 1:
        return _make_case_of_passes(run, program, run.checker, test, limits)
    expectation = make_expectation(run, test)

    def run_once() -> Outcome:
        fd = problem.get_input_file(index, lambda: sealed_memfd(test.input))
        return program.run(fd, limits, problem.limits.folder_bytes)

    return TestCase(run_once, limits, expectation, lambda: test.input)


def _make_case_of_passes(
    run: SolutionRun,
    program: TextProgram,
    checker: SourceChecker,
    first_test: TextTest,
    limits: ResourceLimits,
) -> TestCase:
    def make_pass(test: TextTest, files: Mapping[str, bytes]) -> Pass:
        def run_once() -> Outcome:
            fd = sealed_memfd(test.input)
            try:
                return program.run(fd, limits, run.problem.limits.folder_bytes)
            finally:
                os.close(fd)

        return Pass(run_once, CheckedOutputExpectation(checker, run.checker_budget, test, files))

    expectation = PassesExpectation(first_test, checker.max_passes, make_pass)
    return TestCase(expectation.run_passes, limits, expectation)


KIND = ProblemKind(list_series)
