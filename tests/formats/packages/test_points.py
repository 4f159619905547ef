"""Every submission of the bundled packages with points gets exactly the points of its judge.

The expectations were written from the formats' specifications (tests/packages/README.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Problem
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import make_row, read_package

PACKAGES = Path(__file__).parents[2] / "packages"
SUBMISSION_KEYS = ("code", "language", "file", "files")
KATTIS = [
    "ballots",
    "beacons",
    "depths",
    "fewcoins",
    "jury",
    "ledger",
    "mosaic",
    "ropes",
    "shelves",
    "stamps",
    "treasure",
]
DMOJ = ["dmojbridged", "dmojclose", "dmojfloat", "dmojguess", "dmojpair"]


def read(name: str) -> tuple[dict[str, Any], Problem, dict[str, Any]]:
    """The row, the problem and the expectations of a bundled package."""
    row = make_row(read_package(PACKAGES / name))
    problem = problem_from({key: value for key, value in row.items() if key != "solutions"})
    return row, problem, json.loads((PACKAGES / "expected" / f"{name}.json").read_text())


def list_judgements(
    judge: Judge, row: dict[str, Any], problem: Problem, expected: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any], Judgement]]:
    """(name, expectation, judgement) of every submission."""
    limits = {"limits": {"time_s": 2.0}}
    options = {} if row.get("limits", {}).get("time_s") else limits
    for submission in row["solutions"]:
        name = submission["name"]
        solution = {key: submission[key] for key in SUBMISSION_KEYS if submission.get(key)}
        judgement = judge.with_changes(**options).judge(solution, problem)  # type: ignore[arg-type]
        yield name, expected["submissions"][name], judgement


@pytest.mark.slow
@pytest.mark.parametrize("stop", ["first_failure", "never"])
@pytest.mark.parametrize("name", [*KATTIS, *DMOJ])
def test_points_are_those_of_the_formats_own_judge(name: str, stop: str) -> None:
    row, problem, expected = read(name)
    with Judge(workers=2, stop=stop) as judge:
        judgements = list(list_judgements(judge, row, problem, expected))
    assert len(judgements) == len(expected["submissions"])
    for submission, wanted, judgement in judgements:
        assert judgement.points == wanted["points"], (submission, judgement)
        groups = {group.name: group.points for group in judgement.groups}
        assert {key: groups[key] for key in wanted.get("groups", {})} == wanted.get("groups", {})
        assert judgement.max_points == expected.get("max_points", expected.get("best_points"))
        is_full = judgement.points == judgement.max_points
        assert judgement.passed == is_full, (submission, judgement)
        assert judgement.passed == (judgement.verdict == "AC")
