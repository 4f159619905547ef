"""The default comparer: what it accepts, by which method, and what it must never accept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.compare import make_comparer

CALIBRATED = make_comparer("calibrated")
TRIANGLE = b"  *\n ***\n*****\n"

ACCEPTED = [
    (b"1 2\n", b"1 2\n", "exact"),
    (b"", b"", "exact"),
    (b"1 2", b"1 2\n", "lines"),
    (b"1 2 \r\n3\r\n\r\n", b"1 2\n3", "lines"),
    (b"\xef\xbb\xbf5\n", b"5\n", "exact"),
    (b"\xef\xbb\xbf5", b"5\n", "lines"),
    (b" \n\n", b"", "lines"),
    (b"1\t2", b"1 2", "tokens"),
    (b"\n\n5", b"5", "tokens"),
    (b"1\n2\n3", b"1 2 3", "tokens"),
    (b"0.333333", b"0.3333333333", "close_tokens"),
    (b"Case #1: 3.14159", b"Case #1: 3.141592", "close_tokens"),
    (b"5", b"5.0", "close_tokens"),
    (b"1e3", b"1000.0", "close_tokens"),
    (b"0.17e2", b"17.0", "close_tokens"),
    (b"1e-8", b"0.00000001", "close_tokens"),
    (b"-0.0", b"0.0", "close_tokens"),
    (b"0", b"0.0000001", "close_tokens"),
    (b"0.0000003", b"0.00000034", "close_tokens"),
    (b"1000000.5", b"1000000.9", "close_tokens"),
    (b"." + b"3" * 1000, b"0." + b"3" * 999, "close_tokens"),
    (b"yes", b"YES", "close_tokens"),
    (b"Possible", b"POSSIBLE", "close_tokens"),
    (b"Infinity", b"inf", "close_tokens"),
    (b"NaN", b"nan", "close_tokens"),
    (b"[1, 2]", b"[1,2]", "literals"),
    (b"(1, 2)", b"[1,2]", "literals"),
    (b"(1,)", b"[1]", "literals"),
    (b"['a', \"b\"]", b'["a","b"]', "literals"),
    (b"[True, None]", b"[true,null]", "literals"),
    (b"[0.1, 2]", b"[0.10000001,2]", "literals"),
    (b"[[0.30000000000000004]]", b"[[0.3]]", "literals"),
    (b"n 5\n[1, 2]\n", b"n 5\n[1,2]\n", "literals"),
    (b"{'b': [1], 'a': 2}", b'{"a": 2, "b": [1]}', "literals"),
    (b"{1: 2}", b'{"1":2}', "literals"),
    (b"{2, 1}", b"{1, 2}", "literals"),
    (b"'caf\xc3\xa9'", b'"caf\\u00e9"', "literals"),
    ("'😀'".encode(), b'"\\ud83d\\ude00"', "literals"),
    (b"[[]]\n[1]", b"[[]]\n[1 ]", "literals"),
    (b"[[], []]", b"[[],[]]", "literals"),
    (b"[ ]", b"[]", "literals"),
    (TRIANGLE.rstrip(), TRIANGLE, "lines"),
]

REFUSED = [
    (b"YES", b"NO"),
    (b"aBc", b"abc"),
    (b"Alice", b"Bob"),
    (b"2 1", b"1 2"),
    (b"21", b"1 2"),
    (b"1 1 2", b"1 2 2"),
    (b"5 5", b"5"),
    (b"", b"5"),
    (b" \n", b"5"),
    (b"1", b"1\n2\n3"),
    (b"1\n1\n1", b"1"),
    (b"-1000000007", b"-1000000008"),
    (b"\xef\xbb\xbf", b"5"),
    (b"5", b""),
    (b"1e9", b"1000000000"),
    (b"1e18", b"1000000000000000001"),
    (b"5.0", b"5"),
    (b"+5", b"5"),
    (b"007", b"7"),
    (b"-0", b"0"),
    (b"1_000", b"1000"),
    (b"1_0.0", b"10.0"),
    ("١٢".encode(), b"12"),
    ("١٢".encode(), b"12.0"),
    ("١.٢".encode(), b"1.2"),
    (b"0x10", b"16.0"),
    (b"0x1p1", b"2.0"),
    (b"nan", b"1.0"),
    (b"inf", b"1e999"),
    (b"inf", b"1e308"),
    (b"-inf", b"inf"),
    (b"nan", b"inf"),
    (b"0.00000001", b"0.00000002"),
    (b"-0.00000002", b"0.00000002"),
    (b"0.0004", b"0.0009"),
    (b"0.100002", b"0.1"),
    (b"1.000002", b"1.0"),
    (b"yes no", b"YES"),
    (b"1000000007\n3.5", b"1000000008\n3.5"),
    (b"abc 3.14", b"abd 3.14"),
    (b"[2, 1]", b"[1, 2]"),
    (b"[1, 2", b"[1,2]"),
    (b"[12]", b"[1 2]"),
    (b"1 2", b"[1, 2]"),
    (b"[1000000007]", b"[1000000008]"),
    (b"['1']", b"[1]"),
    (b"['a, b']", b'["a,b"]'),
    (b"abc", b'"abc"'),
    (b'"5"', b"5"),
    (b"(1)", b"1"),
    (b"1", b"(1)"),
    (b"(1)", b"[1]"),
    (b"(1,)", b"(1)"),
    (b"[(1), 2]", b"[(1,), 2]"),
    (b"()()", b"() ()"),
    (b"[1][2]", b"[1] [2]"),
    (b"(())", b"( ( ) )"),
    (b"[[ ]]\n" * 20, b"[[]]\n" * 20),
    (b"(())", b"([])"),
    (b"()", b"[]"),
    (b"{1: 2, 1: 3}", b"{1: 3}"),
    (b"[1,,2]", b"[1,2]"),
    (b"__import__('os')", b"[1]"),
    (b"x" * 10**6, b"y" * 10**6),
    (b"  #\n #", b" #\n#"),
    (b"*\n***\n*****\n", TRIANGLE),
    (b"+--+\n| |\n+--+", b"+--+\n|  |\n+--+"),
]


@pytest.mark.parametrize(("actual", "expected", "accepted_by"), ACCEPTED)
def test_the_strictest_method_that_accepts_is_recorded(
    actual: bytes, expected: bytes, accepted_by: str
) -> None:
    assert CALIBRATED.compare_text(actual, expected).method == accepted_by


@pytest.mark.parametrize(("actual", "expected"), REFUSED)
def test_a_wrong_answer_is_refused_with_a_reason(actual: bytes, expected: bytes) -> None:
    match = CALIBRATED.compare_text(actual, expected)
    assert match.method is None
    assert match.detail
    assert len(match.detail) <= 200
    assert match.detail.isprintable()


def test_methods_are_tried_from_strict_to_lenient() -> None:
    tried = [name for name, _ in CALIBRATED.collect_objections(b"1", b"2")]
    assert tried == ["exact", "lines", "tokens", "close_tokens", "literals"]


@pytest.mark.parametrize(
    ("actual", "expected", "detail"),
    [
        (b"1\n2\n3 7\n", b"1\n2\n3 8\n", 'line 3, token 2: got "7", expected "8"'),
        (b"1\n\n2\n", b"1\n3\n", 'line 3, token 1: got "2", expected "3"'),
        (b"0.33 5", b"0.3300001 6", 'line 1, token 2: got "5", expected "6"'),
        (b"", b"5", 'no output, expected "5"'),
        (b"1 2\n3", b"1 2", 'line 2, token 1: "3" is more than is expected'),
        (b"1 2", b"1 2 3", 'the output ends too early, expected "3" next'),
        (b"\x1b[31m", b"1", 'line 1, token 1: got "\\x1b[31m", expected "1"'),
        (b"*", b" *", 'only white space differs: line 1: "*", not " *"'),
    ],
)
def test_a_refusal_tells_the_first_difference(actual: bytes, expected: bytes, detail: str) -> None:
    assert CALIBRATED.compare_text(actual, expected).detail == detail


SPACED = st.text("0123456789.,-+eE[](){}'\"abcYESyes* \n", max_size=40).map(str.encode)


@given(SPACED, SPACED, st.sampled_from([b"\n", b" ", b" \n\n", b"\r\n", b"\t \n"]))
def test_trailing_white_space_never_changes_the_answer(
    actual: bytes, expected: bytes, tail: bytes
) -> None:
    before = CALIBRATED.compare_text(actual, expected).method is not None
    assert (CALIBRATED.compare_text(actual + tail, expected).method is not None) == before
    assert (CALIBRATED.compare_text(actual, expected + tail).method is not None) == before


@given(SPACED, SPACED)
def test_an_empty_answer_equals_only_an_empty_one(actual: bytes, expected: bytes) -> None:
    match = CALIBRATED.compare_text(actual, expected)
    if match.method is not None:
        assert bool(actual.strip()) == bool(expected.strip())


@given(st.floats(-1e12, 1e12, allow_nan=False), st.floats(-3, 3))
def test_the_tolerance_is_one_millionth_absolute_or_relative(wanted: float, factor: float) -> None:
    bound = 1e-6 * max(1.0, abs(wanted))
    actual, expected = f"{wanted + factor * bound:.15f}", f"{wanted:.15f}"
    accepted = CALIBRATED.compare_text(actual.encode(), expected.encode()).method is not None
    if abs(factor) > 1.01:
        assert not accepted
    if abs(factor) < 0.99 and abs(wanted) > 1e-6:
        assert accepted


@pytest.mark.parametrize(
    ("actual", "expected", "accepted"),
    [
        (b"([], 1)", b"[[], 1]", True),  # a tuple for a list
        (b"{1: ([], 2)}", b"{1: [[], 2]}", True),
        (b"([],)", b"[[]]", False),  # nothing but brackets is a text of brackets
    ],
)
def test_the_kind_of_brackets_counts_only_where_they_hold_nothing(
    actual: bytes, expected: bytes, accepted: bool
) -> None:
    match = make_comparer("calibrated").compare_text(actual, expected)
    assert (match.method == "literals") is accepted
