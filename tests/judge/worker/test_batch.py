"""Several tests in one child: never another verdict than with a child for every test."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement
from microcoder_eval.plain.gate import is_plain
from tests.files import read_table
from tests.judge.conftest import LIMITS, verdicts
from tests.judge.worker.leaks import LEAKS
from tests.judges import SharedJudge

TABLE = read_table(__file__)
WORDS = ("one", "two", "three", "four", "five")


@pytest.fixture(scope="module")
def isolated() -> Judge:
    return SharedJudge(workers=1, stop="never", limits=LIMITS, isolation="test")


@pytest.fixture(scope="module")
def batched() -> Judge:
    return SharedJudge(workers=1, stop="never", limits=LIMITS, isolation="batch")


def lines(*pairs: tuple[str, str], **extra: Any) -> dict[str, Any]:
    return {"kind": "stdin", "tests": [{"input": a, "output": b} for a, b in pairs], **extra}


ECHO = lines(*((word + "\n", word) for word in WORDS))
ECHO_CALL = {
    "kind": "call",
    "entry_point": "f",
    "tests": [{"input": [word], "output": word} for word in WORDS],
}


def count_shared(judgement: Judgement) -> int:
    """How many tests ran in a child that another had run in."""
    return sum(test.memory_mb is None for test in judgement.tests_run)


# Whoever finds what an earlier test has left passes all of them.
HUNT = lines(("x\n", ""), *[("x\n", "leaked")] * 3)
HUNT_CALL = {
    "kind": "call",
    "entry_point": "f",
    "tests": [{"input": ["x"], "output": "fresh" if n == 0 else "leaked"} for n in range(4)],
}


LEAVING = {
    "a script": (False, "print('leaked' if seen else '')", HUNT),
    "a call": (True, "def f(x): return 'leaked' if seen else 'fresh'", HUNT_CALL),
}


@pytest.mark.parametrize("kind", LEAVING)
def test_nothing_that_a_test_leaves_is_found_by_the_next(
    batched: Judge, isolated: Judge, kind: str
) -> None:
    is_call, end, problem = LEAVING[kind]
    programs = {name: f"{code}\n{end}" for name, code in LEAKS.items()}
    # All others have a child for each test,
    # (test_a_program_that_is_not_plain_has_a_child_for_each_test).
    sharing = {name for name in programs if is_plain(programs[name].encode(), call=is_call)}
    assert "a class that counts" in sharing
    for name in sharing:
        judged = verdicts(batched.judge({"code": programs[name]}, problem))
        if "AC" in judged[1:]:  # some find what any process has
            assert judged == verdicts(isolated.judge({"code": programs[name]}, problem)), name


@pytest.mark.parametrize("code", TABLE["ordinary"])
def test_tests_of_ordinary_programs_share_a_child(batched: Judge, code: str) -> None:
    judgement = batched.judge({"code": code}, ECHO_CALL if "def f(" in code else ECHO)
    assert judgement.passed, judgement
    assert count_shared(judgement) == len(WORDS) - 1


@pytest.mark.parametrize("line", ["sys.stdin.readline()", "sys.stdin.buffer.readline().decode()"])
def test_what_a_stream_has_read_ahead_is_not_read_by_the_next_test(
    batched: Judge, line: str
) -> None:
    problem = lines(*((f"{word}\nmore\n", word) for word in WORDS))
    judgement = batched.judge({"code": f"import sys\nprint({line}.strip())"}, problem)
    assert (judgement.verdict, count_shared(judgement)) == ("AC", len(WORDS) - 1)


@pytest.mark.parametrize("code", TABLE["not_plain"])
def test_a_program_that_is_not_plain_has_a_child_for_each_test(batched: Judge, code: str) -> None:
    judgement = batched.judge({"code": code}, ECHO)
    assert judgement.passed, judgement
    assert count_shared(judgement) == 0


def test_calls_of_assertions_share_a_child(batched: Judge) -> None:
    test_code = "def check(f):\n" + "".join(f"    assert f({n}) == {n + 1}\n" for n in range(6))
    problem = {"kind": "assert", "entry_point": "f", "test_code": test_code, "tests": []}
    judgement = batched.judge({"code": "def f(n): return n + 1"}, problem)
    assert judgement.passed, judgement
    assert count_shared(judgement) == 5


@pytest.mark.parametrize("limit", ["", "import sys\nsys.setrecursionlimit(60)\n"])
def test_a_program_is_as_deep_in_the_stack_in_a_session_as_alone(
    batched: Judge, isolated: Judge, limit: str
) -> None:
    depth = (
        f"{limit}def depth(n=0):\n    try: return depth(n + 1)\n"
        "    except RecursionError: return n\n"
    )
    problem = {
        "kind": "call",
        "entry_point": "f",
        "tests": [{"input": [], "output": 0}] * 3,
    }
    for code in (f"{depth}def f(): return depth()", f"{depth}m = depth()\ndef f(): return m"):
        details = [
            [test.detail for test in judge.judge({"code": code}, problem).tests_run]
            for judge in (batched, isolated)
        ]
        assert all(details[0])  # each says how deep it came
        assert details[0] == details[1]
    script = f"{depth}print(depth())"
    outputs = [judge.judge({"code": script}, ECHO).tests for judge in (batched, isolated)]
    assert [t.detail for t in outputs[0]] == [t.detail for t in outputs[1]]


STEPS = "import sys\nn = int(input())\n"


@pytest.mark.parametrize(("code", "expected"), TABLE["failures"])
def test_a_test_that_fails_among_others_has_its_own_verdict(
    batched: Judge, isolated: Judge, code: str, expected: str
) -> None:
    problem = lines(*((f"{n}\n", str(n)) for n in range(1, 6)))
    assert " ".join(verdicts(isolated.judge({"code": code}, problem))) == expected
    assert " ".join(verdicts(batched.judge({"code": code}, problem))) == expected


@pytest.mark.parametrize("head", ["", "import re\nre.compile('x')\n"], ids=["plain", "not plain"])
@pytest.mark.parametrize(
    "members", ["-17, -15, -10, -6, 6, 10, 15, 17", "8, 0, 16, 24", "1, -1, 8"]
)
def test_a_set_in_the_text_iterates_in_every_child_as_in_python(
    batched: Judge, isolated: Judge, head: str, members: str
) -> None:
    code = f"{head}input()\nfor n in {{{members}}}: print(n)"
    python = subprocess.run(
        [sys.executable, "-c", code], input="\n", capture_output=True, text=True, check=True
    )
    problem = lines(*((f"{n}\n", python.stdout) for n in range(4)))
    for judge in (batched, isolated):
        assert verdicts(judge.judge({"code": code}, problem)) == ["AC"] * 4


def test_memory_that_only_one_test_takes_is_not_the_others(batched: Judge) -> None:
    code = STEPS + "x = bytearray((100 << 20) * (n < 4))\nprint(n)"
    problem = lines(*((f"{n}\n", str(n)) for n in range(1, 6)))
    judgement = batched.judge({"code": code}, problem)
    assert judgement.passed
    assert 100 <= (judgement.tests[0].memory_mb or 0) < 110


def test_memory_that_piles_up_over_tests_fails_none(batched: Judge) -> None:
    code = "import sys\nclass A: pass\na = A()\na.a, a.b = a, bytearray(60 << 20)\nprint(input())"
    judgement = batched.judge({"code": code}, lines(*((f"{n}\n", str(n)) for n in range(12))))
    assert judgement.passed, judgement


def test_large_inputs_and_outputs_pass_through_whole(batched: Judge) -> None:
    texts = ["x" * size for size in (10, 70_000, 3_000_000, 5, 900_000)]
    judgement = batched.judge(
        {"code": "print(input())"}, lines(*((text + "\n", text) for text in texts))
    )
    assert judgement.passed, judgement


@pytest.mark.slow
@pytest.mark.timed
def test_time_is_counted_test_by_test(batched: Judge) -> None:
    code = STEPS + "t = 0\nfor i in range(1_500_000 * (n == 3)): t += i\nprint(n)"
    judgement = batched.judge({"code": code}, lines(*((f"{n}\n", str(n)) for n in range(1, 6))))
    times = [test.cpu_s for test in judgement.tests_run]
    assert judgement.passed
    assert max(times[1], times[3], times[4]) < times[2] / 2  # the first also pays for the start


@pytest.mark.slow
def test_a_batch_that_takes_longer_than_one_limit_is_no_failure(batched: Judge) -> None:
    code = STEPS + "t = 0\nfor i in range(4_000_000): t += i\nprint(n)"
    judgement = batched.judge({"code": code}, lines(*((f"{n}\n", str(n)) for n in range(8))))
    assert set(verdicts(judgement)) == {"AC"}
