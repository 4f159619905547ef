"""What a kind of fault is, and what the functions that plant them share."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
Plant = Callable[[Row, random.Random, Sequence[Row]], Row | bytes | None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault. plant: makes it in a copy; None: this problem cannot have it.

    reasons: names that say that it was found, as a reason to drop or as a flag of what was done.
    """

    plant: Plant
    reasons: frozenset[str]


FAULTS: dict[str, Fault] = {}


def fault(*reasons: str) -> Callable[[Plant], Plant]:
    """Enter a function among the faults, under its name."""

    def enter(plant: Plant) -> Plant:
        FAULTS[plant.__name__] = Fault(plant, frozenset(reasons))
        return plant

    return enter


def stated(row: Row, text: str) -> Row:
    """The row with another statement."""
    return {**row, "statement": text}


def task_of(row: Row) -> str:
    """What a problem of ours asks for, in whatever scene; of others, its name."""
    return re.split(r"_of_|-", row["problem_id"].removeprefix("clean/"))[0]


def is_code(row: Row) -> bool:
    return "def " in row["statement"] and "```" not in row["statement"]


def with_tests(row: Row, tests: list[Any]) -> Row:
    """The row with other tests."""
    return {**row, "tests": tests}


def wrong_value(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        found = re.sub(r"-?\d+", lambda m: str(int(m[0]) + 1), value, count=1)
        return found if found != value else value + "x"
    if isinstance(value, list):
        return [*value, 7]
    return [value, "changed"]


def right_and_wrong(row: Row) -> tuple[list[Row], list[Row]]:
    """Copies of its right and its wrong programs."""
    every = deepcopy(row.get("solutions", []))
    return ([one for one in every if one["verdict"] == "AC"],
            [one for one in every if one["verdict"] != "AC"])  # fmt: skip
