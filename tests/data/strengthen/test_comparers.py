"""Where right programs disagree, the comparer that is inferred says the same as a checker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.comparers import checks_too_little
from microcoder_data.strengthen.stage import StrengthenStage
from microcoder_eval.records import Test
from tests.data.lines import Row, Run

pytestmark = pytest.mark.slow

LINES, WORDS = {"name": "unordered_lines"}, {"name": "unordered_tokens"}
ANY_CASE = {"name": "tokens", "case_sensitive": False}
TOLERANCE = {"name": "floats", "abs": 1e-6, "rel": 1e-6}
PROBLEMS = {
    row["problem_id"].removeprefix("several/"): row
    for line in (Path(__file__).parent / "several_answers.jsonl").read_text().splitlines()
    if (row := json.loads(line))
}


def propose(run: Run, row: Row, **settings: Any) -> Row:
    """What the stage proposes, and never sets: a comparer as the "checker", and its "evidence"."""
    recipe = Strengthen(proposals=60, candidates=8, large=0, **settings)
    row = {key: value for key, value in row.items() if key not in ("answers", "checker")}
    rows, dropped, _ = run(StrengthenStage(recipe), row)
    assert dropped == {}
    assert rows[0].get("checker") is None
    proposal: Row = rows[0]["strengthened"].get("needs_checker", {})
    return proposal


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
    proposal = propose(run, PROBLEMS[name])
    assert proposal.get("checker") == comparer
    wrong = [one for one in PROBLEMS[name]["solutions"] if one["verdict"] == "WA"]
    assert comparer is None or proposal["evidence"]["wrong_refused"] == len(wrong)


def test_numbers_that_differ_in_their_last_digits_get_a_tolerance(run: Run) -> None:
    proposal = propose(run, PROBLEMS["mean"], compare="exact")
    assert proposal["checker"] == {"name": "floats", "abs": 1e-6, "rel": 1e-6}


def test_answers_are_compared_where_no_right_program_gives_the_stored_ones(run: Run) -> None:
    row = PROBLEMS["divisors"]
    others = [program for program in row["solutions"] if not program["solution_id"].endswith("#0")]
    assert propose(run, {**row, "solutions": others})["checker"] == LINES


@pytest.mark.parametrize("name", ["ranking", "no_neighbours"])
def test_an_answer_that_only_puts_the_input_in_order_must_be_in_order(run: Run, name: str) -> None:
    assert "checker" not in propose(run, without_wrong_programs(name))


@pytest.mark.parametrize(
    ("comparer", "tests", "is_too_loose"),
    [
        (TOLERANCE, [("7", "2"), ("999999999999", "999999")], True),  # whole numbers
        (TOLERANCE, [("7", "2"), ("2", "1.4142")], False),
        (TOLERANCE, [((4,), 2.0)], False),
        (ANY_CASE, [("Ab", "aB"), ("aB", "Ab")], True),  # nothing but case differs
        (ANY_CASE, [("4", "Yes"), ("5", "No")], False),
        (WORDS, [("3\n3 1 2", "1 2 3"), ("2\n9 4", "4 9")], True),  # a line of the input
        (WORDS, [("2\nann 3\nbob 1", "bob\nann")], True),  # a column
        (LINES, [("3", "2\n3\n1")], True),  # 1 to n
        (LINES, [(((3, 1),), (1, 3))], True),
        (WORDS, [("3\n3 1 3", "1 3"), ("2\n9 4", "4 9")], False),  # one test tells more
    ],
)
def test_answers_say_which_comparer_checks_too_little(
    comparer: Row, tests: list[tuple[Any, Any]], is_too_loose: bool
) -> None:
    assert checks_too_little(comparer, [Test(*test) for test in tests]) == is_too_loose
