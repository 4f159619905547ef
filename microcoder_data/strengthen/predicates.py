"""What may hold of a value: order, shape, brackets, the class of a letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise
from typing import Any

from microcoder_data.constraints import Trait


def classify_letter(letter: str) -> str:
    """Return the class of a letter; each sign is a class of its own."""
    if letter.isdigit():
        return "digit"
    if letter.isalpha():
        return "upper" if letter.isupper() else "lower"
    return letter


def find_form(text: str) -> str:
    """Return a text with 0 in place of each number: "5 apples" has the form "0 apples"."""
    return re.sub(r"\d+", "0", text)


def list_neighbours(text: str) -> set[tuple[str, str]]:
    """Return the pairs of signs that follow each other in a text; letters and digits are one sign,
    "" is the sign before and after all others. None of an empty text."""
    signs = ["a" if letter.isalnum() else letter for letter in text]
    return set(pairwise(("", *signs, ""))) - {("", "")}


def is_balanced(text: str) -> bool:
    """Whether all brackets of a text match."""
    pairs = {")": "(", "]": "[", "}": "{", ">": "<"}
    open_brackets: list[str] = []
    for letter in text:
        if letter in pairs.values():
            open_brackets.append(letter)
        elif letter in pairs and (not open_brackets or open_brackets.pop() != pairs[letter]):
            return False
    return not open_brackets


def is_sorted(items: Sequence[Any]) -> bool:
    try:
        return all(left <= right for left, right in pairwise(items))
    except TypeError:
        return False


def is_distinct(items: Sequence[Any]) -> bool:
    return len(set(map(repr, items))) == len(items)


def has_distinct_items(items: Sequence[Any]) -> bool:
    """Whether no item stands twice, in all rows together."""
    return all(isinstance(row, list | tuple) for row in items) and is_distinct(list(chain(*items)))


def is_rectangle(items: Sequence[Any]) -> bool:
    return len({len(item) for item in items if isinstance(item, str | list | tuple)}) <= 1


def is_square(items: Sequence[Any]) -> bool:
    return all(isinstance(item, str | list | tuple) and len(item) == len(items) for item in items)


def is_permutation(items: Sequence[Any]) -> bool:
    return sorted(map(repr, items)) in (
        sorted(map(repr, range(1, len(items) + 1))),
        sorted(map(repr, range(len(items)))),
    )


ORDERS: dict[Trait, Callable[[Sequence[Any]], bool]] = {
    Trait.ASCENDING: is_sorted,
    Trait.DESCENDING: lambda items: is_sorted(list(items)[::-1]),
    Trait.DISTINCT: is_distinct,
    Trait.PERMUTATION: is_permutation,
}


def are_tree(nodes: Iterable[int], rows: Sequence[Sequence[Any]]) -> bool:
    """Whether rows, each of which begins with two nodes and which are one fewer than the nodes, are
    the edges of a tree."""
    above = {node: node for node in nodes}  # towards the node that stands for a connected part

    def find(node: int) -> int:
        while above[node] != node:
            above[node] = node = above[above[node]]
        return node

    for left, right, *_ in rows:
        if left not in above or right not in above or find(left) == find(right):
            return False
        above[find(left)] = find(right)
    return True
