"""The record of a format: how its rows are recognised and rewritten into our own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Protocol, TypeGuard

from microcoder_eval.errors import DataError
from microcoder_eval.forksafe import lazy_property
from microcoder_eval.formats import error_text
from microcoder_eval.records import Problem
from microcoder_sandbox import record

Row = Mapping[str, Any]


class Problems(Protocol):
    """The problems that solutions are for."""

    def get(self, problem_id: str, /) -> Problem:
        """Return the problem of that name. Raises DataError if there is none."""

    def __contains__(self, problem_id: object, /) -> bool: ...


def has_keys(
    *keys: str, one_of: tuple[str, ...] = (), without: tuple[str, ...] = ()
) -> Callable[[Row], bool]:
    """Return a function that says whether a row has all of these keys, one of the others at least,
    and none of those ``without``."""

    def has(row: Row) -> bool:
        has_one = not one_of or any(key in row for key in one_of)
        return has_one and all(key in row for key in keys) and row.keys().isdisjoint(without)

    return has


@record
class Format:
    """How one format is recognised and rewritten into our own.

    names: keys that may hold the problem's name; the first that does is used.
    integer_prefix: put before a name that is a number.
    named_by: the text from which a missing name is made.
    holds_problem, holds_solution: recognise a row by its keys; by default no row is a solution.
    copies: {our key: the set's key} for values that are kept as they are; texts: the same for texts
        that are not blank.
    read_fields: returns all other fields; also "problem_id" where the name is made in another way.
    rewrite_solutions: returns the solutions of a row, which may hold several; by default the row
        itself. Both raise DataError.
    judges: the keys that hold tests or decide verdicts.
    repeats: keys that hold tests, too, and are left unread, since those that are read hold them.
    carries: keys that are read, and go into "meta" as well.
    uses: the keys that are read besides all these. Keys that are not read go into "meta".
    warn: sentences about tests that the row says exist elsewhere.
    """

    name: str
    names: tuple[str, ...]
    holds_problem: Callable[[Row], bool]
    read_fields: Callable[[Row], Row]
    holds_solution: Callable[[Row], bool] = lambda _row: False
    rewrite_solutions: Callable[[Row, Problems | None], list[Row]] = lambda row, _problems: [row]
    integer_prefix: str = ""
    named_by: str = ""
    copies: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    uses: frozenset[str] = frozenset()
    judges: frozenset[str] = frozenset()
    repeats: frozenset[str] = frozenset()
    carries: frozenset[str] = frozenset()
    warn: Callable[[Row], list[str]] = lambda _row: []

    @lazy_property
    def reads(self) -> frozenset[str]:
        """The keys of a problem that are read."""
        keys = (*self.names, self.named_by, *self.copies.values(), *self.texts.values())
        return self.uses.union(self.judges, self.carries, filter(None, keys))

    def find_name(self, row: Row) -> str | None:
        """Return the problem's name, if the row has it."""
        return _find_name(row, self.names, self.integer_prefix)

    def rewrite_problem(self, row: Row) -> Row:
        """Return the problem of a row in our own format. Raises DataError."""
        used_keys = self.reads - self.carries
        fields: dict[str, Any] = {our: row.get(key) for our, key in self.copies.items()}
        fields |= {our: get_optional_text(row.get(key)) for our, key in self.texts.items()}
        fields["meta"] = {key: value for key, value in row.items() if key not in used_keys}
        fields |= self.read_fields(row)
        if "problem_id" in fields:
            return fields
        if self.named_by:
            name = choose_problem_id(row, self.names, self.name, row.get(self.named_by))
        else:
            name = self.require_name(row)
        return {**fields, "problem_id": name}

    def require_name(self, row: Row) -> str:
        """Return the problem's name. Raises DataError if the row has none."""
        name = self.find_name(row)
        if not name:
            key = self.names[0]
            raise error_text.wrong_value(f'"{key}" must name the problem', row.get(key), row=row)
        return name


def list_words(text: str) -> frozenset[str]:
    """Return the keys in a text."""
    return frozenset(text.split())


def get_optional_text(value: Any) -> str | None:
    """Return the value if it is a text that is not blank, else None."""
    return value if isinstance(value, str) and value.strip() else None


def normalize_ids(row: Row) -> Row:
    """Return the row with names that are integers as texts, so that 7 names the same as "7"."""
    names = {k: str(row[k]) for k in ("problem_id", "solution_id") if is_integer_name(row.get(k))}
    return {**row, **names} if names else row


def is_integer_name(value: object) -> TypeGuard[int]:
    """Whether a value is an integer that can be a name: of at most 64 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 64


def _find_name(row: Row, keys: tuple[str, ...], integer_prefix: str = "") -> str | None:
    """Return the first name under ``keys``."""
    for key in keys:
        value = row.get(key)
        if is_integer_name(value):
            return f"{integer_prefix}{value}"
        if isinstance(value, str) and value:
            return value
    return None


def choose_problem_id(row: Row, keys: tuple[str, ...], prefix: str, statement: Any) -> str:
    """Return the first name under ``keys``, else a name made from the statement, or from the whole
    row if it has none.

    A name made from the position in the file would change if a line is added or removed, and
    solutions would be judged by another problem. Raises DataError for what cannot be written as
    JSON.
    """
    if (name := _find_name(row, keys)) is not None:
        return name
    try:
        source = row if statement is None else statement
        text = source if isinstance(source, str) else json.dumps(source, sort_keys=True)
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(f"neither a name nor a text to make one from: {error}") from None
    return f"{prefix}/{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
