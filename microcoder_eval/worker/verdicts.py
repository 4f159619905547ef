"""The one place where what happened to a program becomes a verdict.

The order matters and is the same for every kind of problem: the judge's own failure, then a
compile error (also at the compiler's limits), then exceeded limits, then the exit, then the answer.
"""

from __future__ import annotations

import json
import re
import resource
import signal
from typing import TYPE_CHECKING, Any, NamedTuple

from microcoder_eval.records import TestResult, Verdict
from microcoder_sandbox import codec, plain_json, protocol
from microcoder_sandbox.driver.interaction import IDLE_SECONDS
from microcoder_sandbox.outcome import (
    CONTENDED_SHARE,
    Killed,
    Outcome,
    Phase,
    ResourceLimits,
    SandboxError,
)
from microcoder_sandbox.record import record

if TYPE_CHECKING:
    from microcoder_eval.compare import Comparer

NEAR_LIMIT_FACTORS = (0.8, 1.25)  # of the time limit: results in between carry the flag near_limit
_MAX_DETAIL_CHARS = 300
_MAX_REASON_BYTES = 4096
_NODE_MARKS = (b"[", b"{", b",", b":")  # each node of a JSON text is next to one
_NODES_PER_EXPECTED_NODE = 4  # of a result: equal values may be written differently


class Score(NamedTuple):
    """What a checker gives an output that it accepts.

    is_share: ``value`` is a share of the test's points, not points. is_partial: in a problem
    without points, the output is not accepted.
    """

    value: float
    is_share: bool
    is_partial: bool


@record
class TestVerdict:
    """A test's result and what else the judge noticed about it. score: what the checker gave an
    output that it accepts."""

    __test__ = False  # not a pytest class

    result: TestResult
    flags: tuple[str, ...] = ()
    contended: bool = False
    score: Score | None = None


def decide_verdict(
    outcome: Outcome, limits: ResourceLimits, time_limit: float, expectation: Expectation
) -> TestVerdict:
    """Return the verdict on one run. Raises SandboxError when the program was not started.

    time_limit: the limit that decides (``limits`` may be longer, to see by how much it fails).
    """
    verdict, detail, method = _classify_outcome(outcome, limits, time_limit, expectation)
    flags = []
    is_near_limit = (
        NEAR_LIMIT_FACTORS[0] * time_limit <= outcome.cpu_s <= NEAR_LIMIT_FACTORS[1] * time_limit
    )
    if is_near_limit and outcome.killed is not Killed.CPU:
        flags.append("near_limit")
    if outcome.left_threads:
        flags.append("left_over_threads")
    if expectation.needs_result and outcome.exited_early:
        flags.append("early_exit")
    if outcome.called_other_name:
        flags.append("other_entry_point")
    flags += expectation.flags
    result = TestResult(
        verdict=verdict,
        cpu_s=round(outcome.cpu_s, 6),
        wall_s=round(outcome.wall_s, 6),
        memory_mb=None if outcome.peak_memory is None else round_mib(outcome.peak_memory),
        matched_by=method,
        detail=detail[:_MAX_DETAIL_CHARS] if detail else None,
    )
    # Wall time for a program that was stopped by its wall limit: one that sleeps uses no CPU time.
    used_seconds = outcome.wall_s if outcome.killed is Killed.WALL else max(outcome.cpu_s, 0.01)
    waited_for_core = (
        outcome.run_delay > CONTENDED_SHARE * used_seconds
        and outcome.cpu_s < NEAR_LIMIT_FACTORS[1] * time_limit
    )
    return TestVerdict(
        result,
        tuple(flags),
        verdict is Verdict.TLE and waited_for_core,
        expectation.score if verdict is Verdict.AC else None,
    )


def round_mib(size: int) -> float:
    """Bytes in MiB, as results give them."""
    return round(size / 2**20, 3)


def _classify_outcome(
    outcome: Outcome, limits: ResourceLimits, time_limit: float, expectation: Expectation
) -> tuple[Verdict, str | None, str | None]:
    require_confined(outcome)
    if outcome.phase in (Phase.COMPILING, Phase.COMPILE_FAILED, Phase.NO_ENTRY):
        return Verdict.CE, _compile_message(outcome), None
    failure = _check_limits(outcome, limits, time_limit) or _check_exit(outcome, limits)
    if failure is not None:
        return (*failure, None)
    return expectation.compare(outcome)


