"""Chooses few tests that kill many programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from microcoder_data.verify.reduction import add_killers


def choose_positions(
    kills: Sequence[AbstractSet[int]],
    earlier_counts: Sequence[int],
    sizes: Sequence[int],
    *,
    cover: int,
    limit: int,
    minimum: int = 0,
    marks: Sequence[AbstractSet[Hashable]] = (),
) -> list[int]:
    """Return the positions of the tests to add, at most ``limit``, in ascending order.

    kills: for each program, the new tests that kill it. earlier_counts: for each program, the
    number of old tests that kill it. sizes: of each new test. cover: how many tests, old and new,
    should kill each program. minimum: how many tests to choose even if no program needs them.
    marks: the known properties of each new test, such as its answer.

    The choice is greedy. If it gives fewer than ``minimum`` tests, those with the rarest marks
    follow: rare among all tests and among those chosen before.
    """
    ranked = sorted(range(len(sizes)), key=lambda position: (sizes[position], position))
    order = {position: rank for rank, position in enumerate(ranked)}
    chosen: set[int] = set()
    for level in range(1, cover + 1):
        needed = [level - count for count in earlier_counts]
        add_killers(chosen, kills, needed, order, set(order), limit)
    selection = sorted(chosen)
    for position in _order_by_rarity(marks or [frozenset()] * len(sizes), sizes, selection):
        if len(selection) >= min(minimum, limit):
            break
        selection.append(position)
    return sorted(selection)


def _order_by_rarity(
    marks: Sequence[AbstractSet[Hashable]], sizes: Sequence[int], selection: Sequence[int]
) -> Iterator[int]:
    """Yield the other positions; each time the one that is least like the selected and the yielded
    ones."""
    totals = Counter(mark for test_marks in marks for mark in test_marks)
    covered = Counter(mark for position in selection for mark in marks[position])
    others = [position for position in range(len(marks)) if position not in selection]
    while others:
        gains = {
            position: sum(1 / (totals[mark] * (1 + covered[mark]) ** 2) for mark in marks[position])
            for position in others
        }
        best = min(others, key=lambda place: (-round(gains[place], 9), sizes[place], place))
        others.remove(best)
        covered.update(marks[best])
        yield best
