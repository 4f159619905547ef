"""The messages between a pool and its workers: what they hold, and how they are encoded.

marshal: both ends are this package in the same interpreter, and no judged program ever holds
either end. What a program wrote travels inside as plain bytes and numbers.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from operator import attrgetter
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeAlias

from microcoder_eval.points import Grade
from microcoder_eval.records import Kind, TestResult, Verdict
from microcoder_sandbox import (
    Killed,
    LightRecord,
    Outcome,
    Phase,
    Plan,
    ResourceLimits,
    record,
)

PYTHON_NAME = "Python"  # in SolutionReply.toolchain
_read_measures = attrgetter(*TestResult.__slots__[1:])  # a result's fields after the verdict


def _make_reader(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return the function that reads all these fields of a record."""
    read = attrgetter(*names)
    return read if len(names) > 1 else lambda record: (read(record),)


class Message:
    """A record that is sent. wire: for each field that marshal cannot write, the function that
    makes it plain and the function that restores it."""

    __slots__ = ()
    wire: ClassVar[Mapping[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {}
    _read: ClassVar[Callable[[Any], tuple[Any, ...]]]
    _converters: ClassVar[Sequence[tuple[int, Callable[[Any], Any], Callable[[Any], Any]]]]

    def __init_subclass__(cls) -> None:
        names = list(cls.__annotations__)
        cls._read = staticmethod(_make_reader(names))
        cls._converters = [(names.index(name), *pair) for name, pair in cls.wire.items()]

    def to_plain(self) -> list[Any]:
        """Return its fields as values that marshal can write."""
        fields = list(type(self)._read(self))
        for index, make_plain, _ in self._converters:
            fields[index] = make_plain(fields[index])
        return fields

    @classmethod
    def from_plain(cls, fields: list[Any]) -> Self:
        """Return the record of such fields; changes the list."""
        for index, _, restore in cls._converters:
            fields[index] = restore(fields[index])
        return cls(*fields)


def _as_record(kind: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    return _make_reader(kind.__match_args__), lambda fields: kind(*fields)


class TextTest(LightRecord):
    """A test of text in and out. checker_args: see ``records.Test``."""

    input: bytes
    output: bytes
    checker_args: tuple[str, ...] | None = None


class ValueTest(LightRecord):
    """A test that calls a function; the values as ``codec.to_json`` writes them."""

    arguments: Any
    keyword_arguments: Any
    result: Any


def _plain_tests(tests: Sequence[Any]) -> tuple[bool, list[Any]]:
    return isinstance(next(iter(tests), None), TextTest), list(map(tuple, tests))


def _make_tests(plain: Any) -> tuple[Any, ...]:
    are_texts, rows = plain
    return tuple(map(TextTest._make if are_texts else ValueTest._make, rows))


@record
class ProblemSpec(Message):
    """A problem as workers judge it: tests encoded, limits and options resolved.

    limits: the limits of one test; output_bytes is 0 where it depends on the expected output's
        size.
    stop: when to stop, as in ``settings.STOPS``.
    batch: run several tests in one child if possible.
    adaptive: unless all tests are run, begin with those that most programs have failed, then take
        those with small inputs.
    compare: a comparer's name or options, or a checker's source.
    testlib: the text of testlib.h.
    groups: what ``points.encode_groups`` returns.
    starter_codes, test_language: see ``records.Problem``.
    """

    wire = MappingProxyType(
        {
            "kind": (str, Kind),
            "tests": (_plain_tests, _make_tests),
            "limits": _as_record(ResourceLimits),
        }
    )

    kind: Kind
    tests: Sequence[TextTest] | Sequence[ValueTest]
    limits: ResourceLimits
    stop: str
    batch: bool
    adaptive: bool
    entry_point: str | None
    starter_code: str | None
    test_code: str | None
    compare: str | Mapping[str, Any]
    interactor: Mapping[str, Any] | None
    testlib: str | None
    includes: Mapping[str, Mapping[str, str]]
    groups: Sequence[Mapping[str, Any]] = ()
    grader: Mapping[str, Any] | None = None
    starter_codes: Mapping[str, str] = field(default_factory=dict)
    test_language: str | None = None


# From the pool.


@record
class WorkerConfig(Message):
    """The first message: what a worker needs to start. affinity: the cores it may use.
    cache_folder: the folder of compiled programs, or "". number: the worker's index in its pool.
    prepared_folder: the folder of what compilers use again (``PreparedStore``), or ""."""

    wire = MappingProxyType({"plan": _as_record(Plan)})

    plan: Plan
    affinity: list[int]
    cache_folder: str
    number: int
    prepared_folder: str = ""


# Where a test's texts are in a shared file: the start and the end of the input, the end of the
# output, which follows it; and the checker's arguments.
TestExtent: TypeAlias = tuple[int, int, int, tuple[str, ...] | None]


@record
class HoldProblem(Message):
    """Hold a problem for the solutions that name its key. extents: where its tests are in the file
    whose descriptor comes with this message, None if they are in the message."""

    wire = MappingProxyType({"problem": (ProblemSpec.to_plain, ProblemSpec.from_plain)})

    key: str
    problem: ProblemSpec
    extents: list[TestExtent] | None = None


@record
class ForgetProblem(Message):
    """Let go of a problem: no other solution names it."""

    key: str


@record
class SolutionRequest(Message):
    """Judge a solution, given as a program (``code``) or a model's answer (``response``).

    file, files: see ``records.Solution``.
    alone: nothing else of this judge runs on the machine, and each test has its own child.
    hash_seed: the hash seed of a Python program's process.
    """

    problem_key: str
    code: str | None
    response: str | None
    language: str
    alone: bool = False
    file: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    hash_seed: int = 0


@record
class ProgramRequest(Message):
    """Run a program once, without a test. arguments: those of its command line. files: {name: text}
    of the files beside it."""

    wire = MappingProxyType({"limits": _as_record(ResourceLimits)})

    code: bytes
    stdin: bytes
    language: str
    limits: ResourceLimits
    arguments: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)


Request: TypeAlias = SolutionRequest | ProgramRequest


# From a worker.


@record
class WorkerReady(Message):
    """The worker has started its sandbox: the isolation level, and the state of each layer."""

    level: int
    layers: dict[str, str]


@record
class WorkerUnable(Message):
    """No worker can work on this machine."""

    reason: str


@record
class WorkerExiting(Message):
    """The worker ends, its task undone; another one may do it."""

    reason: str


def _plain_results(results: Sequence[TestResult | None] | None) -> Any:
    if results is None:
        return None
    return [result and (str(result.verdict), _read_measures(result)) for result in results]


def _make_results(rows: Any) -> tuple[TestResult | None, ...] | None:
    if rows is None:
        return None
    return tuple([row and TestResult(Verdict(row[0]), *row[1]) for row in rows])


_read_grade = _make_reader(Grade.__match_args__)


def _plain_grades(grades: Mapping[str, Grade]) -> dict[str, Any]:
    return {name: _read_grade(grade) for name, grade in grades.items()}


def _make_grades(grades: Any) -> dict[str, Grade]:
    return {name: Grade(*fields) for name, fields in grades.items()}


@record
class SolutionReply(Message):
    """What came of a SolutionRequest.

    results: one for each test, None where the test did not run. The whole field is None if the
        answer holds no finished program.
    contended: a test was too slow while the machine was busy.
    test_count: how many tests there are, run or not.
    toolchain: name and version of what compiled or ran the program, "" if nothing did.
    grades: those that the problem's grader gave to groups.
    """

    wire = MappingProxyType(
        {"results": (_plain_results, _make_results), "grades": (_plain_grades, _make_grades)}
    )

    level: int
    results: tuple[TestResult | None, ...] | None
    flags: tuple[str, ...]
    code_sha256: str
    contended: bool = False
    test_count: int = 0
    toolchain: str = ""
    grades: Mapping[str, Grade] = field(default_factory=dict)


def _plain_outcome(outcome: Outcome) -> tuple[Any, ...]:
    status, killed, phase, *others = outcome
    return (status, killed and str(killed), str(phase), *others)


def _make_outcome(fields: Any) -> Outcome:
    status, killed, phase, *others = fields
    return Outcome(status, killed and Killed(killed), Phase(phase), *others)


@record
class ProgramReply(Message):
    """What came of a ProgramRequest."""

    wire = MappingProxyType({"outcome": (_plain_outcome, _make_outcome)})

    level: int
    outcome: Outcome


@record
class FailureReply(Message):
    """The judge failed over a request. level: the isolation level, 0 if no worker was there or it
    was lost: then another try may succeed."""

    reason: str
    level: int = 0


Reply: TypeAlias = SolutionReply | ProgramReply | FailureReply

_TYPES: tuple[type[Message], ...] = (
    WorkerConfig,
    ProblemSpec,
    HoldProblem,
    ForgetProblem,
    SolutionRequest,
    ProgramRequest,
    WorkerReady,
    WorkerUnable,
    WorkerExiting,
    SolutionReply,
    ProgramReply,
    FailureReply,
)
_NUMBERS = {message_type: number for number, message_type in enumerate(_TYPES)}


def encode(message: Message) -> bytes:
    """Return the bytes of a message."""
    return marshal.dumps((_NUMBERS[type(message)], message.to_plain()))


def decode(data: bytes) -> Message:
    """Return the message of such bytes."""
    number, fields = marshal.loads(data)
    message_type: type[Message] = _TYPES[number]
    return message_type.from_plain(fields)
