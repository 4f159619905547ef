"""The bundled samples: every kind of problem, every verdict."""

from __future__ import annotations

from collections import Counter

from microcoder_eval import Verdict
from tests.files import SAMPLES, read_jsonl


def test_sample_problems_are_complete_and_of_every_kind() -> None:
    problems = read_jsonl(SAMPLES / "tests.jsonl")
    ids = [problem["problem_id"] for problem in problems]
    assert len(ids) == len(set(ids)) >= 12
    assert {problem["kind"] for problem in problems} == {"stdin", "call", "assert"}
    for problem in problems:
        assert problem["statement"], problem["problem_id"]
        assert problem["difficulty"], problem["problem_id"]
        assert problem["platform"] == "microcoder-samples", problem["problem_id"]
        if problem["kind"] == "assert":
            assert "assert " in problem["test_code"], problem["problem_id"]
        else:
            assert problem["tests"], problem["problem_id"]
            assert all(test.keys() == {"input", "output"} for test in problem["tests"])


def test_sample_solutions_name_their_problem_and_their_verdict() -> None:
    known = {problem["problem_id"] for problem in read_jsonl(SAMPLES / "tests.jsonl")}
    solutions = read_jsonl(SAMPLES / "solutions.jsonl")
    ids = Counter((line["problem_id"], line["solution_id"]) for line in solutions)
    assert [key for key, count in ids.items() if count > 1] == []
    assert {line["problem_id"] for line in solutions} == known
    for line in solutions:
        assert ("code" in line) != ("response" in line), line["solution_id"]
    # All letters but JE: a judge that fails on its own samples is no sample.
    assert {line["expected_verdict"] for line in solutions} == set(Verdict) - {Verdict.JE}
