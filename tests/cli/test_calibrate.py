"""``calibrate``: limits from right programs, and what judging with them costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import run
from tests.files import read_jsonl, write_jsonl

pytestmark = pytest.mark.slow

SUM = {"problem_id": "sum", "tests": [{"input": "1 2\n", "output": "3\n"}]}
RIGHT = "print(sum(map(int, input().split())))"
SLOW = f"for _ in range(2_000_000): pass\n{RIGHT}"
ENDLESS = "while True: pass"


def calibrate(folder: Path, problems: list[Any], solutions: list[Any], *more: str) -> list[Any]:
    tests = write_jsonl(folder / "tests.jsonl", *problems)
    programs = write_jsonl(folder / "programs.jsonl", *solutions)
    out = folder / "calibrated.jsonl"
    result = run("calibrate", tests, programs, "-o", out, *more)
    assert result.returncode == 0, result.stderr
    return read_jsonl(out)


def program(code: str, **more: Any) -> dict[str, Any]:
    return {"problem_id": "sum", "code": code, **more}


def test_the_limit_is_a_multiple_of_the_slowest_right_program(tmp_path: Path) -> None:
    solutions = [program(RIGHT), program(SLOW, solution_id="slow"), program("x", verdict="WA")]
    problem = {**SUM, "limits": {"memory_mb": 300}}
    (row,) = calibrate(tmp_path, [problem], solutions, "--factor", "8", "--floor", "0.01")
    mark = row["meta"]["limits_derived"]
    assert (mark["from"], mark["multiplier"], mark["floor_s"]) == ("right programs", 8, 0.01)
    assert mark["program"] == "slow"
    assert mark["machine"]
    limit_s = min(6.0, round(8 * mark["slowest_s"], 3))
    assert row["limits"] == {"time_s": limit_s, "memory_mb": 300}


def test_a_problem_without_a_right_program_keeps_its_limit(tmp_path: Path) -> None:
    others = [{**SUM, "problem_id": name} for name in ("none", "wrong")]
    wrong = {"problem_id": "wrong", "code": "print(0)"}
    rows = calibrate(tmp_path, [SUM, *others], [program(RIGHT), wrong])
    assert [row["problem_id"] for row in rows] == ["sum", "none", "wrong"]
    assert ["limits_derived" in row.get("meta", {}) for row in rows] == [True, False, False]


def test_the_median_of_two_limits_is_between_them(tmp_path: Path) -> None:
    slow = {**SUM, "problem_id": "slow"}
    programs = [program(RIGHT), program(SLOW, problem_id="slow")]
    out = tmp_path / "out.jsonl"
    words = [
        write_jsonl(tmp_path / f"{n}.jsonl", *rows)
        for n, rows in enumerate([[SUM, slow], programs])
    ]
    result = run("calibrate", *words, "-o", out, "--floor", "0.01", "--json")
    limits = [row["limits"]["time_s"] for row in read_jsonl(out)]
    assert limits[0] < limits[1]
    assert json.loads(result.stdout)["median_s"] == pytest.approx(sum(limits) / 2)


def test_a_limit_is_derived_once(tmp_path: Path) -> None:
    rows = calibrate(tmp_path, [SUM], [program(SLOW)], "--floor", "0.01")
    again = calibrate(tmp_path, rows, [program(RIGHT)], "--floor", "0.01")
    assert again == rows


def test_verdicts_at_a_derived_limit_say_so(tmp_path: Path) -> None:
    rows = calibrate(tmp_path, [SUM], [program(RIGHT)], "--floor", "0.2")
    tests = write_jsonl(tmp_path / "limited.jsonl", *rows)
    solutions = write_jsonl(tmp_path / "answers.jsonl", program(RIGHT), program(ENDLESS))
    out = tmp_path / "results.jsonl"
    assert run(solutions, "--tests", tests, "-o", out).returncode == 0
    lines = read_jsonl(out)
    assert [line["verdict"] for line in lines] == ["AC", "TLE"]
    assert ["derived_limit" in line["flags"] for line in lines] == [False, True]
