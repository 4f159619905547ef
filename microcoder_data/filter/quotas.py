"""Selects problems so that the labels of difficulty have the shares that a recipe wants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from microcoder_data.recipe import Difficulty
from microcoder_data.rows import draw_number
from microcoder_eval.errors import DataError

from .labels import LABELS


def select_positions(
    labels: Iterable[tuple[int, str, str]], recipe: Difficulty, seed: int
) -> tuple[set[int], dict[str, int]]:
    """Return the positions of as many problems as the quota allows, ``total`` at most, and how many
    have each label. The share of a label that no problem has goes to the others.

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
    # The scarcest label limits the total.
    totals = [len(groups[name]) * total_share / share for name, share in shares.items()]
    total = min([*totals, *([recipe.total] if recipe.total is not None else [])], default=0.0)
    quotas = {
        name: int(shares.get(name, 0.0) * total / total_share + 1e-9) if total_share else 0
        for name in LABELS
    }
    positions = {
        position for name in LABELS for _, position in sorted(groups[name])[: quotas[name]]
    }
    if not positions and any(groups.values()):
        raise DataError(_describe_empty_selection(groups, recipe))
    return positions, quotas


def _describe_empty_selection(groups: Mapping[str, Sequence[Any]], recipe: Difficulty) -> str:
    counts = ", ".join(f"{len(groups[name])} {name}" for name in LABELS)
    quota_text = ", ".join(f"{name} {share:g}" for name, share in (recipe.quota or {}).items())
    limit = f", at most {recipe.total} in all" if recipe.total is not None else ""
    return (
        f"the quota selects none of {sum(map(len, groups.values()))} problems: there are {counts}; "
        f"wanted are shares of {quota_text or 'all'}{limit}. Change [filter.difficulty] quota, or "
        "give pass_rates that tell the problems apart; start over with --force"
    )
