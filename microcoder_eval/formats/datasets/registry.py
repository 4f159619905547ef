"""The formats that are understood, and which of them an object is written in.

A format is one module with a FORMAT; adding one is that module and a line here.
"""

from __future__ import annotations

from microcoder_eval.errors import DataError
from microcoder_eval.formats import (
    apps,
    bigcodebench,
    codecontests,
    codeforces,
    deepcoder,
    humaneval,
    kodcode,
    leetcodedataset,
    livecodebench,
    mbpp,
    primeintellect,
    verl,
    words,
)
from microcoder_eval.formats.format import Format, Row, as_written


def _holds_problem(row: Row) -> bool:
    # Not by its name alone: callers give a foreign row a problem_id to find it again by.
    ours = "tests" in row and not deepcoder.holds_problem(row)
    return "problem_id" in row and (ours or "test_code" in row)


def _holds_solution(row: Row) -> bool:
    return "problem_id" in row and ("code" in row or "response" in row)


NATIVE = Format(
    name="native",
    id_key="problem_id",
    holds_problem=_holds_problem,
    problem=lambda row: row,
    holds_solution=_holds_solution,
    solutions=as_written,
)

# In this order: a row of our own that carries a foreign key along stays our own.
FORMATS = (
    NATIVE,
    livecodebench.FORMAT,
    leetcodedataset.FORMAT,
    bigcodebench.FORMAT,
    humaneval.FORMAT,
    mbpp.FORMAT,
    apps.FORMAT,
    kodcode.FORMAT,
    codecontests.FORMAT,
    codeforces.FORMAT,
    primeintellect.FORMAT,
    verl.FORMAT,
    deepcoder.FORMAT,
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
    """The named format where it recognises the row, else the first that does, else our own.

    One name is given for the problems and the solutions of a run, which are seldom of one format.
    """
    if name is not None and format_named(name).holds_solution(row):
        return format_named(name)
    return next((known for known in FORMATS if known.holds_solution(row)), NATIVE)
