"""The records that travel the road of a solution, each made once and never edited.

    JSONL line -> Problem, Solution -> Job per test -> Outcome -> TestResult -> Judgement

Standard library only: the workers import this module and must start in milliseconds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from microcoder_sandbox import codec

DEFAULT_TIME_S = 6.0
DEFAULT_MEMORY_MB = 1024
MIN_OUTPUT_MB = 16.0


class Verdict(StrEnum):
    """The field's letters. JE is the judge's own failure: no score, in no denominator."""

    AC = "AC"
    WA = "WA"
    TLE = "TLE"
    MLE = "MLE"
    OLE = "OLE"
    RE = "RE"
    CE = "CE"
    JE = "JE"


class Status(StrEnum):
    """What a trainer needs to know. ``incomplete``: the model's answer was cut off or empty."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    INCOMPLETE = "incomplete"
    ERROR = "error"


class Kind(StrEnum):
    """How a problem is asked: text in and out, a function call, or a piece of test code."""

    STDIN = "stdin"
    CALL = "call"
    ASSERT = "assert"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one test. ``None`` means: the problem's own value, else the default.

    time_s: CPU seconds, user and system, all threads (default 6).
    wall_s: seconds on the clock (default max(3 * time_s, time_s + 2)).
    memory_mb: resident MiB above an idle interpreter (default 1024).
    output_mb: MiB on standard output (default max(16, twice the expected output)).
    files_mb: MiB of files it may write, in a working folder that starts empty (default: none).
    """

    time_s: float | None = None
    wall_s: float | None = None
    memory_mb: float | None = None
    output_mb: float | None = None
    files_mb: float | None = None

    def given(self) -> list[float | None]:
        """For hashes: the four that always were, and what came later only where it is given."""
        later = [] if self.files_mb is None else [self.files_mb]
        return [self.time_s, self.wall_s, self.memory_mb, self.output_mb, *later]

    def over(self, base: Limits) -> Limits:
        """These limits where given, else those of ``base``."""
        return Limits(
            self.time_s if self.time_s is not None else base.time_s,
            self.wall_s if self.wall_s is not None else base.wall_s,
            self.memory_mb if self.memory_mb is not None else base.memory_mb,
            self.output_mb if self.output_mb is not None else base.output_mb,
            self.files_mb if self.files_mb is not None else base.files_mb,
        )


@dataclass(frozen=True, slots=True)
class Test:
    """One input and what is expected for it.

    stdin: two texts. call: a list of arguments (``kwargs`` only from rewritten assertions) and
    the value expected.
    """

    __test__ = False  # not a pytest class

    input: Any
    output: Any
    kwargs: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Problem:
    """One problem of tests.jsonl, validated and with defaults filled in."""

    problem_id: str
    kind: Kind
    tests: tuple[Test, ...] = ()
    entry_point: str | None = None
    test_code: str | None = None
    test_style: str | None = None
    limits: Limits = Limits()
    checker: Mapping[str, Any] | None = None
    interactor: Mapping[str, Any] | None = None
    statement: str | None = None
    starter_code: str | None = None
    platform: str | None = None
    difficulty: str | None = None
    date: str | None = None
    solutions: tuple[Mapping[str, Any], ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def tests_sha256(self) -> str:
        """Hash of everything in the problem that can change a verdict."""
        return self._fingerprint[0]

    @property
    def size(self) -> int:
        """About how many bytes its tests take."""
        return self._fingerprint[1]

    @cached_property
    def multiple_answers_suspected(self) -> str | None:
        """Why it seems to have several right answers and nothing to judge them; see suspicion.py.

        Found once: a problem is judged thousands of times in training.
        """
        from .suspicion import multiple_answers_suspected  # it imports this module

        return multiple_answers_suspected(self)

    @cached_property
    def _fingerprint(self) -> tuple[str, int]:
        deciding = {
            "kind": str(self.kind),
            "tests": [
                [codec.to_json(t.input), codec.to_json(t.output), codec.to_json(t.kwargs)]
                for t in self.tests
            ],
            "entry_point": self.entry_point,
            "test_code": self.test_code,
            "test_style": self.test_style,
            "limits": self.limits.given(),
            "checker": dict(self.checker) if self.checker else None,
            "starter_code": self.starter_code,
            # What came later stands in the hash only where it is given.
            **({"interactor": dict(self.interactor)} if self.interactor else {}),
        }
        text = _canonical(deciding)
        return hashlib.sha256(text).hexdigest(), len(text)


@dataclass(frozen=True, slots=True)
class Solution:
    """One line of solutions.jsonl: a program (``code``) or a model's answer (``response``)."""

    problem_id: str
    solution_id: str
    code: str | None = None
    response: str | None = None
    language: str = "python"
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TestResult:
    """What one test gave. ``memory_mb`` is the peak above an idle interpreter."""

    __test__ = False

    verdict: Verdict
    cpu_s: float
    wall_s: float
    memory_mb: float | None
    matched_by: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one solution, with its reasons; one line of results.jsonl."""

    problem_id: str
    solution_id: str
    verdict: Verdict
    passed: bool
    score: float | None
    status: Status
    tests: tuple[TestResult | None, ...]
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

    @property
    def reward(self) -> float | None:
        """1.0 when correct, 0.0 when not, None when the judge itself failed."""
        if self.status is Status.ERROR:
            return None
        return 1.0 if self.status is Status.CORRECT else 0.0

    def __float__(self) -> float:
        """The reward; raises ValueError for a judge's failure rather than call it wrong."""
        if self.reward is None:
            raise ValueError(f"the judge failed, there is no reward: {self.error}")
        return self.reward

    def with_meta(self, **extra: Any) -> Judgement:
        """A copy with more carried data."""
        return replace(self, meta={**self.meta, **extra})


def sha256_of(value: object) -> str:
    """Hash of a JSON-like value, independent of key order."""
    return hashlib.sha256(_canonical(value)).hexdigest()


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()
