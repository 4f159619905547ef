"""The one place where what happened to a program becomes a verdict.

The order matters and is the same for every kind of problem: the judge's own failure, then
limits that were hit, then a program that does not compile, then how it ended, then its answer.
"""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from microcoder_sandbox import codec
from microcoder_sandbox.outcome import CROWDED, CageError, Killed, Outcome, Phase, ResourceLimits
from microcoder_sandbox.talk import IDLE_SECONDS

from .records import TestResult, Verdict

if TYPE_CHECKING:
    from .compare import Comparer

NEAR = (0.8, 1.25)  # of the time limit: results in between carry the flag near_limit
_DETAIL = 300
_MAX_RESULT_DIGITS = 4000


@dataclass(frozen=True, slots=True)
class Ruling:
    """A test's result and what else the judge noticed about it."""

    result: TestResult
    flags: tuple[str, ...] = ()
    contended: bool = False


def rule(outcome: Outcome, limits: ResourceLimits, time_limit: float, answer: Answer) -> Ruling:
    """The verdict on one run. Raises CageError when the run itself did not come about.

    time_limit: the limit that decides (``limits`` may be longer, to see by how much it fails).
    """
    verdict, detail, matched = _decide(outcome, limits, time_limit, answer)
    flags = []
    near = NEAR[0] * time_limit <= outcome.cpu_s <= NEAR[1] * time_limit
    if near and outcome.killed is not Killed.CPU:
        flags.append("near_limit")
    if outcome.left_threads:
        flags.append("left_over_threads")
    if answer.needs_result and outcome.exited_early:
        flags.append("early_exit")
    result = TestResult(
        verdict=verdict,
        cpu_s=round(outcome.cpu_s, 6),
        wall_s=round(outcome.wall_s, 6),
        memory_mb=None if outcome.peak_memory is None else round(outcome.peak_memory / 2**20, 3),
        matched_by=matched,
        detail=detail[:_DETAIL] if detail else None,
    )
    # Of a program that was stopped by the clock, the clock's time; one that sleeps uses no other.
    used = outcome.wall_s if outcome.killed is Killed.WALL else max(outcome.cpu_s, 0.01)
    waited = outcome.run_delay > CROWDED * used and outcome.cpu_s < NEAR[1] * time_limit
    return Ruling(result, tuple(flags), verdict is Verdict.TLE and waited)


def _decide(
    outcome: Outcome, limits: ResourceLimits, time_limit: float, answer: Answer
) -> tuple[Verdict, str | None, str | None]:
    require_confined(outcome)
    if outcome.phase in (Phase.COMPILING, Phase.COMPILE_FAILED, Phase.NO_ENTRY):
        return Verdict.CE, _compile_message(outcome), None
    failed = _limit_hit(outcome, limits, time_limit) or _bad_end(outcome, limits)
    if failed is not None:
        return (*failed, None)
    return answer.compare(outcome)


def not_compiled(complaint: str) -> Ruling:
    """The verdict on a program that its compiler refused."""
    return Ruling(TestResult(Verdict.CE, 0.0, 0.0, None, detail=complaint[:_DETAIL]))


def require_confined(outcome: Outcome) -> None:
    """Raises CageError when a child ended before its program began, by no limit of the program."""
    if outcome.phase is Phase.SETUP and outcome.killed is None:
        raise CageError(
            f"a child could not be confined (step {outcome.setup_step}, "
            f"errno {outcome.setup_errno}, status {outcome.status})"
        )


def harmed_from_outside(outcome: Outcome) -> bool:
    """Whether it ended by a SIGKILL that was not ours, or was stopped until its time was over.

    A program can do both to itself, and then does so every time.
    """
    if outcome.killed is not None:
        return outcome.killed is Killed.WALL and outcome.stopped
    return outcome.exit_code == -signal.SIGKILL


