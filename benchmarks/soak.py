"""Judges a hundred thousand mixed tests, some hostile, and checks that nothing grows or slows.

    python benchmarks/soak.py [--tests N] [--workers N] [--out NAME]

It watches the caller, its workers and their fork servers: descriptors, processes, threads,
resident memory, temporary files. Exit 1: one of them grew, a verdict was wrong, or the last tenth
was more than a tenth slower than the first.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

from measurement import describe_machine
from processes import count_descriptors, list_children, read_status
from publication import format_table, make_parser, save_record

from microcoder_eval import Judge, Limits

SAMPLE_SECONDS = 1.0
TESTS_EACH = 10
RIGHT = "a, b = map(int, input().split())\nprint(a + b)"
# (how many of 200 solutions, program, verdict); each stops at its first failing test.
MIX = (
    (140, RIGHT, "AC"),
    (10, "import random\n" + RIGHT, "AC"),
    (14, "print(7)", "WA"),
    (8, "raise ValueError", "RE"),
    (4, "import os\nwhile True: os.fork()", "RE"),
    (4, "import os\nos.kill(os.getppid(), 9)", "RE"),
    (3, "open('/tmp/microcoder-attack', 'w')", "RE"),
    (3, "import socket\nsocket.create_connection(('127.0.0.1', 80))", "RE"),
    (3, "held = [open('/dev/null') for _ in range(10**6)]", "RE"),
    (3, "import os\nheld = [os.pipe() for _ in range(10**6)]", "RE"),
    (2, "x = bytearray(1 << 40)", "MLE"),
    (2, "x = []\nwhile True: x.append(bytearray(1 << 20))", "MLE"),
    (2, "while True: print('x' * 10000)", "OLE"),
    (1, "import threading, time\nfor _ in range(50): threading.Thread(target=time.sleep, "
        "args=(9,), daemon=True).start()\n" + RIGHT, "AC"),
    (1, "while True: pass", "TLE"),
)  # fmt: skip


def draw_solutions(tests: int) -> Iterator[tuple[tuple[str, list[dict[str, str]]], str]]:
    """Yield ((program, tests), verdict), mixed; every program has another constant."""
    kinds = [kind for kind in MIX for _ in range(kind[0])]
    order = [
        kinds[index * 73 % len(kinds)] for index in range(len(kinds))
    ]  # 73 and 200 have no common factor
    count = number = 0
    while count < tests:
        _share, program, verdict = order[number % len(order)]
        pairs = [
            {"input": f"{number} {k}\n", "output": f"{number + k}\n"} for k in range(TESTS_EACH)
        ]
        yield (f"# {number}\n{program}\n", pairs), verdict
        count += TESTS_EACH if verdict == "AC" else 1
        number += 1


class Watch(threading.Thread):
    """Watches our processes every second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.rows: list[dict[str, float]] = []
        self.finished = threading.Event()

    def run(self) -> None:
        """Watch until stopped."""
        while not self.finished.wait(SAMPLE_SECONDS):
            self.rows.append(measure_processes())


def measure_processes() -> dict[str, float]:
    """Return figures of the caller and all its descendants."""
    workers = list_children(os.getpid())
    servers = [server for worker in workers for server in list_children(worker)]
    everybody = [os.getpid(), *workers]
    return {
        "descriptors of caller and workers": sum(count_descriptors(pid) for pid in everybody),
        "workers and fork servers": len(workers) + len(servers),
        "threads of caller and workers": sum(read_status(pid, "Threads:") for pid in everybody),
        "resident MiB of the caller": read_status(os.getpid(), "VmRSS:") / 1024,
        "resident MiB of workers": sum(read_status(pid, "VmRSS:") for pid in workers) / 1024,
        "resident MiB of fork servers": sum(read_status(pid, "VmRSS:") for pid in servers) / 1024,
        "our files in the temporary folder": sum(
            name.startswith("microcoder") for name in os.listdir(tempfile.gettempdir())
        ),
    }


def soak(tests: int, workers: int | None) -> dict[str, Any]:
    """Judge all solutions; return the figures and the failures."""
    expected: list[str] = []

    def pairs() -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
        for (program, cases), verdict in draw_solutions(tests):
            expected.append(verdict)
            yield {"code": program}, {"kind": "stdin", "tests": cases}

    watch, ends, run, wrong = Watch(), [], 0, []
    limits = Limits(time_s=0.5, wall_s=5, memory_mb=128, output_mb=1)
    with Judge(workers=workers, limits=limits, reuse=False) as judge:
        watch.start()
        begin = time.monotonic()
        for index, judgement in judge.stream(pairs()):
            run += len(judgement.tests_run)
            ends.append((run, time.monotonic() - begin))
            if judgement.verdict != expected[index]:
                wrong.append(f"{index}: {expected[index]} -> {judgement.verdict} {judgement.error}")
            if len(ends) % 500 == 0:
                print(f"\r{run} tests, {len(wrong)} wrong", end="", file=sys.stderr, flush=True)
        watch.finished.set()
        watch.join()
    print(file=sys.stderr)
    return {"tests": run, "seconds": ends[-1][1], "wrong": wrong, "ends": ends, "rows": watch.rows}


def rate_tenths(ends: list[tuple[int, float]]) -> list[float]:
    """Return the tests per second in each tenth of the run."""
    total, rates, at, before = ends[-1][0], [], 0, (0, 0.0)
    for part in range(1, 11):
        while ends[at][0] < total * part / 10:
            at += 1
        rates.append((ends[at][0] - before[0]) / (ends[at][1] - before[1]))
        before = ends[at]
    return rates


def main() -> int:
    """Run, print and save; return 0 if nothing grew."""
    parser = make_parser(__doc__)
    parser.add_argument("--tests", type=int, default=100_000)
    parser.add_argument("--workers", type=int)
    options = parser.parse_args()
    facts = describe_machine()
    result = soak(options.tests, options.workers)
    rates, rows = rate_tenths(result.pop("ends")), result.pop("rows")
    later_rows = rows[len(rows) // 10 :]  # fork servers of all profiles run by then
    tenth = max(1, len(later_rows) // 10)
    lines, grown = [], []
    for name in rows[0]:
        first = statistics.median(row[name] for row in later_rows[:tenth])
        last = statistics.median(row[name] for row in later_rows[-tenth:])
        peak = max(row[name] for row in later_rows)
        lines.append([name, f"{first:.0f}", f"{last:.0f}", f"{peak:.0f}"])
        if last > first * 1.1 + 2:
            grown.append(name)
    print(format_table(["", "first tenth", "last tenth", "most"], lines))
    slower = rates[-1] < 0.9 * rates[0]
    print(
        f"\n{result['tests']} tests in {result['seconds']:.0f} s,"
        f" {len(result['wrong'])} wrong verdicts"
    )
    print("tests per second, by tenths:", " ".join(f"{rate:.0f}" for rate in rates))
    print("grew:", ", ".join(grown) or "nothing")
    figures = {**result, "rates": rates, "table": lines, "grown": grown}
    save_record("soak", {"machine": facts, **figures}, options.out)
    return 1 if grown or result["wrong"] or slower else 0


if __name__ == "__main__":
    sys.exit(main())
