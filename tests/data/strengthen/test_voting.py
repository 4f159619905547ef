"""Programs decide which inputs are valid, and which of these are tried first."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.voting import Candidate, Voters, order_by_novelty
from microcoder_eval.api import Judge
from microcoder_eval.audit.trials import Runner
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution

SQUARE, CUBE_OF_ONE = "print(int(input()) ** 2)", "n = int(input())\nprint(n * n if n != 1 else 3)"
CRASHES_ON_ONE = "n = int(input())\nprint(n * n + 0 // (n - 1))"
ENDLESS_ON_ONE = "n = int(input())\nwhile n == 1: pass\nprint(n * n)"
ROW = {"problem_id": "square", "kind": "stdin", "tests": [{"input": "2\n", "output": "4\n"}]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "is_valid"),
    [(SQUARE, True), (CUBE_OF_ONE, False), (CRASHES_ON_ONE, False), (ENDLESS_ON_ONE, False)],
)
def test_all_right_programs_must_give_the_same_answer(other: str, is_valid: bool) -> None:
    programs = [Solution("square", code, code) for code in (SQUARE, other)]
    inputs = [Candidate("1\n", "change"), Candidate("7\n", "change")]
    with Judge(workers=1, stop="never") as judge:
        voters = Voters(Runner(judge), Strengthen(), ROW, problem_from(ROW), programs)
        selection = voters.select(inputs, steps=1000, limit=9)
    texts = [candidate.value for candidate in selection.candidates]
    assert sorted(texts) == (["1\n", "7\n"] if is_valid else ["7\n"])
    assert bool(selection.disagreements) == (other == CUBE_OF_ONE)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["call", "stdin"])
def test_an_input_unlike_the_stored_ones_needs_a_branch_of_the_right_program(kind: str) -> None:
    code = "def f(n):\n    if n < 0:\n        n = 9\n    return n * n\n"
    row = {**ROW, "kind": "call", "entry_point": "f", "tests": [{"input": [2], "output": 4}]}
    values: list[Any] = [[-1], [0], [7]]
    if kind == "stdin":  # what a contest does not state may be a bound that was not read
        code += "print(f(int(input())))"
        row, values = ROW, ["-1\n", "0\n", "7\n"]
    inputs = [Candidate(value, "change", departures=1) for value in values[:2]]
    inputs.append(Candidate(values[2], "change"))
    # Two departures: the branch may speak for one alone.
    inputs.append(Candidate([-2] if kind == "call" else "-2\n", "change", departures=2))
    with Judge(workers=1, stop="never") as judge:
        programs = [Solution("square", "reference", code)]
        voters = Voters(Runner(judge), Strengthen(), row, problem_from(row), programs)
        selection = voters.select(inputs, steps=1000, limit=9)
    inputs = [candidate.value for candidate in selection.candidates]
    assert sorted(inputs) == ([[-1], [7]] if kind == "call" else ["7\n"])


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "is_quick"), [(1.0, False), (10.0, True)])
def test_a_reference_has_half_of_the_limit_as_it_is_on_this_machine(
    scale: float, is_quick: bool
) -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass\nprint(int(input()) ** 2)"
    row = {**ROW, "limits": {"time_s": 0.2}}
    with Judge(workers=1, stop="never", time_scale=scale) as judge:
        recipe, programs = Strengthen(time_scale=scale), [Solution("square", "busy", busy)]
        voters = Voters(Runner(judge), recipe, row, problem_from(row), programs)
        assert bool(voters.confirm([Candidate("7\n", "", output="49\n")])) == is_quick


def test_each_next_candidate_has_most_that_those_before_it_lack() -> None:
    marks = {"1": "a", "2": "ab", "3": "ab", "4": "c", "5": "ad"}
    candidates = [Candidate(text, "", marks=frozenset(of)) for text, of in marks.items()]
    ordered = [candidate.value for candidate in order_by_novelty(candidates)]
    assert ordered == ["2", "5", "4", "3", "1"]  # with 2, 1 + 1/4, 1, 1/9 + 1/4 and 1/16
