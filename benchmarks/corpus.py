"""The labelled programs of ../shared/data, which are not part of this repository."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

from checkout import REPOSITORY

DATA = REPOSITORY.parent / "shared" / "data"


def read_labelled_programs(every: int = 1) -> Iterator[tuple[dict[str, Any], dict[str, Any], bool]]:
    """Yield (problem, solution, accepted officially) of labelled Python programs.

    The labels are confirmed or accepted by a third party; problems are stdin and call problems,
    which all judges know.
    """
    problems = {row["problem_id"]: row for row in _read_lines("tests.jsonl.gz")}
    labels = {row["solution_id"]: row for row in _read_lines("labels.jsonl.gz")}
    count = -1
    for solution in _read_lines("solutions.jsonl.gz"):
        label, problem = labels[solution["solution_id"]], problems[solution["problem_id"]]
        scored = label["validation"] == "confirmed" or (
            label["validation"] == "not_run" and label["accept"]
        )
        if solution.get("language", "python") == "python" and scored and "test_code" not in problem:
            count += 1
            if count % every == 0:
                yield problem, solution, label["accept"]


def read_all_programs(every: int = 1) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield (problem, solution) of every program, in any language and with any label."""
    problems = {row["problem_id"]: row for row in _read_lines("tests.jsonl.gz")}
    for index, solution in enumerate(_read_lines("solutions.jsonl.gz")):
        if index % every == 0:
            yield problems[solution["problem_id"]], solution


def _read_lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / "corpus" / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def make_job(problem: dict[str, Any], codes: list[str]) -> dict[str, Any]:
    """Make the job of a problem and its programs for drivers (evaluators.py)."""
    return {
        "kind": "call" if isinstance(problem["tests"][0]["input"], list) else "stdin",
        "codes": codes,
        "entry_point": (problem.get("entry_point") or "").replace("()", ""),
        "tests": problem["tests"],
    }
