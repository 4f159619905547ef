"""In a worker: outputs and results of calls, judged by the problem's own checker."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from microcoder_eval import retries
from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.records import Verdict
from microcoder_sandbox import Outcome, codec

from .checkers import SourceChecker
from .messages import TextTest
from .scores import CheckerFailedError, CheckResult
from .verdicts import Expectation, ValueExpectation, explained_nodes

METHOD = "checker"
_FAILED_FLAG = "checker_failed"  # the flag of a WA that follows from its failure
# What few checkers fail over, where the data has no expected output: short answers of any problem.
_SAMPLE_TEXTS = (b"", b"1\n", b"1 1\n", b"1 1 1\n", b"1\n1\n1\n1\n")
_SAMPLE_VALUES: tuple[Any, ...] = (None, 1, "1", [], [1, 1])
_CHECKED_NODE_ALLOWANCE = 1_000_000  # nodes of a result that are read in any case


class CheckedOutputExpectation(Expectation):
    """Standard output, judged by the problem's own checker.

    folder: the files that the checker finds in its feedback folder. files: those that it left
    there, after a comparison, where the problem has several passes. first_test: the test of the
    first pass, which holds nothing that follows from what the program printed; by default the test.
    """

    failed_flag = _FAILED_FLAG

    def __init__(
        self,
        checker: SourceChecker,
        test: TextTest,
        folder: Mapping[str, bytes] | None = None,
        first_test: TextTest | None = None,
    ) -> None:
        self._first_test = first_test or test
        self._checker = checker
        self._test = test
        self._folder = folder
        self.files: Mapping[str, bytes] = {}

    def compare(self, outcome: Outcome) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""

        def check(output: bytes) -> CheckResult:
            result = self._checker.check_text(self._test, output, self._folder)
            self.files = result.files
            return result

        def works() -> bool:
            test = self._first_test
            samples = (test.output, test.output * 2, test.input, *_SAMPLE_TEXTS)
            return self._checker.works(
                test,
                lambda sample: self._checker.check_text(test, sample),
                tuple(dict.fromkeys(samples)),
            )

        return _check_output(self, check, outcome.stdout, works)


class CheckedValueExpectation(ValueExpectation):
    """The result of a call, judged by the problem's own checker."""

    node_allowance = _CHECKED_NODE_ALLOWANCE

    def __init__(self, checker: SourceChecker, input_value: Any, expected: Any) -> None:
        self._checker = checker
        self._input_value = input_value
        self._expected = expected

    def _max_nodes(self) -> int:
        # Where many outputs are right, the expected one may be short, or missing.
        return super()._max_nodes() + explained_nodes(self._input_value)

    def accept(self, actual: Any) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""

        def check(output: Any) -> CheckResult:
            return self._checker.check_value(self._input_value, output, self._expected)

        def works() -> bool:
            key = (json.dumps(codec.to_json([self._input_value, self._expected])),)
            samples = (self._expected, self._input_value, *_SAMPLE_VALUES)
            return self._checker.works(key, check, samples)

        try:
            return _check_output(self, check, actual, works)
        except codec.NotEncodableError as error:  # the data's own values were written once already
            return Verdict.WA, f"the result cannot be given to the checker: {error}", None


def _check_output(
    expectation: Expectation,
    check: Callable[[Any], CheckResult],
    output: Any,
    works: Callable[[], bool],
) -> tuple[Verdict, str | None, str | None]:
    """Return what the checker makes of an output (retries.CHECKER)."""
    expectation.flags, expectation.score = (), None
    for _ in range(retries.CHECKER.attempts):
        try:
            result = check(output)
        except CheckerFailedError as error:
            failure = error
        else:
            expectation.score = result.score
            if result.accepted:
                return Verdict.AC, result.reason, METHOD
            return Verdict.WA, result.reason or "refused by the checker", None
    if not works():
        raise UnjudgeableError(str(failure)) from failure
    expectation.flags = (_FAILED_FLAG,)
    return Verdict.WA, str(failure), None
