"""The order of tests: the file's or, if asked, first what fails most and what is cheap."""

from __future__ import annotations

import pytest

from microcoder_eval import Judgement
from tests.judges import SharedJudge

ROW = {"problem_id": "p", "tests": [{"input": f"{n}\n", "output": f"{n}"} for n in range(8)]}


def list_run(judgement: Judgement) -> list[int]:
    return [index for index, test in enumerate(judgement.tests) if test.verdict]


def test_adaptive_order_begins_with_what_others_failed() -> None:
    fails_on_five = "n = int(input())\nprint(n if n != 5 else 0)"
    with SharedJudge(workers=1, adaptive=True) as judge:
        first = judge.judge({"code": fails_on_five}, ROW)
        second = judge.judge({"code": fails_on_five + " #"}, ROW)
        right = judge.judge({"code": "print(input())"}, ROW)
    assert list_run(first) == [0, 1, 2, 3, 4, 5]
    assert list_run(second) == [5]
    assert str(second.verdict) == "WA"
    assert len(second.tests) == 8
    assert right.passed
    assert list_run(right) == list(range(8))


SIZES = ["7 7 7 7 7 7 7\n", "7 7 7\n", "7\n", "7 7\n"]
CALL = {"entry_point": "f", "kind": "call"}
BY_SIZE = {
    "text": {"tests": [{"input": text, "output": "0"} for text in SIZES]},
    "call": {**CALL, "tests": [{"input": [text.split()], "output": 0} for text in SIZES]},
}
PASSES_UP_TO = {
    "text": "print(0 if len(input().split()) <= {most} else 1)",
    "call": "def f(words):\n    return 0 if len(words) <= {most} else 1",
}


@pytest.mark.parametrize("kind", ["text", "call"])
def test_adaptive_order_goes_on_with_small_inputs(kind: str) -> None:
    problem = {"problem_id": "p", **BY_SIZE[kind]}
    with SharedJudge(workers=1, adaptive=True) as judge:
        fails_all, fails_large, fails_largest = (
            judge.judge({"code": PASSES_UP_TO[kind].format(most=most)}, problem)
            for most in (0, 2, 4)
        )
    assert list_run(fails_all) == [2]
    assert list_run(fails_large) == [1, 2, 3]  # the one that failed before, then by size
    assert list_run(fails_largest) == [0, 1, 2, 3]


@pytest.mark.parametrize("isolation", ["test", "batch"])
def test_the_order_is_the_files_unless_asked_otherwise(isolation: str) -> None:
    fails_on_five = "n = int(input())\nprint(n if n != 5 else 0)"
    with SharedJudge(workers=1, isolation=isolation) as judge:
        for end in ("", " #"):
            assert list_run(judge.judge({"code": fails_on_five + end}, ROW)) == [0, 1, 2, 3, 4, 5]
