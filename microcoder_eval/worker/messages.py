"""The messages between a pool and its workers: what they hold, and how they are encoded.

They are pickled: both ends are this package in the same interpreter, and no judged program ever
holds either end. What a program wrote travels inside as plain bytes, texts and numbers.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import field
from operator import attrgetter
from typing import Any, TypeAlias

from microcoder_eval.points import Grade
from microcoder_eval.records import NOT_RUN, Problem, Solution, TestResult
from microcoder_sandbox import LightRecord, Outcome, Plan, ResourceLimits, record

PYTHON_NAME = "Python"  # in SolutionReply.toolchain
_read_result = attrgetter(*TestResult.__slots__)


class Message:
    """A record that is sent."""


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


@record
class ResolvedProblem(Message):
    """A problem as workers judge it: limits and options resolved.

    problem: without its tests, and without what judging does not look at.
    tests: encoded.
    limits: the limits of one test; output_bytes is 0 where it depends on the expected output's
        size.
    compare: a comparer's name or options, or a checker's source.
    testlib: the text of testlib.h.
    stop: when to stop, as in ``settings.STOPS``.
    batch: run several tests in one child if possible.
    adaptive: where judging stops at the first failure, begin with those tests that most programs
        have failed, then take those with small inputs.
    """

    problem: Problem
    tests: Sequence[TextTest] | Sequence[ValueTest]
    limits: ResourceLimits
    compare: str | Mapping[str, Any]
    testlib: str | None
    stop: str
    batch: bool
    adaptive: bool


# From the pool.


@record
class WorkerConfig(Message):
    """The first message: what a worker needs to start. affinity: the cores it may use.
    cache_folder: the folder of compiled programs, or "". number: the worker's index in its pool.
    prepared_folder: the folder of what compilers use again (``PreparedStore``), or ""."""

    plan: Plan
    affinity: list[int]
    cache_folder: str
    number: int
    prepared_folder: str = ""


class TestExtent(LightRecord):
    """Where a test's texts are in a shared file; the output follows the input. checker_args: see
    ``records.Test``."""

    start: int
    input_end: int
    output_end: int
    checker_args: tuple[str, ...] | None


@record
class HoldProblem(Message):
    """Hold a problem for the solutions that name its key. extents: where its tests are in the file
    whose descriptor comes with this message, None if they are in the message."""

    key: str
    problem: ResolvedProblem
    extents: list[TestExtent] | None = None


@record
class ForgetProblem(Message):
    """Let go of a problem: no other solution names it."""

    key: str


@record
class SolutionRequest(Message):
    """Judge a solution.

    alone: nothing else of this judge runs on the machine, and each test has its own child.
    hash_seed: the hash seed of a Python program's process.
    """

    problem_key: str
    solution: Solution
    alone: bool = False
    hash_seed: int = 0


@record
class ProgramRequest(Message):
    """Run a program once, without a test. arguments: those of its command line. files: {name: text}
    of the files beside it."""

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

    level: int
    results: tuple[TestResult | None, ...] | None
    flags: tuple[str, ...]
    code_sha256: str
    contended: bool = False
    test_count: int = 0
    toolchain: str = ""
    grades: Mapping[str, Grade] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the results by columns, one for each field of theirs: in a third of the time."""
        rows = [_read_result(result or NOT_RUN) for result in self.results or ()]
        columns = tuple(zip(*rows, strict=True)) or self.results
        return _read_reply, ({**vars(self), "results": columns},)


def _read_reply(fields: dict[str, Any]) -> SolutionReply:
    if columns := fields["results"]:
        results = map(TestResult, *columns)
        fields["results"] = tuple([None if r.verdict is None else r for r in results])
    return SolutionReply(**fields)


@record
class ProgramReply(Message):
    """What came of a ProgramRequest."""

    level: int
    outcome: Outcome


@record
class FailureReply(Message):
    """The judge failed over a request. level: the isolation level, 0 if no worker was there or it
    was lost: then another try may succeed."""

    reason: str
    level: int = 0


Reply: TypeAlias = SolutionReply | ProgramReply | FailureReply


def encode(message: Message) -> bytes:
    """Return the bytes of a message."""
    return pickle.dumps(message, pickle.HIGHEST_PROTOCOL)


def decode(data: bytes) -> Message:
    """Return the message of such bytes."""
    message: Message = pickle.loads(data)
    return message
