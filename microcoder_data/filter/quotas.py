"""Selects problems so that the labels of difficulty have the shares that a recipe wants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from microcoder_data.recipe import Difficulty
from microcoder_data.rows import draw_number
from microcoder_eval.errors import DataError

from .labels import LABELS


@dataclass(frozen=True, slots=True)
class Selection:
    """The positions to keep.

    quotas: how many of each label.
    unfilled: labels in the recipe's quota that no problem has; the other labels take their share.
    scarcest: the label whose problems are all kept; it bounds how many of the other labels can be
        kept.
    """

    positions: set[int]
    quotas: Mapping[str, int]
    unfilled: Sequence[str]
    scarcest: str | None


def select_positions(
    labels: Iterable[tuple[int, str, str]], recipe: Difficulty, seed: int
) -> Selection:
    """Select as many problems as the quota allows, ``total`` at most.

    labels: (position, problem_id, label). The seed and the names decide which problems of a label
    are kept; the order of the problems does not matter. Raises DataError with the counts if the
    quota selects no problem.
    """
    groups: dict[str, list[tuple[float, int]]] = {name: [] for name in LABELS}
    for position, problem_id, name in labels:
        groups[name].append((draw_number(seed, "quota", problem_id), position))
    quota_shares = {str(name): share for name, share in (recipe.quota or {}).items() if share}
    shares = quota_shares or {name: float(len(group)) for name, group in groups.items()}
    shares = {name: share for name, share in shares.items() if groups[name]}
    total_share = sum(shares.values())
    totals = {name: len(groups[name]) * total_share / share for name, share in shares.items()}
    scarcest = min(totals, key=lambda name: totals[name], default=None)
    max_total = 0.0 if scarcest is None else totals[scarcest]
    is_limited = recipe.total is not None and recipe.total < max_total
    total = float(recipe.total or 0) if is_limited else max_total
    quotas = {
        name: int(shares.get(name, 0.0) * total / total_share + 1e-9) if total_share else 0
        for name in LABELS
    }
    positions = {
        position for name in LABELS for _, position in sorted(groups[name])[: quotas[name]]
    }
    if not positions and any(groups.values()):
        raise DataError(_describe_empty_selection(groups, recipe))
    unfilled = [name for name in LABELS if name in quota_shares and name not in shares]
    return Selection(positions, quotas, unfilled, None if is_limited else scarcest)


def _describe_empty_selection(groups: Mapping[str, Sequence[Any]], recipe: Difficulty) -> str:
    counts = ", ".join(f"{len(groups[name])} {name}" for name in LABELS)
    quota_text = ", ".join(f"{name} {share:g}" for name, share in (recipe.quota or {}).items())
    limit = f", at most {recipe.total} in all" if recipe.total is not None else ""
    return (
        f"the quota selects none of {sum(map(len, groups.values()))} problems: there are {counts}; "
        f"wanted are shares of {quota_text or 'all'}{limit}. Change [filter.difficulty] quota, or "
        "give pass_rates that tell the problems apart; start over with --force"
    )
