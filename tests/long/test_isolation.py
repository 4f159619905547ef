"""Batch isolation gives every program of the corpus, test by test, the verdicts of a child a test.

pytest -m long tests/long/test_isolation.py
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from microcoder_eval import Judge, Judgement, Problem, Solution
from microcoder_eval.formats import BadLine, open_problems, read_solutions

CORPUS = Path(__file__).parents[2].parent / "shared" / "data" / "corpus"
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not CORPUS.exists(), reason=f"no corpus at {CORPUS}"),
]


@pytest.fixture(scope="module")
def pairs() -> list[tuple[Solution, Problem]]:
    with open_problems(CORPUS / "tests.jsonl.gz") as problems:
        lines = read_solutions(CORPUS / "solutions.jsonl.gz", problems)
        usable = [line for line in lines if not isinstance(line, BadLine)]
        return [(solution, problems.get(solution.problem_id)) for solution in usable]


def verdicts(judgement: Judgement) -> list[str]:
    return [str(test.verdict) if test else "-" for test in judgement.tests]


def test_no_verdict_depends_on_the_isolation(pairs: list[tuple[Solution, Problem]]) -> None:
    with Judge(isolation="test", stop="never") as judge:
        alone = list(judge.map(pairs))
    with Judge(isolation="batch", stop="never") as judge:
        together = list(judge.map(pairs))
    shared = [j for j in together if any(t and t.memory_mb is None for t in j.tests)]
    several = [j for j in together if len(j.tests) > 1 and j.passed]
    print(f"{len(shared)} of {len(together)} programs shared a child between tests;")
    print(f"of those with several tests that pass: {sum(j in shared for j in several)}", end=" ")
    print(f"of {len(several)}")
    near = {j.solution_id for j in [*alone, *together] if "near_limit" in j.flags}
    differing = {
        one.solution_id: Counter(zip(verdicts(one), verdicts(other), strict=True))
        for one, other in zip(alone, together, strict=True)
        if verdicts(one) != verdicts(other)
    }
    print(f"near the limit: {sorted(near)}; differing: {differing}")
    assert set(differing) <= near
