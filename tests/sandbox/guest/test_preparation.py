"""What the fork server does once, so that no child has to: each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from microcoder_sandbox.server import main
from tests.sandbox.conftest import LIMITS, Runner

WARM_UP = """
import atexit, dis, os, sys, threading
from microcoder_sandbox.guest import batch, calling, loading, setup
from microcoder_sandbox.server import main, warm_up

def look():
    return (
        sorted(os.listdir("/proc/self/fd")), set(sys.modules), sys.modules["__main__"], sys.argv,
        threading.main_thread().is_alive(), atexit._ncallbacks(), sys.modules["threading"],
    )

import bisect, functools, heapq, itertools, math, typing
calling.fill_program_names()
for number in range(3):
    loading.open_stream(number)
atexit.register(int)
before = look()
warm_up.warm_up_batches(main.prepare_child, calls=True)
print(look() == before, sys.stdin.read())
for function in (setup.confine, batch.Batch.await_next_test, calling.perform_call):
    plain, now = ([i.opname for i in dis.get_instructions(function, adaptive=a)] for a in (0, 1))
    print(plain != now)
"""


def run_alone(source: str) -> list[str]:
    process = subprocess.run(
        [sys.executable, "-c", source],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return process.stdout.splitlines()


def test_a_warm_up_leaves_no_trace_but_faster_code() -> None:
    *outputs, unchanged, confine, await_next_test, perform_call = run_alone(WARM_UP)
    assert set(outputs) == {"0"}  # the sum of an empty input
    assert unchanged == "True "
    assert (confine, await_next_test, perform_call) == ("True",) * 3


def test_a_child_that_cannot_take_a_step_says_which_and_runs_nothing() -> None:
    source = (
        "import errno, mmap, os\nfrom microcoder_sandbox.guest import setup\n"
        "notes = mmap.mmap(-1, 4096)\n"
        "if os.fork() == 0:\n"
        "    setup.confine([(1, int, ()), (4, os.dup2, (9999, 3)), (5, int, ())], notes)\n"
        "    os._exit(0)\n"
        "_pid, status = os.wait()\n"
        "print(os.waitstatus_to_exitcode(status) == setup.SETUP_FAILED, *notes[2:4], errno.EBADF)"
    )
    assert run_alone(source) == ["True 4 9 9"]


def test_each_child_has_the_limits_of_its_own_request(run: Runner) -> None:
    # Equal requests share a plan, of which the server keeps a number.
    source = "import resource; print(resource.getrlimit(resource.RLIMIT_CPU)[0])"
    seconds = [1, 2, 1, 1, *range(3, main._MAX_PLANS + 4), 2]
    limits = [replace(LIMITS, cpu_seconds=float(number)) for number in seconds]
    actual = [int(run(source, limits=each).stdout) for each in limits]
    assert [number - actual[0] for number in actual] == [number - 1 for number in seconds]