def make_compile_error(message: str) -> TestVerdict:
    """Return the verdict on a program that its compiler refused."""
    return TestVerdict(TestResult(Verdict.CE, 0.0, 0.0, None, detail=message[:_MAX_DETAIL_CHARS]))


def require_confined(outcome: Outcome) -> None:
    """Raise SandboxError when a child ended before its program began, without hitting a limit."""
    if outcome.phase is Phase.SETUP and outcome.killed is None:
        advice = _find_limit_advice() if outcome.setup_step == protocol.SETTING_LIMITS else ""
        raise SandboxError(
            f"a child could not be confined (step {outcome.setup_step}, "
            f"errno {outcome.setup_errno}, status {outcome.status}){advice}"
        )


def _find_limit_advice() -> str:
    """Return what to do about a limit of this process, inherited from the caller, that is below
    what a program's own limit would be; empty: there is none."""
    limits = []
    _soft, address_space = resource.getrlimit(resource.RLIMIT_AS)
    if address_space != resource.RLIM_INFINITY:
        limits.append(f"{address_space >> 20} MiB of address space (ulimit -v)")
    _soft, cpu_seconds = resource.getrlimit(resource.RLIMIT_CPU)
    if cpu_seconds != resource.RLIM_INFINITY:
        limits.append(f"{cpu_seconds} s of CPU time (ulimit -t)")
    if not limits:
        return ""
    return (
        f": the judge may use {' and '.join(limits)}, less than a program's own limits need; "
        "start the judge without that limit, or give programs lower ones"
    )


def was_killed_externally(outcome: Outcome) -> bool:
    """Whether it ended by a SIGKILL that the sandbox did not send.

    A program that kills itself does so in every run.
    """
    return outcome.killed is None and outcome.exit_code == -signal.SIGKILL


def harmed_by_machine(outcome: Outcome) -> bool:
    """Whether the machine ended trusted code that exchanges messages with a candidate.

    At its wall limit that is so only where it waited for a core most of the time. A candidate can
    make it sleep, which is no such wait.
    """
    starved = outcome.killed is Killed.WALL and outcome.run_delay > outcome.wall_s / 2
    return starved or was_killed_externally(outcome)


def _check_limits(
    outcome: Outcome, limits: ResourceLimits, time_limit: float
) -> tuple[Verdict, str] | None:
    if outcome.killed is Killed.CPU or (outcome.killed is None and outcome.cpu_s > time_limit):
        return Verdict.TLE, f"{outcome.cpu_s:.2f} s of CPU time, limit {time_limit:g} s"
    if outcome.killed is Killed.OUTPUT or len(outcome.stdout) > limits.output_bytes:
        return Verdict.OLE, f"more than {limits.output_bytes / 2**20:g} MiB of output"
    peak_mib, limit_mib = (outcome.peak_memory or 0) / 2**20, limits.memory_bytes / 2**20
    if outcome.killed is Killed.MEMORY or peak_mib > limit_mib:
        return Verdict.MLE, f"peak {peak_mib:.0f} MiB, limit {limit_mib:g} MiB"
    if outcome.killed is Killed.IDLE:
        return Verdict.TLE, f"idle: both sides waited for the other for {IDLE_SECONDS:g} s"
    if outcome.killed is Killed.WALL:
        return Verdict.TLE, f"{outcome.wall_s:.2f} s on the clock, limit {limits.wall_seconds:g} s"
    return None


