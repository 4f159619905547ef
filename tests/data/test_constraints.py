"""Constraints are read from statements as people write them, with the text as evidence."""

from __future__ import annotations

import string
import time

import pytest

from microcoder_data.constraints import (
    Aspect,
    Trait,
    list_empty_ranges,
    list_promises,
    measure_names,
    read_constraints,
    read_number,
    restore_lost_powers,
)

VALUE, LENGTH, ITEM = Aspect.VALUE, Aspect.LENGTH, Aspect.ITEM
BOUNDS = {
    "1 ≤ n ≤ 100": [("n", VALUE, 1, 100)],
    r"$1 \leq n \leq 2 \cdot 10^{5}$": [("n", VALUE, 1, 200_000)],
    "1 <= nums.length <= 10^4\n-10^9 <= nums[i] <= 10^9": [
        ("nums", LENGTH, 1, 10**4),
        ("nums", ITEM, -(10**9), 10**9),
    ],
    "1 ≤ n, m < 1,000": [("n", VALUE, 1, 999), ("m", VALUE, 1, 999)],
    "-2³¹ ≤ x ≤ 10⁹": [("x", VALUE, -(2**31), 10**9)],
    "1 ≤ a_i ≤ 10<sup>9</sup>": [("a", ITEM, 1, 10**9)],
    "0 ≤ i < j ≤ n ≤ 50": [("i", VALUE, 0, 49), ("j", VALUE, 1, 50), ("n", VALUE, 1, 50)],
    "1 <= words[i].length <= 20": [("words", Aspect.ITEM_LENGTH, 1, 20)],
    "1 <= k <= 60 000": [("k", VALUE, 1, 60_000)],
    "1 ≤ n, m ≤ 1\u00a0000 000": [("n", VALUE, 1, 10**6), ("m", VALUE, 1, 10**6)],
    "`x` with -5 < x < 5.": [("x", VALUE, -4, 4)],
    "Constraints\n\n- 1 ≤ H ≤ 50\n- 10 words": [("H", VALUE, 1, 50)],
    "0 ≤ i ≤ n - 1 ≤ 9": [("i", VALUE, 0, 9)],
    "10 ≥ k ≥ 3": [("k", VALUE, 3, 10)],
    "-2^31 <= x <= 2^31 - 1": [("x", VALUE, -(2**31), 2**31 - 1)],
    "|s| <= 100": [("s", LENGTH, None, 100)],
    "Given a non-empty list of positive floating point numbers": [
        ("", ITEM, 1, None),
        ("", LENGTH, 1, None),
    ],
    "a positive integer n": [("n", VALUE, 1, None)],
    "n is between 1 and 9": [("", VALUE, 1, 9)],
    "k lies in the range [-5, 10^3]": [("", VALUE, -5, 1000)],
    "The number of words is from 2 to 7.": [("", LENGTH, 2, 7)],
    "between 3 and 10 characters": [("", LENGTH, 3, 10)],
    "The length of s is small. It is between 1 and 9": [("", VALUE, 1, 9)],
    "5 ≤ n ≤ 3": [],
    "a < b and some text": [],
}


@pytest.mark.parametrize("statement", BOUNDS)
def test_bounds_are_read(statement: str) -> None:
    bounds = [
        (one.name, one.aspect, one.low, one.high)
        for one in read_constraints(statement)
        if one.trait is None and (one.low, one.high) != (None, None)
    ]
    assert bounds == BOUNDS[statement]


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("5 <= n <= 3", ["5 <= n <= 3"]),
        ("3 >= n >= 5", ["3 >= n >= 5"]),
        ("5 <= n < m <= 3", ["5 <= n < m <= 3"]),
        ("3 <= n <= 3 and 5 >= k >= 3", []),
        ("1000 <= n <= 105", []),  # 10^5, without its power
        ("5 <= n, then m <= 3", []),
        ("5 < n > 3", []),
        ("5 <= 4 <= 3", []),  # no name
    ],
)
def test_a_range_without_numbers_is_listed(text: str, ranges: list[str]) -> None:
    assert list(list_empty_ranges(text)) == ranges


