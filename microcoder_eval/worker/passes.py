"""In a worker: problems of several passes. The validator, or interactor, may ask for further runs
of the program, whose input it writes.

Source: the problem package format, 2025-09, "Multi-pass validation"; DOMjudge's multi-pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from microcoder_eval.records import Verdict
from microcoder_sandbox import Outcome, ResourceLimits, record

from .checkers import SourceChecker
from .judge_programs import get_failed_flag
from .messages import TextTest
from .test_cases import TestCase
from .verdicts import Comparison, Expectation

_NEXT_INPUT = "nextpass.in"  # in the feedback folder: the next pass is asked for


@record
class Pass:
    """One run of the program, and what its validator says of it."""

    run: Callable[[], Outcome]
    compare: Callable[[Outcome], Comparison]


# Makes a pass of a test that has the pass's input, with these files in the feedback folder.
PassFactory = Callable[[TextTest, Mapping[str, bytes]], Pass]


class Passes:
    """The passes of a test, each of which the validator has to accept; there may be only one.
    Limits apply to each pass on its own.

    If the validator asks for too many passes, the program's output is taken to be the reason: the
    verdict is WA, with the flag of a validator that failed.
    """

    def __init__(self, test: TextTest, validator: SourceChecker, make_pass: PassFactory) -> None:
        self._test = test
        self._validator = validator
        self._make_pass = make_pass
        self._comparison: Comparison | None = None  # of the last pass

    def make_case(self, limits: ResourceLimits) -> TestCase:
        """Return the passes as one test case."""
        return TestCase(self._run, limits, Expectation(self._compare))

    def _run(self) -> Outcome:
        """Run the program until no further pass is asked for, or one fails.

        Returns the outcome of the last pass, with the most time and memory of all passes. Raises
        SandboxError, UnjudgeableError.
        """
        test, files, outcomes = self._test, dict[str, bytes](), list[Outcome]()
        self._comparison = None
        while True:
            next_pass = self._make_pass(test, files)
            outcomes.append(outcome := next_pass.run())
            if outcome.killed is not None or outcome.exit_code != 0:
                break
            comparison = self._comparison = next_pass.compare(outcome)
            files = dict(comparison.files or {})
            next_input = files.pop(_NEXT_INPUT, None)
            validator = self._validator
            if comparison.verdict is not Verdict.AC or next_input is None:
                break
            if len(outcomes) == validator.max_passes:
                detail = f"the validator asks for more than {len(outcomes)} passes"
                self._comparison = Comparison(
                    Verdict.WA,
                    f"{detail} (validation_passes)",
                    flags=(get_failed_flag(validator.role),),
                )
                break
            test = replace(test, input=next_input)
        return outcome._replace(
            cpu_s=max(outcome.cpu_s for outcome in outcomes),
            wall_s=max(outcome.wall_s for outcome in outcomes),
            peak_memory=max(outcome.peak_memory or 0 for outcome in outcomes),
        )

    def _compare(self, _: Outcome) -> Comparison:
        """Return the comparison of the last pass."""
        assert self._comparison is not None
        return self._comparison
