"""Graders: a program of the problem's makes the verdict and the points of a group."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Limits
from microcoder_eval.errors import DataError
from microcoder_eval.formats import problem_from

ECHO = "import sys\nrows = [line.split() for line in sys.stdin]\n"
BEST = f"{ECHO}print('AC', max(float(points) for _, points in rows))\n"
FIRST = f"{ECHO}print(*rows[0])\n"
CODES = f"{ECHO}print('AC', ('AC', 'WA', 'TLE', 'RTE').index(rows[1][0]))\n"


@pytest.fixture
def judge(judge: Judge) -> Judge:
    return judge.with_changes(limits=Limits(time_s=0.5))


def make_problem(grader: str | dict[str, Any] | None, **group: Any) -> dict[str, Any]:
    """Write the number of each test, 0 and 1; each is worth 5 points."""
    fields = {"name": "all", "tests": [0, 1], "points": 5, "test_points": 5, **group}
    spec = {"source": grader} if isinstance(grader, str) else grader
    tests = [{"input": text, "output": text} for text in ("0\n", "1\n")]
    groups = [{"aggregation": "grader", **fields}]
    problem = {"problem_id": "p", "tests": tests, "groups": groups, "grader": spec}
    return {key: value for key, value in problem.items() if value is not None}


def judge_echo(judge: Judge, grader: str, code: str = "print(input())", **group: Any) -> Judgement:
    return judge.judge(code, make_problem(grader, **group))


def test_its_points_are_the_groups_and_no_more_than_that_has(judge: Judge) -> None:
    judgement = judge_echo(judge, BEST, "print(0)")
    assert (judgement.points, judgement.max_points, judgement.passed) == (5, 5, True)
    judgement = judge_echo(judge, BEST, "print(0)", points=4)
    assert judgement.points == 4


def test_points_of_a_group_that_it_rejects_are_ignored(judge: Judge) -> None:
    judgement = judge_echo(judge, "print('WA 5')")
    assert (judgement.points, judgement.passed, str(judgement.verdict)) == (0, False, "WA")


def test_it_gets_its_arguments_and_the_points_of_failed_tests(judge: Judge) -> None:
    grader = f"{ECHO}print('AC', float(rows[1][1]) + float(sys.argv[1]))\n"
    judgement = judge_echo(judge, grader, "print(0)", fail_points=1, grader_args=["0.5"])
    assert judgement.points == 1.5


@pytest.mark.parametrize(
    ("code", "points"),
    [
        ("print(input())", 0),
        ("print(0)", 1),
        ("n = int(input())\nwhile n:\n    pass\nprint(n)", 2),
        ("n = int(input())\nprint(n if n == 0 else [][n])", 3),
        ("n = int(input())\nprint(n if n == 0 else len(' ' * (1 << 34)))", 3),
    ],
    ids=["AC", "WA", "TLE", "RTE", "out of memory"],
)
def test_it_is_told_why_a_test_failed(code: str, points: float, judge: Judge) -> None:
    assert judge_echo(judge, CODES, code).points == points


def test_tests_after_a_failed_one_are_left_out_where_the_group_stops(judge: Judge) -> None:
    grader = f"{ECHO}print('AC', len(rows))\n"
    assert judge_echo(judge, grader, "print(7)", on_fail="stop").points == 1
    assert judge_echo(judge, grader, "print(7)", on_fail="continue").points == 2


def test_it_grades_groups_of_groups(judge: Judge) -> None:
    inner = [
        {"name": "zero", "tests": [0], "points": 3},
        {"name": "one", "tests": [1], "points": 2, "aggregation": "grader"},
    ]
    problem = make_problem(f"{ECHO}print('AC', sum(float(p) for _, p in rows))\n")
    problem["groups"] = [{"name": "all", "groups": inner, "points": 5, "aggregation": "grader"}]
    judgement = judge.judge("print(1)", problem)
    assert [(group.name, group.points) for group in judgement.groups] == [("zero", 0), ("one", 2)]
    assert judgement.points == 2


@pytest.mark.parametrize(
    "grader",
    [
        "raise SystemExit(3)",
        "print('AC')",
        "print('AC nan')",
        "print('maybe 3')",
        "print('AC 1')\nprint('AC 1')",
        "print('JE 0')",
        "import socket\nsocket.socket()",
        "import os\nos.kill(os.getpid(), 9)",
    ],
)
def test_a_grader_that_fails_refuses_the_group_with_a_flag(grader: str, judge: Judge) -> None:
    judgement = judge_echo(judge, grader)
    assert (str(judgement.verdict), judgement.points, judgement.reward) == ("WA", 0, 0.0)
    assert judgement.flags == ("grader_failed",)


@pytest.mark.parametrize(("grader", "reason"), [("def", "invalid"), ("import numpi", "numpi")])
def test_a_grader_that_cannot_be_loaded_is_the_judges_failure(
    grader: str, reason: str, judge: Judge
) -> None:
    judgement = judge_echo(judge, grader)
    assert (str(judgement.verdict), judgement.points, judgement.score) == ("JE", None, None)
    assert reason in str(judgement.error)


@pytest.mark.parametrize(
    "grader",
    [
        f"{ECHO}print('AC', 10 / sum(float(points) for _, points in rows))\n",
        f"{ECHO}print('AC', '9' * 400 if 'WA' in rows[0] else 1)\n",
        f"{ECHO}print('AC' if 'WA' not in rows[0] else 'maybe', 1)\n",
    ],
    ids=["crashes", "sums up to inf", "prints no verdict"],
)
def test_a_grader_that_fails_over_wrong_answers_only_is_no_excuse(
    grader: str, judge: Judge
) -> None:
    wrong = judge_echo(judge, grader, "print(7)")
    assert (str(wrong.verdict), wrong.points, wrong.reward) == ("WA", 0, 0.0), wrong.error
    assert wrong.flags == ("grader_failed",)
    assert judge_echo(judge, grader).points == 1


def test_a_program_that_does_not_compile_is_not_graded(judge: Judge) -> None:
    judgement = judge_echo(judge, "raise SystemExit(3)", "print(")
    assert (str(judgement.verdict), judgement.points) == ("CE", 0)


def test_tests_that_did_not_run_leave_nothing_to_grade(judge: Judge) -> None:
    passed_only = judge.with_changes(stop="passed_only")
    problem = make_problem(BEST)
    plain, graded = {"name": "plain", "tests": [0], "points": 5}, problem["groups"][0]
    groups = [plain, {**graded, "tests": [1]}]
    judgement = passed_only.judge("print(7)", {**problem, "groups": groups})
    assert (judgement.points, judgement.groups) == (None, ())
    # A grader may give all points although a test fails.
    assert passed_only.judge("input()\nprint(1)", problem).passed


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (make_problem(None), 'needs the problem\'s "grader"'),
        (make_problem(BEST, accept="any"), 'needs that "accept"'),
        (make_problem({"source": ""}), '"grader" must be an object with "source"'),
        (make_problem({"source": "x", "language": "rust"}), '"language" must be one of'),
        (make_problem(BEST, aggregation="full", points=None), '"full" needs "points"'),
    ],
)
def test_a_grader_that_cannot_be_used_is_refused(problem: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        problem_from(problem)
