"""Values that change in stages: temperature and response length.

The paper (2.4) finds that even a brief continuous change of temperature alters diversity for good,
while one step from low to high helps. So a schedule is a step function, and a ramp spelt as many
short stages is refused.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

RAMP_STEPS = 20  # changes closer than this, three times in a row, are a ramp
SHORT_STAGE = 50
MANY_STAGES = 3


@dataclass(frozen=True, slots=True)
class Staged:
    """(first step, value) pairs; the first starts at step 0."""

    stages: tuple[tuple[int, float], ...]

    def at(self, step: int) -> float:
        """The value in force at a step."""
        return self.stages[bisect_right([first for first, _ in self.stages], step) - 1][1]

    @property
    def largest(self) -> float:
        """The largest value of any stage."""
        return max(value for _, value in self.stages)


def staged(value: float | Sequence[Sequence[float]]) -> Staged:
    """A constant, or [[0, first], [step, next], …]. Raises ValueError for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Staged(((0, value),))
    try:
        stages = tuple((int(step), float(number)) for step, number in value)  # type: ignore[union-attr]
    except (TypeError, ValueError):
        raise ValueError("must be a number or stages such as [[0, 0.6], [140, 1.2]]") from None
    if not stages or stages[0][0] != 0:
        raise ValueError("the first stage must start at step 0")
    steps = [step for step, _ in stages]
    if any(later <= earlier for earlier, later in itertools.pairwise(steps)):
        raise ValueError("stages must start at increasing steps")
    gaps = _gaps(steps)
    if any(max(gaps[i : i + 2]) < RAMP_STEPS for i in range(len(gaps) - 1)):
        raise ValueError(
            f"three stages within {2 * RAMP_STEPS} steps are a ramp: continuous changes, even "
            "brief ones, change diversity for good (paper, 2.4); use one to three long stages"
        )
    return Staged(stages)


def concerns(name: str, schedule: Staged) -> list[str]:
    """What the paper would warn of in a schedule that is allowed."""
    steps = [step for step, _ in schedule.stages]
    found = []
    if short := [gap for gap in _gaps(steps) if gap < SHORT_STAGE]:
        found.append(f"{name}: a stage of {short[0]} steps is shorter than {SHORT_STAGE}")
    if len(steps) > MANY_STAGES:
        found.append(f"{name}: {len(steps)} stages; the paper's runs have at most two")
    return found


def _gaps(steps: Sequence[int]) -> list[int]:
    return [later - earlier for earlier, later in itertools.pairwise(steps)]
