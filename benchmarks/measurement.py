"""CPU time of process trees, interleaved rounds, and the machine's facts.

A figure is CPU time of *all* processes of a run, user and system, with long-lived workers and
their children, since wall time on a shared machine depends on other processes. README.md in this
folder describes the measurement.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from checkout import BenchmarkError

T = TypeVar("T")
PR_SET_CHILD_SUBREAPER = 36
# If a process is alive this long after its driver ended, it is stuck and its CPU is unknown.
DRAIN_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of one run of a driver: CPU time of its process tree, and wall time."""

    cpu_s: float
    wall_s: float


@contextmanager
def open_session() -> Iterator[tuple[dict[str, Any], Path]]:
    """Adopt orphans; yield the facts about the machine and a folder for the runs. The facts get the
    load at the end."""
    adopt_orphans()
    facts = describe_machine()
    with tempfile.TemporaryDirectory(prefix="microcoder-bench-") as folder:
        yield facts, Path(folder)
    facts["load_average_after"] = describe_machine()["load_average"]


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends.

    Without it the CPU time of a worker that outlives its driver, or that nobody waited for,
    goes to init and is in no figure of ours.
    """
    # On SIGTERM, ``measure`` must end the run in progress.
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit("told to end"))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise BenchmarkError(f"prctl(PR_SET_CHILD_SUBREAPER): errno {ctypes.get_errno()}")


def measure(command: Sequence[str], *, limit_s: float, log: Path) -> Usage:
    """Run ``command`` to the end of its whole process tree and say what it took.

    Call ``adopt_orphans`` first, and never have another child at the same time: the figure is
    what RUSAGE_CHILDREN grew by. Output goes to ``log``, since some evaluators are noisy.
    Raises BenchmarkError when the command fails or a process of its tree does not end.
    """
    before, start = _read_children_cpu(), time.perf_counter()
    with log.open("wb") as sink:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
            cwd=log.parent,  # evaluators without a sandbox let programs write to the current folder
            start_new_session=True,
        )
        try:
            status = child.wait(timeout=limit_s)
        except subprocess.TimeoutExpired:
            raise BenchmarkError(f"no end after {limit_s:.0f} s: {_read_tail(log)}") from None
        finally:
            if child.poll() is None:  # a timeout, or Ctrl-C, which its session does not receive
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
    wall_s = time.perf_counter() - start
    _reap_the_rest()
    if status != 0:
        raise BenchmarkError(f"exit {status}: {_read_tail(log)}")
    return Usage(_read_children_cpu() - before, wall_s)


def _read_children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _reap_the_rest() -> None:
    deadline = time.monotonic() + DRAIN_SECONDS
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            if time.monotonic() > deadline:
                raise BenchmarkError(
                    f"a process of the run is still alive {DRAIN_SECONDS:.0f} s after its end"
                )
            time.sleep(0.005)


def _read_tail(log: Path) -> str:
    return log.read_text(errors="replace").strip()[-600:] or "(no output)"


def interleave(rounds: int, arms: Iterable[T], run: Callable[[int, T], None]) -> None:
    """Run every arm once in each round, so that a slow period affects all arms."""
    order = list(arms)
    for number in range(rounds):
        # The order alternates, as a run after a heavy one is slower on a hot processor.
        for arm in order if number % 2 == 0 else reversed(order):
            run(number, arm)


def subtract_runs(run: Callable[[int, int], Usage], counts: tuple[int, int], number: int) -> Usage:
    """What a unit takes in a long run beyond a short one, so that start-up cancels out.

    run: of a count, with a seed. counts: of the two runs; a short one of none is not made.
    number: of the round.
    """
    few, many = counts
    short = run(few, 2 * number + 1) if few else Usage(0.0, 0.0)
    long = run(many, 2 * number + 2)
    units = many - few
    return Usage((long.cpu_s - short.cpu_s) / units, (long.wall_s - short.wall_s) / units)


def measure_cases(
    cases: Sequence[T],
    measure: Callable[[T], dict[str, Any]],
    workers: int,
    stop_time: float,
    lines: Path | None,
) -> tuple[list[dict[str, Any]], int]:
    """Measure cases side by side; return the outcomes, and how many cases there was no time for.

    stop_time: of ``time.monotonic``, after which none is begun. lines: where each outcome goes at
    once, from which a later run goes on.
    """

    def measure_in_time(case: T) -> dict[str, Any] | None:
        return measure(case) if time.monotonic() < stop_time else None

    outcomes = []
    with ThreadPoolExecutor(workers) as pool:
        for future in as_completed([pool.submit(measure_in_time, case) for case in cases]):
            if (outcome := future.result()) is None:
                continue
            outcomes.append(outcome)
            print(json.dumps(outcome)[:200], file=sys.stderr, flush=True)
            if lines is not None:
                with lines.open("a") as file:
                    file.write(json.dumps(outcome) + "\n")
    return outcomes, len(cases) - len(outcomes)


def describe_machine() -> dict[str, Any]:
    """Return the facts about the machine that readers need."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "usable_cores": len(os.sched_getaffinity(0)),
        "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
