"""In a worker: problems of several passes. The validator, or interactor, may ask for further runs
of the program, whose input it writes.

Source: the problem package format, 2025-09, "Multi-pass validation"; DOMjudge's multi-pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from microcoder_eval.records import Verdict
from microcoder_sandbox import Outcome, ResourceLimits

from .checkers import SourceChecker
from .expectations import Comparison, Expectation
from .judge_programs import get_failed_flag
from .messages import TextTest
from .test_cases import TestCase
from .verdicts import TestRun

_NEXT_INPUT = "nextpass.in"  # in the feedback folder: the next pass is asked for


def make_case_of_passes(
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
                comparison = _refuse_more_passes(validator)
                break
            pass_test = test._replace(input=next_input)
        return TestRun(_combine_outcomes(outcomes), comparison)

    return TestCase(run, limits, Expectation())


def _refuse_more_passes(validator: SourceChecker) -> Comparison:
    """Return the verdict where the validator asks for too many passes: the program's output is
    taken to be the reason."""
    detail = f"the validator asks for more than {validator.max_passes} passes (validation_passes)"
    return Comparison(Verdict.WA, detail, flags=(get_failed_flag(validator.role),))


def _combine_outcomes(outcomes: list[Outcome]) -> Outcome:
    """Return the outcome of the last pass, with the most time and memory of all passes."""
    return outcomes[-1]._replace(
        cpu_s=max(outcome.cpu_s for outcome in outcomes),
        wall_s=max(outcome.wall_s for outcome in outcomes),
        peak_memory=max(outcome.peak_memory or 0 for outcome in outcomes),
    )
