"""The same verdicts however crowded the machine is: 300 real programs, ten times.

pytest -m long tests/long/test_stability.py
"""

from __future__ import annotations

import random

import pytest

from microcoder_eval import Judge, Problem, Solution
from microcoder_eval.pool.cores import usable_cores

pytestmark = pytest.mark.long
RUNS, SIZE, NEAR_SHARE = 10, 300, 0.005


def test_verdicts_do_not_depend_on_the_load(corpus: list[tuple[Solution, Problem]]) -> None:
    pairs = random.Random(7).sample(corpus, SIZE)
    with Judge(workers=1, reuse=False) as judge:
        alone = {j.solution_id: j for j in judge.map(pairs)}
    near = {name for name, j in alone.items() if "near_limit" in j.flags}
    differing: dict[str, set[str]] = {}
    with Judge(workers=4 * usable_cores(), reuse=False) as judge:
        for _ in range(RUNS):
            for j in judge.map(pairs):
                near |= {j.solution_id} if "near_limit" in j.flags else set()
                if j.verdict is not alone[j.solution_id].verdict:
                    differing.setdefault(j.solution_id, set()).add(str(j.verdict))
    print(f"near the limit: {sorted(near)}; differing: {differing}")
    assert set(differing) <= near
    assert len(near) <= NEAR_SHARE * SIZE
