"""What an evaluation problem shares with the problems that are trained on."""

from __future__ import annotations

import pytest

from microcoder_data.decontaminate.train_eval_overlap import find_overlaps
from microcoder_eval.formats.problems import problem_from
from microcoder_eval.records import Problem

WORDS = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(60)]


def problem(name: str, words: list[str], *inputs: int) -> Problem:
    return problem_from(
        {
            "problem_id": name,
            "statement": " ".join(words),
            "tests": [{"input": f"{n}\n", "output": f"{n * n + 12345}\n"} for n in inputs],
        }
    )


TRAINED = problem("t", WORDS[:40], 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


@pytest.mark.parametrize(
    ("evaluated", "reason"),
    [
        (
            problem("e", [word.upper() + "," for word in WORDS[:40]], 100),
            "e shares 28 of 28 13-grams, most with t",
        ),
        (problem("e", WORDS[45:], *range(1, 11)), "e has the tests of t (10 of 10)"),
        (problem("e", WORDS[45:], *range(1, 10)), "e has the tests of t (9 of 9)"),
        (problem("e", WORDS[45:], 1, 100, 101, 102), None),
        (problem("e", WORDS[45:], 1), None),
        # Of the shorter list of tests, half are enough, if they are two.
        (problem("e", WORDS[45:], 1, 2, 101, 102), "e has the tests of t (2 of 4)"),
        (problem("e", WORDS[45:], 1, 2, 101, 102, 103), None),
        (
            problem("e", WORDS[45:], *range(1, 6), *range(101, 120)),
            "e has the tests of t (5 of 24)",
        ),
        (problem("e", WORDS[45:], *range(1, 5), *range(101, 120)), None),
        (problem("e", WORDS[45:], 1, 101), None),
        # Of 24 words 12 n-grams: 6 of the first 18 words, then 5 of 17.
        (problem("e", WORDS[:18] + WORDS[50:56], 100), "e shares 6 of 12 13-grams, most with t"),
        (problem("e", WORDS[:17] + WORDS[50:57], 100), None),
        (problem("e", ["short"], 100), None),
    ],
)
def test_half_of_the_statement_or_the_tests_are_an_overlap(
    evaluated: Problem, reason: str | None
) -> None:
    assert find_overlaps([TRAINED], [evaluated]) == ([reason] if reason else [])


def test_a_small_problem_is_found_beside_a_large_one_that_shares_more_tests() -> None:
    large, small = problem("large", WORDS[:20], *range(100)), problem("small", WORDS[:20], 101, 102)
    evaluated = problem("e", WORDS[40:], 1, 2, 3, 101, 102, *range(200, 300))
    assert find_overlaps([large, small], [evaluated]) == ["e has the tests of small (2 of 105)"]


def test_problems_without_a_statement_have_not_the_same_one() -> None:
    assert find_overlaps([problem("t", [], 1)], [problem("e", [], 2)]) == []
