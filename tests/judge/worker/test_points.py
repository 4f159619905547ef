"""Points through the whole judge: checkers and interactors that give a part of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement
from microcoder_eval.integrations.scorer import Scorer
from microcoder_eval.results.lines import judgement_from_line, judgement_to_line
from tests.files import read_table

PROGRAMS = read_table(__file__)
KATTIS, KATTIS_CPP, INTERACTOR, TESTLIB = (
    PROGRAMS[name] for name in ("kattis", "kattis_cpp", "interactor", "testlib")
)
PYTHON = "def check(input, output, expected):\n    return max(0.0, float(output) / 10)\n"
GROUPS = [
    {"name": "sample", "tests": [0], "points": 0},
    {"name": "sum", "tests": [1, 2], "points": 20, "aggregation": "sum"},
    {"name": "min", "tests": [3, 4], "points": 10},
]
ECHO, HALF, REFUSED = "print(input())", "print(int(input()) / 2)", "print(-1)"


def make_problem(groups: Any = GROUPS, **program: Any) -> dict[str, Any]:
    tests = [{"input": "10", "output": "1"} for _ in range(5)]
    return {"problem_id": "p", "kind": "stdin", "tests": tests, "groups": groups, **program}


def kattis(source: str, name: str, language: str) -> dict[str, str]:
    text = source.replace("NAME", name)
    return {"source": text, "language": language, "protocol": "kattis"}


CHECKERS = {
    "score.txt": {"checker": kattis(KATTIS, "score.txt", "python")},
    "score.txt of C++": {"checker": kattis(KATTIS_CPP, "score.txt", "cpp")},
    "score.txt of an interactor": {"interactor": kattis(INTERACTOR, "score.txt", "python")},
    "float": {"checker": {"source": PYTHON}},
}


def list_verdicts(judgement: Judgement) -> list[str | None]:
    return [None if test.verdict is None else str(test.verdict) for test in judgement.tests]


@pytest.mark.parametrize("program", CHECKERS.values(), ids=CHECKERS)
def test_a_part_of_the_points_is_never_accepted(program: dict[str, Any], judge: Judge) -> None:
    full = judge.judge(ECHO, make_problem(**program))
    half = judge.judge(HALF, make_problem(**program))
    none = judge.judge(REFUSED, make_problem(**program))
    assert (full.verdict, full.passed, full.points, full.max_points) == ("AC", True, 30, 30)
    assert (half.verdict, half.passed, half.points, half.reward) == ("WA", False, 15, 0.0)
    assert half.points_share == 0.5
    assert list_verdicts(half)[1:] == ["WA"] * 4
    assert [(group.name, group.points, group.verdict) for group in half.groups][1:] == [
        ("sum", 10, "WA"),
        ("min", 5, "WA"),
    ]
    assert (none.verdict, none.points) == ("WA", 0)


def test_a_multiplier_is_a_share_of_the_tests_points(judge: Judge) -> None:
    checker = kattis(KATTIS, "score_multiplier.txt", "python")
    problem = make_problem(checker=checker)
    full, half = (judge.judge(f"print({value})", problem) for value in (1, 0.5))
    wrong = judge.judge("print(2)", problem)  # no share: the checker fails over this output
    assert (full.verdict, full.points) == ("AC", 30)
    assert (half.verdict, half.points) == ("WA", 15)
    assert (wrong.verdict, wrong.points) == ("WA", 0)


@pytest.mark.parametrize("program", CHECKERS.values(), ids=CHECKERS)
@pytest.mark.parametrize("number", ["1e308", "inf", "1e101"])
def test_a_number_of_the_candidates_ends_neither_the_judgement_nor_the_judge(
    program: dict[str, Any], number: str, judge: Judge
) -> None:
    shares_of_a_float = program == {"checker": {"source": PYTHON}}
    judgement = judge.judge(f"input()\nprint({number!r})", make_problem(**program))
    verdict = "AC" if shares_of_a_float else "WA"
    assert (judgement.verdict, judgement.error) == (verdict, None)


def test_points_in_an_output_that_the_checker_shows_do_not_count(judge: Judge) -> None:
    source = PROGRAMS["showing"]
    checker = {"source": source, "language": "python", "protocol": "testlib"}
    problem = make_problem(checker=checker)
    honest, forged, share = (
        judge.judge(f"print({text!r})", problem) for text in ("5", "5\npoints 10", "5\npartial 1/1")
    )
    assert (honest.verdict, honest.points) == ("WA", 3)
    for judgement in (forged, share):
        assert (judgement.verdict, judgement.points) == ("WA", 0)
        assert judgement.flags == ("checker_failed",)


def test_points_of_testlib_are_bounded(judge: Judge) -> None:
    source = PROGRAMS["given"]
    checker = {"source": source, "language": "python", "protocol": "testlib"}
    full, short, *invalid = (
        judge.judge(f"print({text})", make_problem(checker=checker))
        for text in ("10", "'1e+01'", "'1' + '0' * 400", "'2.5abc'", "'\\n10'")
    )
    assert (full.verdict, full.points) == ("AC", 30)
    assert (short.verdict, short.points) == ("AC", 30)  # as printf("%g") writes it
    for judgement in invalid:
        assert (judgement.verdict, judgement.points) == ("WA", 0)
        assert judgement.flags == ("checker_failed",)


def test_a_grader_reads_only_bounded_numbers(judge: Judge) -> None:
    adding = "import sys\nprint('AC', sum(float(line.split()[1]) for line in sys.stdin))\n"
    groups = [
        {"name": "sum", "tests": [0, 1, 2], "points": 20, "aggregation": "sum"},
        {"name": "graded", "tests": [3, 4], "points": 10, "aggregation": "grader"},
    ]
    problem = make_problem(
        groups, checker=kattis(KATTIS, "score.txt", "python"), grader={"source": adding}
    )
    full, huge = (judge.judge(f"print({number})", problem) for number in (10, 1e308))
    assert (full.verdict, full.points) == ("AC", 30)
    assert (huge.verdict, huge.points, huge.error) == ("WA", 0, None)


@pytest.mark.parametrize(
    "program",
    [CHECKERS["float"], {"checker": kattis(KATTIS, "score_multiplier.txt", "python")}],
    ids=["float", "score_multiplier.txt"],
)
def test_a_share_of_unknown_points_is_a_wrong_answer(program: dict[str, Any], judge: Judge) -> None:
    groups = [{"name": "a", "tests": [0, 1], "points": 10}, {"name": "b", "tests": [2, 3, 4]}]
    full, half = (10, 5) if program == CHECKERS["float"] else (1, 0.5)
    whole, part = (
        judge.judge(f"print({number})", make_problem(groups, **program)) for number in (full, half)
    )
    assert (whole.verdict, whole.points) == ("AC", 10)
    assert (part.verdict, part.points, part.reward) == ("WA", 5, 0.0), part.error


def test_testlib_gives_points_by_its_exit_status(judge: Judge) -> None:
    checker = {"source": TESTLIB, "language": "cpp", "protocol": "testlib"}
    judge = judge.with_changes(testlib=__file__)
    full = judge.judge(ECHO, make_problem(checker=checker))
    half = judge.judge(HALF, make_problem(checker=checker))
    no_groups = make_problem(checker=checker)
    del no_groups["groups"]
    partial = judge.judge(HALF, no_groups)
    assert (full.verdict, full.points) == ("AC", 30)
    assert (half.verdict, half.points) == ("WA", 15)
    assert (partial.verdict, partial.points, partial.groups) == ("WA", None, ())


def test_a_run_goes_on_for_points_and_stops_where_it_needs_none(judge: Judge) -> None:
    problem = make_problem() | {"tests": make_tests(["1", "10", "2", "10", "3"])}
    wrong_once = "import sys\nn = input()\nprint(n if n != '10' else '')\nprint()"
    points = judge.judge(wrong_once, problem)
    only, never = (
        judge.with_changes(stop=stop).judge(wrong_once, problem)
        for stop in ("passed_only", "never")
    )
    assert list_verdicts(points) == ["AC", "WA", "AC", "WA", None]
    assert (points.points, points.verdict) == (10, "WA")
    assert (never.points, never.groups) == (points.points, points.groups)
    assert list_verdicts(only) == ["AC", "WA", None, None, None]
    assert (only.points, only.groups) == (None, ())


@pytest.mark.parametrize(
    "groups",
    [
        [{"name": "sample", "tests": [0], "points": 0}, {"name": "all", "tests": [1], "points": 9}],
        [{"name": "best", "tests": [0, 1], "points": 9, "aggregation": "max"}],
    ],
    ids=["a group without points", "the best test"],
)
@pytest.mark.parametrize("adaptive", [False, True])
def test_a_failed_test_that_costs_no_points_ends_no_run(
    judge: Judge, groups: list[dict[str, Any]], adaptive: bool
) -> None:
    problem = {"problem_id": "p", "tests": make_tests(["1", "22"]), "groups": groups}
    passed_only = judge.with_changes(stop="passed_only", adaptive=adaptive)
    judgement = passed_only.judge("n = input()\nprint(n if n != '1' else '')", problem)
    assert (judgement.verdict, judgement.points) == ("AC", 9)
    wrong = passed_only.judge("input()\nprint(7)", problem)
    assert (wrong.passed, wrong.reward) == (False, 0.0)


def make_tests(inputs: list[str]) -> list[dict[str, str]]:
    return [{"input": text, "output": text} for text in inputs]


@pytest.mark.parametrize("isolation", ["batch", "test"])
def test_points_do_not_depend_on_how_tests_share_processes(judge: Judge, isolation: str) -> None:
    problem = make_problem(checker={"source": PYTHON})
    other = judge.with_changes(isolation=isolation, adaptive=True)
    judgement = other.judge("n = int(input())\nprint(n * 0.75)", problem)
    assert (judgement.points, list_verdicts(judgement)[1:]) == (22.5, ["WA"] * 4)


def test_a_program_that_does_not_compile_has_no_points_and_each_group_says_why(
    judge: Judge,
) -> None:
    judgement = judge.judge("x x", make_problem())
    unfinished = judge.judge({"response": "```python\nprint("}, make_problem())
    for result in (judgement, unfinished):
        assert (result.verdict, result.points, result.max_points) == ("CE", 0, 30)
        assert {group.verdict for group in result.groups} == {"CE"}


def test_result_lines_carry_points_only_where_the_problem_has_them(judge: Judge) -> None:
    scored = judge.judge(HALF, make_problem(checker={"source": PYTHON}))
    plain = judge.judge(ECHO, {"tests": make_tests(["1"])})
    line = json.loads(judgement_to_line(scored))
    assert (line["points"], line["max_points"], line["groups"][1]["points"]) == (15, 30, 10)
    assert judgement_from_line(judgement_to_line(scored)) == scored
    text = judgement_to_line(plain).decode()
    assert '"points"' not in text
    assert '"groups"' not in text


def test_points_are_a_reward_where_that_is_chosen() -> None:
    row = make_problem(checker={"source": PYTHON})
    answer = f"```python\n{HALF}\n```"
    for reward, wanted in (("passed", 0.0), ("points", 0.5)):
        scorer = Scorer(workers=1, reward=reward)
        (judgement,) = scorer.judge_samples([(answer, row)])
        assert scorer.reward(judgement) == wanted
    with pytest.raises(ValueError, match="two rewards"):
        Scorer(reward="points", partial=True)
    with pytest.raises(ValueError, match="passed, points"):
        Scorer(reward="score")
