"""Encodes problems and solutions as lines of our own format; they read as equal records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.points import encode_groups
from microcoder_eval.records import Kind, Problem, Solution, Test, encode_line
from microcoder_sandbox import codec

from .lines import PROBLEM_KEYS, SOLUTION_KEYS


def encode_problem(problem: Problem) -> bytes:
    """Encode one line of tests.jsonl, without its line end."""
    row = {key: getattr(problem, key) for key in PROBLEM_KEYS}
    row |= {
        "kind": str(problem.kind),
        "tests": [_encode_test(test) for test in problem.tests],
        "limits": problem.limits.list_set_values(),
        "starter_code": problem.starter_codes or problem.starter_code,
        "groups": encode_groups(problem.groups),
        "objective": problem.objective if problem.objective != "max" else None,
        "meta": problem.meta,
    }
    unread_keys = ("tests",) if problem.kind is Kind.ASSERT else ("test_code", "test_style")
    row |= dict.fromkeys(unread_keys)
    return _encode_row({key: value for key, value in row.items() if value not in ({}, [], ())})


def _encode_test(test: Test) -> dict[str, Any]:
    row = {"input": codec.to_json(test.input), "output": codec.to_json(test.output)}
    if test.checker_args is not None:
        row["checker_args"] = list(test.checker_args)
    return row


def encode_solution(solution: Solution) -> bytes:
    """Encode one line of solutions.jsonl, without its line end."""
    row = {key: getattr(solution, key) for key in SOLUTION_KEYS}
    row |= {
        "file": solution.file or None,
        "files": dict(solution.files) or None,
        "meta": dict(solution.meta) or None,
    }
    return _encode_row(row)


def _encode_row(row: Mapping[str, Any]) -> bytes:
    """Encode one object as a line, without its line end and without keys whose value is None."""
    fields = {key: value for key, value in row.items() if value is not None}
    return encode_line(fields, allow_nan=True)
