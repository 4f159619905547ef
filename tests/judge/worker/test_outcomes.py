"""What the sandbox tells of a run, and the verdict, the words and the flags that follow from it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import pytest

from microcoder_eval.compare import make_comparer
from microcoder_eval.python_tests.planning import plan
from microcoder_eval.records import TestResult, Verdict
from microcoder_eval.worker.expectations import Comparison, Expectation, bound_nodes, expect_result
from microcoder_eval.worker.kinds.assertion import expect_relation
from microcoder_eval.worker.kinds.stdin import expect_output
from microcoder_eval.worker.verdicts import (
    TestVerdict,
    decide_verdict,
    judge_without_run,
    was_killed_externally,
)
from microcoder_sandbox import SandboxError, codec
from microcoder_sandbox.host.outcome import Killed, Outcome, Phase, ResourceLimits
from tests.files import read_table

TABLE = read_table(__file__)
MIB = 1 << 20
LIMITS = ResourceLimits(
    cpu_seconds=1.0, wall_seconds=9.0, memory_bytes=100 * MIB, output_bytes=2 * MIB
)
FINE = Outcome(0, None, Phase.FINISHED, 0.1, 0.2, 3 * MIB // 2, b"4\n", b"", b"V[1,2]")
CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGKILL")


def decide(expectation: Expectation | None = None, **changes: Any) -> TestVerdict:
    text = expect_output(make_comparer("exact"), b"4\n")
    return decide_verdict(FINE._replace(**changes), LIMITS, 1.0, expectation or text)


EXCEPTION_GROUP = b"""\
  + Exception Group Traceback (most recent call last):
  |   File "solution.py", line 1, in <module>
  |     raise ExceptionGroup("two", [ValueError(1)])
  | ExceptionGroup: two (1 sub-exception)
  +-+---------------- 1 ----------------
    | ValueError: 1
    +------------------------------------
