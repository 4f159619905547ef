"""Test code in the words of pytest and of unittest: a right program passes, each wrong one fails.

Every wrong program was accepted, or every right one refused, before the rule that its case names.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from microcoder_eval import Judge, Limits
from tests.commands import read_table

CASES = read_table(__file__)


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    """One worker."""
    with Judge(workers=1, limits=Limits(time_s=2, wall_s=60), reuse=False) as judge:
        yield judge


@pytest.mark.parametrize("name", CASES)
def test_only_right_programs_pass(judge: Judge, name: str) -> None:
    case = CASES[name]
    problem = {"kind": "assert", "test_code": f"import os, pytest, sys\n{case['tests']}"}
    programs = [case["right"], *case["wrong"]]
    verdicts = [judge.judge({"code": code}, problem).verdict for code in programs]
    assert verdicts[0] == "AC", judge.judge({"code": case["right"]}, problem)
    assert not {"AC", "JE"}.intersection(verdicts[1:]), verdicts
