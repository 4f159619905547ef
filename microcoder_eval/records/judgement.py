"""The result of judging one solution, and how it is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

from microcoder_sandbox import codec, record

from .details import parse_mismatch
from .encoding import encode_line
from .enums import Kind, Status, Verdict
from .flags import IN_PROCESS_TESTS, OTHER_LANGUAGE, TESTS_FAILED
from .problem import Problem

_MAX_REPR_CHARS = 200
_MAX_INPUT_CHARS = 400
# Attributes by the names that other judges give them.
_USUAL_NAMES = {
    **dict.fromkeys(("correct", "accepted", "success", "ok"), "passed"),
    "result": "verdict",
    "results": "tests",
    "message": "reason",
}
_REASONS = {
    Verdict.WA: "The output is wrong",
    Verdict.TLE: "The program exceeded the time limit",
    Verdict.MLE: "The program exceeded the memory limit",
    Verdict.OLE: "The program printed too much",
    Verdict.RE: "The program failed at run time",
    Verdict.CE: "The program does not compile",
}


@dataclass(frozen=True, slots=True)
class TestResult:
    """The result of one test.

    verdict: None if the test was not run.
    cpu_s, wall_s: seconds.
    memory_mb: the peak in MiB above an idle interpreter.
    points: what the problem's checker gave, in a problem with groups, None if it gave none.
    """

    __test__ = False

    verdict: Verdict | None
    cpu_s: float = 0.0
    wall_s: float = 0.0
    memory_mb: float | None = None
    matched_by: str | None = None
    detail: str | None = None
    points: float | None = None

    def __reduce__(self) -> tuple[Any, ...]:  # pickled in a tenth of the time
        return TestResult, _read_result(self)

    @property
    def failed(self) -> bool:
        """Whether the test was run and not accepted."""
        return self.verdict is not None and self.verdict is not Verdict.AC

    def to_dict(self) -> dict[str, Any] | None:
        """Return the entry of "tests" in a result line; None for a test that was not run."""
        if self.verdict is None:
            return None
        entry = dict(zip(self.__slots__, _read_result(self), strict=True))
        entry["verdict"] = str(self.verdict)
        if self.points is None:
            del entry["points"]
        return entry


NOT_RUN = TestResult(None)
_read_result = attrgetter(*TestResult.__slots__)


@record
class GroupResult:
    """The points of one group of tests.

    points: None with the objective "min" if a test failed.
    max_points: the best possible, None if not known.
    verdict: that of the first test not accepted, else AC; None if no test counted.
    """

    name: str
    points: float | None
    max_points: float | None
    verdict: Verdict | None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of "groups" in a result line."""
        return {**vars(self), "verdict": None if self.verdict is None else str(self.verdict)}


