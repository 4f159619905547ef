"""Large inputs are as great as a statement or another input lets them be, and valid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.inputs import InputStructure

Row = dict[str, Any]
RECIPE = Strengthen(large_kb=20)


def make_row(statement: str, inputs: list[Any], **fields: Any) -> Row:
    """A problem with these inputs."""
    tests = [{"input": text, "output": "1\n"} for text in inputs]
    return {
        "problem_id": "p", "kind": "stdin", "statement": statement, "tests": tests, **fields,
    }  # fmt: skip


def list_large(row: Row, recipe: Strengthen = RECIPE) -> list[Any]:
    """Its large inputs of all shapes."""
    structure = InputStructure.infer(row, [], recipe, 0)
    assert structure is not None
    share = structure.large.find_share()
    if share is None:
        return []
    return [item.value for item in structure.large.list_inputs(share)]


def read(text: str) -> list[list[int]]:
    """The numbers of each line."""
    return [list(map(int, line.split())) for line in text.splitlines()]


def is_list(text: str) -> bool:
    """Whether a list has as many numbers as said, at most the 3,000 of the statement."""
    (count,), numbers = read(text)
    return len(numbers) == count and 1000 <= count <= 3000


def is_permutation(text: str) -> bool:
    """Whether the second line has each number to n once."""
    (count,), numbers = read(text)
    return sorted(numbers) == list(range(1, count + 1)) and count >= 1000


def is_tree(text: str) -> bool:
    """Whether edges join all nodes, one fewer than these."""
    (count,), *edges = read(text)
    group = list(range(count + 1))

    def find(node: int) -> int:
        while group[node] != node:
            group[node] = group[group[node]]
            node = group[node]
        return node

    for left, right in edges:
        group[find(left)] = find(right)
    return len(edges) == count - 1 >= 1000 and len({find(n) for n in range(1, count + 1)}) == 1


def is_one_case(text: str) -> bool:
    """Whether one test case is left, its list long."""
    (cases,), (count,), numbers = read(text)
    return cases == 1 and len(numbers) == count and 1000 <= count <= 200_000


def is_grid(text: str) -> bool:
    """Whether a grid has the sides that are said."""
    lines = text.split()
    height, width, rows = int(lines[0]), int(lines[1]), lines[2:]
    return len(rows) == height <= 120 and all(len(row) == width <= 120 for row in rows)


COUNT = "The first line has the number n (1 ≤ n ≤ 3000)."
CASES: dict[str, tuple[str, list[str], Callable[[str], bool]]] = {
    "a list": (COUNT, ["3\n1 5 2\n", "4\n4 3 9 1\n", "2\n2 20\n"], is_list),
    "a permutation": (
        COUNT,
        ["4\n3 1 4 2\n", "6\n6 5 1 2 4 3\n", "5\n2 3 1 5 4\n", "5\n1 2 5 3 4\n", "3\n2 1 3\n"],
        is_permutation,
    ),
    "a tree": (
        COUNT,
        ["4\n4 2\n2 3\n2 1\n", "6\n1 2\n3 1\n3 4\n5 3\n5 6\n", "5\n5 2\n2 3\n3 4\n1 5\n",
         "3\n2 1\n3 1\n", "5\n1 2\n1 3\n4 1\n1 5\n"],
        is_tree,
    ),
    "test cases": (
        "The first line contains t (1 <= t <= 10^4). The first line of each test case contains n "
        "($1 \\le n \\le 2 \\cdot 10^5$). The sum of n over all test cases is at most 2·10^5.",
        ["2\n3\n1 5 2\n2\n7 7\n", "3\n1\n4\n4\n1 2 3 9\n2\n5 1\n", "1\n5\n1 2 3 1 2\n"],
        is_one_case,
    ),
    "a grid": (
        "The first line has H and W (1 ≤ H, W ≤ 120).",
        ["2 3\n.#.\n##.\n", "3 2\n..\n#.\n.#\n", "4 4\n....\n#.#.\n.##.\n....\n"],
        is_grid,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_sizes_grow_to_the_bounds_of_the_statement(name: str) -> None:
    statement, inputs, is_valid = CASES[name]
    large = list_large(make_row(statement, inputs))
    assert large
    for text in large:
        assert is_valid(text), text[:80]
        assert 1000 < len(text) <= 1.2 * 20 * 1024
    assert len(set(large)) == len(large)
    assert large == list_large(make_row(statement, inputs))


def test_the_arguments_of_a_call_grow_where_their_length_has_a_name() -> None:
    row = make_row(
        "Constraints:\n\nn == a.length == b.length\n1 <= n <= 5000\n1 <= a[i], b[i] <= 100",
        [[[1, 5, 3], [2, 2, 4]], [[2, 9], [1, 1]], [[7, 7, 7, 1], [1, 2, 3, 3]]],
        kind="call",
        starter_code="class Solution:\n    def f(self, a: List[int], b: List[int]) -> int:",
    )
    large = list_large(row)
    assert large
    assert all(1000 < len(a) == len(b) <= 5000 for a, b in large)


LISTS = ["3\n1 5 2\n", "4\n4 3 9 1\n", "2\n2 20\n"]


@pytest.mark.parametrize(
    "statement",
    [
        "",
        "The first line has n.",
        "The first line has n (1 ≤ n ≤ 3000). The sum of all values is at most 10^5.",
        "The first line has H and W (1 ≤ H, W ≤ 3000, H × W ≤ 200000).",
    ],
)
def test_nothing_is_large_where_a_bound_is_not_certain(statement: str) -> None:
    assert list_large(make_row(statement, LISTS)) == []


def test_without_a_statement_inputs_are_as_large_as_the_largest_test() -> None:
    numbers = " ".join(str(k * 7919 % 1007) for k in range(5000))
    row = make_row("", [*LISTS, f"5000\n{numbers}\n"])
    large = list_large(row, Strengthen(large_kb=100))
    assert large
    for text in large:
        (count,), values = read(text)
        assert len(values) == count >= 4000
        assert 20 < max(values) < 1007
