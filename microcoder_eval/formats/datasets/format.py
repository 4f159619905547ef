"""What a format is: how its rows are recognised and rewritten into our own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from microcoder_eval.records import Problem

Row = Mapping[str, Any]


class Problems(Protocol):
    """The problems that solutions are for. Both raise DataError saying why there is none."""

    def get(self, problem_id: str, /) -> Problem:
        """The problem of that name."""

    def at(self, place: int, /) -> Problem:
        """The problem at that place in its file, from 0."""

    def __contains__(self, problem_id: object, /) -> bool: ...


def no_solution(_row: Row) -> bool:
    """For formats of problems alone: solutions of these come in another form."""
    return False


def as_written(row: Row, _problems: Problems | None) -> list[Row]:
    """The row itself, as the one solution it is."""
    return [row]


@dataclass(frozen=True, slots=True)
class Format:
    """How one format is recognised and rewritten into our own.

    id_key: where it keeps the problem's name; integer_names: what goes before one that is a
    number. holds_problem, holds_solution: by its keys alone; at most one format recognises a row.
    problem, solutions: rewrite; raise DataError. One row may hold several solutions.
    """

    name: str
    id_key: str
    holds_problem: Callable[[Row], bool]
    problem: Callable[[Row], Row]
    holds_solution: Callable[[Row], bool] = no_solution
    solutions: Callable[[Row, Problems | None], list[Row]] = as_written
    integer_names: str = ""

    def name_in(self, row: Row) -> str | None:
        """The problem's name as the row gives it, if it does."""
        name = row.get(self.id_key)
        if isinstance(name, int) and not isinstance(name, bool) and name.bit_length() < 64:
            return f"{self.integer_names}{name}"
        return name if isinstance(name, str) else None
