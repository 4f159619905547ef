"""What all benchmarks use: CPU time of process trees, interleaved rounds, machine facts, tables.

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
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
ENVIRONMENTS = HERE / ".envs"
RESULTS = HERE / "results"
# Whoever imports this module measures this checkout.
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox")]
PR_SET_CHILD_SUBREAPER = 36
# If a process is alive this long after its driver ended, it is stuck and its CPU is unknown.
DRAIN_SECONDS = 20.0


class BenchmarkError(RuntimeError):
    """A run without valid figures: it failed, hung or gave wrong verdicts."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of one run of a driver: CPU time of its process tree, and wall time."""

    cpu_s: float
    wall_s: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, minimum and maximum of several rounds."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Compute the spread. Raises StatisticsError if there are no values."""
        return cls(statistics.median(values), min(values), max(values))

    def __str__(self) -> str:
        return (
            f"{format_figure(self.median)} ({format_figure(self.low)}-{format_figure(self.high)})"
        )


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


def read_versions(python: str, names: Sequence[str]) -> dict[str, str]:
    """Return the versions of installed packages for the interpreter ``python``."""
    code = (
        "import importlib.metadata as m, json, sys\n"
        "print(json.dumps({d.name: d.version for d in m.distributions() if d.name in sys.argv}))"
    )
    process = subprocess.run(
        [python, "-c", code, *names], capture_output=True, text=True, check=True, timeout=60
    )
    return dict(json.loads(process.stdout))


def make_environment(name: str, requirements: Sequence[str], *pip_options: str) -> str:
    """The Python of a virtual environment under .envs/, made on first use.

    A peer gets an environment of its own, so that its pins are never ours. Raises
    BenchmarkError when the packages cannot be had (no network, for instance).
    """
    folder = ENVIRONMENTS / name
    python, marker = folder / "bin" / "python", folder / "complete"
    contents = "\n".join([*requirements, *pip_options])
    if marker.exists() and marker.read_text() == contents:
        return str(python)
    print(f"making {folder.relative_to(REPOSITORY)} ...", file=sys.stderr)
    steps = (
        [sys.executable, "-m", "venv", "--clear", str(folder)],
        [str(python), "-m", "pip", "install", "-q", *pip_options, *requirements],
    )
    for step in steps:
        ended = subprocess.run(step, capture_output=True, text=True, timeout=600)
        if ended.returncode != 0:
            raise BenchmarkError(f"cannot make the environment {name}: {ended.stderr[-400:]}")
    marker.write_text(contents)
    return str(python)


def format_figure(value: float) -> str:
    """Format three significant digits without an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Align columns: the first to the left, the others to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def save(path: Path, record: Mapping[str, Any]) -> None:
    """Write one result file. Never overwrites: results are history."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        json.dump(record, file, indent=1, default=_plain)
        file.write("\n")


@contextmanager
def open_session() -> Iterator[tuple[dict[str, Any], Path]]:
    """Adopt orphans; yield the facts about the machine and a folder for the runs. The facts get the
    load at the end."""
    adopt_orphans()
    facts = describe_machine()
    with tempfile.TemporaryDirectory(prefix="microcoder-bench-") as folder:
        yield facts, Path(folder)
    facts["load_average_after"] = describe_machine()["load_average"]


def publish_table(name: str, record: Mapping[str, Any], title: str, table: str, plot: str) -> None:
    """Write the figures, their table under a title, and a plot to results/."""
    publish(name, record, f"# {title}\n\n```\n{table}\n```\n", plot)


def publish(name: str, record: Mapping[str, Any], text: str, plot: str) -> None:
    """Write the figures, a text and a plot of a result to results/."""
    save(RESULTS / f"{name}.json", record)
    (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")
    (RESULTS / f"{name}.svg").write_text(plot, encoding="utf-8")
    print(f"written: {RESULTS / name}.json, .md, .svg")


def read_commit() -> str:
    """The commit of the working tree, with "+" where it was changed since."""
    command = ("git", "-C", str(REPOSITORY), "describe", "--always", "--dirty=+", "--abbrev=12")
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def make_stamped_name(benchmark: str) -> str:
    """Make a name for result files from the current time."""
    return f"{benchmark}-{datetime.now(UTC):%Y-%m-%d-%H%M%S}"


def _plain(value: object) -> Any:
    if isinstance(value, Spread | Usage):
        return {name: round(number, 4) for name, number in asdict(value).items()}
    raise TypeError(type(value).__name__)