def test_each_constraint_has_its_text() -> None:
    (one,) = read_constraints("The first line has n (1 ≤ n ≤ 100).")
    assert one.text == "1 <= n <= 100"


def test_a_term_beside_a_name_is_kept() -> None:
    (one,) = read_constraints("0 <= k <= nums.length - 1")[:1]
    assert (one.low, one.high, one.high_name) == (0, None, "nums.length - 1")


SENTENCES = {
    "s is a permutation of different numbers": Trait.PERMUTATION,
    "All values of s are distinct.": Trait.DISTINCT,
    "s is sorted in ascending order": Trait.ASCENDING,
    "s is sorted in non-increasing order": Trait.DESCENDING,
    "s has an even length": Trait.EVEN,
    "s is odd": Trait.ODD,
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_properties_in_words_concern_the_names_beside_them(sentence: str) -> None:
    (one,) = [one for one in read_constraints(sentence) if one.trait]
    assert one.trait is SENTENCES[sentence]
    assert one.concerns("s")
    assert not one.concerns("t")


CHOICES = {
    "s consists of lowercase English letters.": string.ascii_lowercase,
    "Count the words of s in lower case": string.ascii_lowercase,
    "s has uppercase Latin letters only.": string.ascii_uppercase,
    "s consists of lowercase and uppercase letters": string.ascii_letters,
    "s contains English letters only": string.ascii_letters,
    "Assume only letters in s": string.ascii_letters,
    "s consists of letters and digits": string.ascii_letters + string.digits,
    "s contains only digits": string.digits,
    "s, the given list of digits": string.digits,
    "s is a binary string": "01",
    "s consists only of 0s and 1s": "01",
    "s consists of the characters 'a' and 'b'.": "ab",
    "s[i] is 'W' or 'B'.": "WB",
    "s consists of lowercase letters and '#'": string.ascii_lowercase + "#",
    "s[i][j] is -1, 0, or 2^31 - 1.": ["-1", "0", "2147483647"],
    's[i] is either "red" or "green"': ["red", "green"],
    "Return 0 if s is 1": "",
    "s contains at least one 'a'": "",
    "s is the number of letters": "",
}


@pytest.mark.parametrize("sentence", CHOICES)
def test_what_a_sentence_lists_is_a_choice(sentence: str) -> None:
    constraints = [one for one in read_constraints(sentence) if one.choices]
    assert set().union(*(one.choices for one in constraints)) == set(CHOICES[sentence])
    assert all(one.concerns("s") and not one.concerns("t") for one in constraints)


LEETCODE = "1 <= nums.length <= 105\n-109 <= nums[i] <= 109"


def test_lost_powers_are_read_as_tests_prove_them() -> None:
    seen = measure_names(["nums"], [[[5, -4000]]])
    statement, lost = restore_lost_powers(LEETCODE, seen)
    assert statement == "1 <= nums.length <= 10^5\n-10^9 <= nums[i] <= 10^9"
    assert [(one.low, one.high) for one in lost] == [(1, 10**5), (-(10**9), 10**9)]


def test_no_power_is_restored_without_proof() -> None:
    assert restore_lost_powers(LEETCODE, measure_names(["nums"], [[[5, -40]]])) == (LEETCODE, [])


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,000", 1000), ("10^5", 10**5), ("2*10^5", 200_000), ("2^31 - 1", 2**31 - 1), ("n", None)],
)
def test_numbers_are_read(text: str, number: int | None) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize("text", ["9" * 5000, f"10^5-{'9' * 5000}", "9" * 100 + "^99"])
def test_a_number_that_python_would_not_write_is_none(text: str) -> None:
    assert read_number(text) is None


def test_only_what_can_be_a_power_is_restored_beside_a_lost_one() -> None:
    """1000 is not 10^00, 20 is not 2^0, 250 is not 2^50."""
    text = "1 <= n <= 105, 3 <= m <= 1000, 1 <= k <= 20, 1 <= r <= 250, 1 <= x < y[i + 1] <= 231"
    seen = {("n", Aspect.VALUE): (1.0, 70_000.0)}
    restored, lost = restore_lost_powers(text, seen)
    assert restored == (
        "1 <= n <= 10^5, 3 <= m <= 1000, 1 <= k <= 20, 1 <= r <= 250, 1 <= x < y[i + 1] <= 2^31"
    )
    assert lost[0].name == "n"


