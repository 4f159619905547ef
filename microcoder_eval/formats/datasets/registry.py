"""The known formats, and the detection of an object's format.

A format is a module with a FORMAT and an entry in FORMATS.
"""

from __future__ import annotations

from microcoder_eval.errors import DataError, suggest
from microcoder_eval.formats import error_text

from . import (
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
    row_fields,
    verl,
)
from .format import Format, Row, normalize_ids
from .functions import cruxeval, evalplus, humaneval_x, multipl_e, quixbugs


def _holds_problem(row: Row) -> bool:
    # problem_id is not enough: callers add one to rows of other formats.
    has_native_tests = "tests" in row and not deepcoder.holds_problem(row)
    is_problem = has_native_tests or "test_code" in row or _holds_two_lists(row)
    return "problem_id" in row and is_problem


def _holds_two_lists(row: Row) -> bool:
    return all(isinstance(row.get(key), list) for key in ("inputs", "outputs"))


def _rewrite_problem(row: Row) -> Row:
    row = normalize_ids(row)
    if "tests" in row or "test_code" in row or not _holds_two_lists(row):
        return row
    return row_fields.pair_lists(row, row.get("entry_point"))


def _holds_solution(row: Row) -> bool:
    return "problem_id" in row and ("code" in row or "response" in row)


NATIVE = Format(
    name="native",
    id_key="problem_id",
    holds_problem=_holds_problem,
    rewrite_problem=_rewrite_problem,
    holds_solution=_holds_solution,
    rewrite_solutions=lambda row, _problems: [normalize_ids(row)],
    decided_by=frozenset({"tests", "test_code"}),
)

# The first that recognises a row counts: a row of ours may have additional keys of other formats.
FORMATS = (
    NATIVE,
    livecodebench.FORMAT,
    leetcodedataset.FORMAT,
    bigcodebench.FORMAT,
    humaneval_x.FORMAT,
    multipl_e.FORMAT,
    evalplus.FORMAT,
    cruxeval.FORMAT,
    quixbugs.FORMAT,
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


def get_format(name: str) -> Format:
    """Return the format of that name. Raises DataError that lists the known ones."""
    for candidate in FORMATS:
        if candidate.name == name:
            return candidate
    names = [candidate.name for candidate in FORMATS]
    raise DataError(f'no format "{error_text.shorten(name, 40)}"{suggest(name, names)}')


_DECIDED_BY = {key: form.name for form in FORMATS for key in form.decided_by}


def rewrite_problem(row: Row, name: str | None) -> Row:
    """Return a problem's row in our own format; name: of its format, None: the first that
    recognises it.

    Raises DataError also where the row holds tests that its format does not read: the problem
    would be judged by a part of its tests, and wrong programs would pass.
    """
    row_format = detect_problem_format(row, name)
    rewritten = row_format.rewrite_problem(row)
    if name is None and row_format.holds_problem(row):
        _refuse_unread_tests(row, row_format)
    return rewritten


def _refuse_unread_tests(row: Row, row_format: Format) -> None:
    for key in sorted(_DECIDED_BY.keys() & row.keys() - row_format.decided_by - row_format.repeats):
        if _holds_contents(row[key]):
            raise DataError(
                f'"{key}" holds tests, or decides how answers are compared, in format '
                f"{_DECIDED_BY[key]}, and format {row_format.name} does not read it: name the "
                f'format (--format {_DECIDED_BY[key]}), or leave "{key}" out of the row'
            )


def _holds_contents(value: object) -> bool:
    """Whether a value may hold tests: a list, an object, or more text than a word."""
    return bool(value) and (not isinstance(value, str) or len(value.split()) > 1)


def detect_problem_format(row: Row, name: str | None) -> Format:
    """Return the named format, else the first that recognises the row, else our own."""
    if name is not None:
        return get_format(name)
    return next((candidate for candidate in FORMATS if candidate.holds_problem(row)), NATIVE)


def detect_solution_format(row: Row, name: str | None) -> Format:
    """Return the named format if it recognises the row, else the first that does, else our own.

    A run has one ``--format`` for problems and solutions, which often have different formats.
    """
    if name is not None and get_format(name).holds_solution(row):
        return get_format(name)
    return next((candidate for candidate in FORMATS if candidate.holds_solution(row)), NATIVE)
