"""What happened to a program becomes a verdict, with flags such as near_limit; an Expectation says
what its answer must be.

The order matters and is the same for every kind of problem: the judge's own failure, then a
compile error (also at the compiler's limits), then exceeded limits, then the exit, then the answer.
"""

from __future__ import annotations

import resource
import signal

from microcoder_eval.records import NEAR_LIMIT_FROM, NEAR_LIMIT_TO, TestResult, Verdict
from microcoder_eval.records.flags import (
    EARLY_EXIT,
    LEFT_THREADS,
    NEAR_LIMIT,
    OTHER_ENTRY_POINT,
)
from microcoder_sandbox import (
    CONTENDED_SHARE,
    IDLE_SECONDS,
    SETUP_STEPS,
    Killed,
    Outcome,
    Phase,
    ResourceLimits,
    SandboxError,
    protocol,
    record,
)

from .error_lines import MAX_DETAIL_CHARS, find_error_line
from .expectations import Comparison, Expectation, decode_reason

_FULL_SHARE = 0.95  # of the memory limit: a program that crashes above it was short of memory


@record
class TestRun:
    """One run of a test. comparison: what comparing the answer says, None if the test's expectation
    is to compare it."""

    outcome: Outcome
    comparison: Comparison | None = None


@record
class TestVerdict:
    """A test's result and what else the judge noticed about it."""

    result: TestResult
    comparison: Comparison
    flags: tuple[str, ...] = ()
    contended: bool = False


def decide_verdict(
    outcome: Outcome,
    limits: ResourceLimits,
    time_limit: float,
    expectation: Expectation,
    *,
    earlier: Comparison | None = None,
) -> TestVerdict:
    """Return the verdict on one run. Raises SandboxError when the program was not started.

    time_limit: the limit that decides (``limits`` may be longer, to see by how much it fails).
    earlier: what comparing the same answer has said, if that was done before.
    """
    failure = _find_failure(outcome, limits, time_limit)
    comparison = failure or earlier or expectation.compare(outcome)
    verdict, detail = comparison.verdict, comparison.detail
    flags = []
    is_near_limit = NEAR_LIMIT_FROM * time_limit <= outcome.cpu_s <= NEAR_LIMIT_TO * time_limit
    if is_near_limit and outcome.killed is not Killed.CPU:
        flags.append(NEAR_LIMIT)
    if outcome.left_threads:
        flags.append(LEFT_THREADS)
    if expectation.needs_result and outcome.exited_early:
        flags.append(EARLY_EXIT)
    if outcome.called_other_name:
        flags.append(OTHER_ENTRY_POINT)
    flags += (*expectation.flags, *comparison.flags)
    result = TestResult(
        verdict=verdict,
        cpu_s=_round_to_microseconds(outcome.cpu_s),
        wall_s=_round_to_microseconds(outcome.wall_s),
        memory_mb=None if outcome.peak_memory is None else round_mib(outcome.peak_memory),
        matched_by=comparison.method,
        detail=detail[:MAX_DETAIL_CHARS] if detail else None,
    )
    contended = _is_contended(outcome, verdict, time_limit)
    return TestVerdict(result, comparison, tuple(flags), contended)


def _is_contended(outcome: Outcome, verdict: Verdict, time_limit: float) -> bool:
    """Whether a run failed because of its time, and waited so long for a core that it must be
    repeated while nothing else runs. A run that only slept or was idle is never repeated."""
    if outcome.killed is Killed.WALL:
        return outcome.run_delay > CONTENDED_SHARE * outcome.wall_s
    return (
        verdict is Verdict.TLE
        and outcome.killed is not Killed.IDLE
        and outcome.run_delay > CONTENDED_SHARE * outcome.cpu_s
        and outcome.cpu_s < NEAR_LIMIT_TO * time_limit
    )


def _round_to_microseconds(seconds: float) -> float:
    """Return what ``round(seconds, 6)`` does, in a quarter of the time: each test has two."""
    return int(seconds * 1e6 + 0.5) / 1e6


def round_mib(size: int) -> float:
    """Return bytes in MiB, as results give them."""
    return round(size / 2**20, 3)


def _find_failure(outcome: Outcome, limits: ResourceLimits, time_limit: float) -> Comparison | None:
    """Return the failure of a run that did not end well, or None."""
    require_confined(outcome)
    if outcome.phase in (Phase.COMPILING, Phase.COMPILE_FAILED, Phase.NO_ENTRY):
        return Comparison(Verdict.CE, _describe_compile_error(outcome))
    return _find_exceeded_limit(outcome, limits, time_limit) or _find_failed_exit(outcome, limits)


