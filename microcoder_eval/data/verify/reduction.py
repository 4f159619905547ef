"""Fewer tests with the same power: greedy cover over wrong programs and mutants."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from microcoder_eval.data.recipe import Verify

from .kills import spread


@dataclass(frozen=True, slots=True)
class Choice:
    """Tests that stay, in their order, and those of them that are larger than allowed."""

    stay: tuple[int, ...]
    too_large: tuple[int, ...]


def budget_of(count: int, recipe: Verify) -> int:
    """How many of ``count`` tests may stay, unless power asks for more."""
    if not recipe.max_tests or count <= recipe.min_tests:
        return count
    return max(recipe.min_tests, min(recipe.max_tests, int(recipe.keep_share * count)))


def chosen(
    sizes: Sequence[int],
    kills: Sequence[Collection[int]],
    alone: Collection[int],
    recipe: Verify,
) -> Choice:
    """Choose tests. sizes: bytes of each test. kills: of each program the tests that kill it.

    What stays: for each program a test that kills it; tests that are alone in a class, and the
    largest; then, within the budget, second and third killers, and others spread over all sizes.
    A test larger than allowed stays only where nothing else kills a program.
    """
    limit = int(recipe.max_test_kb * 1024)
    small = {position for position, size in enumerate(sizes) if size <= limit}
    budget = budget_of(len(sizes), recipe)
    stay = {position for position in alone if position in small}
    if small:
        stay.add(max(small, key=lambda position: (sizes[position], -position)))
    order = {position: rank for rank, position in enumerate(spread(sizes))}
    for level in range(1, recipe.cover + 1):
        _cover(stay, kills, level, small, order, None if level == 1 else budget)
    for position in sorted(small - stay, key=order.__getitem__):
        if len(stay) >= budget:
            break
        stay.add(position)
    _fit(stay, sizes, kills, int(recipe.max_problem_kb * 1024))
    return Choice(tuple(sorted(stay)), tuple(sorted(stay - small)))


def _cover(
    stay: set[int],
    kills: Sequence[Collection[int]],
    level: int,
    small: AbstractSet[int],
    order: dict[int, int],
    budget: int | None,
) -> None:
    """Add tests until each program is killed ``level`` times, or as often as is known."""
    open_ = [set(some) for some in kills if len(set(some) & stay) < min(level, len(set(some)))]
    while open_ and (budget is None or len(stay) < budget):
        gains: dict[int, float] = {}
        for some in open_:
            usable = [test for test in some - stay if test in small or not some & small]
            for test in usable:
                gains[test] = gains.get(test, 0.0) + 1.0 / len(some)
        if not gains:
            return
        best = max(gains, key=lambda test: (round(gains[test], 9), -order[test]))
        stay.add(best)
        open_ = [some for some in open_ if len(some & stay) < min(level, len(some))]


def _fit(
    stay: set[int], sizes: Sequence[int], kills: Sequence[Collection[int]], limit: int
) -> None:
    """Leave out the largest tests that nothing hangs on until all fit."""
    for position in sorted(stay, key=lambda one: -sizes[one]):
        if sum(sizes[one] for one in stay) <= limit:
            return
        rest = stay - {position}
        if rest and all(not some or rest & set(some) for some in kills):
            stay.discard(position)
