"""The corpus of real problems and programs is read whole."""

from __future__ import annotations

import pytest

from microcoder_eval.formats import BadLine, open_problems, read_solutions
from microcoder_eval.records import Solution
from tests.files import CORPUS


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}: real data is NOT tested")
def test_every_problem_and_solution_of_the_corpus_is_read() -> None:
    with open_problems(CORPUS / "tests.jsonl.gz") as problems:
        assert (len(problems), problems.bad) == (1981, [])
        solutions = list(read_solutions(CORPUS / "solutions.jsonl.gz", problems))
        assert all(problems.get(name).problem_id == name for name in problems)
    assert len(solutions) == 3339
    assert [one for one in solutions if isinstance(one, BadLine)] == []
    assert sum(one.language == "cpp" for one in solutions if isinstance(one, Solution)) == 205
