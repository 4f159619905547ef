"""Batch isolation gives every program of the corpus, test by test, the verdicts of a child a test.

pytest -m long tests/long/test_isolation.py
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

import pytest

from microcoder_eval import Judge, Judgement, Problem, Solution, Verdict

QUICK_SECONDS = 1.0  # endless loops would take a limit for each of their tests: hours in all
pytestmark = pytest.mark.long


def verdicts(judgement: Judgement) -> list[str]:
    return [str(test.verdict or "-") for test in judgement.tests]


def judge_pairs(
    isolation: Literal["test", "batch"], pairs: list[tuple[Solution, Problem]]
) -> tuple[list[Judgement], list[Judgement]]:
    """Of all programs up to the first failure; of those that are not slow, every test."""
    with Judge(isolation=isolation, stop="first_failure") as judge:
        first = list(judge.map(pairs))
    quick = [
        pair
        for pair, judgement in zip(pairs, first, strict=True)
        if sum(test.cpu_s for test in judgement.tests_run) < QUICK_SECONDS
        and judgement.verdict not in (Verdict.AC, Verdict.TLE)
    ]
    with Judge(isolation=isolation, stop="never") as judge:
        return first, list(judge.map(quick))


def test_no_verdict_depends_on_the_isolation(corpus: list[tuple[Solution, Problem]]) -> None:
    alone, failed = judge_pairs("test", corpus)
    together, failed_together = judge_pairs("batch", corpus)
    shared = [j for j in together if any(t.memory_mb is None for t in j.tests_run)]
    several = [j for j in together if len(j.tests) > 1 and j.passed]
    print(f"{len(shared)} of {len(together)} programs shared a child between tests;")
    print(f"of those with several tests that pass: {sum(j in shared for j in several)}", end=" ")
    print(f"of {len(several)}; every test of {len(failed)} that fail")
    every = {j.solution_id: j for j in failed_together}
    both = [
        *zip(alone, together, strict=True),
        *((one, every[one.solution_id]) for one in failed if one.solution_id in every),
    ]
    near = {j.solution_id for pair in both for j in pair if "near_limit" in j.flags}
    differing = {
        one.solution_id: Counter(zip(verdicts(one), verdicts(other), strict=True))
        for one, other in both
        if verdicts(one) != verdicts(other)
    }
    print(f"near the limit: {sorted(near)}; differing: {differing}")
    assert any(j in shared for j in several)
    assert set(differing) <= near
    assert len(near) < len(alone) / 2
