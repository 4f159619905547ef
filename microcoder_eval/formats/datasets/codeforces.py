"""open-r1's Codeforces problems: official tests, limits, and checkers written by a model.

Source: the data card of open-r1/codeforces. A generated checker is a Python script whose arguments
are the paths of input, correct output and submitted output, and prints a score; 1: accepted.
"""

from __future__ import annotations

import ast
import datetime
from itertools import takewhile
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text
from microcoder_eval.syntax import parse_python

from . import test_forms, units
from .format import Format, Row, has_keys, list_words

_PARTS = ("description", "input_format", "output_format", "note")
# Read, and kept in meta: the pipeline writes title and examples into the statement.
_CARRIED = list_words(
    "title examples interaction_format input_mode generated_tests official_tests_complete"
)
_LAST_START = 4_102_444_800  # 2100
# Runs the script as an output validator; the last word it prints is the score. A script that fails,
# which its own exit statuses must not hide, refuses the output.
_VALIDATOR = """
import contextlib, io, sys

with open("submitted.txt", "wb") as file:
    file.write(sys.stdin.buffer.read())
said = io.StringIO()
sys.argv = ["checker.py", sys.argv[1], sys.argv[2], "submitted.txt"]
with contextlib.redirect_stdout(said):
    try:
        exec(compile(SOURCE, "checker.py", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        if end.code not in (None, 0):
            raise RuntimeError(f"the checker exits with {end.code}") from None
raise SystemExit(42 if float(said.getvalue().split()[-1]) >= 1 else 43)
"""


def _read_fields(row: Row) -> Row:
    if row.get("interaction_format"):
        raise DataError("an interactive problem: there is no interactor to judge it with")
    if row.get("input_mode") not in (None, "stdio"):
        raise DataError(
            f"input_mode {error_text.describe_value(row['input_mode'])}: it reads a file"
        )
    return {
        "kind": "stdin",
        "tests": _read_tests(row),
        "statement": _join_statement(row),
        "platform": "codeforces",
        "date": _read_day(row.get("contest_start")),
        "limits": units.read_limits(row.get("time_limit"), row.get("memory_limit")),
        "checker": _build_checker(row.get("generated_checker")),
    }


def _read_day(start: Any) -> str | None:
    """Return the day of a contest, whose start is a Unix time or a date; None where it is
    neither."""
    if isinstance(start, int) and 0 < start < _LAST_START:
        return datetime.datetime.fromtimestamp(start, datetime.UTC).date().isoformat()
    return start if isinstance(start, str) else None


def _read_tests(row: Row) -> list[Any]:
    """Read the official tests, else the examples, and generated tests if the row has them.

    The dataset stores generated tests in other files, and their number in the row.
    """
    key = "official_tests" if row.get("official_tests") else "examples"
    tests = test_forms.pair_tests(row.get(key) or [], f'"{key}"')
    generated = row.get("generated_tests")
    if isinstance(generated, list | dict):
        tests = [*tests, *test_forms.pair_tests(generated, '"generated_tests"')]
    return tests


def _warn_of_missing_tests(row: Row) -> list[str]:
    """Return a sentence for tests that the set keeps in files of its own, or lacks."""
    warnings = []
    generated = row.get("generated_tests")
    if isinstance(generated, int) and generated > 0:
        warnings.append(
            '"generated_tests" is a number: those tests are in other files of the set, and are not '
            "judged; join them to the row as a list to use them"
        )
    if row.get("official_tests_complete") is False:
        warnings.append(
            '"official_tests_complete" is false: the set lacks some of the official tests, so '
            "wrong programs may pass"
        )
    return warnings


def _build_checker(source: Any) -> dict[str, str] | None:
    if source is None or source == "":
        return None
    if not isinstance(source, str):
        raise error_text.wrong_value('"generated_checker" must be text', source)
    return {
        "source": f"{_list_first_imports(source)}\nSOURCE = {source!r}\n{_VALIDATOR}",
        "language": "python",
        "protocol": "kattis",
    }


def _list_first_imports(source: str) -> str:
    """Return the imports at the start of a script, or the script where it does not compile: so the
    judge finds out before any output is read whether it can be loaded."""
    tree = parse_python(source)
    if tree is None:
        return source
    head = takewhile(lambda s: isinstance(s, ast.Import | ast.ImportFrom) or _is_text(s), tree.body)
    return "\n".join(ast.unparse(statement) for statement in head)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _join_statement(row: Row) -> str | None:
    titles = {"input_format": "Input", "output_format": "Output", "note": "Note"}
    parts = [
        f"{titles[key]}\n\n{row[key]}" if key in titles else row[key]
        for key in _PARTS
        if isinstance(row.get(key), str) and row[key].strip()
    ]
    return "\n\n".join(parts) or None


FORMAT = Format(
    name="codeforces",
    names=("id",),
    named_by="description",
    holds_problem=has_keys("official_tests"),
    copies={"difficulty": "rating"},
    read_fields=_read_fields,
    uses=list_words("time_limit memory_limit contest_start").union(_PARTS),
    judges=list_words("official_tests generated_tests generated_checker"),
    carries=_CARRIED,
    warn=_warn_of_missing_tests,
)
