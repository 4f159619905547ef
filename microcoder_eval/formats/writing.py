"""Problems and solutions as lines of our own format; reading them again gives equal records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from microcoder_eval.records import Kind, Limits, Problem, Solution
from microcoder_sandbox import codec


def problem_line(problem: Problem) -> bytes:
    """One line of tests.jsonl, without its line end."""
    row: dict[str, Any] = {"problem_id": problem.problem_id, "kind": str(problem.kind)}
    if problem.kind is Kind.ASSERT:
        row["test_code"] = problem.test_code
        row["test_style"] = problem.test_style
    else:
        row["tests"] = [
            {"input": codec.to_json(test.input), "output": codec.to_json(test.output)}
            for test in problem.tests
        ]
    rest = {
        "entry_point": problem.entry_point,
        "limits": _known(problem.limits),
        "checker": dict(problem.checker) if problem.checker else None,
        "interactor": dict(problem.interactor) if problem.interactor else None,
        "statement": problem.statement,
        "starter_code": problem.starter_code,
        "platform": problem.platform,
        "difficulty": problem.difficulty,
        "date": problem.date,
        "solutions": [dict(solution) for solution in problem.solutions],
        "meta": dict(problem.meta),
    }
    return row_line({**row, **{key: value for key, value in rest.items() if value not in ({}, [])}})


def solution_line(solution: Solution) -> bytes:
    """One line of solutions.jsonl, without its line end."""
    return row_line(
        {
            "problem_id": solution.problem_id,
            "solution_id": solution.solution_id,
            "code": solution.code,
            "response": solution.response,
            "language": solution.language,
            "meta": dict(solution.meta) or None,
        }
    )


def _known(limits: Limits) -> dict[str, float]:
    given = {name: getattr(limits, name) for name in Limits.__dataclass_fields__}
    return {name: value for name, value in given.items() if value is not None}


def row_line(row: Mapping[str, Any]) -> bytes:
    """One object as a line, without its line end and without keys that hold nothing."""
    told = {key: value for key, value in row.items() if value is not None}
    try:
        text = json.dumps(told, ensure_ascii=False)
    except ValueError:  # an integer too long for str(), carried along: with tags, which are read
        carried = {key: codec.to_json(told[key]) for key in ("meta", "solutions") if key in told}
        text = json.dumps({**told, **carried}, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, legal in JSON only as an escape
        return json.dumps(json.loads(text)).encode()