"""


@pytest.mark.parametrize(
    ("changes", "verdict", "detail"),
    [
        ({}, "AC", None),
        ({"stdout": b"5\n"}, "WA", 'line 1, column 1: got "5", expected "4"'),
        ({"peak_memory": None}, "AC", None),
        # Compiling
        ({"phase": Phase.COMPILE_FAILED, "stderr": b"a\nSyntaxError: b\n"}, "CE", "SyntaxError: b"),
        ({"phase": Phase.COMPILE_FAILED}, "CE", "does not compile"),
        (
            {"phase": Phase.COMPILING, "killed": Killed.CPU, "stderr": b"x"},
            "CE",
            "the compiler was stopped at its cpu limit",
        ),
        ({"phase": Phase.NO_ENTRY, "result": b'R"no f"'}, "CE", "no f"),
        ({"phase": Phase.NO_ENTRY, "result": b"R[1]"}, "CE", "no entry point"),
        ({"phase": Phase.NO_ENTRY, "result": b"R" + b"[" * 5000}, "CE", "no entry point"),
        # Limits
        ({"cpu_s": 1.0}, "AC", None),
        ({"cpu_s": 1.01}, "TLE", "1.01 s of CPU time, limit 1 s"),
        ({"cpu_s": 1.01, "killed": Killed.OUTPUT}, "OLE", "more than 2 MiB of output"),
        ({"cpu_s": 0.9, "killed": Killed.CPU}, "TLE", "0.90 s of CPU time, limit 1 s"),
        ({"stdout": b"4" * 2 * MIB}, "WA", None),
        ({"stdout": b"4" * (2 * MIB + 1)}, "OLE", "more than 2 MiB of output"),
        ({"peak_memory": 100 * MIB}, "AC", None),
        ({"peak_memory": 100 * MIB + 1}, "MLE", "peak 100 MiB, limit 100 MiB"),
        ({"peak_memory": 99 * MIB, "killed": Killed.MEMORY}, "MLE", "peak 99 MiB, limit 100 MiB"),
        # Both: only a program that waited for a core comes there.
        ({"peak_memory": 101 * MIB, "cpu_s": 1.1}, "TLE", "1.10 s of CPU time, limit 1 s"),
        (
            {"peak_memory": 101 * MIB, "cpu_s": 1.1, "killed": Killed.MEMORY},
            "MLE",
            "peak 101 MiB, limit 100 MiB",
        ),
        ({"peak_memory": None, "killed": Killed.MEMORY}, "MLE", "peak 0 MiB, limit 100 MiB"),
        ({"killed": Killed.IDLE}, "TLE", "idle: both sides waited for the other for 2 s"),
        ({"killed": Killed.WALL, "wall_s": 9.5}, "TLE", "9.50 s on the clock, limit 9 s"),
        (
            {"killed": Killed.WALL, "wall_s": 9.5, "run_delay": 1.25},
            "TLE",
            "9.50 s on the clock, 1.25 s of it waiting for a core, limit 9 s",
        ),
        # How it ended
        ({"killed": Killed.THREADS, "status": signal.SIGKILL}, "RE", "too many threads"),
        ({"killed": Killed.FILES, "status": signal.SIGKILL}, "RE", "more than 0 MiB of files"),
        ({"status": 1 << 8}, "RE", "exit status 1"),
        ({"status": 1 << 8, "stderr": b"a\nb\n\n"}, "RE", "b"),
        (
            {"status": 1 << 8, "stderr": EXCEPTION_GROUP},
            "RE",
            "ExceptionGroup: two (1 sub-exception)",
        ),
        ({"status": 1 << 8, "refused_memory": True}, "MLE", "memory refused at 100 MiB"),
        ({"refused_memory": True}, "AC", None),
        ({"status": signal.SIGTERM, "peak_memory": 96 * MIB}, "RE", "signal 15 (SIGTERM)"),
        ({"status": 50}, "RE", "signal 50 (unknown)"),
        *(
            ({"status": signal.Signals[name], "peak_memory": mib * MIB}, verdict, detail)
            for name in CRASHES
            for mib, verdict, detail in (
                (96, "MLE", f"{name} at the memory limit"),
                (95, "RE", f"signal {signal.Signals[name]:d} ({name})"),
            )
        ),
        ({"status": signal.SIGSEGV, "peak_memory": None}, "RE", "signal 11 (SIGSEGV)"),
    ],
)
def test_a_run_gets_a_verdict_and_words(
    changes: dict[str, Any], verdict: str, detail: str | None
) -> None:
    result = decide(**changes).result
    assert result.verdict == verdict
    assert result.detail == detail or (detail is None and verdict == "WA")
    assert (result.matched_by is not None) == (verdict == "AC")


def test_a_result_has_times_in_microseconds_and_memory_in_thousandths_of_a_mib() -> None:
    result = decide(cpu_s=0.12345678, wall_s=0.98765432, peak_memory=1234567).result
    assert (result.cpu_s, result.wall_s, result.memory_mb) == (0.123457, 0.987654, 1.177)
    assert decide(peak_memory=None).result.memory_mb is None


def test_a_detail_has_at_most_300_characters() -> None:
    assert decide(status=1 << 8, stderr=b"x" * 999).result.detail == "x" * 300
    result = judge_without_run(Comparison(Verdict.WA, "y" * 999)).result
    assert result == TestResult(Verdict.WA, detail="y" * 300)
    assert judge_without_run(Comparison(Verdict.AC)).result.detail is None


@pytest.mark.parametrize(
    ("changes", "flags"),
    [
        ({}, ()),
        ({"cpu_s": 0.79}, ()),
        ({"cpu_s": 0.8}, ("near_limit",)),
        ({"cpu_s": 1.25}, ("near_limit",)),
        ({"cpu_s": 1.26}, ()),
        ({"cpu_s": 1.1, "killed": Killed.CPU}, ()),
        ({"cpu_s": 1.1, "killed": Killed.WALL}, ("near_limit",)),
        ({"left_threads": True}, ("left_over_threads",)),
        ({"exited_early": True}, ()),  # a program that prints may end as it likes
        ({"called_other_name": True}, ("other_entry_point",)),
    ],
)
def test_a_run_is_flagged(changes: dict[str, Any], flags: tuple[str, ...]) -> None:
    assert decide(**changes).flags == flags


def test_a_call_that_ends_the_process_is_flagged_and_so_is_what_the_expectation_says() -> None:
    answer = Comparison(Verdict.AC, None, "exact", ("of the answer",))
    expectation = Expectation(lambda _: answer, needs_result=True, flags=("of the test",))
    flags = ("early_exit", "of the test", "of the answer")
    assert decide(expectation, exited_early=True).flags == flags
    comparison = Comparison(Verdict.WA, flags=("a",))
    assert judge_without_run(comparison) == TestVerdict(
        judge_without_run(comparison).result, comparison, ("a",)
    )


@pytest.mark.parametrize(
    ("changes", "contended"),
    [
        ({"cpu_s": 1.1, "run_delay": 0.17}, True),
        ({"cpu_s": 1.1, "run_delay": 0.16}, False),
        ({"cpu_s": 1.1, "run_delay": 0.17, "killed": Killed.CPU}, True),
        ({"cpu_s": 1.25, "run_delay": 9.0}, False),  # with a core of its own it is too slow, too
        ({"cpu_s": 0.9, "run_delay": 9.0}, False),  # in time
        ({"killed": Killed.IDLE, "run_delay": 9.0}, False),
        ({"killed": Killed.WALL, "wall_s": 10.0, "run_delay": 1.6}, True),
        ({"killed": Killed.WALL, "wall_s": 10.0, "run_delay": 1.5}, False),
    ],
)
def test_a_run_that_waited_for_a_core_and_failed_by_its_time_is_repeated(
    changes: dict[str, Any], contended: bool
) -> None:
    assert decide(**changes).contended is contended


@pytest.mark.parametrize(
    ("result", "verdict", "detail"),
    [
        (b"V[1,2]", "AC", None),
        (b"V[1,3]", "WA", "item 2: got 3, expected 2"),
        (b"", "RE", "the program ended before the function returned"),
        (b'X"a generator"', "RE", "the result cannot be compared: a generator"),
        (b"X{}", "RE", "the result cannot be compared: it is not plain"),
        (b"V[1,", "RE", "the result was not sent whole"),
        (b"V\xff", "RE", "the result was not sent whole"),
    ],
)
def test_a_returned_value_is_compared(result: bytes, verdict: str, detail: str | None) -> None:
    test_verdict = decide(expect_result(make_comparer("exact"), [1, 2]), result=result).result
    assert test_verdict.verdict == verdict
    assert verdict == "WA" or test_verdict.detail == detail


def test_a_result_of_many_values_is_compared_where_the_expected_one_explains_it() -> None:
    expected = [*range(30_000)]
    assert bound_nodes(expected) == 4 * (1 + 1 + 29_999)
    expectation = expect_result(make_comparer("exact"), expected)
    for count, excessive in ((100_001, False), (120_004, False), (120_005, True)):
        # As many marks, and one more for the result itself, as there are commas and brackets.
        body = b"V[" + b",".join([b"1"] * (count - 1)) + b"]"
        detail = decide(expectation, result=body).result.detail or ""
        assert ("far more elements" in detail) is excessive, count
    few = expect_result(make_comparer("exact"), [1])
    body = b"V[" + b",".join([b"1"] * 99_999) + b"]"
    assert "far more elements" not in (decide(few, result=body).result.detail or "")
    assert "far more elements" in (decide(few, result=body[:-1] + b",1]").result.detail or "")


@pytest.mark.parametrize(
    ("stderr", "line"),
    [
        *((text.encode(), line) for text, line in TABLE["last_words"]),
        (b"a.js:1\n" + b" " * 400 + b"\nb\n(Use `node` ...)\n\nNode.js v22.1.0\n", "b"),
        (
            b'a\nException in thread "main" java.lang.E: b\nc\n\tat d' + b"\n\tat d" * 9999,
            'Exception in thread "main" java.lang.E: b',
        ),
        (b"\xff last \n\n", "\ufffd last"),
        (b"x" * 5000, "x" * 300),
    ],
)
def test_a_failed_program_is_described_by_its_own_words(stderr: bytes, line: str) -> None:
    assert decide(status=1 << 8, stderr=stderr).result.detail == line


def test_a_child_that_was_not_confined_gets_no_verdict() -> None:
    with pytest.raises(SandboxError, match=r"entering Landlock failed \(errno 38, status 9\)$"):
        decide(phase=Phase.SETUP, status=9, setup_step=3, setup_errno=38)
    assert decide(phase=Phase.SETUP, killed=Killed.WALL).result.verdict == "TLE"


def test_a_limit_that_could_not_be_set_names_those_of_the_judge_itself() -> None:
    code = TABLE["limits_that_could_not_be_set"]
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    lines = process.stdout.decode().splitlines()
    assert [("ulimit -t" in line, "ulimit -v" in line) for line in lines] == [
        (False, False), (True, False), (True, True), *[(False, False)] * 3,
    ]  # fmt: skip
    assert lines[0].endswith("(errno 1, status 9)")
    assert "4096 MiB of address space (ulimit -v) and 900 s of CPU time (ulimit -t)" in lines[2]


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "None"), (True, "True"), ((1,), "(1,)"), ("a" * 99, "'aaa")],
    ids=["none", "bool", "tuple", "text"],
)
def test_an_assertion_tells_a_value_as_python_writes_it(value: Any, text: str) -> None:
    (test,) = plan("assert f(1) == 3", "f", "").tests
    result = b"V" + json.dumps(codec.to_json(value)).encode()
    comparison = expect_relation(test).compare(FINE._replace(result=result))
    assert comparison.verdict is Verdict.WA
    assert (comparison.detail or "").startswith(f"f(1) == 3: got {text}")


def test_only_a_kill_that_is_not_ours_is_from_outside() -> None:
    outcome = FINE._replace(status=signal.SIGKILL)
    assert was_killed_externally(outcome)
    assert not was_killed_externally(outcome._replace(killed=Killed.MEMORY))
    assert not was_killed_externally(outcome._replace(status=signal.SIGTERM))
