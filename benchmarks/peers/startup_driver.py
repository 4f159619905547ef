"""The first verdicts of this checkout's judge, measured from within a fresh process of its own.

Runs as: python startup_driver.py RESULT. Seconds to the first verdict of a cold ``judge()``, to a
second one, and to the first of a program that imports numpy; what worker and fork servers then
hold.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

STARTED = time.perf_counter()
BENCHMARKS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(BENCHMARKS.parent), str(BENCHMARKS.parent / "sandbox"), str(BENCHMARKS)]

ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
ADD_TESTS = [{"input": "1 2\n", "output": "3\n"}]


def measure_first_verdicts() -> dict[str, Any]:
    """Measure from the interpreter's start (without its own) to verdicts, and memory."""
    from microcoder_eval import judge

    imported = time.perf_counter()
    facts = {"import_s": imported - STARTED, "first_s": _time_judgement(judge, ADD)}
    facts["second_s"] = _time_judgement(judge, "# another\n" + ADD)
    lean = _measure_memory()
    facts["numpy_s"] = _time_judgement(judge, "import numpy\n" + ADD)
    return {**facts, "memory_mb": {"lean": lean, "after numpy": _measure_memory()}}


def _time_judgement(judge: Callable[..., Any], code: str) -> float:
    before = time.perf_counter()
    judgement = judge({"code": code}, ADD_TESTS)
    assert judgement.passed, judgement
    return time.perf_counter() - before


def _measure_memory() -> dict[str, Any]:
    """Return the MiB of one process of each kind: resident, and its own share of it."""
    from processes import list_children, read_proportional_kib, read_status

    workers = list_children(os.getpid())
    servers = [server for worker in workers for server in list_children(worker)]
    return {
        name: [
            {
                "resident": read_status(pid, "VmRSS:") / 1024,
                "share": read_proportional_kib(pid) / 1024,
            }
            for pid in pids
        ]
        for name, pids in (("workers", workers), ("servers", servers))
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(measure_first_verdicts()))
