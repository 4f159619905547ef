"""Results of calls: plain values, under the default and under Python's own equality."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.compare import make_comparer

NAN = math.nan


def nest(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("actual", "expected", "accepted_by"),
    [
        ([1, "a", None, True], [1, "a", None, True], "exact"),
        ((1, 2), [1, 2], "same_value"),
        ([(1, 2)], [[1, 2]], "same_value"),
        ([1, 2], (1, 2), "same_value"),
        ({3, 1}, {1, 3}, "exact"),
        (frozenset({1}), {1}, "same_value"),
        ([1], {1}, None),
        (0.1 + 0.2, 0.3, "same_value"),
        ([[0.1 + 0.2]], [[0.3]], "same_value"),
        (2, 2.0, "same_value"),
        (2.0, 2, "same_value"),
        (2.0000001, 2, None),
        (1000000007.0, 1000000008, None),
        (1e18, 10**18 + 1, None),
        (10**400, 1.0, None),
        (True, 1, "same_value"),
        (1, True, "same_value"),
        (True, 1.0, None),
        ("5", 5, None),
        (5, "5", None),
        ("true", True, None),
        (None, [], None),
        (0, None, None),
        ({1: 2}, {"1": 2}, "same_value"),
        ({None: 1, True: 2}, {"null": 1, "true": 2}, "same_value"),
        ({"1": 2}, {1: 2}, None),
        ({"a": (1.0,)}, {"a": [1.0]}, "same_value"),
        (NAN, NAN, "same_value"),
        ([NAN], [NAN], "same_value"),
        (math.inf, math.inf, "exact"),
        (math.inf, -math.inf, None),
        (1e308, math.inf, None),
        (1e-8, 2e-8, None),
        (0, 1e-7, "same_value"),
        ([1], [[1], [9]], None),
        ([1, 2], [1, 2, 3], None),
        (b"a", "a", None),
        (1j, 1j, "exact"),
        (nest(150), nest(150), "exact"),
        ("Yes", "yes", None),
        ("a ", "a", None),
        (1j, 1, None),
        (NAN, 1.0, None),
        (math.inf, 1.0, None),
        ({1, 2}, [1, 2], None),
        (frozenset({1}), [1], None),
        ([2, 1], [1, 2], None),
        ({"b": 2, "a": 1}, {"a": 1, "b": 2}, "exact"),
    ],
)
def test_values_are_accepted_by_the_strictest_method_of_the_default(
    actual: Any, expected: Any, accepted_by: str | None
) -> None:
    match = make_comparer("calibrated").compare_value(actual, expected)
    assert match.method == accepted_by
    assert accepted_by is not None or (match.detail and len(match.detail) <= 200)


@pytest.mark.parametrize(
    ("actual", "expected", "accepted"),
    [
        ([1, 2], (1, 2), False),
        ([2, 1], [1, 2], False),
        ([1], [True], True),
        (1, 1.0, True),
        ({1}, frozenset({1}), True),
        (0.1 + 0.2, 0.3, False),
        (float("nan"), NAN, False),
    ],
)
def test_python_equality_is_python_s_own(actual: Any, expected: Any, accepted: bool) -> None:
    assert make_comparer("python").compare_value(actual, expected).method == (
        "python_equal" if accepted else None
    )


@pytest.mark.parametrize(
    ("spec", "actual", "expected", "accepted"),
    [
        ("exact", (1, 2), [1, 2], False),
        ("exact", 1, 1.0, False),
        ("exact", [1, 2], [1, 2], True),
        ("exact", [2, 1], [1, 2], False),
        ("exact", True, 1, False),
        ("exact", {True}, {1}, False),
        ("exact", {(1, frozenset({2}))}, {(1, frozenset({2.0}))}, False),
        ("exact", {True: "a"}, {1: "a"}, False),
        ("exact", {1: {2, "x"}, "k": None}, {1: {2, "x"}, "k": None}, True),
        ("tokens", {True}, {1}, True),
        ("tokens", 0.1 + 0.2, 0.3, False),
        ("tokens", (1,), [1], True),
        ("tokens", [1, 2.5], [1, 3.5], False),
        ("floats:abs=0.5,rel=none", 1.4, 1.0, True),
        ("floats:abs=0.5,rel=none", 1.6, 1.0, False),
        ("floats:abs=none,rel=0.5", 140.0, 100.0, True),
        ("floats:abs=none,rel=none", 1.0000001, 1.0, False),
        ("floats", [2, 1], [1, 2], False),
        ("lcb", 0.1 + 0.2, 0.3, False),
        ("lcb", True, 1, True),
        ("lcb", (1, 2), [1, 2], True),
        ("lcb", [(1, 2)], [[1, 2]], False),
        ("unordered_lines", [[2], [1.0]], [[1], [2]], True),
        ("unordered_lines", [1, 1, 2], [1, 2, 2], False),
        ("unordered_tokens", [{"a": 1}, {2}], [{2}, {"a": 1}], True),
        ("unordered_tokens", [{1: 2}, {3: 4}], [{"3": 4}, {"1": 2}], True),
        ("unordered_tokens", [{"1": 2}, {"3": 4}], [{3: 4}, {1: 2}], False),
        ("unordered_tokens", 0.1 + 0.2, 0.3, False),
        ("paper", 0.1 + 0.2, 0.3, False),
        ("paper", [2, 1], [1, 2], False),
        ("paper", [1], [[1], [9]], True),
        ("paper", [(1, 2)], [[[1, 2]]], True),
        ("paper", {1: 2}, {"1": 2}, True),
    ],
)
def test_other_comparers_accept_values_by_their_own_rules(
    spec: str, actual: Any, expected: Any, accepted: bool
) -> None:
    assert (make_comparer(spec).compare_value(actual, expected).method is not None) == accepted


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=10,
)


@given(PLAIN, PLAIN)
def test_the_detail_of_a_refusal_is_short_and_printable(actual: Any, expected: Any) -> None:
    match = make_comparer("calibrated").compare_value(actual, expected)
    if match.method is None:
        assert match.detail
        assert len(match.detail) <= 200
        assert match.detail.isprintable()


def test_integers_of_any_length_are_exact() -> None:
    long = 10**20_000
    assert make_comparer("calibrated").compare_value(long, long).method == "exact"
    assert make_comparer("calibrated").compare_value(long + 1, long).method is None
    assert make_comparer("calibrated").compare_value({long: 2}, {"1": 2}).method is None


def test_the_detail_does_not_write_out_what_is_huge() -> None:
    detail = make_comparer("calibrated").compare_value([[10**6000] * 10**6, "x" * 10**6], 5).detail
    assert detail is not None
    assert detail.startswith("got [[an integer of ")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2**239, str(2**239)), (2**240, "an integer of 241 bits"), (-(2**240), "an integer of 241")],
)
def test_an_integer_of_up_to_240_bits_is_written_out(value: int, shown: str) -> None:
    detail = make_comparer("exact").compare_value(0, [value]).detail
    assert shown in (detail or "")


@pytest.mark.parametrize(
    "spec", ["calibrated", "floats", "floats:abs=1e-9,rel=null", "kattis:float_tolerance=1e-6",
             "rcmp6", "rcmp", "rncmp"],
)  # fmt: skip
@given(
    st.floats(-1e9, 1e9) | st.floats(-1e-6, 1e-6) | st.integers(-9, 9).map(float),
    st.sampled_from([0.0, 1e-9, 9e-7, 1e-6, 1.1e-6, 1e-5, 1e-4]),
    st.integers(0, 9),
)
def test_numbers_are_compared_by_the_rule_of_their_texts(
    spec: str, expected: float, share: float, places: int
) -> None:
    comparer = make_comparer(spec)
    for actual in (expected + share, expected * (1 + share), round(expected, places)):
        by_value = comparer.compare_value(actual, expected)
        by_text = comparer.compare_text(repr(actual).encode(), repr(expected).encode())
        assert (by_value.method is None) == (by_text.method is None), (actual, expected)
