"""Time limits that a package does not declare: how its format derives them from its programs.

Source: problem package format, "Problem Timing"; legacy: time_multiplier, time_safety_margin.
The rule depends on no machine; the seconds that it is applied to are measured where it is judged.
"""

from __future__ import annotations

import math

from microcoder_sandbox import record


@record
class LimitRule:
    """How a limit follows from the slowest accepted program.

    multiplier: limit per second of that program.
    safety_margin: by how much a program that is meant to be too slow has to exceed the limit.
    resolution_s: the limit is a multiple of it.
    """

    multiplier: float
    safety_margin: float
    resolution_s: float = 1.0


def apply_limit_rule(rule: LimitRule, slowest_s: float) -> float:
    """Return the time limit in seconds. slowest_s: CPU seconds of the slowest accepted program on
    its slowest test."""
    steps = math.ceil(slowest_s * rule.multiplier / rule.resolution_s - 1e-9)
    return max(1, steps) * rule.resolution_s
