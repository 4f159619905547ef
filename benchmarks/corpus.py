"""The labelled programs of ../shared/data, which are not part of this repository."""

from __future__ import annotations

import gzip
import json
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from checkout import REPOSITORY

from microcoder_eval.formats.packages import PackageError, make_row, read_package

DATA = REPOSITORY.parent / "shared" / "data"
CORPUS = DATA / "corpus"


def read_labelled_programs(every: int = 1) -> Iterator[tuple[dict[str, Any], dict[str, Any], bool]]:
    """Yield (problem, solution, accepted officially) of labelled Python programs.

    The labels are confirmed or accepted by a third party; problems are stdin and call problems,
    which all judges know.
    """
    problems = {row["problem_id"]: row for row in read_lines("tests.jsonl.gz")}
    labels = {row["solution_id"]: row for row in read_lines("labels.jsonl.gz")}
    count = -1
    for solution in read_lines("solutions.jsonl.gz"):
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
    problems = {row["problem_id"]: row for row in read_lines("tests.jsonl.gz")}
    for index, solution in enumerate(read_lines("solutions.jsonl.gz")):
        if index % every == 0:
            yield problems[solution["problem_id"]], solution


def read_lines(name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of the corpus."""
    with gzip.open(CORPUS / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


@contextmanager
def open_packages() -> Iterator[Path]:
    """The folder of the problem packages, as long as the context lasts."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(DATA / "packages.tar.gz") as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def read_packages(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the packages below a folder that can be read, each with its row, whose tests are in
    the order of their length and whose programs are those in Python."""
    for path in sorted(folder.rglob("problem.yaml")):
        try:
            row = make_row(read_package(path.parent))
        except PackageError:
            continue
        tests = sorted(row["tests"], key=lambda test: len(test["input"]))
        programs = [one for one in row.get("solutions", []) if one["language"] == "python"]
        name = f"packages/{path.parent.name}"
        yield path.parent, {**row, "problem_id": name, "tests": tests, "solutions": programs}


def make_job(problem: dict[str, Any], codes: list[str]) -> dict[str, Any]:
    """Make the job of a problem and its programs for drivers (evaluators.py)."""
    return {
        "kind": "call" if isinstance(problem["tests"][0]["input"], list) else "stdin",
        "codes": codes,
        "entry_point": (problem.get("entry_point") or "").replace("()", ""),
        "tests": problem["tests"],
    }
