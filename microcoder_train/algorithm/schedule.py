"""Settings that change in stages: temperature and response length.

The paper (2.4) finds that even a brief continuous change of temperature alters diversity
permanently, while one step from low to high helps. So a schedule is a step function. Many short
stages in a row would form a ramp and are refused.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

RAMP_STEPS = 20  # a ramp: three stages, each starting at most so many steps after the one before
SHORT_STAGE = 50
MANY_STAGES = 3


@dataclass(frozen=True, slots=True)
class Schedule:
    """Stages as (first step, value); the first starts at step 0."""

    stages: tuple[tuple[int, float], ...]

    def compute_value(self, step: int) -> float:
        """Return the value at a step."""
        return self.stages[bisect_right([first for first, _ in self.stages], step) - 1][1]

    @property
    def largest(self) -> float:
        """The largest value of any stage."""
        return max(value for _, value in self.stages)


def parse_schedule(value: float | Sequence[Sequence[float]]) -> Schedule:
    """Read a schedule: a number, or stages such as [[0, 0.6], [140, 1.2]]. Raises ValueError."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Schedule(((0, value),))
    try:
        stages = tuple((int(step), float(number)) for step, number in value)  # type: ignore[union-attr]
    except (TypeError, ValueError):
        raise ValueError("must be a number or stages such as [[0, 0.6], [140, 1.2]]") from None
    if not stages or stages[0][0] != 0:
        raise ValueError("the first stage must start at step 0")
    steps = [step for step, _ in stages]
    if any(later <= earlier for earlier, later in itertools.pairwise(steps)):
        raise ValueError("stages must start at increasing steps")
    lengths = _measure_stages(steps)
    if any(max(lengths[i : i + 2]) <= RAMP_STEPS for i in range(len(lengths) - 1)):
        raise ValueError(
            f"three stages within {2 * RAMP_STEPS} steps are a ramp: continuous changes, even "
            "brief ones, change diversity for good (paper, 2.4); use one to three long stages"
        )
    return Schedule(stages)


def list_schedule_warnings(name: str, schedule: Schedule) -> list[str]:
    """Return warnings about an allowed schedule, by the paper's findings."""
    steps = [step for step, _ in schedule.stages]
    messages = []
    if short_stages := [length for length in _measure_stages(steps) if length < SHORT_STAGE]:
        messages.append(f"{name}: a stage of {short_stages[0]} steps is shorter than {SHORT_STAGE}")
    if len(steps) > MANY_STAGES:
        messages.append(f"{name}: {len(steps)} stages; the paper's runs have at most two")
    return messages


def _measure_stages(steps: Sequence[int]) -> list[int]:
    return [later - earlier for earlier, later in itertools.pairwise(steps)]
