"""Chooses few tests that kill many programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet


def choose_positions(
    kills: Sequence[AbstractSet[int]],
    earlier_counts: Sequence[int],
    sizes: Sequence[int],
    *,
    cover: int,
    limit: int,
    minimum: int = 0,
    answers: Sequence[str] = (),
) -> list[int]:
    """Positions of the tests to add, at most ``limit``, in order.

    kills: for each program the new tests that kill it. earlier_counts: for each program the old
    tests that do. sizes: of each new test. cover: tests, old and new, wanted for each program.
    Greedy: each step takes the test that kills most programs that still need one, those that few
    tests kill first; of equal tests the smallest. Where that chooses fewer than ``minimum``, others
    follow, first those whose answer (of each new test, in answers) is unlike those chosen before.
    """
    selection: list[int] = []
    while len(selection) < limit:
        gains: dict[int, float] = {}
        for killers, earlier_count in zip(kills, earlier_counts, strict=True):
            count = earlier_count + len(killers & set(selection))
            if count < cover:
                for position in killers - set(selection):
                    # A program that no test kills yet counts most.
                    weight = 1.0 if count else 10.0
                    gains[position] = gains.get(position, 0.0) + weight / len(killers)
        if not gains:
            break
        selection.append(
            min(gains, key=lambda position: (-round(gains[position], 9), sizes[position], position))
        )
    others = [position for position in range(len(sizes)) if position not in selection]
    if answers:
        counts = Counter(answers[position] for position in selection)
        ranks = {}
        for position in others:
            ranks[position] = counts[answers[position]]
            counts[answers[position]] += 1
        others.sort(key=ranks.__getitem__)
    selection += others[: max(0, min(minimum, limit) - len(selection))]
    return sorted(selection)
