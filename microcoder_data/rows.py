"""A problem on its way to the corpus: the JSON object of tests.jsonl, complete or not.

Not the record ``Problem``: half of the work is on rows that are no valid problem yet, whose
outputs or statements are missing. ``problem_of`` makes the record where there is one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext, native
from microcoder_eval.formats.writing import row_line
from microcoder_eval.records import Problem

Row = dict[str, Any]
# The order of keys in every file written: what says which problem this is comes first.
KEY_ORDER = ("problem_id", "kind", "statement", "starter_code", "entry_point", "tests", "test_code",
             "test_style", "limits", "checker", "platform", "date", "difficulty", "licence",
             "origin", "solutions")  # fmt: skip


def decoded(line: bytes) -> Row:
    """The row in one line of a file that this package wrote. Raises DataError."""
    value = jsontext.parse(line)
    if not isinstance(value, dict):
        raise DataError("a row must be an object")
    return value


def encoded(row: Mapping[str, Any]) -> bytes:
    """The row as a line with its line end; the same row always gives the same bytes."""
    ordered = {key: row[key] for key in KEY_ORDER if key in row}
    ordered.update((key, row[key]) for key in sorted(row) if key not in ordered)
    try:
        return row_line(ordered) + b"\n"
    except ValueError:  # an integer of more digits than str() writes
        return row_line({key: _tagged(value) for key, value in ordered.items()}) + b"\n"


def _tagged(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _tagged(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_tagged(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 10_000:
        return {"$int": hex(value)}
    return value


def problem_of(row: Mapping[str, Any]) -> Problem:
    """The record of a complete row. Raises DataError saying what is wrong with it."""
    return native.problem(row)


def name_of(row: Mapping[str, Any]) -> str | None:
    """The problem's name, where it has one."""
    name = row.get("problem_id")
    return name if isinstance(name, str) and name else None


def text_of(row: Mapping[str, Any], key: str) -> str:
    """The text under a key, empty where there is none."""
    value = row.get(key)
    return value if isinstance(value, str) else ""


def tests_of(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tests that are objects; none where the row has no list of tests."""
    tests = row.get("tests")
    return [test for test in tests if isinstance(test, dict)] if isinstance(tests, list) else []


def kind_of(row: Mapping[str, Any]) -> str:
    """stdin, call or assert, as the judge's reader decides it."""
    if isinstance(row.get("kind"), str):
        return str(row["kind"])
    if row.get("test_code") is not None:
        return "assert"
    tests = tests_of(row)
    return "call" if tests and isinstance(tests[0].get("input"), list) else "stdin"


def digest(data: bytes) -> str:
    """SHA-256, as it is written in manifests."""
    return hashlib.sha256(data).hexdigest()


def draw(seed: int, *names: str) -> float:
    """A number in [0, 1) that depends on the seed and the names alone: chance without order."""
    text = "\x1f".join([str(seed), *names]).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=7).digest(), "big") / 2**56