def judge_without_run(comparison: Comparison) -> TestVerdict:
    """Return the verdict on a test for which the program is not run."""
    detail = (comparison.detail or "")[:MAX_DETAIL_CHARS] or None
    result = TestResult(comparison.verdict, 0.0, 0.0, None, detail=detail)
    return TestVerdict(result, comparison, comparison.flags)


def require_confined(outcome: Outcome) -> None:
    """Raise SandboxError when a child ended before its program began, without hitting a limit."""
    if outcome.phase is Phase.SETUP and outcome.killed is None:
        advice = _find_limit_advice() if outcome.setup_step == protocol.SETTING_LIMITS else ""
        raise SandboxError(
            f"a child could not be confined: {SETUP_STEPS[outcome.setup_step]} failed "
            f"(errno {outcome.setup_errno}, status {outcome.status}){advice}"
        )


def _find_limit_advice() -> str:
    """Return what to do about a limit of this process, inherited from the caller, that is below
    what a program's own limit would be, "" if there is none."""
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
    return outcome.killed is None and outcome.status != 0 and outcome.exit_code == -signal.SIGKILL


def _find_exceeded_limit(
    outcome: Outcome, limits: ResourceLimits, time_limit: float
) -> Comparison | None:
    if outcome.killed is Killed.CPU or (outcome.killed is None and outcome.cpu_s > time_limit):
        return Comparison(Verdict.TLE, f"{outcome.cpu_s:.2f} s of CPU time, limit {time_limit:g} s")
    if outcome.killed is Killed.OUTPUT or len(outcome.stdout) > limits.output_bytes:
        return Comparison(Verdict.OLE, f"more than {limits.output_bytes / 2**20:g} MiB of output")
    # Unknown only after other tests in a child: a test that fails there is run again, alone.
    peak_mib, limit_mib = (outcome.peak_memory or 0) / 2**20, limits.memory_bytes / 2**20
    if outcome.killed is Killed.MEMORY or peak_mib > limit_mib:
        return Comparison(Verdict.MLE, f"peak {peak_mib:.0f} MiB, limit {limit_mib:g} MiB")
    if outcome.killed is Killed.IDLE:
        return Comparison(
            Verdict.TLE, f"idle: both sides waited for the other for {IDLE_SECONDS:g} s"
        )
    if outcome.killed is Killed.WALL:
        return Comparison(Verdict.TLE, _describe_clock(outcome, limits))
    return None


def _describe_clock(outcome: Outcome, limits: ResourceLimits) -> str:
    waited = f", {outcome.run_delay:.2f} s of it waiting for a core" if outcome.run_delay else ""
    return f"{outcome.wall_s:.2f} s on the clock{waited}, limit {limits.wall_seconds:g} s"


def _find_failed_exit(outcome: Outcome, limits: ResourceLimits) -> Comparison | None:
    if outcome.killed is Killed.THREADS:
        return Comparison(Verdict.RE, "too many threads")
    if outcome.killed is Killed.FILES:
        return Comparison(Verdict.RE, f"more than {limits.folder_bytes / 2**20:g} MiB of files")
    if outcome.status == 0:
        return None
    if outcome.refused_memory:
        return Comparison(Verdict.MLE, f"memory refused at {limits.memory_bytes / 2**20:g} MiB")
    code = outcome.exit_code
    if code > 0:
        return Comparison(Verdict.RE, find_error_line(outcome.stderr) or f"exit status {code}")
    # SIGXCPU needs no case of its own: it comes above our CPU limit, which was checked before.
    number = -code
    is_crash = number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGKILL)
    if is_crash and (outcome.peak_memory or 0) > _FULL_SHARE * limits.memory_bytes:
        return Comparison(Verdict.MLE, f"{_get_signal_name(number)} at the memory limit")
    reason = find_error_line(outcome.stderr) if number == signal.SIGABRT else ""
    return Comparison(
        Verdict.RE, f"signal {number} ({_get_signal_name(number)}){reason and f': {reason}'}"
    )


def _get_signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def _describe_compile_error(outcome: Outcome) -> str:
    if outcome.phase is Phase.NO_ENTRY:
        return decode_reason(outcome.result[1:]) or "no entry point"
    if outcome.killed is not None:
        return f"the compiler was stopped at its {outcome.killed} limit"
    return find_error_line(outcome.stderr) or "does not compile"


def describe_end(outcome: Outcome) -> str:
    """Return, as text, how a program of the problem failed."""
    if outcome.killed is not None:
        return f"stopped at its {outcome.killed} limit"
    message = find_error_line(outcome.stderr)
    return f"exit status {outcome.exit_code}{f' ({message})' if message else ''}"
