"""The problem in a row of a training set, in whatever form its columns hold the tests.

Rows come out of Parquet and Arrow: absent values are None, lists may be arrays, a list of objects
may be an object of lists, and what has no one type is JSON text.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from microcoder_eval.records import Problem

if TYPE_CHECKING:
    from microcoder_eval.formats.cache import ProblemCache

Row = Mapping[str, Any]
TESTS = "tests"
# The columns that are ours, besides the tests; others belong to the trainer or its user.
COLUMNS = (
    "problem_id",
    "kind",
    "entry_point",
    "test_code",
    "test_style",
    "limits",
    "checker",
    "starter_code",
)
_OF_A_TEST = ("input", "output")  # here None is a value: what a function returns
CACHE_BYTES = 64 << 20


def has_tests(row: Row) -> bool:
    """Whether the row says how to judge it; sets of several tasks have rows that do not."""
    from microcoder_eval.formats.registry import FORMATS

    return _is_native(row) or any(known.holds_problem(row) for known in FORMATS)


def problem_in(row: Row) -> Problem:
    """The problem of one row. Raises DataError.

    "tests" (or "test_code"), with entry_point, limits, … in columns of their own; or a row of any
    format that docs/formats.md lists. "tests" may be a list of {"input", "output"}, the
    {"inputs", "outputs", "fn_name"} of LiveCodeBench, APPS and prime_code, a list of cases with a
    "type" or "testtype", a whole problem of ours, or any of these as JSON text.
    """
    row = {key: row[key] for key in (TESTS, *COLUMNS) if key in row} if _is_native(row) else row
    key = _key(row)
    found = None if key is None else _cache.get(key)
    if found is None:
        found = _read(row)
        if key is not None:
            _cache.put(key, found)
    return found


def _is_native(row: Row) -> bool:
    return any(row.get(key) is not None for key in (TESTS, "test_code"))


def _read(row: Row) -> Problem:
    from microcoder_eval.formats import inouts, problem_from

    if not _is_native(row):
        return problem_from({"problem_id": "problem", **plain(row)})
    own = {key: plain(row[key]) for key in COLUMNS if row.get(key) is not None}
    own["problem_id"] = str(own.get("problem_id") or "problem")  # a number, in many sets
    held = plain(inouts.object_in(row, TESTS))
    asked = {} if held is None else _asked(held, own)
    return problem_from({**own, **asked}, format="native")


def _asked(held: Any, own: Row) -> dict[str, Any]:
    """kind, tests, … as our own format has them."""
    from microcoder_eval.formats import cases, inouts, verl

    if isinstance(held, dict) and (TESTS in held or "test_code" in held):
        return held
    if isinstance(held, dict) and set(_OF_A_TEST) <= held.keys():
        held = inouts.pairs(held, f'"{TESTS}"')
    if isinstance(held, dict) or cases.are_cases(held):
        return verl.asked(held, own, f'"{TESTS}"')
    return {TESTS: held}


def plain(value: Any) -> Any:
    """The value of lists and dicts alone, without the Nones that Arrow fills objects with."""
    if isinstance(value, Mapping):
        return {
            key: plain(item) for key, item in value.items() if item is not None or key in _OF_A_TEST
        }
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # an array or a scalar of numpy
        return plain(value.tolist())
    return value


def _key(row: Row) -> str | None:
    # Equal rows may give unequal bytes (objects met twice are written once): a miss, no more.
    try:
        return hashlib.sha256(pickle.dumps(dict(row), 5)).hexdigest()
    except Exception:  # what a user's object raises in pickling can be anything
        return None


class _Cache:
    """Problems by row: all samples of a prompt ask for the same, and a large one takes a second."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: ProblemCache | None = None

    def get(self, key: str) -> Problem | None:
        with self._lock:
            return None if self._held is None else self._held.get(key)

    def put(self, key: str, problem: Problem) -> None:
        from microcoder_eval.formats.cache import ProblemCache

        with self._lock:
            if self._held is None:
                self._held = ProblemCache(CACHE_BYTES)
            self._held.put(problem, key)


_cache = _Cache()


def _fresh_cache() -> None:
    global _cache
    _cache = _Cache()  # a fork may have copied its lock locked


os.register_at_fork(after_in_child=_fresh_cache)
