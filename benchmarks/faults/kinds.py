"""The record of a kind of fault, and what the functions that plant faults share."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
Others = Sequence[Row]
Condition = Callable[[Row], bool]
Plant = Callable[[Row, random.Random, Others], Row | bytes | None]

# Names of drops and flags that several faults share.
NO_STATEMENT = ("statement_too_short", "truncated_statement", "not_english")
WRONG = ("reference_fails", "references_disagree")
CONTRADICTED = (*WRONG, "example_contradicts_tests")


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault. plant: makes it in a copy, or returns None if the problem cannot have it.

    reasons: names of drops or flags that count as finding it. of: what a problem must be.
    """

    plant: Plant
    reasons: frozenset[str]
    of: Sequence[Condition]

    def suits(self, row: Row) -> bool:
        """Whether a problem is of the kind that can have it."""
        return all(holds(row) for holds in self.of)


FAULTS: dict[str, Fault] = {}


def fault(*reasons: str, of: Sequence[Condition] = ()) -> Callable[[Plant], Plant]:
    """Register a function as a fault, under its name."""

    def enter(plant: Plant) -> Plant:
        FAULTS[plant.__name__] = Fault(plant, frozenset(reasons), of)
        return plant

    return enter


def is_stdin(row: Row) -> bool:
    """Whether a program reads the input."""
    return bool(row["kind"] == "stdin")


def is_call(row: Row) -> bool:
    """Whether tests call a function with arguments."""
    return bool(row["kind"] == "call")


def has_tests(row: Row) -> bool:
    """Whether its tests are inputs and outputs, not code."""
    return bool(row["kind"] != "assert")


def is_prose(row: Row) -> bool:
    """Whether its statement is no code."""
    return not is_code(row)


def with_text(row: Row, text: str) -> Row:
    """Return the row with another statement."""
    return {**row, "statement": text}


def name_task(row: Row) -> str:
    """Return the task of one of our problems, whatever its scene; of other problems, the name."""
    return re.split(r"_of_|-", row["problem_id"].removeprefix("clean/"))[0]


def is_code(row: Row) -> bool:
    return "def " in row["statement"] and "```" not in row["statement"]


def with_tests(row: Row, tests: list[Any]) -> Row:
    """Return the row with other tests."""
    return {**row, "tests": tests}


def change_value(value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        changed = re.sub(r"-?\d+", lambda m: str(int(m[0]) + 1), value, count=1)
        return changed if changed != value else value + "x"
    if isinstance(value, list):
        return [*value, 7]
    return [value, "changed"]


def split_programs(row: Row) -> tuple[list[Row], list[Row]]:
    """Return copies of its right and its wrong programs."""
    every = deepcopy(row.get("solutions", []))
    return ([solution for solution in every if solution["verdict"] == "AC"],
            [solution for solution in every if solution["verdict"] != "AC"])  # fmt: skip
