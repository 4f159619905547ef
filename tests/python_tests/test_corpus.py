"""Accepted programs of real data sets pass under their test code, and the others fail.

HumanEval whole, with its empty bodies: tests/judge/test_humaneval.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Judge
from microcoder_eval.python_tests.planning import plan
from tests.files import CORPUS, read_jsonl

EACH = 5  # every fifth program where all assertions become calls; of other problems all programs
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CORPUS.is_dir(), reason=f"the shared corpus is not here: {CORPUS}"),
]


@pytest.fixture(scope="module")
def problems() -> dict[str, dict[str, Any]]:
    rows = read_jsonl(CORPUS / "tests.jsonl.gz")
    return {row["problem_id"]: row for row in rows if row["kind"] == "assert"}


def test_under_one_percent_of_the_corpus_is_unsupported(problems: dict[str, Any]) -> None:
    plans = [plan(row["test_code"], row["entry_point"], None) for row in problems.values()]
    assert sum(planned.unsupported is not None for planned in plans) < len(plans) / 100
    assert sum(planned.test_source is None for planned in plans) > 0.95 * len(plans)


def test_accepted_programs_of_the_corpus_pass_and_no_others(problems: dict[str, Any]) -> None:
    accepted = {row["solution_id"]: row["accept"] for row in read_jsonl(CORPUS / "labels.jsonl.gz")}
    pairs = []
    for number, solution in enumerate(read_jsonl(CORPUS / "solutions.jsonl.gz")):
        problem = problems.get(solution["problem_id"])
        if problem is None:
            continue
        planned = plan(problem["test_code"], problem["entry_point"], None)
        if planned.test_source is not None or number % EACH == 0:
            pairs.append((solution, problem))
    with Judge(workers=2) as judge:
        judgements = list(judge.map(pairs))
    wrong = [j.solution_id for j in judgements if j.passed is not accepted[j.solution_id]]
    assert wrong == []
    assert len(judgements) > 100
