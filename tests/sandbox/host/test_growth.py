"""Sizes of folders leave no servers behind; a stopped program goes on; a compiler's memory is that
of all that it starts."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from microcoder_sandbox.host.child_process import ChildProcess
from microcoder_sandbox.host.compiler_tree import read_process_usage
from microcoder_sandbox.host.outcome import Killed, ResourceLimits
from microcoder_sandbox.host.requests import make_build_request
from microcoder_sandbox.host.sandbox import Sandbox
from microcoder_sandbox.host.servers import SPECIAL_SERVERS
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.processes import list_descendants, wait_until
from tests.sandbox.conftest import Runner

MIB = 1 << 20
LIMITS = ResourceLimits(cpu_seconds=1.0, wall_seconds=20.0, memory_bytes=64 * MIB, output_bytes=MIB)
COMMAND = ["-O1", "-pipe", "-o", "program", "solution.cpp"]
# Each level is eight times as long as the one below: gigabytes for the compiler.
MACROS = (
    "#define A0 1,1,1,1,1,1,1,1\n"
    + "".join(f"#define A{n + 1} {','.join([f'A{n}'] * 8)}\n" for n in range(9))
    + "int x[] = {A9}; int main() { return x[3]; }\n"
)
STOP = "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n"
LOOP = STOP.replace("\n", "\nwhile True: ", 1)


@contextmanager
def largest_process() -> Iterator[list[int]]:
    """Bytes that any process below this one had resident at any time, in a list of one."""
    largest, stop = [0], threading.Event()

    def watch() -> None:
        while not stop.wait(0.01):
            usages = [
                usage for pid in list_descendants(os.getpid()) if (usage := read_process_usage(pid))
            ]
            largest[0] = max([largest[0], *(usage.resident for usage in usages)])

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield largest
    finally:
        stop.set()
        thread.join()


def test_sizes_of_folders_do_not_add_up(run: Runner, sandbox: Sandbox) -> None:
    source = "with open('f', 'w') as file: file.write('x' * 5000)\nprint(1)"
    counts = []
    for kib in range(8, 8 + 4 * (SPECIAL_SERVERS + 3), 4):
        outcome = run(source, limits=replace(LIMITS, folder_bytes=kib << 10))
        assert outcome.stdout == b"1\n"
        counts.append((len(os.listdir("/proc/self/fd")), len(list_descendants(os.getpid()))))
    assert counts[SPECIAL_SERVERS - 1 :] == [counts[SPECIAL_SERVERS - 1]] * 4
    if sandbox.level == 4:  # a file system of its own: exact to the page, whatever was there before
        assert run(source, limits=replace(LIMITS, folder_bytes=4096)).status != 0


@pytest.mark.parametrize(
    ("program", "killed"),
    [(f"{STOP}print(1)", None), (LOOP, Killed.WALL)],
    ids=["once", "for ever"],
)
@pytest.mark.slow
def test_a_program_that_stops_itself_goes_on(
    run: Runner, program: str, killed: Killed | None
) -> None:
    limits = replace(LIMITS, wall_seconds=2.0)
    outcome = run(program, limits=limits)
    assert outcome.killed is killed
    assert outcome.stdout == (b"" if killed else b"1\n")


@pytest.mark.slow
@pytest.mark.skipif(find_toolchain() is None, reason="no g++ on this machine")
def test_the_memory_of_a_compiler_is_that_of_all_it_starts(sandbox: Sandbox) -> None:
    limits = replace(LIMITS, cpu_seconds=30, wall_seconds=120, memory_bytes=256 * MIB)
    with largest_process() as largest:
        outcome = sandbox.run(
            make_build_request({"solution.cpp": MACROS}, COMMAND, "program", limits)
        )
    assert outcome.killed is Killed.MEMORY
    assert largest[0] < 400 * MIB  # nearly all of what is above is a look that came late


def test_a_process_that_has_ended_does_not_work() -> None:
    process = subprocess.Popen(["true"])
    assert wait_until(lambda: f"{process.pid} (true) Z" in _read_stat(process.pid))
    child, usage = ChildProcess(), read_process_usage(process.pid)
    child.set_pid(process.pid)
    assert usage is not None
    assert not usage.may_work
    assert not child.is_asleep()  # its end is about to be noticed
    process.wait()


def test_a_process_whose_main_thread_has_ended_may_be_asleep() -> None:
    code = (
        "import ctypes, os, threading, time\n"
        "threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "ctypes.CDLL(None).syscall([60, 93][os.uname().machine == 'aarch64'], 0)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as script:
        process = ChildProcess()
        process.set_pid(script.pid)
        assert wait_until(lambda: ") Z" in _read_stat(script.pid))
        assert wait_until(process.is_asleep)
        script.kill()


def _read_stat(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text()