def test_bounds_that_change_their_number_when_powers_are_restored_are_read() -> None:
    """The bound of m is empty once it is restored."""
    text = "1 <= n <= 105, 200000 <= m <= 105"
    assert read_constraints(text, {("n", Aspect.VALUE): (1.0, 70_000.0)})


@pytest.mark.parametrize(
    "text", ["a" + "_b" * 60 + " x", "b" + "andb" * 60, ", ".join(f"x{n}" for n in range(2000))]
)
def test_a_long_name_or_list_does_not_hold_a_stage_up(text: str) -> None:
    """A statement of Codeforces lists columns of tables such as ``Home_Shots_On_Target``."""
    start = time.process_time()
    assert read_constraints(f"{text}. 1 <= n <= 5")[-1].high == 5
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("statement", "promise"),
    [
        ("It is guaranteed that $F$ has one period.", "It is guaranteed that F has one period."),
        ("Det är garanterat att det går.", "Det är garanterat att det går."),
        ("You may assume that\nx is odd. Print x.", "You may assume that x is odd."),
        ("It is guaranteed that 1 ≤ n ≤ 9.", ""),
        ("Assume n > 1 and is not a prime.", "Assume n > 1 and is not a prime."),
        ("You may assume the input is always valid.", ""),
        ("Assume the input is always valid.", ""),
        ("Print x.", ""),
        ("\\section*{Input}\nNo two roads cross.\n\\section*{Output}", "No two roads cross."),
        ("Input\n\nEach number will be between 0 and 9.\n\nOutput\n\nIt must be odd.", ""),
        ("No two roads cross.", ""),
        ("Each node has a parent p_i (1 ≤ p_i < i).", "1 <= p_i < i"),
    ],
)
def test_a_promise_in_words_is_found(statement: str, promise: str) -> None:
    """One that is read as a bound is no promise in words."""
    assert next(list_promises(statement, is_call=False), "") == promise


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        ("1 <= n <= 9", True),
        ("n == nums.length", True),
        ("edges[i] = [u_i, v_i]", True),
        ("s consists of lowercase letters", True),
        ("u_i != v_i", False),  # the caller knows which values these are
        ("s consists of '0's and '1's", True),
        ("grid[i][j] is 0, 1, or 2.", True),
        ("nums is a permutation of the numbers up to n", True),
        ("t is a permutation of s.", False),
        ("grid[i][j] is 0 or 5", True),
        ("Two roads may cross.", True),
        ("Two roads may not cross.", False),
        ("grid[i][j] is 'a', or b or more", False),
        ("s is a binary string", True),
        ("s consists of a, b and lists", False),
        ("n is an integer", True),
        ("All rectangles have non zero area.", False),
    ],
)
def test_a_constraint_of_a_call_that_is_not_read_is_a_promise(line: str, is_read: bool) -> None:
    lines = ("1 <= m <= 5", "edges[i] = [u_i, v_i]", line)
    for mark, title, end in (("- ", "### Constraints", "\n### More"), ("", "Constraints:", '"""')):
        section = "\n".join(f"{mark}{one}" for one in lines)
        statement = f"Return it.\n\n{title}\n\n{section}\n{end}\n\nMore:\n- Be fast."
        promises = list(list_promises(statement, is_call=True))
        assert promises == ([] if is_read else [f"{mark}{line}"])
    assert not list(list_promises(f"- {line}", is_call=True))


def test_a_trait_is_no_promise_in_words_where_it_is_applied() -> None:
    text = "The list is guaranteed to have unique elements."
    assert list(list_promises(text, is_call=False)) == [text]
    assert not list(list_promises(text, is_call=True))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("base numbers are less than 10.", None, 9),
        ("base is at most 1,000", None, 1000),
        ("`base` is always greater than 0", 1, None),
        ("base is at least 2", 2, None),
    ],
)
def test_bounds_in_words_are_read(text: str, low: int | None, high: int | None) -> None:
    (bound,) = read_constraints(text)
    assert (bound.name, bound.low, bound.high) == ("base", low, high)
