"""Encodes problems and solutions as lines of our own format; they read as equal records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from microcoder_eval.points import encode_groups
from microcoder_eval.records import Kind, Problem, Solution
from microcoder_sandbox import codec


def encode_problem(problem: Problem) -> bytes:
    """Encode one line of tests.jsonl, without its line end."""
    row: dict[str, Any] = {"problem_id": problem.problem_id, "kind": str(problem.kind)}
    if problem.kind is Kind.ASSERT:
        row["test_code"] = problem.test_code
        row["test_style"] = problem.test_style
    else:
        row["tests"] = [
            {
                "input": codec.to_json(test.input),
                "output": codec.to_json(test.output),
                **({} if test.checker_args is None else {"checker_args": list(test.checker_args)}),
            }
            for test in problem.tests
        ]
    optional_fields = {
        "entry_point": problem.entry_point,
        "limits": problem.limits.list_set_values(),
        "checker": problem.checker or None,
        "interactor": problem.interactor or None,
        "includes": problem.includes,
        "statement": problem.statement,
        "starter_code": problem.starter_codes or problem.starter_code,
        "test_language": problem.test_language,
        "platform": problem.platform,
        "difficulty": problem.difficulty,
        "date": problem.date,
        "solutions": problem.solutions,
        "groups": encode_groups(problem.groups),
        "grader": problem.grader or None,
        "objective": problem.objective if problem.objective != "max" else None,
        "meta": problem.meta,
    }
    return encode_row(
        {
            **row,
            **{key: value for key, value in optional_fields.items() if value not in ({}, [], ())},
        }
    )


def encode_solution(solution: Solution) -> bytes:
    """Encode one line of solutions.jsonl, without its line end."""
    return encode_row(
        {
            "problem_id": solution.problem_id,
            "solution_id": solution.solution_id,
            "code": solution.code,
            "response": solution.response,
            "language": solution.language,
            "file": solution.file or None,
            "files": dict(solution.files) or None,
            "meta": dict(solution.meta) or None,
        }
    )


def encode_row(row: Mapping[str, Any]) -> bytes:
    """Encode one object as a line, without its line end and without keys whose value is None."""
    fields = {key: value for key, value in row.items() if value is not None}
    try:
        text = json.dumps(fields, ensure_ascii=False, default=dict)
    except ValueError:  # an integer in meta or solutions is too long for str(): write it as a tag
        tagged = {key: codec.to_json(fields[key]) for key in ("meta", "solutions") if key in fields}
        text = json.dumps({**fields, **tagged}, ensure_ascii=False, default=dict)
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, legal in JSON only as an escape
        return json.dumps(json.loads(text)).encode()
