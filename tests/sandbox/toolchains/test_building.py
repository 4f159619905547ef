"""A compiler runs in the sandbox too, and is gone afterwards with all that it started.

What it reads, and what a compiled program may do: tests/judge/worker/test_languages.py.
"""

from __future__ import annotations

import os
import signal
import threading
from contextlib import closing
from pathlib import Path

import pytest

from microcoder_sandbox.errors import SandboxUnavailableError
from microcoder_sandbox.host.memory_files import make_sealed_memfd
from microcoder_sandbox.host.outcome import Outcome, ResourceLimits
from microcoder_sandbox.host.plan import make_plan
from microcoder_sandbox.host.programs import Binary
from microcoder_sandbox.host.requests import RunRequest, make_binary_request, make_build_request
from microcoder_sandbox.host.sandbox import Sandbox
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.processes import wait_until

pytestmark = pytest.mark.skipif(find_toolchain() is None, reason="no g++ on this machine")
COMMAND = ["-O1", "-static", "-pipe", "-o", "program", "solution.cpp"]
BUILD = ResourceLimits(cpu_seconds=20, wall_seconds=60, memory_bytes=1 << 30, output_bytes=64 << 20)
RUN = ResourceLimits(
    cpu_seconds=1.0, wall_seconds=20.0, memory_bytes=64 << 20, output_bytes=1 << 20
)
BOMB_FILE = f"bomb{os.getpid()}.cpp"  # no other process of tests has it
BOMB = (
    "template <int n> struct A { static const int v = A<n - 1>::v + A<n - 2>::v * 2; };\n"
    "template <int n, int m> struct B { static const int v ="
    " B<n - 1, m>::v + B<n - 1, m + (1 << (n - 1))>::v; };\n"
    "template <int m> struct B<0, m> { static const int v = m; };\n"
    "int main() { return B<24, 0>::v; }"
)
NOTHING = "int main() {}"
ALLOCATING = """
#include <cstdlib>
#include <cstdio>
int main() {
    volatile char *p = (char *)malloc(50 << 20);
    for (int i = 0; i < 50 << 20; i += 512) p[i] = 1;
    puts(p[512] ? "y" : "n");
}
"""


def _build(sandbox: Sandbox, source: str, limits: ResourceLimits = BUILD) -> Outcome:
    return sandbox.run(make_build_request({"solution.cpp": source}, COMMAND, "program", limits))


def _make_bomb_request(limits: ResourceLimits = BUILD) -> RunRequest:
    command = [*COMMAND[:-1], BOMB_FILE]
    return make_build_request({BOMB_FILE: BOMB}, command, "program", limits)


@pytest.mark.slow
def test_a_source_that_compiles_without_end_is_stopped_with_all_its_parts(sandbox: Sandbox) -> None:
    short = ResourceLimits(
        cpu_seconds=20, wall_seconds=1.5, memory_bytes=256 << 20, output_bytes=1 << 20
    )
    build = sandbox.run(_make_bomb_request(short))
    assert build.exit_code != 0
    assert _compilers_running() == []


@pytest.mark.slow
def test_what_a_compiler_leaves_running_is_ended(sandbox: Sandbox) -> None:
    def kill_host() -> None:
        wait_until(lambda: bool(_compilers_running()))
        stat = Path(f"/proc/{_compilers_running()[0]}/stat").read_bytes()
        os.kill(int(stat.rpartition(b")")[2].split()[1]), signal.SIGKILL)

    killer = threading.Thread(target=kill_host)
    killer.start()
    build = sandbox.run(_make_bomb_request())
    killer.join()
    assert build.exit_code == 128 + signal.SIGKILL
    assert _compilers_running() == []
    assert _build(sandbox, NOTHING).status == 0


@pytest.mark.slow
def test_memory_of_a_compiled_program_is_its_own(sandbox: Sandbox) -> None:
    build = _build(sandbox, ALLOCATING)
    assert build.status == 0, build.stderr
    with closing(Binary(make_sealed_memfd(build.result))) as binary:
        outcome = sandbox.run(make_binary_request(binary, b"", RUN))
    assert 50 << 20 <= outcome.peak_memory < 53 << 20


@pytest.mark.slow
def test_building_needs_landlock() -> None:
    plan = make_plan(min_level=2, max_level=2)
    with Sandbox(plan) as low, pytest.raises(SandboxUnavailableError, match="level 3"):
        _build(low, NOTHING)


def _compilers_running() -> list[int]:
    compilers = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                command = Path(f"/proc/{entry}/cmdline").read_bytes()
            except OSError:
                continue
            if b"cc1plus" in command and BOMB_FILE.encode() in command:
                compilers.append(int(entry))
    return compilers
