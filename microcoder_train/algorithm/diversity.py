"""Computes the diversity of a group of responses, raises alarms about it, and chooses a temperature
by it.

Source: paper 2.4: unique 4-grams over all 4-grams, pooled over the 8 responses of a query. The unit
is the token (the paper does not say); the caller removes end-of-text tokens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

NGRAM_TOKENS = 4
UNINFORMATIVE_TOKENS = 16  # a shorter response has few 4-grams
# From the paper's curves: D starts at .72 (T 1.2). If every truncated response is masked, D reaches
# .93 shortly before the run fails at .13. The alarms are relative to the start, since other models
# start at other values.
FALL, COLLAPSE, EXPLOSION = 0.7, 0.4, 0.35
RISE = 0.1  # an explosion is a rise by at least this
WINDOW = 50  # steps
MARGIN, ACCURATE, LOWEST_CHOSEN = 0.03, 0.95, 1.0  # choose_temperature
# For rewards: the steps in a mean, and the share of the best mean that counts as near it.
REWARD_STEPS, NEAR = 10, 0.95
TREND = -1e-4  # per step: .005 over the window; a smaller fall may be noise


def measure_diversity(responses: Sequence[Sequence[int]]) -> float:
    """D(q) = unique 4-grams / all 4-grams, over all responses to a query; NaN without 4-grams."""
    ngrams = [
        ngram
        for ids in responses
        for ngram in zip(*(ids[start:] for start in range(NGRAM_TOKENS)), strict=False)
    ]
    return len(set(ngrams)) / len(ngrams) if ngrams else math.nan


def average_diversities(values: Sequence[float]) -> float:
    """Return the mean of D over the queries that have 4-grams; NaN if none has."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def is_uninformative(responses: Sequence[Sequence[int]]) -> bool:
    """Whether fewer than half of the responses are long enough for 4-grams to be informative."""
    return 2 * sum(len(ids) >= UNINFORMATIVE_TOKENS for ids in responses) < len(responses)


def compute_slope(history: Sequence[float]) -> float:
    """Return the least-squares change per step over the last 50 values; NaN for fewer than two."""
    recent = np.asarray([value for value in history[-WINDOW:] if not math.isnan(value)])
    if len(recent) < 2:
        return math.nan
    return float(np.polyfit(np.arange(len(recent)), recent, 1)[0])


def find_alarms(
    history: Sequence[float], converged: float | None = None, rewards: Sequence[float] = ()
) -> dict[str, str]:
    """Return signs of what the paper calls training failure, by kind.

    history: D of every step, beginning with the untrained model.
    converged: D_conv if known (the paper's Qwen3: .60 to .70); otherwise alarms are relative to the
        first step.
    rewards: those of the same steps. Falling diversity is a failure only if it is "accompanied by
        training failure" (2.4). While rewards are at their best, it falls because the model learns,
        and raises no alarm.
    """
    values = [value for value in history if not math.isnan(value)]
    if len(values) < 2:
        return {}
    start, current, trend = values[0], values[-1], compute_slope(values)
    floor = FALL * start if converged is None else converged
    falling = trend < TREND and (converged is not None or len(values) >= WINDOW)
    messages = {}
    if current < COLLAPSE * start:
        messages["collapse"] = f"diversity collapsed: {current:.2f}, {start:.2f} at the start"
    elif current < floor and falling and not _is_at_best(rewards):
        messages["fall"] = (
            f"diversity {current:.2f} is below {floor:.2f} and falling ({trend:+.4f} a step), "
            "and rewards are not at their best"
        )
    if 1 - current < EXPLOSION * (1 - start) and current > start + RISE:
        messages["explosion"] = f"diversity explodes: {current:.2f}, {start:.2f} at the start"
    return messages


def _is_at_best(rewards: Sequence[float]) -> bool:
    """Whether the mean of the last steps is within NEAR of the best mean of as many steps."""
    known = np.asarray([reward for reward in rewards if not math.isnan(reward)])
    if len(known) < 2 * REWARD_STEPS:
        return False
    means = np.lib.stride_tricks.sliding_window_view(known, REWARD_STEPS).mean(axis=1)
    return bool(means[-1] > means[0] and means[-1] >= NEAR * means.max())


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """Results of sampling at one temperature. length: the mean of tokens. truncated: a share."""

    temperature: float
    diversity: float
    accuracy: float
    length: float
    truncated: float


def choose_temperature(rows: Sequence[ProbeRow], converged: float) -> tuple[ProbeRow | None, str]:
    """Return the lowest temperature that qualifies, and the reason as text.

    The paper (2.4) asks for an initial diversity that is not below the value at which runs
    converge, since diversity falls during training, and for a temperature at which training does
    not fluctuate. It gives neither a margin nor a test for "too high", so these rules are ours: the
    lowest T of at least 1 (the model's own distribution) with D(T) >= converged + MARGIN and
    accuracy(T) >= ACCURATE times the best row's. docs/how-to/temperature.md has the measurement.
    None if no temperature qualifies: the text then describes the nearest.
    """
    rows = [row for row in rows if row.temperature >= LOWEST_CHOSEN]
    best, low = max(row.accuracy for row in rows), converged + MARGIN

    def list_shortfalls(row: ProbeRow) -> list[tuple[float, str]]:
        if math.isnan(row.diversity):
            return [(1.0, f"no response has {NGRAM_TOKENS} tokens")]
        diversity, accuracy = f"diversity {row.diversity:.3f}", f"accuracy {row.accuracy:.3f}"
        tests = (
            (low - row.diversity, f"{diversity} is below {low:.3f}"),
            (ACCURATE * best - row.accuracy, f"{accuracy} is below {ACCURATE:g} of {best:.3f}"),
        )
        return [(shortfall, reason) for shortfall, reason in tests if shortfall > 0]

    for row in sorted(rows, key=lambda row: row.temperature):
        if not list_shortfalls(row):
            limit = f"accuracy >= {ACCURATE:g} of the best ({best:.3f})"
            return row, f"the lowest T with D >= {low:.2f} and {limit}"
    nearest = min(rows, key=lambda row: sum(shortfall for shortfall, _ in list_shortfalls(row)))
    reasons = " and ".join(reason for _, reason in list_shortfalls(nearest))
    return None, f"no temperature qualifies; nearest is T {nearest.temperature:g}: {reasons}"
