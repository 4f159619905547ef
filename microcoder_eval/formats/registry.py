"""The known formats, and the detection of an object's format.

The order of FORMATS counts, see ``datasets``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from microcoder_eval.errors import DataError, suggest

from . import datasets, error_text, native
from .datasets import unread, usual_names
from .datasets.format import Format, Row

RecordType = Literal["problems", "solutions"]


_ONLY_OF_PROBLEMS = frozenset({"statement", "tests", "test_code", "inputs", "outputs"})


FORMATS = (native.FORMAT, *datasets.FORMATS)
_BY_NAME = {one.name: one for one in FORMATS}
_TEST_KEYS = unread.OTHER_NAMES.union(*(one.judges for one in FORMATS))


def get_format(name: str) -> Format:
    """Return the format of that name. Raises DataError that lists the known ones."""
    if name not in _BY_NAME:
        raise DataError(f'no format "{error_text.shorten(name, 40)}"{suggest(name, _BY_NAME)}')
    return _BY_NAME[name]


def recognise_row(
    row: Row, formats: Sequence[Format] = FORMATS
) -> tuple[RecordType, Format] | None:
    """Return what a row holds and the first format that recognises it; None if none does.

    Rows of some sets hold a problem and its reference solution: they are problems.
    """
    for candidate in formats:
        if candidate.holds_problem(row):
            return "problems", candidate
    for candidate in formats:
        if candidate.holds_solution(row):
            return "solutions", candidate
    if native.FORMAT in formats:
        if native.FORMAT.holds_problem(usual_names.rename_problem(row)):
            return "problems", native.FORMAT
        if native.FORMAT.holds_solution(usual_names.rename_solution(row)):
            return "solutions", native.FORMAT
    return None


def detect_problem_format(row: Row, name: str | None) -> Format:
    """Return the named format, else one that recognises the row, else our own."""
    if name is not None:
        return get_format(name)
    candidates = [one for one in FORMATS if one.holds_problem(row)] or [native.FORMAT]
    if len(candidates) == 1:
        return candidates[0]
    return next((one for one in candidates if not find_unread_tests(row, one)), candidates[0])


def rewrite_problem(row: Row, name: str | None) -> tuple[Format, Row]:
    """Return the format of a row, and the row in our own. Raises DataError, also where the format
    was not named and leaves tests of another format unread."""
    row_format = detect_problem_format(row, name)
    if name is None and row_format is not native.FORMAT:
        _refuse_unread_tests(row, row_format)
    if row_format is native.FORMAT:  # its reader keeps unknown keys
        fields = native.FORMAT.read_fields(row)
        refuse_other_rows(fields)
        return native.FORMAT, fields
    return row_format, row_format.rewrite_problem(row)


def is_result(row: Row) -> bool:
    """Whether a row is a result of judging."""
    return {"verdict", "passed", "tests_sha256"} <= row.keys()


def refuse_other_rows(row: Row) -> None:
    """Raise DataError for what judging reads or writes beside problems."""
    if is_result(row):
        raise DataError("it is a result of judging, not a problem; report and diff read those")
    if native.FORMAT.holds_solution(row) and row.keys().isdisjoint(_ONLY_OF_PROBLEMS):
        raise DataError("it is a solution, not a problem: it has neither a statement nor tests")


def find_unread_tests(row: Row, row_format: Format) -> list[str]:
    """Return the keys that the format does not read, although their name or their content says
    that they hold tests."""
    declared = row_format.reads | row_format.repeats | unread.SAMPLES
    if row_format is native.FORMAT:
        # The corpus pipeline keeps a row's other keys, and names the format that it was read in.
        origin = _BY_NAME.get(str(row.get("origin")), native.FORMAT)
        declared |= origin.reads | origin.repeats
    others = {k: v for k, v in row.items() if k not in declared and not unread.is_empty(v)}
    return [
        key
        for key, value in others.items()
        if key in _TEST_KEYS or unread.may_hold_more(key, value) or unread.holds_tests(value)
    ]


def _refuse_unread_tests(row: Row, row_format: Format) -> None:
    """Raise DataError where a key that is known to hold tests is not read."""
    keys = [key for key in find_unread_tests(row, row_format) if key in _TEST_KEYS]
    if keys:
        them = "it" if len(keys) == 1 else "them"
        raise DataError(
            f"{unread.describe_unread(keys, row_format)}; remove {them}, put {them} "
            f'into "meta", or say that it is as meant: --format {row_format.name}'
        )


def detect_solution_format(row: Row, name: str | None) -> Format:
    """Return the named format if it recognises the row, else the first that does, else our own.

    A run has one ``--format`` for problems and solutions, which often have different formats.
    """
    if name is not None and get_format(name).holds_solution(row):
        return get_format(name)
    return next((one for one in FORMATS if one.holds_solution(row)), native.FORMAT)
