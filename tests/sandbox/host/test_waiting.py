"""The clock of a run stands still while it waits for a core, and within four times its limit."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from microcoder_sandbox.host.child_limits import MAX_WAIT_FACTOR
from microcoder_sandbox.host.child_process import ChildProcess, parse_memory_if_swapped
from microcoder_sandbox.host.outcome import CONTENDED_SHARE, Killed, ResourceLimits
from tests.delays import busy_cores, measured_delays, skip_if_starved
from tests.sandbox.conftest import Runner

# The host reads what a child waited alike at every level, and nothing runs beside a timed test.
at_one_level = pytest.mark.parametrize("sandbox", [4], indirect=True)
LIMITS = ResourceLimits(
    cpu_seconds=5.0, wall_seconds=1.0, memory_bytes=256 << 20, output_bytes=1 << 20
)
BURN_SECONDS = 0.8
# Half in the main thread, half in another: the waiting of both counts.
BURN = (
    "import threading, time\n"
    "def burn(until):\n    while time.process_time() < until: pass\n"
    f"burn({BURN_SECONDS / 2})\n"
    f"thread = threading.Thread(target=burn, args=({BURN_SECONDS},))\n"
    "thread.start()\nthread.join()\nprint(1)\n"
)
YIELD = (
    "import os, threading, time\n"
    "def spin():\n    while True: os.sched_yield()\n"
    "threading.Thread(target=spin, daemon=True).start()\ntime.sleep(10**6)\n"
)


@at_one_level
@pytest.mark.slow
@pytest.mark.timed
def test_a_program_that_waits_for_a_core_is_not_stopped_by_the_clock(run: Runner) -> None:
    with busy_cores() as loops:
        clock = loops.find_clock(BURN_SECONDS)
        outcome = run(BURN, limits=replace(LIMITS, wall_seconds=clock))
    skip_if_starved(outcome.wall_s, clock)
    assert (outcome.killed, outcome.stdout) == (None, b"1\n")
    if outcome.wall_s <= clock:
        pytest.skip("the machine became less busy: the program was within its clock")


@at_one_level
@pytest.mark.slow
@pytest.mark.timed
def test_a_program_that_makes_itself_wait_ends_within_four_times_its_clock(run: Runner) -> None:
    with busy_cores(), measured_delays() as delays:
        outcome = run(YIELD, limits=LIMITS)
    longest = (1 + MAX_WAIT_FACTOR) * LIMITS.wall_seconds
    assert outcome.killed is Killed.WALL
    assert outcome.run_delay > CONTENDED_SHARE * outcome.wall_s
    assert outcome.wall_s < longest + 0.2 + delays.seconds


@pytest.mark.slow
def test_a_sleeper_is_stopped_at_its_clock_on_a_busy_machine_too(run: Runner) -> None:
    with busy_cores(), measured_delays() as delays:
        outcome = run("import time\ntime.sleep(10**6)", limits=LIMITS)
    assert outcome.killed is Killed.WALL
    assert outcome.run_delay < CONTENDED_SHARE * outcome.wall_s
    assert outcome.wall_s < 1.5 * LIMITS.wall_seconds + delays.seconds


@at_one_level
@pytest.mark.slow
@pytest.mark.timed
def test_a_program_that_waited_for_a_core_is_killed_at_its_contended_cpu_limit(run: Runner) -> None:
    limits = replace(LIMITS, cpu_seconds=0.2, wall_seconds=60.0)
    with busy_cores():
        plain = run("while True: pass", limits=limits)
        contended = run("while True: pass", limits=replace(limits, contended_cpu_seconds=1.0))
    assert (plain.killed, contended.killed) == (Killed.CPU, Killed.CPU)
    assert limits.cpu_seconds <= plain.cpu_s < 1.0 <= contended.cpu_s


def test_a_program_far_from_its_limits_has_its_waiting_not_read(run: Runner) -> None:
    limits = replace(LIMITS, wall_seconds=60.0)
    assert run("import time\ntime.sleep(0.1)", limits=limits).run_delay == 0.0


def test_what_a_thread_waited_stays_counted_when_it_has_ended() -> None:
    class Folders(ChildProcess):
        tasks = (f"/proc/{os.getpid()}/task/{os.getpid()}",)

        def list_tasks(self) -> list[str]:
            return list(self.tasks)

    process = Folders()
    process.read_run_delay()
    waited = process.run_delay
    process.tasks = ()
    process.read_run_delay()
    assert process.run_delay == waited


@pytest.mark.parametrize(
    ("swap_kib", "held_mib"), [(0, 0), (65536, 96)], ids=["nothing in swap", "64 MiB in swap"]
)
def test_memory_in_swap_is_held_memory(swap_kib: int, held_mib: int) -> None:
    status = f"Name:\tx\nVmHWM:\t  65536 kB\nVmRSS:\t  32768 kB\nVmSwap:\t  {swap_kib} kB\n"
    assert parse_memory_if_swapped(status.encode()) == held_mib << 20
