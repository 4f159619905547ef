"""Problems of several passes: the validator asks for the next run and writes its input."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Limits
from tests.files import read_table
from tests.judges import require_toolchain

PROGRAMS = read_table(__file__)
# Doubles the number of the input until it is above 100, in as many passes; counts them in a file.
VALIDATOR = PROGRAMS["validator"]
NATIVE_VALIDATOR = PROGRAMS["native_validator"]
RIGHT = "print(2 * int(input()))\n"


@pytest.fixture
def judge(judge: Judge) -> Judge:
    return judge.with_changes(limits=Limits(time_s=0.5))


def judge_passes(
    judge: Judge, code: str, source: str = VALIDATOR, passes: int = 10, **checker: Any
) -> Judgement:
    spec = {"source": source, "protocol": "kattis", "passes": passes, **checker}
    test = {"input": "1\n", "output": "100\n"}
    return judge.judge(code, {"problem_id": "p", "tests": [test], "checker": spec})


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (RIGHT, "AC"),
        ("n = int(input())\nprint(2 * n if n < 32 else 0)\n", "WA"),
        ("n = int(input())\nprint(2 * n if n < 32 else 1 // 0)\n", "RE"),
        ("n = int(input())\nwhile n > 32:\n    pass\nprint(2 * n)\n", "TLE"),
        ("import os\nprint(2 * int(input()))\nopen('x', 'w') if os.path.exists('x') else None\n",
         "AC"),
    ],
    ids=["right", "wrong in a later pass", "crashes in a later pass", "hangs in a later pass",
         "finds no file of the pass before"],
)  # fmt: skip
def test_every_pass_has_to_be_right(code: str, verdict: str, judge: Judge) -> None:
    judgement = judge_passes(judge, code)
    assert judgement.verdict == verdict, judgement.error or judgement.tests


@pytest.mark.slow
def test_a_validator_in_cpp_keeps_its_folder_too(judge: Judge) -> None:
    require_toolchain("cpp")
    judgement = judge_passes(judge, RIGHT, NATIVE_VALIDATOR, language="cpp")
    assert judgement.verdict == "AC", judgement.error or judgement.tests


def test_more_passes_than_allowed_are_wrong_and_flagged(judge: Judge) -> None:
    judgement = judge_passes(judge, RIGHT, passes=3)
    assert (judgement.verdict, judgement.flags) == ("WA", ("checker_failed",))
    assert "more than 3 passes" in str(judgement.tests[0].detail)


REMEMBERING = PROGRAMS["remembering"]


@pytest.mark.parametrize("role", ["checker", "interactor"])
def test_what_a_program_left_in_the_folder_is_no_excuse_in_a_later_pass(
    role: str, judge: Judge
) -> None:
    source = REMEMBERING.replace("SAY", "print('go', flush=True)" * (role == "interactor"))
    spec = {"source": source, "protocol": "kattis", "passes": 5}
    tests = [{"input": "x\n", "output": "done\n"}]
    for text, verdict, flags in (("done", "AC", ()), ("junk", "WA", (f"{role}_failed",))):
        problem = {"problem_id": "p", "tests": tests, role: spec}
        judgement = judge.judge(f"input()\nprint('{text}')", problem)
        assert (judgement.verdict, judgement.flags) == (verdict, flags), judgement.error


def test_a_flooded_folder_of_an_interactor_is_wrong_and_flagged(judge: Judge) -> None:
    source = """import sys
print("go", flush=True)
with open(sys.argv[3] + "log", "w") as log:
    for line in sys.stdin:
        log.write("got " * 20 + line)
sys.exit(42)
"""
    spec = {"source": source, "protocol": "kattis", "passes": 2}
    problem = {"problem_id": "p", "tests": [{"input": "x", "output": ""}], "interactor": spec}
    assert str(judge.judge("input(); print('x')", problem).verdict) == "AC"
    flood = judge.judge("input()\nfor _ in range(150000): print('x')", problem)
    assert (str(flood.verdict), flood.flags) == ("WA", ("interactor_failed",)), flood.error


def test_a_folder_that_is_too_large_is_never_taken_for_an_empty_one(judge: Judge) -> None:
    start = 'with open(state, "w")'
    writing = 'open(sys.argv[3] + "log", "w").write("x" * (9 << 20))'
    large = VALIDATOR.replace(start, f"{writing}\n{start}")
    judgement = judge_passes(judge, RIGHT, large)
    assert judgement.verdict != "AC"
    assert "8 MiB" in str(judgement.error or judgement.tests)


# Asks for 2 more than it was told, in as many passes as the answer says, and counts them.
INTERACTOR = PROGRAMS["interactor"]


@pytest.mark.parametrize(
    ("code", "passes", "verdict"),
    [
        ("print(int(input()) + 2)", 3, "AC"),
        ("n = int(input())\nprint(n + 2 if n < 5 else n)", 3, "WA"),
        ("n = int(input())\nprint(n + 2 if n < 5 else 1 // 0)", 3, "RE"),
        ("n = int(input())\nwhile n == 5:\n    pass\nprint(n + 2)", 3, "TLE"),
        ("print(int(input()) + 2)", 2, "WA"),
    ],
    ids=["right", "wrong in the last pass", "crashes there", "hangs there", "one pass too many"],
)
def test_an_interactor_asks_for_passes_too(
    code: str, passes: int, verdict: str, judge: Judge
) -> None:
    interactor = {"source": INTERACTOR, "protocol": "kattis", "passes": passes}
    test = {"input": "1\n", "output": "3\n"}
    judgement = judge.judge(code, {"problem_id": "p", "tests": [test], "interactor": interactor})
    assert judgement.verdict == verdict, judgement.error or judgement.tests
