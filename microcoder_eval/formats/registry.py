"""The formats that are understood, and which of them an object is written in.

A format is one module that fills in a Format; adding one is that module and a line in FORMATS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import humaneval, livecodebench, words
from microcoder_eval.records import Problem

Row = Mapping[str, Any]
# Finds a problem by its name; raises DataError when there is none that can be used.
Find = Callable[[str], Problem]


@dataclass(frozen=True, slots=True)
class Format:
    """How one format is recognised and rewritten into our own.

    id_key: where it keeps the problem's name. holds_problem, holds_solution: by its keys alone.
    problem, solutions: rewrite; raise DataError. One row may hold several solutions.
    """

    name: str
    id_key: str
    holds_problem: Callable[[Row], bool]
    holds_solution: Callable[[Row], bool]
    problem: Callable[[Row], Row]
    solutions: Callable[[Row, Find | None], list[Row]]


def _holds_problem(row: Row) -> bool:
    # Not by its name alone: callers give a foreign row a problem_id to find it again by.
    return "problem_id" in row and ("tests" in row or "test_code" in row)


def _holds_solution(row: Row) -> bool:
    return "problem_id" in row and ("code" in row or "response" in row)


NATIVE = Format(
    name="native",
    id_key="problem_id",
    holds_problem=_holds_problem,
    holds_solution=_holds_solution,
    problem=lambda row: row,
    solutions=lambda row, find: [row],
)

# In this order: a row of our own that carries a foreign key along stays our own.
FORMATS = (
    NATIVE,
    Format(
        name="livecodebench",
        id_key="question_id",
        holds_problem=livecodebench.holds_problem,
        holds_solution=livecodebench.holds_solution,
        problem=livecodebench.problem,
        solutions=livecodebench.solutions,
    ),
    Format(
        name="humaneval",
        id_key="task_id",
        holds_problem=humaneval.holds_problem,
        holds_solution=humaneval.holds_solution,
        problem=humaneval.problem,
        solutions=humaneval.solutions,
    ),
)


def format_named(name: str) -> Format:
    """The format of that name. Raises DataError naming those there are."""
    for known in FORMATS:
        if known.name == name:
            return known
    names = [known.name for known in FORMATS]
    raise DataError(f'no format "{words.brief(name, 40)}"{words.nearest(name, names)}')


def format_of_problem(row: Row, name: str | None) -> Format:
    """The named format, else the first that recognises the row, else our own."""
    if name is not None:
        return format_named(name)
    return next((known for known in FORMATS if known.holds_problem(row)), NATIVE)


def format_of_solution(row: Row, name: str | None) -> Format:
    """The named format, else the first that recognises the row, else our own."""
    if name is not None:
        return format_named(name)
    return next((known for known in FORMATS if known.holds_solution(row)), NATIVE)
