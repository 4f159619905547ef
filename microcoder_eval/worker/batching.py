"""Several tests of a program in one child: which results stand, and what is run again alone.

A plain program carries nothing from test to test (microcoder_eval.plain). The host measures all
that a child uses from its start. While this total is within the limits of one test, each test in it
is too. A result stands if its test was the first in its child, if it passed while the total was
well within the limits, or if the CPU limit of tests after the first stopped it. Any other test runs
again, as the first in a new child.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microcoder_eval.plain.gate import is_plain
from microcoder_eval.records import NEAR_LIMIT_FROM, Verdict
from microcoder_sandbox import (
    BatchSession,
    Interrupted,
    Killed,
    Outcome,
    Program,
    ResourceLimits,
    SandboxError,
    SandboxUnavailableError,
)

from .expectations import Comparison
from .solution import SolutionRun, TestCase, TestSeries
from .verdicts import TestRun, TestVerdict, round_mib, was_killed_externally

_MAX_INPUT_BYTES = 1 << 20  # a copy of a larger input would cost more than a child of its own
# Shares of one test's limits. A session continues while it has used at most _CONTINUE_SHARE in all.
# A later test's pass stands if the session has used at most _ACCEPT_SHARE in all.
_CONTINUE_SHARE, _ACCEPT_SHARE = 0.05, NEAR_LIMIT_FROM


class Batch:
    """Runs one program's tests in as few children as possible."""

    def __init__(self, run: SolutionRun, series: TestSeries, program: Program) -> None:
        self._run = run
        self._program = program
        self._make_case = series.make_case
        self._is_call = series.is_call
        self._enabled = program.may_batch and run.batch
        self._plain: bool | None = None  # not asked yet

    def run_tests(self, indices: Sequence[int]) -> list[TestVerdict]:
        """Run these tests in one child, in this order; returns the verdicts that stand.

        Empty where the next test must run alone.
        """
        if not self._enabled or self._plain is False or len(indices) < 2:
            return []
        try:
            session = self._run.sandbox.open_session(self._program, call=self._is_call)
            try:
                return self._run_in_one_child(session, indices)
            finally:
                session.close()
        except (Interrupted, SandboxUnavailableError):
            raise
        except SandboxError:
            self._run.sandbox.close()  # alone it is tried again, on new servers
            return []

    def _run_in_one_child(self, session: BatchSession, indices: Sequence[int]) -> list[TestVerdict]:
        test_verdicts: list[TestVerdict] = []
        limits: ResourceLimits | None = None
        later_limits: ResourceLimits
        for position, index in enumerate(indices, 1):
            test_case = self._make_case(index)
            data = test_case.load_input()
            if len(data) > _MAX_INPUT_BYTES:
                break
            is_first, is_last = not test_verdicts, position == len(indices)
            if limits is not test_case.limits:  # those of most tests of a problem are one object
                limits = test_case.limits
                later_limits = _make_limits_after_first_test(test_case.limits)
            outcome = session.run(
                data, test_case.limits if is_first else later_limits, last=is_last
            )
            test_verdict = self._decide_verdict(outcome, test_case)
            passed = test_verdict is not None and test_verdict.result.verdict is Verdict.AC
            used_share = _measure_share(session, test_case.limits)
            continues = passed and used_share <= _CONTINUE_SHARE and not is_last and self.is_plain()
            if is_first and session.waiting:
                if not continues:
                    return self._end_after_one_test(session, test_case, outcome, test_verdict)
                test_verdict = _add_peak(test_verdict, session.read_peak())
            if test_verdict is None:
                break
            stands = used_share <= _ACCEPT_SHARE if passed else outcome.killed is Killed.CPU
            if not (is_first or stands):
                break
            test_verdicts.append(test_verdict)
            if not continues or not session.waiting:
                break
        memory_bytes = self._run.problem.limits.memory_bytes
        # Together they used more than one test may: alone it shows which of them did.
        if session.has_completed_test and (session.end().peak_memory or 0) > memory_bytes:
            self._enabled = False
            return []
        return test_verdicts

    def _end_after_one_test(
        self,
        session: BatchSession,
        test_case: TestCase,
        outcome: Outcome,
        test_verdict: TestVerdict | None,
    ) -> list[TestVerdict]:
        """End a child that ran one test only: its end is then part of that test. The output is
        compared again only if it has changed until that end."""
        final = session.end()
        earlier = None
        if test_verdict and (final.stdout, final.result) == (outcome.stdout, outcome.result):
            earlier = test_verdict.comparison
        final_verdict = self._decide_verdict(final, test_case, earlier)
        return [final_verdict] if final_verdict is not None else []

    def _decide_verdict(
        self, outcome: Outcome, test_case: TestCase, earlier: Comparison | None = None
    ) -> TestVerdict | None:
        """Return the verdict; None if the run was killed externally or the test must run alone."""
        if was_killed_externally(outcome):
            return None
        return test_case.decide_verdict(self._run, TestRun(outcome, earlier))

    def is_plain(self) -> bool:
        """Whether the program can carry nothing from one test to the next. A child must have
        compiled it."""
        if self._plain is None:
            self._plain = is_plain(self._program.source, call=self._is_call)
        return self._plain


def _add_peak(test_verdict: TestVerdict | None, peak_bytes: int) -> TestVerdict:
    """Return the first test's verdict with its peak memory. Only needed if other tests follow."""
    assert test_verdict is not None  # it has passed
    result = replace(test_verdict.result, memory_mb=round_mib(peak_bytes))
    return replace(test_verdict, result=result)


def _measure_share(session: BatchSession, limits: ResourceLimits) -> float:
    """Return the share of one test's limits that a session has used in all."""
    return max(session.cpu_s / limits.cpu_seconds, session.wall_s / limits.wall_seconds)


def _make_limits_after_first_test(limits: ResourceLimits) -> ResourceLimits:
    """Return the limits for later tests of a batch.

    Their CPU limit is the highest that any run gets. A test over this limit is TLE in any run, so
    it is not repeated.
    """
    return replace(limits, cpu_seconds=limits.contended_cpu_seconds)
