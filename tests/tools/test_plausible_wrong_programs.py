"""Wrong programs that somebody would write: some that an earlier set of tests accepted, and those
written from the statements of tiers B and C alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval import Judge
from tests.files import read_jsonl, read_table
from tests.tools.bundled import rows_of

WRITTEN_FROM_STATEMENTS = Path(__file__).with_name("plausible_wrong_programs.jsonl")

PROGRAMS = read_table(__file__)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_found_out(pool: Judge, name: str) -> None:
    tier = name[len("mini-")]
    (row,) = [row for row in rows_of(tier) if row["problem_id"] == name]
    judgement = pool.judge({"code": PROGRAMS[name]}, row)
    assert judgement.verdict == "WA", judgement.error


@pytest.mark.slow
def test_at_least_95_in_100_of_those_written_from_statements_are_found_out(pool: Judge) -> None:
    problems = {row["problem_id"]: row for tier in "bc" for row in rows_of(tier)}
    programs = [row for row in read_jsonl(WRITTEN_FROM_STATEMENTS) if "right_after_all" not in row]
    assert len(programs) >= 150
    assert {row["problem_id"] for row in programs} == set(problems)
    pending = [pool.submit({"code": row["code"]}, problems[row["problem_id"]]) for row in programs]
    accepted = [
        row["solution_id"]
        for row, future in zip(programs, pending, strict=True)
        if future.result().passed
    ]
    assert len(accepted) <= 0.05 * len(programs), accepted
