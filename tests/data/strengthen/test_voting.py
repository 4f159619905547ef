"""Programs decide which inputs are valid, and which of these are tried first."""

from __future__ import annotations

import pytest

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.voting import Candidate, CandidateInput, Voters, order_by_rarity
from microcoder_eval.api import Judge
from microcoder_eval.audit.trials import Runner
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution, Test

SQUARE, CUBE_OF_ONE = "print(int(input()) ** 2)", "n = int(input())\nprint(n * n if n != 1 else 3)"
CRASHES_ON_ONE = "n = int(input())\nprint(n * n + 0 // (n - 1))"
ENDLESS_ON_ONE = "n = int(input())\nwhile n == 1: pass\nprint(n * n)"
ROW = {"problem_id": "square", "kind": "stdin", "tests": [{"input": "2\n", "output": "4\n"}]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "others", "is_seen", "is_valid"),
    [
        ([SQUARE], [], True, True),
        ([SQUARE], [CUBE_OF_ONE, SQUARE], True, True),  # half of them
        ([SQUARE], [CUBE_OF_ONE, CUBE_OF_ONE, SQUARE], True, False),
        ([SQUARE], [CUBE_OF_ONE, SQUARE, SQUARE], False, False),  # four fifths
        ([SQUARE], [CUBE_OF_ONE, *[SQUARE] * 4], False, True),
        ([SQUARE], [CRASHES_ON_ONE, *[SQUARE] * 9], False, False),
        ([SQUARE], [ENDLESS_ON_ONE, *[SQUARE] * 9], True, False),
        ([SQUARE, CRASHES_ON_ONE], [], True, False),
        ([SQUARE, CUBE_OF_ONE], [], True, False),
    ],
)
def test_most_programs_without_a_label_must_agree_and_all_must_give_an_answer(
    right: list[str], others: list[str], is_seen: bool, is_valid: bool
) -> None:
    programs = ([Solution("square", c, c) for c in codes] for codes in (right, others))
    inputs = [CandidateInput("1\n", "change", is_seen), CandidateInput("7\n", "change")]
    with Judge(workers=1, stop="never") as judge:
        problem = problem_from(ROW)
        voters = Voters(Runner(judge), Strengthen(), ROW, problem, *programs)
        selection = voters.select(inputs, steps=1000, limit=9)
    texts = [candidate.test.input for candidate in selection.candidates]
    assert sorted(texts) == (["1\n", "7\n"] if is_valid else ["7\n"])
    assert bool(selection.disagreements) == (right == [SQUARE, CUBE_OF_ONE])


def test_what_is_rare_comes_first_and_then_what_is_small() -> None:
    marks = {"no": "no", "nope": "no", "yes": "yes", "maybe": "maybe", "n": "no"}
    candidates = [Candidate(Test(text, ""), "", frozenset({mark})) for text, mark in marks.items()]
    ordered = [candidate.test.input for candidate in order_by_rarity(candidates)]
    assert ordered == ["yes", "maybe", "n", "no", "nope"]
