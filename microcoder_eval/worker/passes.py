"""In a worker: problems of several passes. The validator may ask for further runs of the program,
whose input it writes.

Source: the problem package format, 2023-07, "Multi-pass Problems"; DOMjudge's multi-pass.
"""

from __future__ import annotations

from collections.abc import Callable

from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.records import Verdict
from microcoder_sandbox.outcome import Outcome

from .checked_outputs import CheckedOutputExpectation
from .checkers import SourceChecker
from .messages import TextTest
from .verdicts import Expectation

_NEXT_INPUT = "nextpass.in"  # in the feedback folder: the next pass is asked for


class PassesExpectation(Expectation):
    """That the validator accepts the output of each pass. Limits hold for a pass alone."""

    def __init__(self, checker: SourceChecker, test: TextTest) -> None:
        self._checker = checker
        self._test = test
        self._result: tuple[Verdict, str | None, str | None] | None = None

    def run_passes(self, run_pass: Callable[[bytes], Outcome]) -> Outcome:
        """Run the program until no further pass is asked for, or one fails.

        run_pass: runs the program on an input. Returns the outcome of the last pass, with the most
        time and memory of all passes. Raises SandboxError, UnjudgeableError.
        """
        test, files, outcomes = self._test, dict[str, bytes](), list[Outcome]()
        self._result = None
        while True:
            outcomes.append(outcome := run_pass(test.input))
            if outcome.killed is not None or outcome.exit_code != 0:
                break
            output = CheckedOutputExpectation(self._checker, test, files)
            self._result = output.compare(outcome)
            self.flags, self.score = output.flags, output.score
            files = dict(output.files)
            next_input = files.pop(_NEXT_INPUT, None)
            if self._result[0] is not Verdict.AC or next_input is None:
                break
            if len(outcomes) == self._checker.max_passes:
                raise UnjudgeableError(
                    f"the validator asks for more than {len(outcomes)} passes (validation_passes)"
                )
            test = test._replace(input=next_input)
        return outcome._replace(
            cpu_s=max(outcome.cpu_s for outcome in outcomes),
            wall_s=max(outcome.wall_s for outcome in outcomes),
            peak_memory=max(outcome.peak_memory or 0 for outcome in outcomes),
        )

    def compare(self, outcome: Outcome) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted, of the last pass."""
        assert self._result is not None
        return self._result
