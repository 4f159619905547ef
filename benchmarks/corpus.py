"""The labelled programs of ../shared/data: read from there, never copied into this repository."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

from common import REPOSITORY

DATA = REPOSITORY.parent / "shared" / "data"


def programs(every: int = 1) -> Iterator[tuple[dict[str, Any], dict[str, Any], bool]]:
    """(problem, solution, accepted officially) of Python programs with a label that can be scored:
    confirmed, or accepted by a third party; stdin and call problems, which all judges know."""
    problems = {row["problem_id"]: row for row in _lines("tests.jsonl.gz")}
    labels = {row["solution_id"]: row for row in _lines("labels.jsonl.gz")}
    count = -1
    for solution in _lines("solutions.jsonl.gz"):
        label, problem = labels[solution["solution_id"]], problems[solution["problem_id"]]
        scored = label["validation"] == "confirmed" or (
            label["validation"] == "not_run" and label["accept"]
        )
        if solution.get("language", "python") == "python" and scored and "test_code" not in problem:
            count += 1
            if count % every == 0:
                yield problem, solution, label["accept"]


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / "corpus" / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def as_job(problem: dict[str, Any], codes: list[str]) -> dict[str, Any]:
    """A problem and programs for it, as drivers take them (evaluators.py)."""
    return {
        "kind": "call" if isinstance(problem["tests"][0]["input"], list) else "stdin",
        "codes": codes,
        "entry_point": (problem.get("entry_point") or "").replace("()", ""),
        "tests": problem["tests"],
    }
