"""CodeContests: three lists of tests, and limits as in protocol buffers.

Source: google-deepmind/code_contests (contest_problem.proto) and its table form, the data card of
deepmind/code_contests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text

from . import test_forms, units
from .format import Format, Row, get_optional_text, has_keys, list_words

_TESTS = ("public_tests", "private_tests", "generated_tests")
_FILES = ("input_file", "output_file")
_SOURCES = {1: "codechef", 2: "codeforces", 3: "hackerearth", 4: "codejam", 5: "atcoder", 6: "aizu"}
_LANGUAGES = {1: "python2", 2: "cpp", 3: "python", 4: "java"}


def _read_fields(row: Row) -> Row:
    for key in _FILES:
        if row.get(key):
            raise DataError(
                f'the problem uses a file ("{key}": {error_text.describe_value(row[key])})'
            )
    return {
        "kind": "stdin",
        "tests": [
            test
            for key in _TESTS
            if row.get(key) is not None
            for test in test_forms.pair_tests(row[key], f'"{key}"')
        ],
        "platform": _look_up_name(row.get("source"), _SOURCES),
        "limits": units.read_limits(
            row.get("time_limit"), row.get("memory_limit_bytes"), memory_unit="bytes"
        ),
        "solutions": [
            *_read_programs(row, "solutions", "AC"),
            *_read_programs(row, "incorrect_solutions", "WA"),
        ],
    }


def _look_up_name(value: Any, names: Mapping[int, str]) -> str | None:
    return names.get(value) if isinstance(value, int) else get_optional_text(value)


def _read_programs(row: Row, key: str, verdict: str) -> list[dict[str, Any]]:
    programs = row.get(key)
    if isinstance(programs, Mapping):
        programs = test_forms.pair_tests(programs, f'"{key}"', ("language", "solution"))
    if not isinstance(programs, list):
        return []
    return [
        {
            "code": program["solution"],
            "verdict": verdict,
            "language": _look_up_name(program.get("language"), _LANGUAGES) or "unknown",
        }
        for program in programs
        if isinstance(program, Mapping) and isinstance(program.get("solution"), str)
    ]


FORMAT = Format(
    name="codecontests",
    names=("name",),
    named_by="description",
    holds_problem=has_keys("public_tests", "private_tests"),
    copies={"statement": "description", "difficulty": "difficulty"},
    read_fields=_read_fields,
    uses=list_words("source solutions incorrect_solutions time_limit memory_limit_bytes"),
    judges=frozenset((*_TESTS, *_FILES)),
    carries=frozenset(_FILES),
)
