"""Test code in the words of pytest and of unittest: a right program passes, each wrong one fails.

Every wrong program was accepted, or every right one refused, before the rule that its case names.
"""

from __future__ import annotations

import pytest

from microcoder_eval import Judge
from tests.files import read_table

CASES = read_table(__file__)
UNJUDGED = {
    "in, of what may be a class or a function": "assert 5 in Fib(10)",
    "a parameter with a default": "@pytest.mark.parametrize('x', [1])\n"
    "def test_a(x=1): assert Fib(x)",
    "a fixture that is an asynchronous generator": "@pytest.fixture\nasync def two(): yield 2\n"
    "def test_a(two): assert Fib(two)",
    "what our pytest lacks": "def test_a(request):\n    assert Fib(1)\n"
    "    request.config.getini('x')",
}


@pytest.mark.parametrize("name", CASES)
def test_only_right_programs_pass(judge: Judge, name: str) -> None:
    case = CASES[name]
    problem = {"kind": "assert", "test_code": f"import os, pytest, sys\n{case['tests']}"}
    programs = [case["right"], *case["wrong"]]
    verdicts = [judge.judge({"code": code}, problem).verdict for code in programs]
    assert verdicts[0] == "AC", judge.judge({"code": case["right"]}, problem)
    assert not {"AC", "JE"}.intersection(verdicts[1:]), verdicts


@pytest.mark.parametrize("name", UNJUDGED)
def test_what_cannot_be_judged_is_said_before_any_program_runs(judge: Judge, name: str) -> None:
    problem = {"kind": "assert", "test_code": f"import pytest\n{UNJUDGED[name]}"}
    for code in ("def Fib(n): return [5]", "class Fib:\n    __contains__ = lambda *_: True"):
        assert judge.judge({"code": code}, problem).verdict == "JE"
