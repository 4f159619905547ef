"""What the drivers of train_step.py share: a job file, then one step for each line of stdin.

The job file (JSON) holds model, problems, folder, samples, tokens, updates, rows, dtype, lr. A
driver says a line when it is loaded and one after each step.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any


class Clock:
    """Lines to and from the benchmark; output of libraries goes to stderr."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)
        self._start_time = self._start_cpu = 0.0

    def say(self, **facts: Any) -> None:
        """Write one line."""
        print(json.dumps(facts), file=self._out, flush=True)

    def wait(self) -> None:
        """Wait for a request for a step; end the process if none will come."""
        if not sys.stdin.readline():
            os._exit(0)
        self._start_time, self._start_cpu = time.perf_counter(), time.process_time()

    def report_step(self, tokens: int) -> None:
        """Report a step. tokens: sampled in it."""
        seconds = time.perf_counter() - self._start_time
        cpu_seconds = time.process_time() - self._start_cpu
        peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.say(seconds=seconds, cpu_seconds=cpu_seconds, tokens=tokens, peak_mb=peak_kb / 1024)


def read_job_file() -> dict[str, Any]:
    """Read what to run."""
    with open(sys.argv[1], encoding="utf-8") as file:
        return dict(json.load(file))


def choose_reward(sample: int) -> float:
    """Return a reward in constant time: half of a group are right, so each row has an advantage."""
    return float(sample % 2 == 0)


def take_steps(clock: Clock, step: Callable[[], int]) -> None:
    """Take a step for each line of input, for drivers that call the step."""
    clock.say(loaded=True)
    while True:
        clock.wait()
        clock.report_step(step())
