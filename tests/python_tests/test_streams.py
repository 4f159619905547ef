"""The program uses the streams that tests replace, as it would in their process."""

from __future__ import annotations

import pytest

from microcoder_eval import Judge, Verdict
from tests.files import read_table

CASES = read_table(__file__)
LISTENS = """
from solution import f

def test_it(capsys):
    f()
    assert capsys.readouterr().out == "ok"
"""
ANSWERS = """
from unittest.mock import patch
from solution import f

@patch("builtins.input", return_value="x")
def test_it(_):
    assert f() == "x"
"""
FORGE = """
import json, os

def f():
    body = json.dumps(MESSAGE).encode()
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, len(body).to_bytes(4, "big") + body)
        except OSError:
            pass
"""


def find_verdict(judge: Judge, program: str, tests: str) -> Verdict:
    problem = {"kind": "assert", "test_code": tests, "limits": {"time_s": 2}}
    return judge.judge({"code": program}, problem).verdict


@pytest.mark.parametrize("name", CASES)
def test_programs_use_the_streams_of_the_tests(judge: Judge, name: str) -> None:
    case = CASES[name]
    assert find_verdict(judge, case["right"], case["tests"]) is Verdict.AC
    for program in [*case["wrong"], "x = 1", "import os\nos._exit(0)"]:
        assert find_verdict(judge, program, case["tests"]) in (Verdict.WA, Verdict.RE)


@pytest.mark.parametrize(
    ("program", "tests", "verdict"),
    [
        ("def f():\n    while True:\n        print('x' * 1000)", LISTENS, Verdict.RE),
        ("def f():\n    while True:\n        input()", ANSWERS, Verdict.TLE),
        (FORGE.replace("MESSAGE", "{'asks': ['eval', '1']}"), LISTENS, Verdict.RE),
        (FORGE.replace("MESSAGE", "{'asks': ['input', 'n']}"), LISTENS, Verdict.RE),
        (FORGE.replace("MESSAGE", "{'asks': ['input', ['n']]}"), ANSWERS, Verdict.RE),
        (
            FORGE.replace("MESSAGE", "{'id': 1, 'ok': 'x', 'printed': {'a': 1}}"),
            ANSWERS,
            Verdict.RE,
        ),
        (FORGE.replace("MESSAGE", "{'id': 1, 'printed': [['input', 'x']]}"), ANSWERS, Verdict.RE),
    ],
)
def test_a_program_that_floods_or_forges_streams_fails(
    judge: Judge, program: str, tests: str, verdict: Verdict
) -> None:
    assert find_verdict(judge, program, tests) is verdict
