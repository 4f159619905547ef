"""The record of a format: how its rows are recognised and rewritten into our own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from microcoder_eval.records import Problem
from microcoder_sandbox import record

Row = Mapping[str, Any]


class Problems(Protocol):
    """The problems that solutions are for. Both methods raise DataError if there is none."""

    def get(self, problem_id: str, /) -> Problem:
        """Return the problem of that name."""

    def get_at(self, index: int, /) -> Problem:
        """Return the problem at that position in its file, from 0."""

    def __contains__(self, problem_id: object, /) -> bool: ...


def holds_no_solution(_row: Row) -> bool:
    """Return False: the format has problems only."""
    return False


def keep_row(row: Row, _problems: Problems | None) -> list[Row]:
    """Return the row, which is one solution."""
    return [row]


def warn_of_nothing(_row: Row) -> list[str]:
    """Return nothing: rows of the format hold all of their tests."""
    return []


@record
class Format:
    """How one format is recognised and rewritten into our own.

    id_key: the key of the problem's name; integer_prefix: put before a name that is a number.
    holds_problem, holds_solution: recognise a row by its keys; at most one format does.
    rewrite_problem, rewrite_solutions: raise DataError. A row may hold several solutions.
    reads: the keys of a problem that are used. judges: those of them that hold tests or decide
    verdicts. ignores: keys of the set's own files that are left unread, since they change no
    verdict. warn: sentences about tests that the row says exist elsewhere.
    """

    name: str
    id_key: str
    holds_problem: Callable[[Row], bool]
    rewrite_problem: Callable[[Row], Row]
    holds_solution: Callable[[Row], bool] = holds_no_solution
    rewrite_solutions: Callable[[Row, Problems | None], list[Row]] = keep_row
    integer_prefix: str = ""
    reads: frozenset[str] = frozenset()
    judges: frozenset[str] = frozenset()
    ignores: frozenset[str] = frozenset()
    warn: Callable[[Row], list[str]] = warn_of_nothing

    def find_name(self, row: Row) -> str | None:
        """Return the problem's name, if the row has it."""
        name = row.get(self.id_key)
        if is_integer_name(name):
            return f"{self.integer_prefix}{name}"
        return name if isinstance(name, str) else None


def normalize_ids(row: Row) -> Row:
    """Return the row with names that are integers as texts, so that 7 names the same as "7"."""
    names = {k: str(row[k]) for k in ("problem_id", "solution_id") if is_integer_name(row.get(k))}
    return {**row, **names} if names else row


def is_integer_name(value: object) -> bool:
    """Whether a value is an integer that can be a name: of at most 64 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 64
