"""Test code that ends its own process: no candidate is excused by it, and none passes by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from microcoder_eval import Judge, Judgement, Limits

# Generous: test code that runs into its own CPU limit of 1 s + 5 s must find the candidate alive.
LIMITS = Limits(time_s=0.5, wall_s=60.0)
RIGHT, WRONG = "def f(x): return x + 1", "def f(x): return 7"
# The dry run's stand-in answers with an object, which is no integer: it goes on to the end.
ENDING = """
import ctypes, os, signal, sys, threading, time
def recurse(): return recurse()
answer = f(1)
if isinstance(answer, int) and answer != 2:
    {ending}
assert answer + 0 == 2
"""
ENDINGS = {
    "exit status 0": "os._exit(0)",
    "another exit status": "os._exit(3)",
    "sys.exit(0)": "sys.exit(0)",
    "abort in a thread": "threading.Thread(target=os.abort).start(); time.sleep(60)",
    "a signal": "os.kill(os.getpid(), signal.SIGTERM)",
    "a stack that overflows": "sys.setrecursionlimit(10**9); recurse()",
    "more memory than there is": "kept = []\n    while True: kept.append(b'x' * (64 << 20))",
    "no more report": "os.closerange(3, 100)",
}


@pytest.fixture
def judge(judge: Judge) -> Judge:
    return judge.with_changes(limits=LIMITS)


def run(judge: Judge, code: str, test_code: str) -> Judgement:
    problem = {"kind": "assert", "entry_point": "f", "test_code": test_code}
    return judge.judge({"code": code}, problem)


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize("name", ENDINGS)
def test_a_wrong_answer_over_which_test_code_ends_is_wrong_and_flagged(
    judge: Judge, name: str
) -> None:
    judgement = run(judge, WRONG, ENDING.format(ending=ENDINGS[name]))
    assert (judgement.verdict, judgement.flags) == ("WA", ("tests_failed",)), judgement


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "wall_s", "verdict"),
    # Who waits longest: the candidate has less time on the clock than the test code.
    [("while True: pass", 60.0, "WA"), ("time.sleep(1000)", 1.0, "TLE")],
)
def test_test_code_that_does_not_end_is_no_excuse_either(
    judge: Judge, ending: str, wall_s: float, verdict: str
) -> None:
    judge = judge.with_changes(limits=replace(LIMITS, wall_s=wall_s))
    judgement = run(judge, WRONG, ENDING.format(ending=ending))
    assert judgement.verdict == verdict, judgement


@pytest.mark.sampled(3, "slow")
@pytest.mark.parametrize("name", ENDINGS)
def test_the_right_answer_passes_beside_such_a_branch(judge: Judge, name: str) -> None:
    assert run(judge, RIGHT, ENDING.format(ending=ENDINGS[name])).verdict == "AC"


@pytest.mark.parametrize(
    "test_code",
    [
        "import os\nanswer = f(1)\nos._exit(0)\nassert answer + 0 == 2\n",
        "import os\nos._exit(0)\nassert f(1) + 0 == 2\n",
        "import sys\nassert f(1) + 0 == 2\nsys.exit(0)\nassert f(2) + 0 == 3\n",
        pytest.param("while True: pass\nassert f(1) + 0 == 2\n", marks=pytest.mark.slow),
    ],
)
def test_test_code_that_ends_without_a_candidate_is_the_problems_failure(
    judge: Judge, test_code: str
) -> None:
    verdicts = [run(judge, code, test_code).verdict for code in (RIGHT, WRONG)]
    assert verdicts == ["JE", "JE"]


@pytest.mark.parametrize("ending", ["sys.exit()", "sys.exit(0)", "exit()", "os._exit(0)"])
def test_an_exit_at_the_end_of_test_code_is_left_out(judge: Judge, ending: str) -> None:
    test_code = f"import os, sys\nassert f(1) + 0 == 2\n{ending}\n"
    assert run(judge, RIGHT, test_code).verdict == "AC"
    assert run(judge, WRONG, test_code).verdict == "WA"


def test_an_exit_before_an_assertion_is_never_a_pass(judge: Judge) -> None:
    test_code = (
        "import sys\nfor n in range(3):\n    if n: sys.exit(0)\n    assert f(n) + 0 == n + 1\n"
    )
    assert run(judge, RIGHT, test_code).verdict == "WA"


def test_an_exit_that_the_candidate_raises_is_its_own_failure(judge: Judge) -> None:
    judgement = run(judge, "def f(x): raise SystemExit(0)", "assert f(1) + 0 == 2\n")
    assert (judgement.verdict, judgement.flags) == ("RE", ("tests_failed",))


def test_a_candidate_that_runs_out_of_memory_exceeds_its_limit(judge: Judge) -> None:
    code = "def f(x): return [0] * 10**10"
    assert run(judge, code, "for x in [1]:\n    assert f(x) == 1\n").verdict == "MLE"