def _limit_hit(
    outcome: Outcome, limits: ResourceLimits, time_limit: float
) -> tuple[Verdict, str] | None:
    if outcome.killed is Killed.CPU or (outcome.killed is None and outcome.cpu_s > time_limit):
        return Verdict.TLE, f"{outcome.cpu_s:.2f} s of CPU time, limit {time_limit:g} s"
    if outcome.killed is Killed.OUTPUT or len(outcome.stdout) > limits.output_bytes:
        return Verdict.OLE, f"more than {limits.output_bytes / 2**20:g} MiB of output"
    peak, most = (outcome.peak_memory or 0) / 2**20, limits.memory_bytes / 2**20
    if outcome.killed is Killed.MEMORY or peak > most:
        return Verdict.MLE, f"peak {peak:.0f} MiB, limit {most:g} MiB"
    if outcome.killed is Killed.IDLE:
        return Verdict.TLE, f"idle: both sides waited for the other for {IDLE_SECONDS:g} s"
    if outcome.killed is Killed.WALL:
        return Verdict.TLE, f"{outcome.wall_s:.2f} s on the clock, limit {limits.wall_seconds:g} s"
    return None


def _bad_end(outcome: Outcome, limits: ResourceLimits) -> tuple[Verdict, str] | None:
    if outcome.killed is Killed.THREADS:
        return Verdict.RE, "too many threads"
    code = outcome.exit_code
    if code == 0:
        return None
    if outcome.refused_memory:
        return Verdict.MLE, f"memory refused at {limits.memory_bytes / 2**20:g} MiB"
    if code > 0:
        return Verdict.RE, last_line(outcome.stderr) or f"exit status {code}"
    # Not even SIGXCPU is the kernel's: its limit lies above ours, which was looked at before.
    number = -code
    crashed = number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGKILL)
    if crashed and (outcome.peak_memory or 0) > 0.95 * limits.memory_bytes:
        return Verdict.MLE, f"{_signal_name(number)} at the memory limit"
    return Verdict.RE, f"signal {number} ({_signal_name(number)})"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _compile_message(outcome: Outcome) -> str:
    if outcome.phase is Phase.NO_ENTRY:
        try:
            return str(json.loads(outcome.result[1:]))
        except (ValueError, RecursionError):  # the program wrote there before us
            return "no entry point"
    if outcome.killed is not None:
        return f"the compiler was stopped at its {outcome.killed} limit"
    return last_line(outcome.stderr) or "does not compile"


def last_line(stderr: bytes) -> str:
    """The last line of standard error that says something, readable."""
    lines = stderr[-4096:].decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


class Answer:
    """What a test expects of a program that ran to its end: text on standard output."""

    needs_result = False

    def __init__(self, comparer: Comparer, expected: Any) -> None:
        self._comparer = comparer
        self._expected = expected

    def compare(self, outcome: Outcome) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""
        match = self._comparer.text(outcome.stdout, self._expected)
        if match.method is not None:
            return Verdict.AC, None, match.method
        return Verdict.WA, match.detail, None


class ValueAnswer(Answer):
    """A value returned by a function, sent over a pipe of its own."""

    needs_result = True

    def compare(self, outcome: Outcome) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""
        lead, body = outcome.result[:1], outcome.result[1:]
        if not lead:
            return Verdict.RE, "the program ended before the function returned", None
        try:
            plain = json.loads(body, parse_int=_bounded_int)
            actual = codec.from_json(plain) if lead == b"V" else plain
        except (ValueError, RecursionError, TypeError):
            return Verdict.RE, "the result was not sent whole", None
        if lead != b"V":
            return Verdict.RE, f"the result cannot be compared: {actual}", None
        return self.accept(actual)

    def accept(self, actual: Any) -> tuple[Verdict, str | None, str | None]:
        """Compare a value that came whole; verdict, detail and the method that accepted."""
        match = self._comparer.value(actual, self._expected)
        if match.method is not None:
            return Verdict.AC, None, match.method
        return Verdict.WA, match.detail, None


def _bounded_int(digits: str) -> int:
    # Our encoder sends long integers in hexadecimal; only a forger sends these.
    if len(digits) > _MAX_RESULT_DIGITS:
        raise ValueError("too many digits")
    return int(digits)
