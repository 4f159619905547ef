"""Checkers of DMOJ in Python: what they import of its judge, and the points of each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval import Judge
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import PackageError, make_row, read_package
from tests.commands import read_table, write_files

FILES = read_table(__file__)
# Half of the points of the test for a pair with a zero.
CHECKER = FILES["checker"]
CASES = FILES["cases"]
ABSOLUTE = "return CheckerResult(True, 30)"


def write_package(folder: Path, checker: str = CHECKER) -> Path:
    texts = {"check.py": checker, "init.yml": CASES, "1.in": "5\n", "1.out": "1 4\n",
             "2.in": "9\n", "2.out": "4 5\n"}  # fmt: skip
    return write_files(folder, texts)


@pytest.mark.parametrize(
    ("code", "points"),
    [
        ("n = int(input())\nprint(2, n - 2)\n", 70),
        ("print(0, input())\n", 35),
        ("n = int(input())\nprint(0, n) if n > 5 else print(1, n - 1)\n", 40),
        ("print(1, 4)\n", 10),
    ],
    ids=["all", "half of each", "half of the batch", "one test alone"],
)
def test_a_checker_gives_a_part_of_the_points_of_its_test(
    code: str, points: float, tmp_path: Path, judge: Judge
) -> None:
    problem = problem_from(make_row(read_package(write_package(tmp_path))))
    judgement = judge.judge(code, problem)
    assert (judgement.points, judgement.max_points) == (points, 70), judgement.error


def test_a_checker_may_give_points_without_looking_at_the_value_of_the_test(
    tmp_path: Path, judge: Judge
) -> None:
    checker = CHECKER.split("    if standard")[0] + f"    {ABSOLUTE}\n"
    problem = problem_from(make_row(read_package(write_package(tmp_path, checker))))
    judgement = judge.judge("print(0)", problem)
    assert judgement.points == 10 + 30, judgement.error


RESULT = FILES["result"]


def test_a_checker_gets_the_result_of_the_test(tmp_path: Path, judge: Judge) -> None:
    problem = problem_from(make_row(read_package(write_package(tmp_path, RESULT))))
    assert judge.judge("print(1, 4)", problem).points == 10


@pytest.mark.parametrize("cost", ["max_memory", "execution_time"])
def test_a_checker_that_judges_what_a_test_cost_is_refused(tmp_path: Path, cost: str) -> None:
    checker = RESULT.replace("result.proc_output == process_output", f"result.{cost} < 65536")
    with pytest.raises(PackageError, match=f"check.py judges {cost}, which it is not told here"):
        read_package(write_package(tmp_path, checker))


def test_a_refused_output_may_have_a_part_of_the_points(tmp_path: Path, judge: Judge) -> None:
    checker = CHECKER.replace("CheckerResult(False, 0)", "CheckerResult(False, point_value / 5)")
    problem = problem_from(make_row(read_package(write_package(tmp_path, checker))))
    assert judge.judge("print(1, 1)", problem).points == 14


def test_outputs_are_recognised_by_their_own_expression(tmp_path: Path) -> None:
    config = "test_cases: {input_format: 'q(?P<case>[0-9]+)$', output_format: 'a(?P<case>[0-9]+)$'}"
    texts = {"init.yml": config, "q1": "5", "a1": "6", "q02": "7", "a2": "8"}
    tests = read_package(write_files(tmp_path, texts)).tests
    assert [(test.input, test.output) for test in tests] == [("5\n", "6\n"), ("7\n", "8\n")]
