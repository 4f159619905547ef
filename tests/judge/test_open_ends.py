"""Programs whose text is left open, to take in the tests where both are compiled as one.

Published: a program that ends with a decorator passed 200 of 200 tasks of a benchmark whose judge
put program and tests into one text (NVIDIA-NeMo/Gym, pull request 3153).
"""

from __future__ import annotations

import pytest

from microcoder_eval import judge
from tests.files import read_table

TABLE = read_table(__file__)
TESTS = """
def check(candidate):
    for number in range(3):
        assert candidate(number) == number + 1
"""
OPEN_ENDS = TABLE["open_ends"]


@pytest.mark.parametrize("name", OPEN_ENDS)
@pytest.mark.parametrize("call", ["check(f)", "check(f)\nassert f(1) == 2"])
def test_a_program_with_an_open_end_does_not_compile(name: str, call: str) -> None:
    problem = {
        "problem_id": "p",
        "kind": "assert",
        "entry_point": "f",
        "test_code": f"{TESTS}\n{call}\n",
    }
    judgement = judge({"code": OPEN_ENDS[name]}, problem)
    assert judgement.verdict == "CE"


def test_definitions_of_its_own_in_place_of_the_tests_change_nothing() -> None:
    code = "def check(candidate): pass\ncandidate = None\ndef f(*a): pass\n"
    problem = {"problem_id": "p", "kind": "assert", "entry_point": "f",
               "test_code": f"{TESTS}\ncheck(f)\n"}  # fmt: skip
    assert judge({"code": code}, problem).verdict == "WA"
