"""Inputs keep what is stated and, where no validator decides, what all stored inputs have in
common."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from microcoder_data.strengthen.propose import InputProposer
from microcoder_data.strengthen.structure import InputStructure


def infer_structure(
    inputs: list[Any], statement: str = "Return it.", starter_code: str = "def f(a, b):\n    pass"
) -> InputStructure | None:
    """The structure of a problem with these inputs; None where it has none."""
    tests = [{"input": value, "output": 1} for value in inputs]
    kind = "stdin" if isinstance(inputs[0], str) else "call"
    row = {"problem_id": "p", "kind": kind, "statement": statement, "tests": tests}
    row |= {"starter_code": starter_code, "entry_point": "f"}
    return InputStructure.infer(row)


def make_structure(*problem: Any, **changes: Any) -> InputStructure:
    """The structure that a problem has."""
    structure = infer_structure(*problem, **changes)
    assert structure is not None
    return structure


# Whether a value is allowed: without a validator, and with one.
ALWAYS, WITH_VALIDATOR, NEVER = [True, True], [False, True], [False, False]
NUMBERS = [[[5, 1], 3], [[7, 2, 9], 4], [[4], 8]]
NUMBERS_AND_INDEXES = [[[1, 1, 2, 3], 3], [[7, 9], 2], [[4, 4, 4], 1]]
SQUARES = [[[[4, 2], [1, 2]], 8], [[[7, 7], [8, 0]], 50], [[[1]], 7]]
PAIRS = [[2, 5], [5, 7], [7, 13]]
MEMBERS = [[[2, 5, 6], 5], [[2, 7, 9], 7], [[3, 3], 3]]
SENTENCES = [[f"{n} pears and {2 * n} figs", n] for n in range(6)]
CASES: dict[str, tuple[list[Any], str, Any, list[bool]]] = {
    "a greater number": (NUMBERS, "", [[5, 40], 3], ALWAYS),
    "a number more than ten times the greatest": (NUMBERS, "", [[5, 1], 101], WITH_VALIDATOR),
    "a fraction": (NUMBERS, "", [[5, 1], 3.5], NEVER),
    "a fraction beside others": ([[1.5], [4], [8]], "", [2.25], ALWAYS),
    "another dictionary": ([[{"a": 1}], [{"b": 2, "c": 3}]], "", [{"c": 9}], ALWAYS),
    "a dictionary with other keys": ([[{"a": 1}], [{"b": 2, "c": 3}]], "", [{7: 9}], NEVER),
    "a text in the place of a list": (NUMBERS, "", ["51", 3], NEVER),
    "one, where none is below three": (NUMBERS, "", [[5, 1], 1], WITH_VALIDATOR),
    "zero": (NUMBERS, "", [[5, 1], 0], WITH_VALIDATOR),
    "zero, as stated": (NUMBERS, "0 <= b <= 10", [[5, 1], 0], ALWAYS),
    "a negative number": (NUMBERS, "", [[5, -1], 3], WITH_VALIDATOR),
    "a negative number, as stated": (NUMBERS, "-9 <= a[i] <= 9", [[5, -1], 3], ALWAYS),
    "beyond what is stated": (NUMBERS, "1 <= b <= 10", [[5, 1], 11], NEVER),
    "an empty list": (NUMBERS, "", [[], 3], WITH_VALIDATOR),
    "an empty list, as seen": ([*NUMBERS, [[], 9]], "", [[], 3], ALWAYS),
    "an empty list, as stated": (NUMBERS, "0 <= a.length <= 9", [[], 3], ALWAYS),
    "a square where all are squares": (SQUARES, "", [[[1, 2, 3]] * 3, 5], ALWAYS),
    "a smaller square, though a name that is not found has a bound": (
        [*SQUARES[:2], [[[5, 1, 1]] * 3, 7]],
        "It has N rows and N columns (N >= 2).", [[[4]], 8], NEVER,
    ),
    "a rectangle where all are squares": (SQUARES, "", [[[1, 2, 3], [4, 5, 6]], 5], WITH_VALIDATOR),
    "a number twice in a grid where no grid has one twice": (
        [[[[1, 2], [3, 4]], 1], [[[8, 3, 1]], 2], [[[7], [9]], 3]], "", [[[2, 5], [7, 2]], 1],
        WITH_VALIDATOR,
    ),
    "a number that the list has where each has": (MEMBERS, "", [[4, 8], 8], ALWAYS),
    "a number that the list lacks where each has it": (MEMBERS, "", [[4, 8], 5], WITH_VALIDATOR),

    "a letter that the text lacks where each has it": (
        [["hello", "l"], ["ab", "a"], ["xx", "x"]], "", ["ao", "e"], WITH_VALIDATOR,
    ),
    "a list that is longer than its named length": (
        NUMBERS, "n == a.length, 1 <= n <= 3", [[1, 1, 1, 1], 3], NEVER,
    ),
    "a second list that is longer than its named length": (
        [[[1], [2]], [[3, 4], [5, 6]]], "n == a.length == b.length, 1 <= n <= 3",
        [[1, 1, 1], [1, 1, 1, 1]], NEVER,
    ),
    "rows that are longer than their named length": (
        SQUARES, "m == a[i].length, 1 <= m <= 3", [[[4] * 4] * 4, 7], NEVER,
    ),
    "two letters where each has one": (
        [["hello", "l"], ["ab", "a"], ["xx", "x"]], "", ["all", "ll"], WITH_VALIDATOR,
    ),
    "two numbers in the other order": (PAIRS, "", [7, 5], WITH_VALIDATOR),
    "equal numbers where a sentence says when they differ": (
        [[3, 4], [5, 2], [0, 9]], "Stop where a != b.", [3, 3], ALWAYS,
    ),
    "another tuple, written out": ([["(7, 8)"], ["(1, 2, 5)"]], "", ["(1, 2, 8, 9)"], ALWAYS),
    "a text that is no tuple where tuples are written out": (
        [["(7, 8)"], ["(1, 2, 5)"]], "", ["(7, 8)777"], WITH_VALIDATOR,
    ),
    "two tuples where one is written out": (
        [["(7, 8)"], ["(1, 2, 5)"]], "", ["(1, 2)(1, 2)"], WITH_VALIDATOR,
    ),
    "a word of two letters where each has one": (
        [["a b"], ["b c a"], [""]], "", ["ab c"], WITH_VALIDATOR,
    ),
    "a blank before the words where no text has one": (
        [["ab c"], ["d ef"], [""]], "", [" ab c"], WITH_VALIDATOR,
    ),
    "another word where all texts are made of two": (
        [["o o| o"], ["o| o|"], ["o"]], "", ["o |o"], WITH_VALIDATOR,
    ),
    "a bound of the only number, by another name": ([[7], [2], [5]], "1 <= num <= 9", [10], NEVER),
    "more words of one letter": ([["a b"], ["b c a"], [""]], "", ["c c a b"], ALWAYS),
    "an empty list where none may be": (NUMBERS, "a is a non-empty array", [[], 3], NEVER),
    "a list of another type": (NUMBERS, "", [["x"], 3], NEVER),
    "a number that a wrong reading forbids": (NUMBERS, "1 <= b <= 2", [[5, 1], 4], ALWAYS),
    "two digits where one was seen": ([[[5, 1], 3], [[9], 4]], "", [[5, 10], 3], ALWAYS),
    "two digits in a list of digits": (
        [[[5, 1], 3], [[9], 4]], "the given list of digits", [[5, 10], 3], NEVER,
    ),
    "capitals": ([["ab", 1], ["ba", 2], ["c", 3]], "", ["aB", 2], WITH_VALIDATOR),
    "capitals where none may be": (
        [["ab", 1], ["ba", 2], ["c", 3]],
        "a consists of lowercase letters",
        ["aB", 2],
        NEVER,
    ),
    "open brackets": ([["()", 1], ["(())", 2], ["()()", 3]], "", ["(()", 2], WITH_VALIDATOR),
    "another number in a sentence": (SENTENCES, "", ["50 pears and 0 figs", 2], ALWAYS),
    "another sentence": (SENTENCES, "", ["50 pears and figs", 2], WITH_VALIDATOR),
    "a list that is not in order": (
        [[[1, 2, 3], 1], [[4, 5, 9], 2], [[0, 2, 7, 8], 3]], "", [[2, 1, 3], 1], WITH_VALIDATOR,
    ),
    "an index outside": (
        [[[1, 2, 3], 2], [[4, 5], 1], [[3], 0]], "0 <= b < a.length", [[1, 2], 2],
        NEVER,
    ),
    "a truth value among values of other types": (
        [[["a", 1, 2.5]], [["b", 3]], [[0.5]]], "", [["a", True]], NEVER,
    ),
    "lists of two lengths": (
        [[[1, 2], [3, 4]], [[5], [6]], [[7, 8, 9], [1, 2, 3]]], "", [[1], [2, 3]], WITH_VALIDATOR,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_an_input_is_like_the_stored_ones_unless_a_statement_or_a_validator_says_more(
    name: str,
) -> None:
    inputs, statement, value, expected = CASES[name]
    root = make_structure(inputs, statement or "Return it.").root
    assert [root.allows(value, is_free=is_free) for is_free in (False, True)] == expected


TRAITS: dict[str, tuple[Any, Any, Any]] = {
    "lowercase letters": ("ab", "baa", "aB"),
    "uppercase letters": ("A B", "B A", "aB"),
    "lowercase or uppercase letters": ("aB", "Zz", "z1"),
    "a text of letters and digits": ("a1", "9", "a-1"),
    "a text made of digits": ("10", "0", "1a"),
    "a binary string": ("10", "0", "102"),
    "a list of digits": ([1, 9], [0], [10]),
    "distinct numbers": ([3, 1], [2, 9], [2, 2]),
    "a permutation": ([3, 1, 2], [0, 1], [2, 3]),
    "sorted": ([1, 3], [2, 2], [2, 1]),
    "sorted in descending order": ([3, 1], [2, 2], [1, 2]),
    "an even number of items": ([3, 1], [], [1]),
    "an odd number of items": ([3], [1, 2, 3], [1, 2]),
    "is even": (2, 0, 1),
    "is odd": (1, 3, 2),
}


@pytest.mark.parametrize("words", TRAITS)
def test_a_property_in_words_holds_unless_a_stored_input_lacks_it(words: str) -> None:
    inputs, other, refused = TRAITS[words]
    keeps = make_structure([[inputs, 7]], f"It is given {words}.").root
    assert [keeps.allows([one, 7], is_free=True) for one in (other, refused)] == [True, False]
    lacks = make_structure([[inputs, 7], [refused, 50]], f"It is given {words}.").root
    assert lacks.allows([refused, 7], is_free=True)


def list_inputs(structure: InputStructure, *, is_unlike: bool = False) -> list[Any]:
    """What is proposed, like or unlike the stored inputs."""
    proposer = InputProposer(structure, random.Random(1))
    inputs = proposer.list_inputs(200, 64)
    return [item.value for item in inputs if bool(item.departures) == is_unlike]


def test_boundaries_and_values_beside_stored_ones_are_proposed() -> None:
    inputs = list_inputs(make_structure(NUMBERS, "1 <= b <= 10, 0 <= a[i] <= 30, 0 <= a.length"))
    assert {1, 10, 5, 6, 7} <= {b for _, b in inputs}
    assert any(a == [] for a, _ in inputs)
    assert any(b in a for a, b in inputs)
    assert any(len(a) > 1 and len(set(a)) == 1 for a, _ in inputs)
    assert all(1 <= b <= 10 and all(0 <= item <= 30 for item in a) for a, b in inputs)


def test_a_truth_value_is_proposed_where_any_value_may_stand() -> None:
    code = "def f(values: List[Any]):\n    pass"
    inputs = list_inputs(make_structure([[["a", 1, 2]], [["b", 3]]], starter_code=code))
    assert any(isinstance(item, bool) for (values,) in inputs for item in values)


def test_inputs_unlike_the_stored_ones_keep_what_is_stated() -> None:
    structure = make_structure(NUMBERS, "b <= 10")
    assert all(b > 0 for _, b in list_inputs(structure))
    inputs = list_inputs(structure, is_unlike=True)
    assert any(b == 0 for _, b in inputs)
    assert any(min(a, default=0) < 0 for a, _ in inputs)
    assert all(b <= 10 for _, b in inputs)


def test_a_number_that_counts_a_list_stays_its_length() -> None:
    texts = ["3\n5 1 2\n", "1\n7\n", "4\n1 2 3 4\n"]
    inputs = list_inputs(make_structure(texts))
    assert len(inputs) > 50
    for text in inputs:
        count, numbers = text.split("\n")[:2]
        assert int(count) == len(numbers.split())
    assert len({text.split("\n")[0] for text in inputs}) > 3


def is_tree(count: int, edges: list[list[int]]) -> bool:
    """Whether edges join all nodes from 1 to ``count``, and none is left over."""
    component = {1}
    for _ in edges:
        component |= {node for edge in edges if component & {*edge} for node in edge}
    return component == set(range(1, count + 1)) and len(edges) == count - 1


LIMITED: dict[str, tuple[str, list[Any], Callable[[Any], bool]]] = {
    "queries": (
        "The first line of the input has n and q (1 ≤ n, q ≤ 10^5), the second n numbers a_i "
        "(0 ≤ a_i ≤ 9). Each of q lines has l and r (1 ≤ l ≤ r ≤ n).",
        ["4 2\n4 0 7 2\n1 3\n2 2\n", "3 1\n5 5 5\n1 3\n", "5 3\n9 8 1 2 3\n1 5\n4 5\n3 3\n"],
        lambda part: all(1 <= left <= right <= part[0] for left, right in part[3]),
    ),
    "edges of a graph": (
        "n == a.length, b[i] = [ui, vi, wi], 0 <= ui, vi < n, 1 <= wi <= 9",
        [[[5, 2], [[0, 1, 3]]], [[1, 2, 3], [[0, 2, 9], [1, 2, 1]]], [[4, 4, 1], []]],
        lambda part: all(u < len(part[0]) > v and 1 <= weight <= 9 for u, v, weight in part[1]),
    ),
    "edges without a loop": (
        "Constraints:\n\nn == a.length, b[i] = [ui, vi]\n0 <= ui, vi < n, ui != vi",
        [[[5, 2], [[0, 1]]], [[1, 2, 3], [[0, 2], [1, 2]]], [[4, 4, 1], [[2, 1]]]],
        lambda part: all(u != v for u, v in part[1]),
    ),
    "two numbers that differ": (
        "Constraints:\n\n0 <= a, b <= 9\na != b",
        [[3, 4], [5, 2], [0, 9]],
        lambda part: part[0] != part[1],
    ),
    "columns that differ in a tree": (
        "Constraints:\n\nb represents one valid tree.\nb[i] = [u, v]\nu != v",
        [[[5, 2], [[0, 1]]], [[1, 2, 3], [[0, 2], [1, 2]]], [[4, 4, 1], [[2, 1], [1, 0]]]],
        lambda part: (
            part[1] in ([[0, 1]], [[0, 2], [1, 2]], [[2, 1], [1, 0]])
            and len(part[0]) == len(part[1]) + 1
        ),
    ),
    "a choice of numbers": (
        "Constraints:\n\na[i] is 0, 1, or 2.\n1 <= b <= 9",
        [[[0, 1], 3], [[1, 1, 0], 9], [[2], 1]],
        lambda part: set(part[0]) <= {0, 1, 2},
    ),
    "a choice of letters": (
        "a[i] consists of 'x', 'Y' and spaces.",
        [[["xY", "Y"], 3], [["x x"], 9], [["x"], 1]],
        lambda part: set().union(*part[0]) <= set("xY "),
    ),
    "an argument of which a promise is made": (
        "Constraints:\n\n0 <= b <= 9\nThe area of a is not zero.",
        [[[0, 1], 3], [[1, 1, 0], 9], [[2], 1]],
        lambda part: part[0] in ([0, 1], [1, 1, 0], [2]),
    ),
    "columns with an index": (
        "n == a.length, b[i] = [u_i, v_i], 0 <= u_i < v_i < n",
        [[[5, 2], [[0, 1]]], [[1, 2, 3], [[0, 2], [1, 2]]], [[4, 4, 1], [[1, 2]]]],
        lambda part: all(0 <= u < v < len(part[0]) for u, v in part[1]),
    ),
    "a length without a bound": (
        "The first line of the input has n (1 ≤ n ≤ 30). Each of n lines has a name.",
        ["2\nann\nbo\n", "3\ned\neve\numa\n", "1\nzoe\n"],
        lambda part: all(len(name) <= 3 for name in part[1]),
    ),
    "edges of a tree": (
        "The first line of the input has n (2 ≤ n ≤ 99). Each of n - 1 lines has an edge.",
        ["4\n4 2\n2 3\n2 1\n", "6\n1 2\n3 1\n3 4\n5 3\n5 6\n", "3\n2 1\n3 1\n"],
        lambda part: is_tree(part[0], part[1]),
    ),
    "as many as there are": (
        "1 <= a <= b.length",
        [[1, [4, 2]], [3, [1, 2, 3]], [2, [7, 7]]],
        lambda part: part[0] <= len(part[1]),
    ),
    "as many rows as columns": (
        "1 <= n <= 9",
        ["2\n0 1\n1 1\n", "3\n1 1 1\n0 0 0\n1 0 1\n", "1\n1\n"],
        lambda part: all(len(row) == part[0] == len(part[1]) for row in part[1]),
    ),
    "a bound without a place": (
        "The first line of the input has n (0 ≤ n ≤ 10), the degree of x. The second line "
        "has n + 1 factors. Then follow two lines for y.",
        ["1\n4 2\n0\n3\n", "0\n5\n2\n1 1 7\n", "2\n1 2 3\n1\n5 5\n"],
        lambda part: part[0] <= 10 and part[2] <= 2,
    ),
}


@pytest.mark.parametrize("name", LIMITED)
def test_limits_of_the_statement_hold_in_all_inputs(name: str) -> None:
    statement, examples, holds = LIMITED[name]
    structure = make_structure(examples, statement)
    inputs = list_inputs(structure)
    assert len(inputs) > 20
    layout = structure.layout
    assert all(holds(layout.parse(item) if layout else item) for item in inputs)


LARGE = {
    "a list": ("The first line has n (1 ≤ n ≤ 3000).", ["3\n1 5 2\n", "4\n4 3 9 1\n"]),
    "a grid": (
        "The first line has H and W (1 ≤ H, W ≤ 50).",
        ["2 3\n.#.\n##.\n", "3 2\n..\n#.\n.#\n"],
    ),
    "a table": (
        "The first line has n and m (1 ≤ n, m ≤ 50). Each of n lines has m numbers.",
        ["2 3\n1 2 3\n4 5 6\n", "3 2\n1 2\n5 5\n9 9\n", "1 1\n4\n"],
    ),
    "a text": ("A word s of letters (1 ≤ |s| ≤ 3000).", ["abc\n", "zz\n", "q\n"]),
    "places of a list": (
        "The first line has n and q (1 ≤ n, q ≤ 3000), the second n numbers a_i (1 ≤ a_i ≤ 9). "
        "Each of q lines has l and r (1 ≤ l ≤ r ≤ n).",
        ["4 2\n4 1 7 2\n1 3\n2 2\n", "3 1\n5 5 5\n1 3\n", "5 3\n9 8 1 2 3\n1 5\n4 5\n3 3\n"],
    ),
    "several cases": (
        "The first line has t (1 ≤ t ≤ 100). The first line of each case has n (1 ≤ n ≤ 50).",
        ["2\n3\n1 5 2\n2\n7 7\n", "3\n1\n4\n4\n1 2 3 9\n2\n5 1\n", "1\n2\n9 4\n"],
    ),
    "one of several cases": (
        "The first line has t (1 ≤ t ≤ 100). The first line of each case has n (1 ≤ n ≤ 3000). "
        "The sum of all n is at most 3000.",
        ["2\n3\n1 5 2\n2\n7 7\n", "3\n1\n4\n4\n1 2 3 9\n2\n5 1\n"],
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_sizes_grow_to_the_bounds_of_the_statement(name: str) -> None:
    statement, texts = LARGE[name]
    structure = make_structure(texts, statement)
    proposer = InputProposer(structure, random.Random(1))
    large = [item.value for item in proposer.propose_largest(1.0, 512)]
    assert large
    for text in large:
        assert structure.layout is not None
        structure.layout.parse(text)
        assert 1000 < len(text) < 50_000


def test_an_argument_of_which_a_part_has_a_bound_stays_as_it_is_stored() -> None:
    starts = [[0, 4], [1, 2], [8, 0]]
    inputs = [[n, start] for n, start in zip((5, 7, 9), starts, strict=True)]
    code = "def f(n, start):\n    pass"
    structure = make_structure(inputs, "1 <= n <= 9, 0 <= startrow, next < n", code)
    inputs = list_inputs(structure)
    assert {n for n, _ in inputs} == set(range(1, 10))
    assert all(start in starts for _, start in inputs)


def test_a_promise_about_the_answer_is_about_all_arguments() -> None:
    promise = "Constraints:\n\nb is such that"
    assert infer_structure(NUMBERS, f"{promise} it is rare.")
    assert infer_structure(NUMBERS, f"{promise} an answer exists.") is None


@pytest.mark.parametrize(
    "inputs",
    [
        [[4, [[0, 1], [1, 2], [1, 3]]], [3, [[0, 1, 7], [1, 2]]]],  # a tree, in rows of any length
        [[[[1, 2, 3], [2, 5, 9], [3, 3, 4]]], [[[0, 1, 1], [1, 2, 2], [4, 5, 6]]]],  # a square
    ],
)
def test_rows_that_are_too_short_are_left_out(inputs: list[Any]) -> None:
    assert list_inputs(make_structure(inputs))


def test_a_great_number_beside_a_list_is_no_count_of_nodes() -> None:
    """A dictionary of as many nodes would fill the memory."""
    pairs = [[1, 2], [2, 3], [3, 4]]
    assert not make_structure([[10**15, pairs], [10**12, pairs[:1]]]).root.relations


def test_a_number_that_is_always_within_a_list_stays_there() -> None:
    inputs = list_inputs(make_structure(NUMBERS_AND_INDEXES))
    assert len(inputs) > 20
    assert all(index <= len(numbers) for numbers, index in inputs)


def test_a_bound_that_a_text_does_not_state_is_what_was_seen_unless_a_validator_decides() -> None:
    structure = make_structure(["5 4\n", "3 9\n", "7 -8\n"], "Print the sum of both numbers.")
    values = [list(map(int, text.split())) for text in list_inputs(structure)]
    assert len(values) > 5
    assert all(3 <= left <= 7 and -8 <= right <= 9 and right for left, right in values)
    assert structure.root.allows([0, 4], is_free=True)


def test_the_same_seed_proposes_the_same() -> None:
    structure = make_structure(NUMBERS)
    assert list_inputs(structure) == list_inputs(structure)


def test_numbers_among_words_of_one_length_have_no_width() -> None:
    mixed = [[[3, "ab"], 1], [[4, "cd", "ef"], 2], [["xy"], 5]]
    assert list_inputs(make_structure(mixed))
