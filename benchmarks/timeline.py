"""Who works when while one solution is judged: drawn from a trace of the kernel's scheduler.

    python benchmarks/timeline.py [--load NAME] [--count N] [--out NAME] [--picture FILE]

Judges N tiny programs (loads.py), one at a time with one worker, under `perf record
--switch-events`: the kernel notes when each process gets a core and when it leaves it. The shortest
solution is drawn, since others were disturbed more. Needs `perf`, and the right to trace one's own
processes in the kernel (root, or kernel.perf_event_paranoid at most 1).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checkout import HERE, BenchmarkError, run_script
from loads import LOADS
from measurement import open_session
from plot import draw_lanes
from publication import format_figure, format_table, make_parser, publish_table

RUN_LIMIT_S = 300.0
ROLES = ("caller", "worker", "fork server", "child")
EVENT = re.compile(
    r"^.*?\s(?P<pid>\d+)/(?P<tid>\d+)\s+(?P<second>\d+)\.(?P<fraction>\d{9}):\s+PERF_RECORD_"
    r"(?P<kind>SWITCH|FORK)(?P<rest>.*)$"
)
FORK = re.compile(r"\((\d+):(\d+)\):\((\d+):(\d+)\)")
Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Solution:
    """When each role had a core while a solution was judged: nanoseconds from its submission."""

    length: int
    intervals: dict[str, list[Interval]]


@dataclass(frozen=True, slots=True)
class Trace:
    """runs: the intervals in which each process had a core. parents, births: of each process."""

    runs: dict[int, list[Interval]]
    parents: dict[int, int]
    births: dict[int, int]

    @classmethod
    def parse(cls, lines: Iterable[str]) -> Trace:
        """Read the output of `perf script`. Threads of a process count as the process."""
        runs: dict[int, list[Interval]] = defaultdict(list)
        parents, births, begins = {}, {}, {}
        for match in filter(None, map(EVENT.match, lines)):
            pid, tid = int(match["pid"]), int(match["tid"])
            time_ns = int(match["second"]) * 10**9 + int(match["fraction"])
            if match["kind"] == "FORK":
                child, _, parent, _ = map(int, FORK.findall(match["rest"])[0])
                if child != parent:  # else a thread
                    parents[child], births[child] = parent, time_ns
            elif match["rest"].strip().startswith("IN"):
                begins[tid] = time_ns
            elif (begin := begins.pop(tid, births.get(tid))) is not None:
                runs[pid].append((begin, time_ns))
        return cls(dict(runs), parents, births)

    def cut(self, begin: int, end: int) -> Solution:
        """The part of it that belongs to one solution."""
        intervals: dict[str, list[Interval]] = {role: [] for role in ROLES}
        for pid, runs in self.runs.items():
            role = self._find_role(pid, begin)
            for start, stop in runs:
                if start < end and stop > begin:
                    intervals[role].append((max(start, begin) - begin, min(stop, end) - begin))
        return Solution(end - begin, {role: sorted(runs) for role, runs in intervals.items()})

    def _find_role(self, pid: int, begin: int) -> str:
        depth, ancestor = 0, pid
        while ancestor in self.parents:
            depth, ancestor = depth + 1, self.parents[ancestor]
        is_new = self.births.get(pid, begin) > begin
        return ROLES[min(depth, 2)] if depth < 2 or not is_new else "child"


def trace_solutions(load: str, count: int, folder: Path) -> list[Solution]:
    """Judge under perf. Raises BenchmarkError where that does not work."""
    if shutil.which("perf") is None:
        raise BenchmarkError("needs `perf` (package linux-perf or linux-tools)")
    data, result = folder / "perf.data", folder / "result"
    record = ["perf", "record", "-q", "-e", "dummy", "--switch-events", "-k", "CLOCK_MONOTONIC"]
    driver = [sys.executable, str(HERE / "peers" / "timeline_driver.py"), str(count), load]
    _run([*record, "-o", str(data), "--", *driver, str(result)])
    script = ["perf", "script", "--ns", "--show-switch-events", "--show-task-events"]
    fields = ["-F", "comm,pid,tid,time", "-i", str(data)]
    trace = Trace.parse(_run([*script, *fields]).splitlines())
    solutions = [trace.cut(*times) for times in json.loads(result.read_text())]
    if not solutions or not all(solutions[0].intervals.values()):
        raise BenchmarkError("perf recorded no switches: see kernel.perf_event_paranoid")
    return solutions


def _run(command: Sequence[str]) -> str:
    process = subprocess.run(command, capture_output=True, text=True, timeout=RUN_LIMIT_S)
    if process.returncode != 0:
        raise BenchmarkError(f"{command[0]} {command[1]}: {process.stderr[-600:]}")
    return process.stdout


def report(solution: Solution, lengths: Sequence[int]) -> str:
    """Format a line for each role: when it first and last had a core, and for how long in all."""
    rows = [
        [
            role,
            f"{runs[0][0] / 1000:.0f}",
            f"{runs[-1][1] / 1000:.0f}",
            f"{sum(stop - start for start, stop in runs) / 1000:.0f}",
            str(len(runs)),
        ]
        for role, runs in solution.intervals.items()
        if runs
    ]
    head = ["microseconds", "first", "last", "on a core", "times"]
    quartiles = [format_figure(lengths[len(lengths) * k // 4] / 1000) for k in (1, 2, 3)]
    text = f"{len(lengths)} solutions, quartiles of their length: {', '.join(quartiles)}"
    return f"{format_table(head, rows)}\n\n{text} microseconds"


def main() -> int:
    """Run, print and save."""
    parser = make_parser(__doc__)
    names = [load.name for load in LOADS]
    parser.add_argument("--load", choices=names, default="stdin10", help="default stdin10")
    parser.add_argument("--count", type=int, default=200, help="of solutions (default 200)")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="draw the shortest solution there"
    )
    options = parser.parse_args()
    with open_session() as (facts, folder):
        solutions = trace_solutions(options.load, options.count, folder)
    solutions.sort(key=lambda solution: solution.length)
    shortest, lengths = solutions[0], [solution.length for solution in solutions]
    text = report(shortest, lengths)
    print(text)
    rows = {
        role: [(start / 1000, stop / 1000) for start, stop in runs]
        for role, runs in shortest.intervals.items()
    }
    (load,) = (load for load in LOADS if load.name == options.load)
    figures: dict[str, Any] = {
        "machine": facts,
        "options": {"load": options.load, "count": options.count},
        "lengths_us": [round(length / 1000, 1) for length in lengths],
        "shortest_us": rows,
    }
    if options.picture is not None:
        title = f"{load.title}: who has a core, microseconds"
        picture = draw_lanes(title, rows, shortest.length / 1000)
        options.picture.write_text(picture, encoding="utf-8")
    publish_table("timeline", options.out, figures, "Who works when", text)
    return 0


if __name__ == "__main__":
    run_script(main)
