"""What starting takes: modules that nobody needs yet are not imported, and workers stay small."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from microcoder_eval import Judge
from microcoder_eval.pool.worker_process import SpareWorker, spare_worker
from tests.commands import execute
from tests.processes import wait_until

JUDGING = ["solutions.jsonl", "--tests", "tests.jsonl"]
# The ways in, and how many modules each may load that a bare interpreter has not: a tenth more than
# it does. What is needed later is imported later, by every command and in every worker.
MOST_MODULES = {
    "import microcoder_eval": 20,
    "from microcoder_eval import judge": 165,
    "import microcoder_eval.cli": 36,
    "import microcoder_eval.worker.main": 65,
    "import microcoder_eval.worker.main, microcoder_eval.worker.judging": 205,
    "import microcoder_train.cli": 86,
    "import microcoder_data.cli": 6,
}
# Beyond an interpreter that has imported nothing, which takes 8.5 MiB in Python 3.11.
WORKER_MB = 11.5
FindWorkers = Callable[[], list[int]]
ADD = {"code": "a, b = map(int, input().split())\nprint(a + b)"}
SUM = [{"input": "1 2", "output": "3"}]


@pytest.mark.parametrize("statement", MOST_MODULES)
def test_a_way_in_loads_few_modules_and_no_package_of_others(statement: str) -> None:
    code = f"import sys\nold = {{*sys.modules}}\n{statement}\nprint(*{{*sys.modules}} - old)"
    modules = run_python("-c", code).split()
    packages = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names
    assert [name for name in packages if not name.startswith("microcoder_")] == []
    assert len(modules) <= MOST_MODULES[statement], sorted(modules)


@pytest.mark.parametrize(
    ("words", "starts"),
    [
        (JUDGING, True),
        (["--tests=tests.jsonl", "solutions.jsonl"], True),
        (["--stop", "never", *JUDGING], True),
        ([], False),
        (["--help"], False),
        (["solutions.jsonl"], False),
        (["report", "results.jsonl", "--tests", "tests.jsonl"], False),
        ([*JUDGING, "--engine", "ray"], False),
        ([*JUDGING, "--engine=ray"], False),
    ],
)
def test_a_command_that_judges_starts_a_worker_before_it_reads_its_arguments(
    words: list[str], starts: bool, tmp_path: Path
) -> None:
    (tmp_path / "solutions.jsonl").touch()
    code = f"""\
import os, sys
from microcoder_eval import cli

started = []

def watch(event, arguments):
    if event in ("os.posix_spawn", "subprocess.Popen"):
        started.append(arguments)
    elif event == "import" and arguments[0] == "argparse":
        print(bool(started), flush=True)
        os._exit(0)

os.chdir({str(tmp_path)!r})
sys.addaudithook(watch)
cli.main({words!r})
"""
    assert run_python("-c", code) == str(starts)


def test_a_worker_stays_small(find_workers: FindWorkers) -> None:
    idle = subprocess.Popen(
        [sys.executable, "-s", "-P", "-S", "-B", "-X", "utf8", "-c", "print(flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with idle, Judge(workers=1) as judge:
        assert idle.stdout is not None
        idle.stdout.readline()
        assert judge.judge(ADD, SUM).passed
        interpreter = psutil.Process(idle.pid).memory_info().rss
        sizes = [psutil.Process(pid).memory_info().rss for pid in find_workers()]
        idle.kill()
    assert len(sizes) == 1
    assert sizes[0] - interpreter < WORKER_MB * 2**20


def test_no_worker_is_started_while_another_is_idle(find_workers: FindWorkers) -> None:
    with Judge(workers=2, reuse=False) as judge:
        for _ in range(3):
            assert judge.judge(ADD, SUM).passed
            # The verdict is there a moment before its worker is idle.
            assert wait_until(lambda: bool(judge._pool._idle_count))  # type: ignore[attr-defined]
        assert len(find_workers()) == 1
        slow = {"code": "import time\ntime.sleep(1)\nprint(3)"}
        assert all(one.passed for one in judge.map([(slow, SUM)] * 2))
        assert len(find_workers()) == 2


def test_a_spare_worker_becomes_the_first_of_a_pool(find_workers: FindWorkers) -> None:
    spare_worker.start()
    spare_worker.start()
    (pid,) = find_workers()
    with Judge(workers=1) as judge:
        assert find_workers() == [pid]
        assert judge.judge(ADD, SUM).passed
    assert find_workers() == []


def test_a_spare_worker_that_has_died_is_replaced(find_workers: FindWorkers) -> None:
    spare_worker.start()
    (pid,) = find_workers()
    psutil.Process(pid).kill()
    with Judge(workers=1) as judge:
        assert judge.judge(ADD, SUM).passed


def test_a_spare_worker_that_nobody_takes_ends_with_its_caller(find_workers: FindWorkers) -> None:
    spare = SpareWorker()
    spare.start()
    (pid,) = find_workers()
    spare.close()
    assert not psutil.pid_exists(pid)
    code = (
        "import psutil\nfrom microcoder_eval.pool.worker_process import spare_worker\n"
        "spare_worker.start()\nprint(psutil.Process().children()[0].pid)"
    )
    assert not psutil.pid_exists(int(run_python("-X", "dev", "-W", "error", "-c", code)))


@pytest.fixture
def find_workers() -> Callable[[], list[int]]:
    """Finds the processes of the workers that the test has started and not ended."""
    spare_worker.close()  # of an earlier test, which would become this one's

    def read_words(process: psutil.Process) -> list[str]:
        with suppress(psutil.NoSuchProcess):  # it has ended, perhaps as a zombie of other tests
            while not (words := process.cmdline()):
                time.sleep(0.001)  # it is about to become another program
            return words
        return []

    def find() -> set[int]:
        return {
            process.pid
            for process in psutil.Process().children()
            if any("microcoder_eval.worker" in word for word in read_words(process))
        }

    older = find()  # those of functions like ``judge`` live on
    return lambda: sorted(find() - older)


def run_python(*arguments: str) -> str:
    """What an interpreter of its own prints."""
    process = execute([sys.executable, *arguments], timeout=60)
    assert process.stderr == ""
    return process.stdout.strip()
