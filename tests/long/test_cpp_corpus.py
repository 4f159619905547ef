"""The C++ submissions of the shared corpus get the verdicts that their official judges gave.

pytest -m long tests/long/test_cpp_corpus.py

Those that were accepted in part, or refused for their time alone, are not scored: which groups of
tests refused them is not told, the corpus holds a choice of the tests, and its time limits are
derived from Python programs.
"""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Judge
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.files import CORPUS, read_jsonl

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}"),
    pytest.mark.skipif(find_toolchain("g++") is None, reason="no g++ on this machine"),
]
AGREEMENT = 0.99
TIME_LABELS = ("partially_accepted", "time_limit_exceeded")  # say nothing without official limits
AS_WRITTEN = {"exact", "lines", "tokens", "kattis"}


def test_submissions_in_cpp_are_judged_as_officially() -> None:
    labels = {row["solution_id"]: row for row in read_jsonl(CORPUS / "labels.jsonl.gz")}
    solutions = [
        row for row in read_jsonl(CORPUS / "solutions.jsonl.gz") if row.get("language") == "cpp"
    ]
    named = {row["problem_id"] for row in solutions}
    rows = read_jsonl(CORPUS / "tests.jsonl.gz")
    problems = {row["problem_id"]: row for row in rows if row["problem_id"] in named}
    scored = [s for s in solutions if _label(labels, s)["label_source"] not in TIME_LABELS]
    with Judge() as judge:
        judgements = list(judge.map((s, problems[s["problem_id"]]) for s in scored))
    differing = [
        (s["solution_id"], str(one.verdict), one.error, _label(labels, s)["accept"], one)
        for s, one in zip(scored, judgements, strict=True)
        if one.passed != _label(labels, s)["accept"]
    ]
    refused = [told[:3] for told in differing if told[3]]
    accepted = [told[0] for told in differing if not told[3]]
    right = sum(_label(labels, s)["accept"] for s in scored)
    print(f"{right} right ones, refused {refused}; {len(scored) - right} wrong, passed {accepted}")
    assert 0 < right < len(scored)
    assert len(refused) <= (1 - AGREEMENT) * right, refused
    # The tests that kill them are not in the corpus: they print the official answers to all it has.
    for name, _verdict, _error, accept, one in differing:
        assert accept or {test.matched_by for test in one.tests if test} <= AS_WRITTEN, name


def _label(labels: dict[str, dict[str, Any]], solution: dict[str, Any]) -> dict[str, Any]:
    return labels[solution["solution_id"]]