@record
class Judgement:
    """The verdict on one solution, with its reasons; one line of results.jsonl.

    verdict: that of the first test that is not accepted, AC if all are. With points, AC only for
        all of them. CE for an answer without a program.
    score: the share of tests passed if all were run (with stop="first_failure" they seldom are),
        1.0 if accepted, 0.0 without a program that compiles, else None.
    tests: one result for each test of the problem; the verdict of a test that was not run is None.
    points, max_points, groups: only for a problem with groups. points is None if there are none
        (the judge failed, tests that count did not run, or the objective is "min" and a test
        failed).
    max_points: the best possible (with the objective "min" the fewest), None if not known.
    version: this package's version.
    versions: the versions of what compiled or ran the program, and of the packages that programs
        may import; empty in results of older versions.
    settings: those that can change a verdict and do not have their default; config_sha256 is the
        hash of all.
    """

    problem_id: str
    solution_id: str
    verdict: Verdict
    passed: bool
    score: float | None
    status: Status
    tests: tuple[TestResult, ...]
    error: str | None
    flags: tuple[str, ...]
    sandbox_level: int
    memory_method: str
    isolation: str
    tests_sha256: str
    code_sha256: str
    config_sha256: str
    version: str
    meta: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    points: float | None = None
    max_points: float | None = None
    groups: tuple[GroupResult, ...] = ()

    @property
    def points_share(self) -> float | None:
        """The points as a share of the best possible, 0 to 1; the reward where the problem has no
        points or no best possible ones. None if the judge failed."""
        if self.reward is None or self.passed or self.max_points is None:
            return self.reward
        points, best = self.points, self.max_points
        if points is None or points <= 0 or best <= 0:
            return 0.0
        return min(points / best, best / points)

    @property
    def reward(self) -> float | None:
        """1.0 if correct, 0.0 if not, None if the judge failed."""
        if self.status is Status.ERROR:
            return None
        return 1.0 if self.status is Status.CORRECT else 0.0

    @property
    def tests_run(self) -> tuple[TestResult, ...]:
        """The results of the tests that were run."""
        return tuple(test for test in self.tests if test.verdict is not None)

    @property
    def first_failure(self) -> tuple[int, TestResult] | None:
        """The first test that failed: its number from 0, and its result; None if none failed."""
        return next(((i, test) for i, test in enumerate(self.tests) if test.failed), None)

    @property
    def reason(self) -> str | None:
        """Why it did not pass, on one line without the test's number; None if it did or is
        unknown."""
        failure = self.first_failure
        if failure is not None and not self.error:
            return failure[1].detail
        flags = (flag for flag in self.flags if flag.startswith(OTHER_LANGUAGE))
        language = next(flags, "").removeprefix(OTHER_LANGUAGE)
        return f"{self.error}; the answer's program is in {language}" if language else self.error

    if not TYPE_CHECKING:  # type checkers know all attributes

        def __getattr__(self, name: str) -> NoReturn:
            hint = f'; did you mean "{_USUAL_NAMES[name]}"?' if name in _USUAL_NAMES else ""
            text = f'a Judgement has no attribute "{name}"{hint}'
            raise AttributeError(text, name=name, obj=self)

    def __float__(self) -> float:
        """Return the reward. Raises ValueError if the judge failed."""
        if self.reward is None:
            raise ValueError(f"the judge failed, so there is no reward: {self.error}")
        return self.reward

    def __bool__(self) -> bool:
        """Raise TypeError: neither "there is a judgement" nor "it passed" is the obvious sense."""
        raise TypeError(
            "a Judgement is neither true nor false: use .passed (accepted or not) or .reward "
            "(1.0, 0.0, or None if the judge failed)"
        )

    def __repr__(self) -> str:
        """Return verdict, score, the first failing test and why, in at most 200 characters."""
        score = "None" if self.score is None else f"{self.score:.3g}"
        text = f"Judgement({self.verdict}, score={score}, {len(self.tests)} tests"
        if (failure := self.first_failure) is not None:
            text += f", test {failure[0] + 1}: {failure[1].verdict}"
        if self.reason:
            text += f": {' '.join(self.reason.split())}"
        return f"{shorten(text, _MAX_REPR_CHARS - 1)})"

    def to_dict(self) -> dict[str, Any]:
        """Return the result line as an object, as files hold it; the order of its keys is fixed.

        Points are written only for problems that have groups.
        """
        line: dict[str, Any] = {key: getattr(self, key) for key in REQUIRED_FIELDS}
        line["verdict"], line["status"] = str(self.verdict), str(self.status)
        line["tests"] = [test.to_dict() for test in self.tests]
        line["flags"] = list(self.flags)
        if self.groups:
            line["points"] = self.points
            line["max_points"] = self.max_points
            line["groups"] = [group.to_dict() for group in self.groups]
        for name in ("versions", "settings", "meta"):
            if values := getattr(self, name):
                line[name] = dict(values)
        return line

    def to_json(self) -> str:
        """Return the result line as text, without a newline; it is valid UTF-8 and valid JSON."""
        return encode_line(self.to_dict(), allow_nan=False).decode()

    def feedback(
        self,
        max_chars: int = 1000,
        *,
        hide_expected: bool = False,
        problem: Problem | None = None,
    ) -> str:
        """Return what to tell a model for a second attempt: the first failing test and the
        difference.

        max_chars: the longest text.
        hide_expected: leave out the expected output, and all that could hold it.
        problem: that of this judgement; with it, the text has the test's input.

        Raises ValueError if the judge failed: that says nothing about the program.
        """
        if self.status is Status.ERROR:
            raise ValueError(f"the judge failed, so there is no feedback: {self.error}")
        if self.passed:
            return shorten("All tests passed.", max_chars)
        if (failure := self.first_failure) is None:
            return shorten(f"The answer holds no program that runs: {self.reason}.", max_chars)
        number, test = failure
        assert test.verdict is not None
        detail = self._hide_expected(test) if hide_expected else test.detail
        reason = _REASONS[test.verdict] + (f": {detail}" if detail else "")
        if test.verdict is Verdict.CE:
            return shorten(f"{reason}.", max_chars)
        text = f"Test {number + 1} of {len(self.tests)} failed. {reason}."
        if problem is not None and problem.kind is not Kind.ASSERT and number < len(problem.tests):
            value = problem.tests[number].input
            shown = value if isinstance(value, str) else json.dumps(codec.to_json(value))
            text += f"\nInput of that test:\n{shorten(shown, _MAX_INPUT_CHARS)}"
        return shorten(text, max_chars)

    def _hide_expected(self, test: TestResult) -> str | None:
        """Return a test's detail without what is expected. That of a wrong answer may be a
        checker's or an assertion's own words, so only known forms are shown; that of test code
        which ended early is never shown."""
        if test.verdict is Verdict.WA:
            mismatch = parse_mismatch(test.detail)
            return None if mismatch is None else f"{mismatch.place}got {mismatch.actual}"
        return None if {IN_PROCESS_TESTS, TESTS_FAILED}.intersection(self.flags) else test.detail


# Every result line has these keys, in this order.
REQUIRED_FIELDS = tuple(
    item.name for item in fields(Judgement) if item.default is item.default_factory is MISSING
)


def shorten(text: str, max_chars: int) -> str:
    """Return the text, or its start and an ellipsis, in at most so many characters."""
    return text if len(text) <= max_chars else text[: max(0, max_chars - 1)] + "…"[:max_chars]
