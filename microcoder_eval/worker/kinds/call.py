"""Call problems: a function of the program is called, and what it returns is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from microcoder_eval.worker.checked_outputs import CheckedValueExpectation
from microcoder_eval.worker.test_cases import SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.verdicts import ValueExpectation
from microcoder_sandbox import Outcome, Program, codec, make_call_request, sealed_memfd


def list_series(run: SolutionRun, program: Program) -> Iterator[TestSeries]:
    """All tests."""

    def make_case(index: int) -> TestCase:
        return _make_case(run, program, index)

    yield TestSeries(run.order, make_case, program, is_call=True)


def _make_case(run: SolutionRun, program: Program, index: int) -> TestCase:
    problem = run.problem
    arguments, keyword_arguments, encoded_result = problem.tests[index]

    def make_job() -> dict[str, Any]:
        return {
            "entry": problem.spec.entry_point,
            "class_first": "class Solution" in problem.starter_code,
            "args": arguments,
            "kwargs": keyword_arguments or {},
            "in_place": encoded_result is not None and problem.works_in_place,
        }

    expected = codec.from_json(encoded_result)
    expectation = (
        CheckedValueExpectation(
            run.checker, run.checker_budget, codec.from_json(arguments), expected
        )
        if run.checker is not None
        else ValueExpectation(problem.comparer, expected)
    )
    return make_call_case(run, program, index, make_job, expectation)


def make_call_case(
    run: SolutionRun,
    program: Program,
    index: int,
    make_job: Callable[[], dict[str, Any]],
    expectation: ValueExpectation,
) -> TestCase:
    """One function call. make_job: of what call.py of the sandbox says, the values encoded."""
    problem = run.problem
    limits = run.make_limits()

    def load_job() -> bytes:
        return problem.get_encoded_job(index, make_job)

    def run_once() -> Outcome:
        fd = problem.get_input_file(index, lambda: sealed_memfd(load_job(), "arguments"))
        folder_bytes = problem.limits.folder_bytes
        return run.sandbox.run(make_call_request(program, fd, limits, folder_bytes=folder_bytes))

    return TestCase(run_once, limits, expectation, load_job)
