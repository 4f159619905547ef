"""Keys of problems in our own format that are not read at their place, or are misspelt."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from microcoder_eval.records import LIMIT_ALIASES, find_unusual_limits

from . import native, registry
from .datasets import unread, usual_names
from .datasets.row_fields import get_first_object
from .lines import LIMIT_KEYS, PROBLEM_KEYS, SOLUTION_KEYS

# "time" and "memory" may mean something else in a problem.
_LIMIT_NAMES = {
    "time_limit_ms": "time_s",
    **{name: limit for name, limit in LIMIT_ALIASES.items() if name not in ("time", "memory")},
    **{name: name for name in LIMIT_KEYS},
}
_OTHER_NAMES = {
    "fn_name": '"entry_point"',
    "function_name": '"entry_point"',
    "test_cases": '"tests"',
    "inputs": '"tests"',
    "outputs": '"tests"',
    "compare": '"checker"',
    "comparer": '"checker"',
    "stop": "--stop",
    "packages": "--packages",
}
_LIST_NAMES = ("inputs", "outputs", "fn_name")  # read together, in place of "tests"
_KNOWN_KEYS = (*PROBLEM_KEYS, *_LIMIT_NAMES, *_OTHER_NAMES)
_CUTOFF = 0.85  # of difflib: a letter or two


def find_misplaced_keys(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each key that nobody reads there; it says where it belongs."""
    row = usual_names.lift_tests(row)
    is_paired = "tests" not in row and "test_code" not in row
    other_names = usual_names.find_problem_names(row)
    unread_keys = registry.find_unread_tests(row, native.FORMAT)
    for key in row:
        if key in PROBLEM_KEYS or key in other_names or (is_paired and key in _LIST_NAMES):
            continue
        if (place := _find_place(key)) is not None:
            yield f'"{key}" is not read: it belongs in {place}'
        elif close := _find_close_key(key[:40], _KNOWN_KEYS):
            meaning = _find_place(close) or f'"{close}"'
            yield f'"{key}" is not read: did you mean {meaning}?'
        elif key in unread_keys:
            yield unread.describe_unread([key], native.FORMAT)
    for name, our in {**other_names, **usual_names.find_test_names(row)}.items():
        yield f'"{name}" is read as "{our}"'
    yield from _warn_of_entry_point(row)
    for key in get_first_object(row.get("tests")):
        if key == "points":
            yield '"points" of a test is not read: "groups" say what tests give'
        elif key in PROBLEM_KEYS or key in _LIMIT_NAMES:
            yield f'"{key}" of a test is not read: it is the same for all tests of a problem'
    if row.get("grader") and not row.get("groups"):
        yield '"grader" is not read: it decides "groups", and there are none'
    if isinstance(limits := row.get("limits"), Mapping):
        yield from find_unusual_limits(limits)


def find_misspelt_solution_keys(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (key, sentence) of each key of a solution that is close to one of ours and not read."""
    for key in row.keys() - SOLUTION_KEYS.keys():
        if close := _find_close_key(str(key)[:40], tuple(SOLUTION_KEYS)):
            yield key, f'"{key}" is not read: did you mean "{close}"?'


def _warn_of_entry_point(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence where inputs are texts, so that nothing calls the function asked for."""
    is_text = isinstance(get_first_object(row.get("tests")).get("input"), str)
    if is_text and row.get("entry_point") and not row.get("kind") and "test_code" not in row:
        yield (
            '"entry_point" is not called: the inputs are texts, which programs read from standard '
            'input; give each as the list of arguments, or say "kind": "stdin"'
        )


def _find_place(key: str) -> str | None:
    """Return where the value of a key belongs, None if the key is not known."""
    if key in _LIMIT_NAMES:
        unit = " (seconds, not ms)" if key.endswith("_ms") else ""
        return f'"limits": {{"{_LIMIT_NAMES[key]}": …}}{unit}'
    return _OTHER_NAMES.get(key)


@lru_cache(maxsize=4096)  # rows of a file, and calls of ``judge``, have the same few keys
def _find_close_key(key: str, names: tuple[str, ...]) -> str | None:
    """Return the name that a key is a misspelling of, by a letter or two, None if none is close."""
    return next(iter(difflib.get_close_matches(key, names, 1, _CUTOFF)), None)
