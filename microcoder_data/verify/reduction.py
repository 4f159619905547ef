"""Chooses the tests that stay: a greedy cover of wrong programs and mutants."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from microcoder_data.recipe import Verify
from microcoder_eval.records import Problem
from microcoder_eval.suspicion import group_equal_inputs
from microcoder_sandbox import codec

from .kills import order_by_spread

_MAX_PROBLEM_BYTES = 16 << 20  # of all tests of a problem together


def find_distinct_tests(problem: Problem) -> list[int]:
    """Return the positions of tests, without those that repeat the input and output of another."""
    distinct = set(range(len(problem.tests)))
    for positions in group_equal_inputs(problem):
        by_output: dict[str, int] = {}
        for position in positions:
            by_output.setdefault(_make_key(problem.tests[position].output), position)
        distinct -= set(positions) - set(by_output.values())
    return sorted(distinct)


def _make_key(value: Any) -> str:
    """Return a text that is the same for equal values."""
    return repr(codec.to_json(value.strip() if isinstance(value, str) else value))


def measure_sizes(problem: Problem) -> list[int]:
    """Return the bytes of each test."""
    return [_measure(test.input) + _measure(test.output) for test in problem.tests]


def _measure(value: Any) -> int:
    text = value if isinstance(value, str) else json.dumps(codec.to_json(value))
    return len(text.encode())


def compute_budget(count: int, recipe: Verify) -> int:
    """Return how many of ``count`` tests may stay; more stay only if they are needed to kill every
    program."""
    if not recipe.max_tests or count <= recipe.min_tests:
        return count
    return max(recipe.min_tests, min(recipe.max_tests, int(recipe.keep_share * count)))


def must_shrink(sizes: Sequence[int], recipe: Verify) -> bool:
    """Whether there are too many tests, or tests that are too large."""
    return (
        compute_budget(len(sizes), recipe) < len(sizes)
        or max(sizes) > recipe.max_test_kb * 1024
        or sum(sizes) > _MAX_PROBLEM_BYTES
    )


def choose_tests(
    sizes: Sequence[int], kills: Sequence[Collection[int]], recipe: Verify
) -> tuple[list[int], list[int]]:
    """Return the positions of the tests that stay, and of those of them that are larger than
    allowed. sizes: bytes of each test. kills: for each program the tests that kill it.

    Always kept: for each program a test that kills it, and the largest allowed test. Kept within
    the budget: further killers of each program, then tests spread over all sizes. A test larger
    than allowed is kept only for a program that no smaller test kills.
    """
    limit = int(recipe.max_test_kb * 1024)
    small = {position for position, size in enumerate(sizes) if size <= limit}
    budget = compute_budget(len(sizes), recipe)
    largest = max(small, key=lambda position: (sizes[position], -position), default=None)
    positions = set() if largest is None else {largest}
    order = {position: rank for rank, position in enumerate(order_by_spread(sizes))}
    for level in range(1, recipe.cover + 1):
        add_killers(positions, kills, level, order, small, None if level == 1 else budget)
    for position in sorted(small - positions, key=order.__getitem__):
        if len(positions) >= budget:
            break
        positions.add(position)
    _remove_largest(positions, sizes, kills, _MAX_PROBLEM_BYTES)
    return sorted(positions), sorted(positions - small)


def add_killers(
    positions: set[int],
    kills: Sequence[Collection[int]],
    needed: int,
    order: Mapping[int, int],
    small: AbstractSet[int],
    budget: int | None,
) -> None:
    """Add tests until ``needed`` of the chosen tests kill each program, or all tests that can.

    Each step takes the test that kills most programs that need one; programs that few tests kill
    count more. order: the rank of each test among equal ones. small: a test that is not small is
    added only for a program that no small test kills. budget: the number of tests at which to stop;
    None: no limit.
    """
    while budget is None or len(positions) < budget:
        gains: dict[int, float] = {}
        for killers in map(set, kills):
            if len(killers & positions) < needed:
                for test in (killers & small or killers) - positions:
                    gains[test] = gains.get(test, 0.0) + 1 / len(killers)
        if not gains:
            return
        positions.add(max(gains, key=lambda test: (round(gains[test], 9), -order[test])))


def _remove_largest(
    positions: set[int], sizes: Sequence[int], kills: Sequence[Collection[int]], limit: int
) -> None:
    """Remove the largest tests until the others fit. A test that alone kills some program stays."""
    for position in sorted(positions, key=lambda test: -sizes[test]):
        if sum(sizes[test] for test in positions) <= limit:
            return
        remaining = positions - {position}
        if remaining and all(not killers or remaining & set(killers) for killers in kills):
            positions.discard(position)
