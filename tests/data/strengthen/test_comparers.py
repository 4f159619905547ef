"""Where right programs disagree, the comparer that is inferred says the same as a checker."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.stage import StrengthenStage

pytestmark = pytest.mark.slow

Row = dict[str, Any]
Run = Callable[..., tuple[list[Row], dict[str, str], Row]]
LINES, WORDS = {"name": "unordered_lines"}, {"name": "unordered_tokens"}
ANY_CASE = {"name": "tokens", "case_sensitive": False}
PROBLEMS = {
    row["problem_id"].removeprefix("several/"): row
    for line in (Path(__file__).parent / "several_answers.jsonl").read_text().splitlines()
    if (row := json.loads(line))
}


def infer(run: Run, row: Row, **settings: Any) -> Any:
    """The comparer that the stage proposes; None where it proposes none."""
    recipe = Strengthen(candidates=8, mutants=8, **settings)
    row = {key: value for key, value in row.items() if key not in ("answers", "checker")}
    rows, dropped, _ = run(StrengthenStage(recipe), row)
    assert dropped == {}
    return rows[0]["strengthened"].get("needs_checker", {}).get("checker")


def without_wrong_programs(name: str, **changes: Any) -> Row:
    """A problem with its right programs alone."""
    row = PROBLEMS[name]
    right = [program for program in row["solutions"] if program["verdict"] == "AC"]
    return {**row, "solutions": right, **changes}


@pytest.mark.parametrize(
    ("name", "comparer"),
    [
        ("divisors", LINES),
        ("pairs", LINES),  # within a line the order counts
        ("leaves", WORDS),
        ("game", ANY_CASE),
        ("topological", None),  # a checker must know the graph
        ("anagrams", None),  # lines in any order, and words in any order within each
        ("sorted", None),
    ],
)
def test_the_comparer_is_as_loose_as_the_problem(run: Run, name: str, comparer: Row | None) -> None:
    assert infer(run, PROBLEMS[name]) == comparer


def test_numbers_that_differ_in_their_last_digits_get_a_tolerance(run: Run) -> None:
    comparer = infer(run, PROBLEMS["mean"], compare="exact")
    assert comparer == {"name": "floats", "abs": 1e-6, "rel": 1e-6}


def test_answers_are_compared_where_no_right_program_gives_the_stored_ones(run: Run) -> None:
    row = PROBLEMS["divisors"]
    others = [program for program in row["solutions"] if not program["solution_id"].endswith("#0")]
    assert infer(run, {**row, "solutions": others}) == LINES


def test_whole_numbers_get_no_tolerance(run: Run) -> None:
    row = without_wrong_programs("floor_of_root")
    number = 10**18 - 1  # its root is rounded up in floating point
    tests = [*row["tests"], {"input": f"{number}\n", "output": f"{10**9 - 1}\n"}]
    assert infer(run, {**row, "tests": tests}) is None


@pytest.mark.parametrize("name", ["ranking", "no_neighbours"])
def test_an_answer_that_only_puts_the_input_in_order_must_be_in_order(run: Run, name: str) -> None:
    assert infer(run, without_wrong_programs(name)) is None


def test_case_counts_where_answers_differ_in_nothing_else(run: Run) -> None:
    lines = ["AB cd", "ab CD", "Ab CD", "ab"]
    row = without_wrong_programs(
        "capitals",
        tests=[{"input": f"{line}\n", "output": f"{line.swapcase()}\n"} for line in lines],
        solutions=[
            {"code": "print(input().swapcase())", "verdict": "AC"},
            {"code": "print(input().upper())", "verdict": "AC"},
        ],
    )
    assert infer(run, row) is None
