"""The records of judging. They are immutable.

    JSONL line -> Problem, Solution -> test cases -> Outcome -> TestResult -> Judgement

Workers import this module and must start in milliseconds, so it imports the standard library only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from microcoder_sandbox import codec

from .forksafe import lazy_property
from .points import TestGroup, encode_groups

DEFAULT_TIME_S = 6.0
DEFAULT_MEMORY_MB = 1024
MIN_OUTPUT_MB = 16.0
# The highest value of a limit and of the factor on time limits: 30 years, or a petabyte. The
# kernel's counters overflow beyond it.
HIGHEST_LIMIT = 1e9


class Verdict(StrEnum):
    """The verdicts. JE is a failure of the judge: it has no score and counts in no denominator."""

    AC = "AC"
    WA = "WA"
    TLE = "TLE"
    MLE = "MLE"
    OLE = "OLE"
    RE = "RE"
    CE = "CE"
    JE = "JE"


class Status(StrEnum):
    """The status of a judgement. INCOMPLETE: the model's answer was cut off or has no program."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    INCOMPLETE = "incomplete"
    ERROR = "error"


class Kind(StrEnum):
    """The kind of a problem's tests: texts in and out, function calls, or test code."""

    STDIN = "stdin"
    CALL = "call"
    ASSERT = "assert"


def check_limit(name: str, value: Any) -> None:
    """Raise ValueError unless ``value`` is a number above 0 and at most HIGHEST_LIMIT."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and 0 < value <= HIGHEST_LIMIT):
        text = repr(value) if not isinstance(value, int) or abs(value) < 10**20 else "a huge number"
        raise ValueError(
            f"{name} must be a number above 0 and at most {HIGHEST_LIMIT:g}, not {text}"
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one test. None: the problem's value, else the default.

    time_s: CPU seconds, user and system, of all threads (default 6).
    wall_s: seconds of wall time (default max(3 * time_s, time_s + 2)).
    memory_mb: resident MiB above an idle interpreter (default 1024).
    output_mb: MiB on standard output (default max(16, twice the expected output)).
    files_mb: MiB of files in a working folder that starts empty (default: no files).
    Each is a number above 0 and at most HIGHEST_LIMIT; anything else raises ValueError.
    """

    time_s: float | None = None
    wall_s: float | None = None
    memory_mb: float | None = None
    output_mb: float | None = None
    files_mb: float | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if value is not None:
                check_limit(name, value)

    @classmethod
    def coerce(cls, value: Limits | Mapping[str, Any] | None) -> Limits:
        """Make limits from a mapping. Raises ValueError that names the key at fault."""
        if value is None or isinstance(value, Limits):
            return value or cls()
        if not isinstance(value, Mapping):
            raise ValueError(f"limits must be Limits or a mapping, not {value!r}")
        for name in value:
            if name not in cls.__slots__:
                names = ", ".join(cls.__slots__)
                raise ValueError(f"limits: there is no limit {name!r}, only {names}")
        return cls(**value)

    def list_hashed_values(self) -> list[float | None]:
        """List the values for hashes; files_mb only if set, so that older hashes stay valid."""
        optional_values = [] if self.files_mb is None else [self.files_mb]
        return [self.time_s, self.wall_s, self.memory_mb, self.output_mb, *optional_values]

    def fill_from(self, base: Limits) -> Limits:
        """Return these limits, with those of ``base`` for the ones that are None."""
        return Limits(
            self.time_s if self.time_s is not None else base.time_s,
            self.wall_s if self.wall_s is not None else base.wall_s,
            self.memory_mb if self.memory_mb is not None else base.memory_mb,
            self.output_mb if self.output_mb is not None else base.output_mb,
            self.files_mb if self.files_mb is not None else base.files_mb,
        )


