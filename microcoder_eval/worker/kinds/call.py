"""Call problems: a function of the program is called, and what it returns is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from microcoder_eval.languages import Language
from microcoder_eval.python_tests.given_names import add_imports, list_leetcode_imports
from microcoder_eval.worker.expectations import Expectation, expect_result
from microcoder_eval.worker.judge_programs.checked_outputs import expect_checked_value
from microcoder_eval.worker.messages import ValueTest
from microcoder_eval.worker.prepared_problem import PreparedProblem
from microcoder_eval.worker.program_files import ProgramFiles
from microcoder_eval.worker.solution import Build, ProblemKind, SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_eval.worker.verdicts import TestRun
from microcoder_sandbox import (
    CallJob,
    Program,
    ResourceLimits,
    codec,
    make_call_request,
    make_sealed_memfd,
)


def list_series(run: SolutionRun, text_program: TextProgram) -> Iterator[TestSeries]:
    """Yield all tests."""
    program = text_program.python_program
    assert program is not None
    make_case = partial(_make_case, run, program, run.make_limits())
    yield TestSeries(run.order, make_case, program, is_call=True)


def _add_leetcode_imports(
    problem: PreparedProblem, files: ProgramFiles, language: Language
) -> Build:
    """Return a program with the imports that LeetCode makes for it."""
    entry = (problem.definition.entry_point or "").rpartition(".")[2]
    source = add_imports(files.source, list_leetcode_imports({entry}))
    return replace(files, source=source), language


def make_expectation(run: SolutionRun, test: ValueTest) -> Expectation:
    """Return what the problem's checker or comparer expects of a result."""
    expected = codec.from_json(test.result)
    if run.checker is not None:
        arguments = codec.from_json(test.arguments)
        return expect_checked_value(run.checker, run.checker_budget, arguments, expected)
    return expect_result(run.problem.comparer, expected)


def _make_case(run: SolutionRun, program: Program, limits: ResourceLimits, index: int) -> TestCase:
    problem = run.problem
    test: ValueTest = problem.tests[index]

    def make_job() -> CallJob:
        return CallJob(
            problem.definition.entry_point or "",
            class_first="class Solution" in problem.starter_code,
            args=test.arguments,
            kwargs=test.keyword_arguments or {},
            hints=problem.starter_hints,
            in_place=test.result is not None and problem.changes_argument,
        )

    return make_call_case(run, program, limits, index, make_job, make_expectation(run, test))


def make_call_case(
    run: SolutionRun,
    program: Program,
    limits: ResourceLimits,
    index: int,
    make_job: Callable[[], CallJob],
    expectation: Expectation,
) -> TestCase:
    """Return one function call as a test case. make_job: makes the call's job when it is needed."""
    problem = run.problem

    def load_job() -> bytes:
        return problem.get_encoded_job(index, make_job)

    def run_once() -> TestRun:
        fd = problem.get_input_file(index, lambda: make_sealed_memfd(load_job(), "arguments"))
        return TestRun(run.sandbox.run(make_call_request(program, fd, limits)))

    return TestCase(run_once, limits, expectation, load_job)


KIND = ProblemKind(list_series, add_code=_add_leetcode_imports)