def _check_exit(outcome: Outcome, limits: ResourceLimits) -> tuple[Verdict, str] | None:
    if outcome.killed is Killed.THREADS:
        return Verdict.RE, "too many threads"
    code = outcome.exit_code
    if code == 0:
        return None
    if outcome.refused_memory:
        return Verdict.MLE, f"memory refused at {limits.memory_bytes / 2**20:g} MiB"
    if code > 0:
        return Verdict.RE, get_last_line(outcome.stderr) or f"exit status {code}"
    # SIGXCPU is no exception: the kernel's limit is above ours, which was checked before.
    number = -code
    is_crash = number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGKILL)
    if is_crash and (outcome.peak_memory or 0) > 0.95 * limits.memory_bytes:
        return Verdict.MLE, f"{_signal_name(number)} at the memory limit"
    return Verdict.RE, f"signal {number} ({_signal_name(number)})"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _compile_message(outcome: Outcome) -> str:
    if outcome.phase is Phase.NO_ENTRY:
        return _decode_reason(outcome.result[1:]) or "no entry point"
    if outcome.killed is not None:
        return f"the compiler was stopped at its {outcome.killed} limit"
    return get_last_line(outcome.stderr) or "does not compile"


def _decode_reason(body: bytes) -> str | None:
    """Why there is no value, as the child reports it; None: the program wrote something else."""
    try:
        text = json.loads(body[:_MAX_REASON_BYTES])
    except (ValueError, RecursionError):
        return None
    return text if isinstance(text, str) else None


# How Node and Rust end what they say of an error, and how the line begins that says why.
_TRAILERS = ("Node.js v", "note: run with `RUST_BACKTRACE")
_REASON = re.compile(r"(?:Uncaught )?\w{0,80}Error\b|thread '")


def get_last_line(stderr: bytes) -> str:
    """Return the last line of standard error that is not empty, as text; where a runtime ends with
    a word on itself, the line that says why."""
    lines = stderr[-4096:].decode("utf-8", "replace").strip().splitlines()
    if lines and lines[-1].startswith(_TRAILERS):
        lines = [line for line in lines if _REASON.match(line)] or lines
    return lines[-1].strip() if lines else ""


class Expectation:
    """What a test expects of a program that ran to its end: text on standard output.

    flags, score: what else the last comparison noticed."""

    needs_result = False
    flags: tuple[str, ...] = ()
    score: Score | None = None

    def __init__(self, comparer: Comparer, expected: Any) -> None:
        self._comparer = comparer
        self._expected = expected

    def compare(self, outcome: Outcome) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""
        match = self._comparer.compare_text(outcome.stdout, self._expected)
        if match.method is not None:
            return Verdict.AC, None, match.method
        return Verdict.WA, match.detail, None


class ValueExpectation(Expectation):
    """A value returned by a function, sent over a pipe of its own.

    A byte of JSON takes up to 43 of this process's memory, so a result is only decoded if it has
    at most ``node_allowance`` numbers, texts and containers, or as many as the expected value
    explains.
    """

    needs_result = True
    node_allowance = 100_000

    def compare(self, outcome: Outcome) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""
        tag, body = outcome.result[:1], outcome.result[1:]
        if not tag:
            return Verdict.RE, "the program ended before the function returned", None
        if tag != b"V":
            reason = _decode_reason(body) or "it is not plain"
            return Verdict.RE, f"the result cannot be compared: {reason}", None
        if len(body) >= self.node_allowance and self._is_excessive(_count_nodes(body)):
            return Verdict.WA, "the result has far more elements than expected", None
        try:
            actual = codec.from_json(plain_json.loads(body.decode()))
        except (ValueError, RecursionError, TypeError):
            return Verdict.RE, "the result was not sent whole", None
        return self.accept(actual)

    def _is_excessive(self, nodes: int) -> bool:
        return nodes > self.node_allowance and nodes > self._max_nodes()

    def _max_nodes(self) -> int:
        return explained_nodes(self._expected)

    def accept(self, actual: Any) -> tuple[Verdict, str | None, str | None]:
        """Compare a decoded value: verdict, detail and the method that accepted."""
        match = self._comparer.compare_value(actual, self._expected)
        if match.method is not None:
            return Verdict.AC, None, match.method
        return Verdict.WA, match.detail, None


def explained_nodes(value: Any) -> int:
    """Return the most numbers, texts and containers that a result may have, given a value of the
    test."""
    return _NODES_PER_EXPECTED_NODE * _count_nodes(json.dumps(codec.to_json(value)).encode())


def _count_nodes(text: bytes) -> int:
    """Return an upper bound of the number of values in a JSON text."""
    return 1 + sum(map(text.count, _NODE_MARKS))
