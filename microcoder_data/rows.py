"""A row: the JSON object of tests.jsonl that a problem is while it passes through the stages.

Rows are not ``Problem`` records because many are not valid problems yet: their outputs or
statements are missing. The judge's reader (``native.parse_problem``) makes the record of a complete
row.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from microcoder_eval.python_tests.test_code import parse_tests
from microcoder_eval.records import Problem, encode_line
from microcoder_eval.syntax import find_starter_function

Row = dict[str, Any]
# The order of keys in every file that a stage writes.
KEY_ORDER = ("problem_id", "kind", "statement", "starter_code", "entry_point", "tests", "test_code",
             "test_style", "limits", "checker", "platform", "date", "difficulty", "licence",
             "origin", "solutions")  # fmt: skip


def order_keys(row: Mapping[str, Any]) -> Row:
    """Return the row as files hold it: its keys in order, without those whose value is None."""
    keys = [*KEY_ORDER, *sorted(row.keys() - set(KEY_ORDER))]
    return {key: row[key] for key in keys if row.get(key) is not None}


def serialize_row(row: Mapping[str, Any]) -> bytes:
    """Return the row as a line with its line end; the same row always gives the same bytes."""
    return encode_line(order_keys(row), allow_nan=True) + b"\n"


def make_row(problem: Problem) -> Row:
    """Return the fields of a problem from which its instruction and the hashes of its tests are
    made."""
    names = ("kind", "statement", "starter_code", "entry_point", "test_code")
    tests = [{"input": test.input, "output": test.output} for test in problem.tests]
    return {**{name: getattr(problem, name) or "" for name in names}, "tests": tests}


def get_text(row: Mapping[str, Any], key: str) -> str:
    """Return the text under a key; empty where there is none."""
    value = row.get(key)
    return value if isinstance(value, str) else ""


def get_tests(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the tests that are objects; empty where the row has no list of tests."""
    return _get_objects(row, "tests")


def get_examples(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the samples that process found in the statement."""
    return _get_objects(row, "examples")


def get_solutions(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the solutions that are objects; empty where the row has no list of solutions."""
    return _get_objects(row, "solutions")


def list_right_programs(row: Row) -> Iterator[str]:
    """Yield the Python programs in the row that are known to be right."""
    for solution in get_solutions(row):
        is_right = str(solution.get("verdict", "AC")).upper() in ("AC", "ACCEPTED", "TRUE")
        if is_right and solution.get("language") in (None, "python"):
            yield str(solution.get("code", ""))
    if get_text(row, "completion"):
        yield get_text(row, "completion")


def _get_objects(row: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    values = row.get(key)
    return (
        [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []
    )


def get_function_name(row: Mapping[str, Any]) -> str:
    """Return the name of the function that the tests call, without its class; empty where there is
    none."""
    return get_text(row, "entry_point").rpartition(".")[2]


@lru_cache(maxsize=2)
def list_nodes(code: str) -> list[ast.AST]:
    """Return the nodes of test code, for reading only; none where it is no Python. Kept for the
    next call, since several checks read the test code of a problem."""
    tests = parse_tests(code)
    return [] if tests is None else tests.nodes


# For reading only, as ``list_nodes``.
find_function = lru_cache(maxsize=2)(find_starter_function)


def list_parameters(row: Mapping[str, Any]) -> list[ast.arg]:
    """Return the parameters of the function that the tests call; none where the starter code does
    not have it."""
    function = find_function(get_text(row, "starter_code"), get_function_name(row))
    return [one for one in function.args.args if one.arg != "self"] if function is not None else []


def get_kind(row: Mapping[str, Any]) -> str:
    """stdin, call or assert, by the rule of the judge's reader."""
    if isinstance(row.get("kind"), str):
        return str(row["kind"])
    if row.get("test_code") is not None:
        return "assert"
    tests = get_tests(row)
    return "call" if tests and isinstance(tests[0].get("input"), list) else "stdin"


def name_source(row: Row) -> str:
    """Return the data set or site in the row's origin, without the problem's place in it; empty if
    the row has no origin."""
    origin = get_text(row, "origin")
    _, is_address, address = origin.partition("://")
    if is_address:
        return address.partition("/")[0]
    for separator in ("@", " (", ":data/", " via "):
        origin = origin.partition(separator)[0]
    return origin


def hash_bytes(data: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def hash_text(text: str) -> str:
    """Return a short hash of a text, for comparing texts in memory."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def draw_number(seed: int, *names: str) -> float:
    """Return a random number in [0, 1) that depends on the seed and the names only."""
    text = "\x1f".join([str(seed), *names]).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=7).digest(), "big") / 2**56
