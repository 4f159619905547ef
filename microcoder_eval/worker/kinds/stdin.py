"""Problems of text: the program reads the input and prints the output, or talks with an interactor.

A test may take several passes: the validator, or interactor, asks for further runs of the program,
whose input it writes. Source: the problem package format, 2025-09, "Multi-pass validation";
DOMjudge's multi-pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from microcoder_eval.compare import Comparer
from microcoder_eval.records import Verdict
from microcoder_eval.worker.expectations import Comparison, Expectation, read_match
from microcoder_eval.worker.judge_programs.checked_outputs import check_output
from microcoder_eval.worker.judge_programs.checkers import SourceChecker
from microcoder_eval.worker.judge_programs.interactor import Interactor
from microcoder_eval.worker.judge_programs.programs import get_failed_flag
from microcoder_eval.worker.messages import TextTest
from microcoder_eval.worker.solution import ProblemKind, SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_eval.worker.verdicts import TestRun
from microcoder_sandbox import Outcome, ResourceLimits, make_sealed_memfd

_NEXT_INPUT = "nextpass.in"  # in the feedback folder: the next pass is asked for


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """Yield all tests."""
    checker, interactor = run.checker, run.interactor
    if interactor is not None:
        yield TestSeries(run.order, partial(_make_interactive_case, run, program, interactor))
    elif checker is not None and checker.max_passes > 1:
        yield TestSeries(run.order, partial(_make_case_of_passes, run, program, checker))
    else:
        yield TestSeries(run.order, partial(_make_case, run, program), program.python_program)


def expect_output(comparer: Comparer, expected: bytes) -> Expectation:
    """Expect an output that a comparer accepts."""
    return Expectation(lambda outcome: read_match(comparer.compare_text(outcome.stdout, expected)))


def _make_expectation(run: SolutionRun, test: TextTest) -> Expectation:
    """Return what the problem's checker or comparer expects of an output."""
    if run.checker is not None:
        return Expectation(partial(check_output, run.checker, run.checker_budget, test, {}))
    return expect_output(run.problem.get_comparer(test.checker_args), test.output)


def _make_case(run: SolutionRun, program: TextProgram, index: int) -> TestCase:
    problem = run.problem
    test: TextTest = problem.tests[index]
    limits = run.make_limits(len(test.output))
    expectation = _make_expectation(run, test)

    def run_once() -> TestRun:
        fd = problem.get_input_file(index, lambda: make_sealed_memfd(test.input))
        return TestRun(program.run(fd, limits))

    return TestCase(run_once, limits, expectation, lambda: test.input)


def _make_case_of_passes(
    run: SolutionRun, program: TextProgram, checker: SourceChecker, index: int
) -> TestCase:
    first_test: TextTest = run.problem.tests[index]
    limits = run.make_limits(len(first_test.output))

    def run_pass(test: TextTest, files: Mapping[str, bytes]) -> TestRun:
        outcome = program.run(test.input, limits)
        if not outcome.ended_well:
            return TestRun(outcome)
        return TestRun(outcome, check_output(checker, run.checker_budget, test, files, outcome))

    return _run_passes(first_test, checker, run_pass, limits)


def _make_interactive_case(
    run: SolutionRun, program: TextProgram, interactor: Interactor, index: int
) -> TestCase:
    first_test: TextTest = run.problem.tests[index]
    output = _make_expectation(run, first_test) if interactor.is_checked else None
    limits = run.make_limits()

    def run_pass(test: TextTest, files: Mapping[str, bytes]) -> TestRun:
        return interactor.judge(program, limits, run.checker_budget, test, output, files)

    return _run_passes(first_test, interactor, run_pass, limits)


def _run_passes(
    test: TextTest,
    validator: SourceChecker,
    run_pass: Callable[[TextTest, Mapping[str, bytes]], TestRun],
    limits: ResourceLimits,
) -> TestCase:
    """Return the passes of a test as one test case; there may be only one. The validator has to
    accept each, and the limits apply to each.

    run_pass: runs the program on a test that has the pass's input, with these files in the feedback
    folder, and compares what it says where it ends well. Raises SandboxError, UnjudgeableError.
    """

    def run() -> TestRun:
        pass_test, files, outcomes = test, dict[str, bytes](), list[Outcome]()
        while True:
            test_run = run_pass(pass_test, files)
            outcomes.append(test_run.outcome)
            comparison = test_run.comparison
            if comparison is None or comparison.verdict is not Verdict.AC:
                break
            files = dict(comparison.files or {})
            next_input = files.pop(_NEXT_INPUT, None)
            if next_input is None:
                break
            if len(outcomes) == validator.max_passes:
                # The program's output is taken to be the reason.
                count, flag = validator.max_passes, get_failed_flag(validator.role)
                detail = f"the validator asks for more than {count} passes (validation_passes)"
                comparison = Comparison(Verdict.WA, detail, flags=(flag,))
                break
            pass_test = test._replace(input=next_input)
        return TestRun(_combine_outcomes(outcomes), comparison)

    return TestCase(run, limits, Expectation())


def _combine_outcomes(outcomes: list[Outcome]) -> Outcome:
    """Return the outcome of the last pass, with the most time and memory of all passes."""
    return outcomes[-1]._replace(
        cpu_s=max(outcome.cpu_s for outcome in outcomes),
        wall_s=max(outcome.wall_s for outcome in outcomes),
        peak_memory=max(outcome.peak_memory or 0 for outcome in outcomes),
    )


KIND = ProblemKind(list_series)
