"""Outputs of the largest sizes are compared by the same rules. What takes quadratic time ends at a
test's time limit."""

from __future__ import annotations

import pytest

from microcoder_eval.compare import make_comparer

pytestmark = pytest.mark.slow

MANY = " ".join(map(str, range(10**6, 2_250_000))).encode()  # 10 MB of integers
NAMES = ["calibrated", "tokens", "floats", "kattis:float_tolerance=1e-9", "lines", "lcb"]
LONG = b"7" * 10**6


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("gap", [b"\n", b" "], ids=["lines", "one line"])
def test_ten_megabytes_of_integers_are_told_apart(name: str, gap: bytes) -> None:
    expected = MANY.replace(b" ", gap)
    compare = make_comparer(name)
    assert compare.compare_text(expected + b"\n", expected).method is not None
    assert compare.compare_text(expected[:-1] + b"0", expected).method is None


@pytest.mark.parametrize("name", NAMES)
def test_an_integer_of_a_million_digits_is_compared_exactly(name: str) -> None:
    compare = make_comparer(name)
    assert compare.compare_text(LONG + b"\n", LONG).method is not None
    assert compare.compare_text(LONG[:-1] + b"8", LONG).method is None


BEYOND = [LONG + b"1e9", LONG + b"7.5", LONG * 3 + b"7.5", b"-" + LONG + b"7e9999",
          b"1" + LONG + b"e-9"]  # fmt: skip
EXPECTED = [b"0.5", b"1e9", b"1e-9", b"1e-400", b"1e400", b"[0.5]"]


@pytest.mark.parametrize("row", range(len(EXPECTED)))
@pytest.mark.parametrize("name", [*NAMES, "rcmp6"])
def test_a_number_beyond_every_exponent_is_just_wrong(name: str, row: int) -> None:
    """Each comparer meets each number and each expected output."""
    number = BEYOND[(row + len(name)) % len(BEYOND)]
    assert make_comparer(name).compare_text(number, EXPECTED[row]).method is None


@pytest.mark.parametrize("length", [10**6, 3 * 10**6])
def test_a_number_smaller_than_every_exponent_is_compared_exactly(length: int) -> None:
    tiny = b"0." + b"0" * length
    assert make_comparer("calibrated").compare_text(tiny + b"1", b"1e-9").method is None
    assert make_comparer("calibrated").compare_text(tiny + b"15", tiny + b"14").method is None
    assert make_comparer("calibrated").compare_text(tiny + b"2", tiny + b"15").method is not None


@pytest.mark.parametrize("name", ["calibrated", "floats", "kattis:float_tolerance=1e-6"])
def test_two_hundred_thousand_floats_are_all_compared(name: str) -> None:
    numbers = [index / 7 for index in range(1, 200_001)]
    expected = "\n".join(f"{number:.9f}" for number in numbers).encode()
    actual = "\n".join(f"{number:.7f}" for number in numbers).encode()
    compare = make_comparer(name)
    assert compare.compare_text(actual, expected).method is not None
    assert compare.compare_text(actual[:-9] + b"999999999", expected).method is None


@pytest.mark.parametrize("gap", [",", ", "], ids=["as expected", "spaced"])
def test_a_list_of_many_numbers_on_one_line_is_a_literal(gap: str) -> None:
    numbers = list(map(str, range(200_000)))
    expected = f"[{','.join(numbers)}]\n".encode()
    compare = make_comparer("calibrated")
    assert compare.compare_text(f"[{gap.join(numbers)}]".encode(), expected).method is not None
    assert (
        compare.compare_text(f"[{gap.join(numbers[:-1])}{gap}7]".encode(), expected).method is None
    )


@pytest.mark.parametrize(
    ("actual", "expected", "accepted"),
    [
        (b"1.5 " * 300_000 + b"x", b"1.5000001 " * 300_000 + b"x", True),
        (b"a\n" * 500_000, b"b\n" * 500_000, False),
        (b"['a', " + b"'b', " * 300_000 + b"'c']", b'["a",' + b'"b",' * 300_000 + b'"c"]', True),
        (b"[" * 5_000_000, b"[" * 5_000_000 + b"]", False),
        (b"(" * 300_000 + b")" * 300_000, b"[" * 300_000 + b"]" * 300_000, False),
    ],
    ids=["a word after reals", "words", "a list of words", "brackets", "nested brackets"],
)
def test_large_outputs_are_compared_by_the_rules_of_small_ones(
    actual: bytes, expected: bytes, accepted: bool
) -> None:
    match = make_comparer("calibrated").compare_text(actual, expected)
    assert (match.method is not None) == accepted


def test_a_million_integers_of_a_call_are_compared() -> None:
    expected = list(range(10**6))
    compare = make_comparer("calibrated")
    assert compare.compare_value(tuple(expected), expected).method is not None
    assert compare.compare_value([*expected[:-1], 0], expected).method is None
