"""Several tests of a program in one child: which results stand, and what is run again alone.

The child looks after each test whether the next would find all as this one has found it
(microcoder_sandbox.batch). Here is what is made of its word: a result stands where its test was
the first in its child, or passed after others that left nothing. Whatever else happens in a child
that ran others before is run again, first in a child.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from microcoder_sandbox.client import Interrupted
from microcoder_sandbox.outcome import CageError, CageUnavailableError, Killed, ResourceLimits

from .records import Verdict
from .verdicts import NEAR, Answer, Ruling, harmed_from_outside, rule

if TYPE_CHECKING:
    from microcoder_sandbox.batch.driver import Turns
    from microcoder_sandbox.cage import Program

    from .judging import Run

LARGEST_INPUT = 1 << 20  # what is larger is not copied: the time for a child is nothing to it


@dataclass(frozen=True, slots=True)
class Item:
    """A test. data: its input, or its call as job_text gives it. alone: runs it in a child of
    its own."""

    data: Callable[[], bytes]
    limits: ResourceLimits
    answer: Answer
    alone: Callable[[], Ruling]


def rulings(
    run: Run, program: Program, make: Callable[[int], Item], count: int, *, call: bool
) -> Iterator[Ruling]:
    """A ruling for each of ``count`` items, in order; items are made when their turn comes."""
    batch = Batch(run, program, make, count, call=call)
    index = 0
    while index < count:
        together = batch.together(index) if batch.worthwhile(index) else []
        for ruling in together or [make(index).alone()]:
            yield ruling
            index += 1


class Batch:
    """One program's tests on their way through as few children as it takes."""

    def __init__(
        self, run: Run, program: Program, make: Callable[[int], Item], count: int, *, call: bool
    ) -> None:
        self._run = run
        self._program = program
        self._make = make
        self._count = count
        self._call = call
        self._tried = program.may_take_turns and run.batch

    def worthwhile(self, index: int) -> bool:
        """Whether to try the tests from there on in one child."""
        return self._tried and index + 1 < self._count

    def together(self, index: int) -> list[Ruling]:
        """The rulings that stand of those that one child gave, from the test ``index`` on."""
        try:
            turns = self._run.cage.turns(self._program, call=self._call)
            try:
                return self._of_one_child(turns, index)
            finally:
                turns.close()
        except (Interrupted, CageUnavailableError):
            raise
        except CageError:
            self._run.cage.close()  # alone it is tried again, on new servers
            return []

    def _of_one_child(self, turns: Turns, index: int) -> list[Ruling]:
        found: list[Ruling] = []
        for item in map(self._make, range(index, self._count)):
            data = item.data()
            if len(data) > LARGEST_INPUT:
                break
            outcome = turns.run(data, _further(item.limits) if found else item.limits)
            if turns.void or harmed_from_outside(outcome):
                self._tried = self._tried and not turns.void
                break
            ruling = rule(outcome, item.limits, self._run.problem.time_s, item.answer)
            passed = ruling.result.verdict is Verdict.AC
            if found and not passed and outcome.killed is not Killed.CPU:
                break
            found.append(ruling)
            if not turns.waiting or not passed:
                # A program that passes and must not go on will not be let go on again.
                self._tried = self._tried and not passed
                break
        if turns.started and turns.finish().peak_memory > self._run.problem.memory_bytes:
            self._tried = False
            return found[:1]
        return found


def _further(limits: ResourceLimits) -> ResourceLimits:
    """Of a test after others: beyond these it is too slow, whatever it may be alone."""
    return replace(
        limits,
        cpu_seconds=limits.crowded_cpu_seconds,
        wall_seconds=limits.wall_seconds * NEAR[1],
    )
