"""Diversity of a group of responses, its alarms, and the temperature that follows from it.

Source: paper 2.4: unique 4-grams over all 4-grams, pooled over the 8 responses of a query. Tokens
are the unit (the paper does not say); end-of-text tokens are left out by the caller.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

GRAM = 4
UNINFORMATIVE_TOKENS = 16  # below this most of a response is one or two grams
# The paper's curves: D starts at .72 (T 1.2), .93 with every truncated answer masked, shortly
# before the run dies at .13. As shares of the start, since other models start elsewhere.
FALL, COLLAPSE, EXPLOSION = 0.7, 0.4, 0.35
RISE = 0.1  # from .99 there is nothing left to explode to
WINDOW = 50
MARGIN, HIGHEST, ACCURATE = 0.03, 0.85, 0.95  # see choose_temperature
TREND = -1e-4  # a slope a step; .005 over the window, below it noise looks like a fall


def pooled_diversity(responses: Sequence[Sequence[int]]) -> float:
    """Unique over total 4-grams of all responses together; NaN when there is none.

    D(q) = |unique 4-grams| / |total 4-grams| (paper 2.4).
    """
    rows = [
        np.lib.stride_tricks.sliding_window_view(np.asarray(ids, np.int64), GRAM)
        for ids in responses
        if len(ids) >= GRAM
    ]
    if not rows:
        return math.nan
    grams = np.concatenate(rows)
    return len(np.unique(grams, axis=0)) / len(grams)


def mean_diversity(groups: Sequence[Sequence[Sequence[int]]]) -> float:
    """The mean of D over the queries that have any n-gram; NaN when none has."""
    values = [d for d in map(pooled_diversity, groups) if not math.isnan(d)]
    return sum(values) / len(values) if values else math.nan


def uninformative(responses: Sequence[Sequence[int]]) -> bool:
    """Whether fewer than half the responses are long enough for 4-grams to mean something."""
    return 2 * sum(len(ids) >= UNINFORMATIVE_TOKENS for ids in responses) < len(responses)


def slope(history: Sequence[float]) -> float:
    """Change a step over the last 50 values by least squares; NaN for fewer than two."""
    recent = np.asarray([value for value in history[-WINDOW:] if not math.isnan(value)])
    if len(recent) < 2:
        return math.nan
    return float(np.polyfit(np.arange(len(recent)), recent, 1)[0])


def alarms(history: Sequence[float], converged: float | None = None) -> list[str]:
    """What the paper calls training failure, said while it can still be stopped.

    history: D of every step so far, the untrained model's first. converged: D_conv where known
    (the paper's Qwen3: .60 to .70); unset, alarms are relative to the first step.
    """
    values = [value for value in history if not math.isnan(value)]
    if len(values) < 2:
        return []
    first, now, trend = values[0], values[-1], slope(values)
    floor = FALL * first if converged is None else converged
    falling = trend < TREND and (converged is not None or len(values) >= WINDOW)
    found = []
    if now < COLLAPSE * first:
        found.append(f"diversity collapsed: {now:.2f}, {first:.2f} at the start")
    elif now < floor and falling:
        found.append(f"diversity {now:.2f} is below {floor:.2f} and falling ({trend:+.4f} a step)")
    if 1 - now < EXPLOSION * (1 - first) and now > first + RISE:
        found.append(f"diversity explodes: {now:.2f}, {first:.2f} at the start")
    return found


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """What sampling at one temperature gave. length: tokens. truncated: a share."""

    temperature: float
    diversity: float
    accuracy: float
    length: float
    truncated: float


def choose_temperature(rows: Sequence[ProbeRow], converged: float) -> tuple[ProbeRow | None, str]:
    """The lowest temperature whose diversity will not fall below where it converges, and why.

    D(T) >= converged + .03, D(T) <= .85, accuracy(T) >= .95 of the best (paper 2.4 and its
    figure 3). None when no temperature qualifies: the text names the nearest and its failing.
    """
    best, low = max(row.accuracy for row in rows), converged + MARGIN

    def failings(row: ProbeRow) -> list[tuple[float, str]]:
        if math.isnan(row.diversity):
            return [(1.0, f"no response has {GRAM} tokens")]
        tests = (
            (low - row.diversity, f"diversity {row.diversity:.3f} is below {low:.3f}"),
            (row.diversity - HIGHEST, f"diversity {row.diversity:.3f} is above {HIGHEST:.3f}"),
            (
                ACCURATE * best - row.accuracy,
                f"accuracy {row.accuracy:.3f} is below {ACCURATE:g} of the best, {best:.3f}",
            ),
        )
        return [(miss, why) for miss, why in tests if miss > 0]

    for row in sorted(rows, key=lambda row: row.temperature):
        if not failings(row):
            return row, (
                f"the lowest T with D >= {low:.2f}, D <= {HIGHEST:.2f} and accuracy "
                f">= {ACCURATE:g} of the best"
            )
    nearest = min(rows, key=lambda row: sum(miss for miss, _ in failings(row)))
    reasons = " and ".join(why for _, why in failings(nearest))
    return None, f"no temperature qualifies; nearest is T {nearest.temperature:g}: {reasons}"
