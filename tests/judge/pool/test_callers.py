"""The judge works wherever it is called from, and goes when its caller goes."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import psutil
import pytest

from microcoder_eval import Judge, JudgeError, run
from tests.commands import ENVIRONMENT
from tests.files import read_table
from tests.judge.conftest import Script
from tests.judge.pool.test_pool import PRELUDE, RIGHT, TESTS, WRONG
from tests.processes import is_alive, wait_until

SCRIPTS = read_table(__file__)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pool() -> Iterator[Judge]:
    with Judge(workers=2, reuse=False) as held:
        yield held


def test_map_keeps_the_order_of_its_pairs(pool: Judge) -> None:
    slow = "import time; time.sleep(0.2); print(int(input()) ** 2)"
    pairs = [(slow if n % 3 == 0 else f"# {n}\n{RIGHT}", TESTS[:1]) for n in range(12)]
    assert [str(j.verdict) for j in pool.map(pairs)] == ["AC"] * 12
    wrong_at = [(WRONG if n == 5 else RIGHT, TESTS) for n in range(9)]
    assert [j.passed for j in pool.map(wrong_at)] == [n != 5 for n in range(9)]


def test_stream_names_the_pair_each_result_belongs_to(pool: Judge) -> None:
    judgements = dict(pool.stream([(RIGHT, TESTS), (WRONG, TESTS), (RIGHT, TESTS)]))
    assert {index: j.passed for index, j in judgements.items()} == {0: True, 1: False, 2: True}


def test_a_pool_started_by_a_thread_that_has_ended_goes_on() -> None:
    made: list[Judge] = []
    thread = threading.Thread(target=lambda: made.append(Judge(workers=1, reuse=False)))
    thread.start()
    thread.join()
    with made[0] as held:
        assert held.judge(RIGHT, TESTS).passed


@pytest.mark.sampled(2, "sandbox")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_daemonic_process_may_judge(script: Script, method: str) -> None:
    verdicts = script(f"{PRELUDE}METHOD = {method!r}\n{SCRIPTS['a daemonic process']}")
    assert verdicts == ["AC", "WA"]


@pytest.mark.train
def test_a_process_with_torch_may_judge(script: Script) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    code = "import json, torch\nfrom microcoder_eval import judge\n"
    assert script(f"{PRELUDE}{code}print(json.dumps(judge(RIGHT, TESTS).passed))") is True


def test_nothing_is_left_when_the_caller_is_killed_while_its_fork_lives() -> None:
    caller = subprocess.Popen(
        [sys.executable, "-c", PRELUDE + SCRIPTS["a caller that is killed"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    assert caller.stdin is not None
    assert caller.stdout is not None
    with caller.stdin, caller.stdout:
        fork = int(caller.stdout.readline())
        family = psutil.Process(caller.pid)
        assert wait_until(lambda: len(family.children(recursive=True)) >= 5)
        ours = [p for p in family.children(recursive=True) if p.pid != fork]
        caller.send_signal(signal.SIGKILL)
        caller.wait()
        assert wait_until(lambda: not any(map(is_alive, ours)), 5.0)
        assert psutil.pid_exists(fork)


def test_a_level_that_cannot_be_had_is_an_error_that_says_what_is_missing() -> None:
    with pytest.raises(JudgeError, match="level 3 reached, 4 asked for"):
        Judge(workers=1, min_level=4, max_level=3, reuse=False)


def test_importing_starts_nothing(script: Script) -> None:
    code = "import microcoder_eval, threading, psutil\n"
    code += "print([threading.active_count(), len(psutil.Process().children())])"
    assert script(code) == [1, 0]


def test_run_answers_in_the_kind_it_was_asked() -> None:
    assert run("print(input()[::-1])", "abc\n").stdout == "cba\n"
    assert run("import sys; sys.stdout.buffer.write(b'\\xff')", b"").stdout == b"\xff"
    failed = run("import sys; print('why', file=sys.stderr); sys.exit(3)")
    assert (failed.exit, failed.stderr) == (3, "why\n")
    assert failed.memory_mb >= 0


def test_a_program_that_does_not_compile_ends_as_under_python() -> None:
    result = run("print(")
    assert (result.exit, result.killed) == (1, None)
    assert result.stderr.startswith('  File "solution.py", line 1\n')
    assert result.stderr.endswith("SyntaxError: '(' was never closed\n")
