"""CodeContests: tests of three kinds as lists, limits as protocol buffers have them.

Source: google-deepmind/code_contests (contest_problem.proto) and its table form, the data card of
deepmind/code_contests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import inouts, units, words
from microcoder_eval.formats.format import Format, Row

_TESTS = ("public_tests", "private_tests", "generated_tests")
_SOURCES = {1: "codechef", 2: "codeforces", 3: "hackerearth", 4: "codejam", 5: "atcoder", 6: "aizu"}
_LANGUAGES = {1: "python2", 2: "cpp", 3: "python", 4: "java"}
_USED = {"name", "description", "source", "difficulty", "solutions", "incorrect_solutions",
         "time_limit", "memory_limit_bytes", *_TESTS}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    return "public_tests" in row and "private_tests" in row


def _problem(row: Row) -> Row:
    for key in ("input_file", "output_file"):
        if row.get(key):
            raise DataError(f'the problem uses a file ("{key}": {words.described(row[key])})')
    return {
        "problem_id": inouts.name_of(row, ("name",), "codecontests", row.get("description")),
        "kind": "stdin",
        "tests": [
            test
            for key in _TESTS
            if row.get(key) is not None
            for test in inouts.pairs(row[key], f'"{key}"')
        ],
        "statement": row.get("description"),
        "platform": _named(row.get("source"), _SOURCES),
        "difficulty": row.get("difficulty"),
        "limits": units.limits(
            row.get("time_limit"), row.get("memory_limit_bytes"), memory_unit="bytes"
        ),
        "solutions": [
            *_programs(row, "solutions", "AC"),
            *_programs(row, "incorrect_solutions", "WA"),
        ],
        "meta": inouts.rest(row, _USED),
    }


def _named(value: Any, names: Mapping[int, str]) -> str | None:
    return names.get(value) if isinstance(value, int) else inouts.optional_text(value)


def _programs(row: Row, key: str, verdict: str) -> list[dict[str, Any]]:
    held = row.get(key)
    if isinstance(held, Mapping):
        languages, codes = held.get("language"), held.get("solution")
        if not isinstance(languages, list) or not isinstance(codes, list):
            raise DataError(f'"{key}" needs lists in "language" and "solution"')
        if len(languages) != len(codes):
            raise DataError(f'"{key}" has {len(languages)} languages and {len(codes)} programs')
        held = [{"language": a, "solution": b} for a, b in zip(languages, codes, strict=True)]
    if not isinstance(held, list):
        return []
    return [
        {
            "code": one["solution"],
            "verdict": verdict,
            "language": _named(one.get("language"), _LANGUAGES) or "unknown",
        }
        for one in held
        if isinstance(one, Mapping) and isinstance(one.get("solution"), str)
    ]


FORMAT = Format(
    name="codecontests",
    id_key="name",
    holds_problem=_holds_problem,
    problem=_problem,
)
