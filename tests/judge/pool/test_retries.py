"""What is repeated, and how often in all: counted on real processes, and as the pages say."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future

import psutil
import pytest

from microcoder_eval import Judge, Judgement, retries
from microcoder_eval.pool.pool import SharedExclusiveLock
from microcoder_eval.retries import NODE_START, NODE_TASK, RUN, TASK
from microcoder_sandbox import START_ATTEMPTS
from tests.delays import busy_cores
from tests.files import ROOT
from tests.processes import wait_until

ENDLESS = "while True: pass"
TESTS = [{"input": "", "output": "1"}]
BUSY_SECONDS = 0.1  # of CPU time, from which on a child runs the program
WORDS = {2: "two", 3: "three", 4: "four", 5: "five"}
PLACES = (
    ("docs/ray.md", "its tasks go to other nodes, {} times in all", NODE_TASK),
    ("docs/ray.md", "a new actor is started there, up to {} times in a row", NODE_START),
    ("docs/judge-errors.md", "ended by a SIGKILL from outside | the host | {} attempts", RUN),
    ("docs/judge-errors.md", "lost: killed, out of memory, stopped | the host | {} attempts", TASK),
    ("sandbox/DESIGN.md", "{} attempts in all", RUN),
    ("sandbox/DESIGN.md", "{} attempts in all", TASK),
)  # fmt: skip


def busy_children(
    others: list[psutil.Process],
) -> Iterator[tuple[psutil.Process, psutil.Process]]:
    """(judge worker, child that runs a program for it) below this process.

    Those below ``others``, workers of other judges, are left out.
    """
    for worker in set(psutil.Process().children()) - set(others):
        with contextlib.suppress(psutil.NoSuchProcess):
            for child in worker.children(recursive=True):
                if child.cpu_times().user > BUSY_SECONDS and not child.children():
                    yield worker, child


def programs_running(others: list[psutil.Process]) -> set[int]:
    """The processes of programs below this one: children of fork servers, by number."""
    workers = [worker for worker in psutil.Process().children() if worker not in others]
    servers = [server for worker in workers for server in worker.children()]
    return {child.pid for server in servers for child in server.children()}


def kill_each(
    future: Future[Judgement], others: list[psutil.Process], *, whole_worker: bool
) -> set[int]:
    """Kill each child that runs the program, or the worker that it runs for; whom, by number."""
    victims: set[int] = set()
    deadline = time.monotonic() + 60
    while not future.done() and time.monotonic() < deadline:
        for worker, child in busy_children(others):
            victim = worker if whole_worker else child
            victims.add(victim.pid)
            victim.kill()
        time.sleep(0.02)
    return victims


def test_a_task_whose_worker_dies_each_time_is_given_up() -> None:
    others = psutil.Process().children()
    with Judge(workers=1, reuse=False, limits={"time_s": 60}) as judge:
        future = judge.submit(ENDLESS, TESTS)
        victims = kill_each(future, others, whole_worker=True)
        judgement = future.result(timeout=0)
        assert judge.judge("print(1)", TESTS).passed
    assert len(victims) == TASK
    assert (judgement.verdict, judgement.reward) == ("JE", None)
    assert f"attempt {TASK} of {TASK}" in (judgement.error or "")


def test_a_run_that_is_killed_each_time_is_the_programs_own_end() -> None:
    others = psutil.Process().children()
    with Judge(workers=1, reuse=False, limits={"time_s": 60}) as judge:
        future = judge.submit(ENDLESS, TESTS)
        victims = kill_each(future, others, whole_worker=False)
        judgement = future.result(timeout=0)
    assert len(victims) == RUN
    assert judgement.verdict == "RE"


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.parametrize(
    ("limits", "seconds"),
    [({"time_s": 0.5}, 0.6), ({"time_s": 9, "wall_s": 0.3}, 9)],
    ids=["by the CPU time", "by the clock"],
)
def test_a_solution_that_waited_for_a_core_in_each_test_runs_once_more_in_all(
    limits: dict[str, float], seconds: float
) -> None:
    burn = f"import time\nwhile time.process_time() < {seconds}: pass"
    tests = [*TESTS, {"input": "1", "output": "1"}]
    children: set[int] = set()
    others = psutil.Process().children()
    with Judge(workers=1, reuse=False, stop="never", limits=limits) as judge, busy_cores():
        future = judge.submit(burn, tests)
        while not future.done():
            children.update(programs_running(others))
            time.sleep(0.02)
        judgement = future.result(timeout=0)
    assert [str(test.verdict) for test in judgement.tests] == ["TLE", "TLE"]
    assert "rerun_alone" in judgement.flags
    assert len(children) <= 2 * len(tests)  # a busy machine may hide one of them from us


def test_the_table_of_the_design_names_each_number() -> None:
    text = (ROOT / "microcoder_eval" / "DESIGN.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([A-Z_]+)` \|.*\| (\d+) \|[^|]*\|$", text, re.MULTILINE)
    numbers = {name: value for name, value in vars(retries).items() if name.isupper()}
    numbers["START_ATTEMPTS"] = START_ATTEMPTS
    assert {name: int(value) for name, value in rows} == numbers


@pytest.mark.parametrize(("page", "sentence", "attempts"), PLACES)
def test_pages_name_the_same_numbers(page: str, sentence: str, attempts: int) -> None:
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert sentence.format(WORDS[attempts]) in text or (
        sentence.format(WORDS[attempts].capitalize()) in text
    )


def test_a_task_alone_runs_beside_no_other_and_later_ones_wait_for_it() -> None:
    lock, order = SharedExclusiveLock(3), list[str]()

    def start(name: str, exclusive: bool) -> threading.Thread:
        def hold() -> None:
            lock.acquire(exclusive)
            order.append(name)
            lock.release(exclusive)

        thread = threading.Thread(target=hold, daemon=True)
        thread.start()
        return thread

    lock.acquire(False)
    lock.acquire(False)
    start("beside", False).join(30)
    alone = start("alone", True)
    assert wait_until(lock._entry.locked)
    threads = [alone, start("late", False)]
    lock.release(False)
    time.sleep(0.05)
    assert order == ["beside"]
    lock.release(False)
    for thread in threads:
        thread.join(30)
    assert order == ["beside", "alone", "late"]
