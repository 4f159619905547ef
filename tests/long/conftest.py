"""The shared corpus, which lies beside the repository."""

from __future__ import annotations

import pytest

from microcoder_eval import Problem, Solution
from microcoder_eval.formats import BadLine, open_problems, read_solutions
from tests.files import CORPUS


@pytest.fixture(scope="session")
def corpus() -> list[tuple[Solution, Problem]]:
    """Its programs with their problems; the test is skipped where it does not lie there."""
    if not CORPUS.is_dir():
        pytest.skip(f"no corpus at {CORPUS}")
    with open_problems(CORPUS / "tests.jsonl.gz") as problems:
        lines = read_solutions(CORPUS / "solutions.jsonl.gz", problems)
        usable = [line for line in lines if not isinstance(line, BadLine)]
        return [(solution, problems.get(solution.problem_id)) for solution in usable]
