"""Values made to be slow: no comparer raises, none takes more than linear time.

And memory: a small multiple of what the output itself takes, in every comparer. The time that
outputs take: tests/judge/worker/test_linear_reading.py.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

import pytest

from microcoder_eval.compare import COMPARERS, make_comparer
from tests.memory import Call, measure_calls

pytestmark = pytest.mark.slow
ALL = sorted(COMPARERS)
WITH_OPTIONS = [
    "floats:abs=null,rel=1e-9",
    "kattis:case_sensitive",
    "kattis:space_change_sensitive",
    "kattis:float_tolerance=1e-6",
    "tokens:case_sensitive=false",
]
EVERY = [*ALL, *WITH_OPTIONS]


def nest(kind: type[Any], depth: int, leaf: Any) -> Any:
    for _ in range(depth):
        leaf = {"k": leaf} if kind is dict else kind([leaf])
    return leaf


@pytest.mark.parametrize("kind", [list, dict, frozenset])
def test_values_as_deep_as_the_codec_lets_through_are_compared(kind: type[Any]) -> None:
    deep, same, other = (nest(kind, 150, leaf) for leaf in (1, 1, 2))
    for name in ALL:
        compare = make_comparer(name)
        assert compare.compare_value(deep, same).method is not None, name
        assert compare.compare_value(deep, other).method is None, name


# Pairs of equal keys, kinds that JSON has not, and what does not fit into a double.
ODD = [
    {True: 0}, {1: 0}, {1.0: 0}, {"1": 0}, {None: 0}, {"null": 0}, {(1, 2): 0}, {"True": 0},
    {10**5000: 0}, {float("nan"): 0}, b"a", "a", bytearray(b"a"), 1j, 1 + 0j, complex("nan"),
    10**400, -(10**400), float("inf"), float("nan"), {1, 1.5}, {"a"}, frozenset(), set(), [], (),
    {}, "", None, True, 0, "\ud800", [float("nan")], [10**400, 1.0], 10**5000, [[]], [()],
]  # fmt: skip


def test_no_pair_of_odd_values_makes_a_comparer_raise() -> None:
    for compare, actual, expected in product(map(make_comparer, ALL), ODD, ODD):
        match = compare.compare_value(actual, expected)
        assert (match.method is None) == (match.detail is not None), (
            compare.name, actual, expected)  # fmt: skip


@pytest.mark.timeout(30)  # it takes .2 s, where each member is compared with each half a minute
@pytest.mark.parametrize("name", ALL)
def test_many_equal_members_are_compared_in_linear_time(name: str) -> None:
    many: list[Any] = [[0, [1]]] * 30_000
    assert make_comparer(name).compare_value([*many, 1], [*many, 2]).method is None
    assert make_comparer(name).compare_value([*many, 1], [*many, 1]).method is not None


@cache
def make_shapes() -> dict[str, tuple[bytes, bytes]]:
    """(output, expected) of over a megabyte, no two words the same, and another order."""
    rng = random.Random(7)
    numbers = [str(n) for n in rng.sample(range(10**6, 10**7), 150_000)]
    reals = [f"{rng.random():.9f}" for _ in range(110_000)]
    shapes = {}
    for name, items, gap in (
        ("integers, a line each", numbers, "\n"),
        ("integers, one line", numbers, " "),
        ("reals, a line each", reals, "\n"),
        ("reals, one line", reals, " "),
    ):
        expected = gap.join(items).encode()
        shapes[name] = gap.join(reversed(items)).encode(), expected
    list_text = f"[{', '.join(numbers)}]".encode()
    shapes["numbers that differ"] = reals_of(rng), reals_of(rng)
    shapes["one list"] = list_text.replace(b"1", b"2"), list_text
    shapes["one word"] = b"a" * 1_200_000 + b"b", b"a" * 1_200_001
    return shapes


def reals_of(rng: random.Random) -> bytes:
    return b"\n".join(b"%.9f" % rng.random() for _ in range(110_000))


def list_comparisons() -> Iterator[Call]:
    import numpy  # noqa: F401 - or the first comparison would pay for it

    for name, (shape, (actual, expected)) in product(EVERY, make_shapes().items()):
        compare = partial(make_comparer(name).compare_text, actual, expected)
        yield f"{name}: {shape}", len(expected), compare


def test_memory_stays_below_twelve_times_the_output() -> None:
    peaks = measure_calls("tests.compare.test_hostile:list_comparisons")
    assert len(peaks) == len(EVERY) * len(make_shapes())
    assert {name: times for name, times in peaks.items() if times >= 12} == {}
