"""The pool loses nothing, holds back its callers, and leaves no trace in them."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from microcoder_eval import Judge, JudgeError
from tests.commands import execute
from tests.files import read_table
from tests.judge.conftest import Script
from tests.processes import is_alive, wait_until

SCRIPTS = read_table(__file__)
Pair = tuple[str, list[dict[str, str]]]
TESTS = [{"input": f"{n}\n", "output": f"{n * n}\n"} for n in range(3)]
RIGHT, WRONG = "print(int(input()) ** 2)", "print(int(input()) + 7)"
SLOW = "import time; time.sleep(0.4); print(int(input()) ** 2)"
PRELUDE = f"import json, os\nTESTS = {TESTS!r}\nRIGHT, WRONG = {RIGHT!r}, {WRONG!r}\n"


@pytest.fixture(scope="module")
def wide_judge() -> Iterator[Judge]:
    with Judge(workers=2, max_pending=64, reuse=False) as judge:
        yield judge


@pytest.mark.slow
def test_the_iterable_is_never_far_ahead_of_the_results(wide_judge: Judge) -> None:
    taken = 0

    def pairs() -> Iterator[Pair]:
        nonlocal taken
        for number in range(100):
            taken = number + 1
            yield RIGHT, TESTS[:1]

    ahead = [taken - seen for seen, _ in enumerate(wide_judge.stream(pairs()))]
    assert len(ahead) == 100
    assert max(ahead) <= 4 * wide_judge.workers + 8


def test_a_stream_that_is_left_early_cancels_what_is_not_judged() -> None:
    with Judge(workers=1, reuse=False) as judge:
        for _ in judge.stream((SLOW, TESTS[:1]) for _ in range(100)):
            break
        assert judge.judge(RIGHT, TESTS[:1]).passed
        assert judge.stats().judgements <= 3  # the first, one that was running, and this


def test_an_error_of_the_iterable_reaches_the_caller_and_harms_no_pool(wide_judge: Judge) -> None:
    def pairs() -> Iterator[Pair]:
        yield RIGHT, TESTS
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        list(wide_judge.map(pairs()))
    assert wide_judge.judge(RIGHT, TESTS).passed


@pytest.mark.slow
def test_submit_blocks_while_max_pending_are_outstanding() -> None:
    with Judge(workers=1, max_pending=2, reuse=False) as judge:
        futures = [judge.submit(SLOW, TESTS[:1]) for _ in range(2)]
        third = judge.submit(RIGHT, TESTS)  # returns when a slot is free, not before
        assert any(future.done() for future in futures)
        assert third.result().passed


@pytest.mark.slow
def test_ajudge_leaves_the_loop_free_while_the_pool_is_full() -> None:
    async def work(judge: Judge) -> tuple[list[bool], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.01)

        ticking = asyncio.create_task(tick())
        judgements = await asyncio.gather(*(judge.ajudge(SLOW, TESTS[:1]) for _ in range(4)))
        ticking.cancel()
        return [j.passed for j in judgements], ticks

    with Judge(workers=1, max_pending=1, reuse=False) as judge:
        passed, ticks = asyncio.run(work(judge))
    assert passed == [True] * 4
    assert ticks > 20


@pytest.mark.slow
def test_a_loop_that_is_never_idle_gets_its_verdicts(wide_judge: Judge) -> None:
    async def work() -> list[bool]:
        async def compute() -> None:
            while True:
                start = time.thread_time()
                while time.thread_time() < start + 0.002:
                    sum(range(1000))
                await asyncio.sleep(0)

        computing = asyncio.create_task(compute())
        programs = (f"{RIGHT} # {number}" for number in range(256))
        async with asyncio.timeout(40):  # of a minute and a half if the threads get no turns
            judgements = await asyncio.gather(
                *(wide_judge.ajudge(code, TESTS[:1]) for code in programs)
            )
        assert computing.cancel()  # it ran until now
        return [judgement.passed for judgement in judgements]

    assert all(asyncio.run(work()))


def test_the_blocking_calls_work_inside_a_running_loop(wide_judge: Judge) -> None:
    async def work() -> bool:
        return wide_judge.judge(RIGHT, TESTS).passed and all(
            j.passed for j in wide_judge.map([(RIGHT, TESTS)])
        )

    assert asyncio.run(work())


def test_a_cancelled_task_frees_its_slot() -> None:
    with Judge(workers=1, max_pending=2, reuse=False) as judge:
        first, second = judge.submit(SLOW, TESTS[:1]), judge.submit(SLOW, TESTS[:1])
        assert second.cancel()
        assert judge.judge(RIGHT, TESTS).passed
        assert first.result().passed


def test_closing_waits_for_what_is_queued_and_cancelling_does_not() -> None:
    judge = Judge(workers=1, reuse=False)
    futures = [judge.submit(RIGHT, TESTS) for _ in range(5)]
    judge.close()
    assert all(future.done() and future.result().passed for future in futures)

    judge = Judge(workers=1, reuse=False)
    futures = [judge.submit("while True: pass", TESTS) for _ in range(5)]
    judge.close(cancel=True)
    assert all(future.done() for future in futures)
    assert not any(future.result().passed for future in futures if not future.cancelled())


def test_an_exception_in_the_with_block_cancels_and_leaves_no_process() -> None:
    before = _children()
    with pytest.raises(LookupError), Judge(workers=2, reuse=False) as judge:  # noqa: PT012 - the block is it
        for _ in range(6):
            judge.submit("while True: pass", TESTS)
        raise LookupError
    assert _children() - before == set()


def test_closing_twice_or_from_two_threads_is_no_error() -> None:
    judge = Judge(workers=1)
    judge.judge(RIGHT, TESTS)
    threads = [threading.Thread(target=judge.close) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    judge.close()
    for code in (RIGHT, WRONG, WRONG, WRONG):  # equal programs would wait for the first
        with pytest.raises(JudgeError, match="closed"):
            judge.submit(code, TESTS)


@pytest.mark.slow
def test_the_caller_has_as_many_descriptors_threads_and_processes_after_200_judgements(
    wide_judge: Judge,
) -> None:
    def counts() -> tuple[int, int, set[int]]:
        descriptors = len(os.listdir("/proc/self/fd"))
        return descriptors, threading.active_count(), _children()

    programs = [RIGHT, WRONG, "1 / 0", "import os; os._exit(3)", "import re; print(9)"]
    # All different, or they would be judged once: every worker starts each kind of server.
    list(wide_judge.map([(f"{code} # {n}", TESTS) for n in range(20) for code in programs]))
    before = counts()
    verdicts = [j.passed for j in wide_judge.map((programs[n % 5], TESTS) for n in range(200))]
    assert verdicts == [True, False, False, False, False] * 40
    after = counts()
    assert after[:2] == before[:2]
    assert len(after[2]) <= len(before[2])  # other tests' pools in this process only end


def _children() -> set[int]:
    # Without those that have ended: orphans come to whoever asked for them in this process.
    children = psutil.Process().children(recursive=True)
    return {child.pid for child in children if child.status() != psutil.STATUS_ZOMBIE}


def test_in_a_fork_a_judge_starts_workers_of_its_own_and_a_closed_one_stays_closed(
    script: Script,
) -> None:
    output = script(PRELUDE + SCRIPTS["a fork with a judge of its own"])
    assert output == [0, True]


def test_in_a_fork_all_judges_with_the_same_workers_share_the_new_ones(script: Script) -> None:
    results = script(PRELUDE + SCRIPTS["a fork with many judges"])
    assert results == [0, True, 1]


@pytest.mark.slow
def test_forks_while_other_threads_are_judging_work_and_harm_nobody(script: Script) -> None:
    output = script(PRELUDE + SCRIPTS["forks while threads judge"])
    assert output == [[True] * 60, [0] * 5]


@pytest.mark.sampled(3, "sandbox")
@pytest.mark.parametrize("closed", ["(0,)", "(1,)", "(2,)", "(0, 1, 2)"])
@pytest.mark.slow
def test_a_caller_without_standard_streams_can_judge(
    script: Script, tmp_path: Path, closed: str
) -> None:
    output = script(f"{PRELUDE}CLOSED = {closed}\n{SCRIPTS['closed streams']}")
    assert output == [True, False]


# Each is harmless to the others, so that one process may have many.
HABITS = SCRIPTS["habits of callers"]


@pytest.mark.parametrize("habits", HABITS)
@pytest.mark.slow
def test_a_callers_habits_are_not_the_programs(script: Script, habits: str) -> None:
    output = script(f"{PRELUDE}HABITS = {HABITS[habits]!r}\n{SCRIPTS['habits']}")
    assert output == ["AC", "WA", "AC"]


@pytest.mark.slow
def test_the_caller_keeps_its_signals_streams_folder_and_environment(script: Script) -> None:
    output = script(PRELUDE + SCRIPTS["the state of the caller"])
    assert output == [[True, False], True]


ENDING = SCRIPTS["ending"]


@pytest.mark.slow
@pytest.mark.parametrize("end", ["os._exit(0)", "sys.exit(1)", "os.abort()", "1 / 0"])
def test_callers_that_end_in_any_way_leave_no_process(end: str) -> None:
    result = execute([sys.executable, "-c", ENDING + end])
    pids = list(map(int, result.stdout.split()))
    assert pids
    # A zombie has ended, whenever its new parent comes to look at it.
    assert wait_until(
        lambda: not any(psutil.pid_exists(pid) and is_alive(psutil.Process(pid)) for pid in pids),
        30,
    )


def _judge_with_open_files(limit: int) -> str:
    """Judge a right program where a process may have so many open files; what is printed."""
    code = f"LIMIT = {limit}\n{SCRIPTS['few open files']}"
    return execute([sys.executable, "-c", code]).stdout


def test_few_open_files_are_enough() -> None:
    assert _judge_with_open_files(64) == "AC\n"


def test_a_start_that_fails_for_want_of_descriptors_says_what_to_raise() -> None:
    message = _judge_with_open_files(20)
    assert "ulimit -n" in message, message
    assert "thread" not in message


def test_an_option_that_is_given_as_its_default_starts_no_other_pool(script: Script) -> None:
    worker_counts = script(PRELUDE + SCRIPTS["equal options"])
    assert worker_counts[0] == worker_counts[1] < worker_counts[2]