@dataclass(frozen=True, slots=True)
class Test:
    """One input and its expected output.

    stdin: two texts. call: a list of arguments (``kwargs`` only from rewritten assertions) and
    the expected value. checker_args: arguments of the checker or interactor for this test, in
    place of its own "args"; None: its own.
    """

    __test__ = False  # not a pytest class

    input: Any
    output: Any
    kwargs: Mapping[str, Any] | None = None
    checker_args: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Problem:
    """One problem of tests.jsonl, validated and with defaults filled in.

    groups: the tests that are scored together; none: the problem has no points. objective: whether
    more ("max") or fewer ("min") points are better.
    includes: by language {file name: text}: files that every program in that language is built
    with, in place of its own files of that name; "default" is for all other languages. The text of
    a file "<prologue>" comes before the program's own text.
    starter_codes: {language: text}, where the set has starter code in several languages.
    test_language: a name of languages.TEST_LANGUAGES: ``test_code`` is in that language and is
    compiled together with the program; None: it is in Python and runs in a process of its own.
    """

    problem_id: str
    kind: Kind
    tests: tuple[Test, ...] = ()
    entry_point: str | None = None
    test_code: str | None = None
    test_style: str | None = None
    limits: Limits = Limits()
    checker: Mapping[str, Any] | None = None
    interactor: Mapping[str, Any] | None = None
    includes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    statement: str | None = None
    starter_code: str | None = None
    starter_codes: Mapping[str, str] = field(default_factory=dict)
    test_language: str | None = None
    platform: str | None = None
    difficulty: str | None = None
    date: str | None = None
    solutions: tuple[Mapping[str, Any], ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    groups: tuple[TestGroup, ...] = ()
    objective: str = "max"

    @lazy_property
    def tests_sha256(self) -> str:
        """The hash of everything in the problem that can change a verdict."""
        return self._fingerprint[0]

    @property
    def size(self) -> int:
        """The approximate size of its tests in bytes."""
        return self._fingerprint[1]

    @lazy_property
    def multiple_answers_suspected(self) -> str | None:
        """Why it seems to have several right answers but compares with one; see suspicion.py.

        Cached, since training judges a problem thousands of times.
        """
        from .suspicion import multiple_answers_suspected  # its patterns take time to compile

        return multiple_answers_suspected(self)

    @lazy_property
    def _fingerprint(self) -> tuple[str, int]:
        checker_args = [test.checker_args for test in self.tests]
        hashed_fields = {
            "kind": str(self.kind),
            "tests": [
                [codec.to_json(t.input), codec.to_json(t.output), codec.to_json(t.kwargs)]
                for t in self.tests
            ],
            "entry_point": self.entry_point,
            "test_code": self.test_code,
            "test_style": self.test_style,
            "limits": self.limits.list_hashed_values(),
            "checker": dict(self.checker) if self.checker else None,
            "starter_code": self.starter_code,
            # Newer fields are hashed only if set, so that older hashes stay valid.
            **({"interactor": dict(self.interactor)} if self.interactor else {}),
            **({"groups": encode_groups(self.groups)} if self.groups else {}),
            **({"objective": self.objective} if self.objective != "max" else {}),
            **({"includes": self.includes} if self.includes else {}),
            **({"starter_codes": self.starter_codes} if self.starter_codes else {}),
            **({"test_language": self.test_language} if self.test_language else {}),
            **({"checker_args": checker_args} if set(checker_args) - {None} else {}),
        }
        text = _encode_canonical(hashed_fields)
        return hashlib.sha256(text).hexdigest(), len(text)


@dataclass(frozen=True, slots=True)
class Solution:
    """One line of solutions.jsonl: a program (``code``) or a model's answer (``response``).

    file: the name of the program's own file, where it matters. files: {name: text} of its others.
    """

    problem_id: str
    solution_id: str
    code: str | None = None
    response: str | None = None
    language: str = "python"
    meta: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TestResult:
    """The result of one test. memory_mb: the peak above an idle interpreter. points: what the
    problem's checker gave, in a problem with groups; None: it gave none."""

    __test__ = False

    verdict: Verdict
    cpu_s: float
    wall_s: float
    memory_mb: float | None
    matched_by: str | None = None
    detail: str | None = None
    points: float | None = None


@dataclass(frozen=True, slots=True)
class GroupResult:
    """The points of one group of tests.

    points: None with the objective "min" where a test failed. max_points: the best possible; None:
    not known. verdict: of its first test that is not accepted, else AC; None: no test counted.
    """

    name: str
    points: float | None
    max_points: float | None
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one solution, with its reasons; one line of results.jsonl.

    points, max_points, groups: of a problem with groups. points: None where there are none (the
    judge failed, tests that count did not run, or the objective is "min" and a test failed).
    max_points: the best possible (with the objective "min" the fewest); None: not known.
    version: of this package. versions: of what compiled or ran the program, and of the packages
    that programs may import; empty in results of older versions.
    """

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
    versions: Mapping[str, str] = field(default_factory=dict)
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

    def __float__(self) -> float:
        """Return the reward. Raises ValueError if the judge failed."""
        if self.reward is None:
            raise ValueError(f"the judge failed, so there is no reward: {self.error}")
        return self.reward

    def with_meta(self, **extra: Any) -> Judgement:
        """Return a copy with more keys in meta."""
        return replace(self, meta={**self.meta, **extra})


def solution_key(problem_id: str, solution_id: str) -> bytes:
    """Return 16 bytes that stand for a solution, so that sets of millions fit in memory."""
    names = f"{len(problem_id)}:{problem_id}{solution_id}"
    return hashlib.blake2b(names.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def sha256_of(value: object) -> str:
    """Hash a JSON-like value, independently of the order of keys."""
    return hashlib.sha256(_encode_canonical(value)).hexdigest()


def _encode_canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()
