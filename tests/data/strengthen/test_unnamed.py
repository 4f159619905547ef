"""What no statement names, but all tests show, is kept; what chance explains is not believed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from microcoder_data.strengthen.inference import find_step
from microcoder_data.strengthen.layout import PartKind, infer_layout
from microcoder_data.strengthen.model import Model
from microcoder_data.strengthen.mutation import propose_documents
from microcoder_data.strengthen.properties import NonzeroEnd

Document = list[Any]


def infer(texts: list[str]) -> tuple[Model, list[Document]]:
    """The model of some texts, and these as documents."""
    layout = infer_layout(texts)
    assert layout is not None
    documents = [layout.parse(text) for text in texts]
    return Model.infer(documents, layout), documents


def has_equal_part(text: str) -> bool:
    """Whether two of the three parts of a text are equal."""
    size = len(text) // 3
    return len({text[:size], text[size : 2 * size], text[2 * size :]}) < 3


SQUARE = "one number of a square stands twice, and two tests show it"
CASES: dict[str, tuple[list[str], Callable[[Document], bool]]] = {
    "a list has two items for each that is counted": (
        ["2\n1 2 2 1\n", "1\n3 7\n", "5\n5 5 5 5 5 5 1 1 9 8\n"],
        lambda doc: len(doc[1]) == 2 * doc[0],
    ),
    "a list has as many items as a table of two sides": (
        ["2 3\n1 5 2 8 8 1\n", "1 4\n3 7 7 1\n", "3 3\n5 5 1 5 5 5 2 2 9\n", "2 2\n1 1 1 4\n"],
        lambda doc: len(doc[2]) == doc[0] * doc[1],
    ),
    "two of three parts are equal": (
        ["hellohrllohello\n", "hejhejhej\n", "aai\n", "xyzxyzxyy\n", "abcdabcdabxd\n"],
        lambda doc: len(doc[0]) % 3 == 0 and has_equal_part(doc[0]),
    ),
    "the numbers to the one that is asked for are all in the list": (
        ["5 2\n3 1 5 4 2\n", "5 5\n3 1 5 4 2\n", "5 3\n3 2 5 3 1\n"],
        lambda doc: set(range(1, doc[1] + 1)) <= set(doc[2]),
    ),
    SQUARE: (
        ["2\n1 3\n2 2\n", "3\n9 1 7\n8 9 2\n3 4 6\n"],
        lambda doc: (
            len({x for row in doc[1] for x in row}) == doc[0] ** 2 - 1
            and max(map(max, doc[1])) <= doc[0] ** 2
        ),
    ),
    "all who are connected know each other, where any are": (
        [
            "5 4\n1 2\n2 3\n1 3\n4 5\n",
            "3 0\n",
            "4 2\n1 4\n2 3\n",
            "6 6\n1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n",
        ],
        lambda doc: all(
            {left, right} in [set(edge) for edge in doc[-1]]
            for edge in doc[-1]
            for other in doc[-1]
            if len(set(edge) & set(other)) == 1
            for left, right in [sorted(set(edge) ^ set(other))]
        ),
    ),
    "pairs are of names that were listed": (
        ["3 1\nada\nbo\ncy\nada cy\n", "2 1\nx\nyy\nyy x\n", "4 2\np\nq\nr\ns\np q\ns r\n"],
        lambda doc: all(set(pair) <= set(doc[2]) and len(set(pair)) == 2 for pair in doc[3]),
    ),
    "a sign, a letter and a number": (
        ["2 +d4 -d10\n", "1 -d6\n", "3 +d8 +d3 -d5\n", "0\n", "2 -d4 -d9\n"],
        lambda doc: all(
            word[0] in "+-" and word[1] == "d" and 3 <= int(word[2:]) <= 10 for word in doc[0]
        ),
    ),
    "one of a few words": (
        [f"{word} {n}\n" for n, word in enumerate(["north", "south", "east"] * 3)],
        lambda doc: doc[0] in {"north", "south", "east"},
    ),
    "all amounts are multiples of 25": (
        ["3\n25 75 125\n", "2\n225 50\n", "4\n175 150 325 75\n"],
        lambda doc: all(amount % 25 == 0 for amount in doc[1]),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_constraint_that_all_tests_show_is_kept(name: str) -> None:
    texts, is_valid = CASES[name]
    model, documents = infer(texts)
    assert all(map(is_valid, documents))
    proposals = [
        item.document for item in propose_documents(model, documents, 60, random.Random(1))
    ]
    assert proposals
    assert [document for document in proposals if not is_valid(document)] == []


def test_numbers_are_unknown_together_only_as_in_some_test() -> None:
    """No test shows what holds between all three numbers of the second line."""
    texts = ["2 3 5\n1 -1 4\n", "-1 4 9\n2 2 -1\n", "2 5 7\n-1 3 8\n", "1 0 1\n-1 -1 3\n"]
    model, documents = infer(texts)
    patterns = [[value == -1 for value in document] for document in documents]
    proposals = list(propose_documents(model, documents, 60, random.Random(1)))
    assert proposals
    assert all([value == -1 for value in item.document] in patterns for item in proposals)


def test_a_modulus_is_believed_where_chance_hardly_gives_it() -> None:
    assert find_step([3, 9, 15, 21, 96, 33]) == (3, 0)
    assert find_step([7, 19, 13, 25]) == (6, 1)
    assert find_step([3, 9, 15]) == (6, 3)
    assert find_step([3, 9]) is None
    assert find_step([1, 3, 5]) is None
    assert find_step([5, 5, 5, 5, 5, 5]) is None


def test_round_numbers_show_no_modulus() -> None:
    """Powers of ten are 1 modulo 3 and modulo 9."""
    assert find_step([10, 100, 1000, 100_000, 1_000_000]) is None


def test_how_often_values_repeat_is_a_rule_of_two_tests_only_where_chance_is_small() -> None:
    """Of four random digits one value repeats in two problems of five."""
    texts = {False: ["4\n1 4 4 9\n", "4\n7 2 9 2\n"], True: CASES[SQUARE][0]}
    for is_rule, inputs in texts.items():
        model, *_ = infer(inputs)
        assert ((1, "#repeated") in model.invariants.constants) is is_rule


def test_one_input_is_not_read_as_two_groups() -> None:
    """Two groups fit the rest of one input too easily; three do not."""
    two = infer_layout(["2\n1\n5\n2\n6 7\n"])
    assert two is None or all(part.kind is not PartKind.GROUPS for part in two.parts)
    three = infer_layout(["3\n1\n5\n2\n6 7\n3\n1 2 3\n"])
    assert three is not None
    assert three.parts[-1].kind is PartKind.GROUPS


def test_a_text_is_not_taken_for_rows_of_any_lengths() -> None:
    assert infer_layout(["a b c\nd\ne f\n", "g\nh i j k\n", "l m\nn\no p\nq r s\n"]) is None


def test_a_few_lines_that_all_inputs_have_are_no_table() -> None:
    layout = infer_layout(["1 2 3\n4 5 6\n", "7 6 5\n4 3 2\n"])
    assert layout is not None
    assert layout.parse("7 8 9\n1 2 3\n") == [7, 8, 9, 1, 2, 3]
    growing = infer_layout(["1 2 3\n4 5 6\n", "7 6 5\n4 3 2\n1 1 1\n"])
    assert growing is not None
    assert growing.parse("7 8 9\n1 2 3\n") == [[[7, 8, 9], [1, 2, 3]]]


def test_lists_of_other_lengths_follow_a_number_that_counts_half_of_them() -> None:
    model, documents = infer(CASES["a list has two items for each that is counted"][0])
    proposals = propose_documents(model, documents, 60, random.Random(1))
    assert {3, 4} <= {item.document[0] for item in proposals}


def test_a_text_has_two_letters_for_each_that_is_counted() -> None:
    model, _ = infer(["2\nabba\n", "1\nxy\n", "3\nqqwert\n", "2\nmnop\n"])
    assert model.invariants.differences[(0, "scalar"), (1, "length"), 2] == 0


def test_numbers_that_may_be_positions_are_believed_to_be_from_two_tests_on() -> None:
    order = ((0, "high"), (0, "length"), 1)
    positions, _ = infer(["3 1 4 2 2\n", "9 7 1 3 2 8 6 6 9 7 4\n"])
    assert order in positions.invariants.orders
    others, _ = infer(["3 1 4 2 2\n", "12 7 1 3 2 8 6 6 9 7 4\n"])
    assert order not in others.invariants.orders


def test_a_length_keeps_its_remainder() -> None:
    words = ["qwertyuiopasdfg\n", "abccba\n", "zxz\n", "hgfhgfjjjkkkllloooppp\n", "qqqwwwsdfoip\n"]
    model, _ = infer([*words, "aqswdefrgthyjukilopzxcvbnma\n"])
    assert model.invariants.remainders[0, "length"] == (3, 0)
    even, _ = infer(["4 7 1 1\n", "5 2\n"])
    assert even.invariants.remainders[0, "length"] == (2, 0)
    odd, _ = infer(["4 7 1\n", "5 2 8 1 1\n"])
    assert (0, "length") not in odd.invariants.remainders


def test_the_first_of_several_numbers_is_not_0_where_0_is_common_elsewhere() -> None:
    texts = ["0\n0\n", "2\n3 0 1\n", "1\n5 0\n", "3\n2 0 0 0\n", "3\n7 0 2 0\n", "4\n1 0 0 0 6\n"]
    model, _ = infer([*texts, "2\n4 0 0\n", "1\n9 0\n"])
    ends = [each.position for each in model.properties if isinstance(each, NonzeroEnd)]
    assert ends == [0]
