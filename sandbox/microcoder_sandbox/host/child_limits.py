"""What one child may use, beside what it has used: time, memory, threads, files."""

from __future__ import annotations

from collections.abc import Sequence

from .child_process import ChildProcess
from .outcome import CONTENDED_SHARE, Killed, ResourceLimits
from .scratch import ScratchFolder
from .wall_clock import WallClock

MEMORY_CHECK_SECONDS = 0.025
# The clock stands still while a run waits for a core, for up to this many times its limit. The
# wait is capped because a program can make itself wait (``sched_yield`` in a loop).
MAX_WAIT_FACTOR = 3
_DELAY_READ_SHARE = 0.5  # with less of a time limit left, the wait for a core is read too
# Threads use up the process numbers of the whole machine, and kernel memory that no limit of a
# process counts. A program can start some 400 between two checks.
MAX_THREADS = 512


class ChildLimits:
    """The limits of a child's run, or in a batch of its test. It says what is exceeded, and kills
    nothing.

    bounds, clock: those of the run, or of the test.
    process: how the child is measured. folder: where it may write, if its size is to be watched.
    cpu_offset: seconds of CPU that earlier tests took.
    partners: those of the other children of its run. Where it waits for a core, it may wait for
        them.
    extra_wall_s: seconds that extend the wall limit: the run waited for them.
    has_ended: whether the child has; its process number may be another one's then.
    """

    def __init__(
        self, bounds: ResourceLimits, process: ChildProcess, folder: ScratchFolder | None
    ) -> None:
        self.bounds = bounds
        self.clock = WallClock()
        self.cpu_offset = 0.0
        self.partners: Sequence[ChildLimits] = ()
        self.extra_wall_s = 0.0
        self.has_ended = False
        self._process = process
        self._folder = folder
        self._next_usage_check = 0.0

    def check(self, now: float, cpu_s: float) -> tuple[Killed | None, float]:
        """Return the limit that is exceeded, and the seconds until the next check is due. cpu_s:
        CPU seconds of the run, or of the test."""
        cpu_left = self._find_cpu_limit(cpu_s) - cpu_s
        wall_left = self._find_wall_left(now)
        if now >= self._next_usage_check:
            self._next_usage_check = now + MEMORY_CHECK_SECONDS / 2
            self._process.read_usage()
            if (
                cpu_left < _DELAY_READ_SHARE * self.bounds.cpu_seconds
                or wall_left < _DELAY_READ_SHARE * self.bounds.wall_seconds
            ):
                self._read_run_delays()
                wall_left = self._find_wall_left(now)
        seconds = max(0.001, min(cpu_left, wall_left, MEMORY_CHECK_SECONDS))
        return self._find_exceeded(cpu_left, wall_left), seconds

    def _find_exceeded(self, cpu_left: float, wall_left: float) -> Killed | None:
        process = self._process
        if process.is_stalled:
            return Killed.IDLE
        if cpu_left <= 0:
            return Killed.CPU
        if wall_left <= 0:
            return Killed.WALL
        if process.peak_bytes - process.early_kill_margin > self.bounds.memory_bytes:
            return Killed.MEMORY
        if process.thread_count > MAX_THREADS:
            return Killed.THREADS
        if self._folder is not None and self._folder.is_full():
            return Killed.FILES
        return None

    def _find_wall_left(self, now: float) -> float:
        """Return the seconds left on the clock, which stands still while the run waits."""
        elapsed = now - self.clock.start
        credit = min(self._sum_run_delays(), elapsed, MAX_WAIT_FACTOR * self.bounds.wall_seconds)
        return self.bounds.wall_seconds + self.extra_wall_s + credit - elapsed

    def _read_run_delays(self) -> None:
        for one in (self, *self.partners):
            if not one.has_ended:
                one._process.read_run_delay()

    def _sum_run_delays(self) -> float:
        """Return the seconds that this child and its partners waited for a core.

        Partners count because the child may wait for them. In a batch, the child's earlier tests
        count too; they took a small share of one test's limits. A later test that exceeds the clock
        runs again, as the first test of a new child.
        """
        return sum(one._process.run_delay for one in (self, *self.partners))

    def _find_cpu_limit(self, cpu_s: float) -> float:
        """Return the seconds that kill: more for a program that waited for a core, since a run that
        was slowed down is repeated alone (the judge's ``prepared_problem`` has the factor)."""
        bounds = self.bounds
        if bounds.contended_cpu_seconds and cpu_s >= bounds.cpu_seconds:
            self._process.read_run_delay()
            if self._process.run_delay > CONTENDED_SHARE * cpu_s:
                return bounds.contended_cpu_seconds
        return bounds.cpu_seconds

    def choose_reason(self, exceeded: Killed) -> Killed:
        """Return why a child is killed that exceeds this limit.

        A child that waited for a core may run beyond its CPU limit (contended_cpu_seconds). On an
        idle machine the CPU limit would have ended it first, so that is the reason, whatever it
        exceeds afterwards (except the clock).
        """
        is_over_cpu_limit = self._process.cpu_s - self.cpu_offset >= self.bounds.cpu_seconds
        return Killed.CPU if is_over_cpu_limit and exceeded is not Killed.WALL else exceeded

    def get_run_delay(self, killed: Killed | None) -> float:
        """Return the seconds that it waited for a core, with its partners if the clock ended it."""
        delay = self._sum_run_delays() if killed is Killed.WALL else self._process.run_delay
        return delay and min(delay, self.clock.elapsed)
