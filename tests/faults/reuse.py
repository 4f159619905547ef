"""Process 1 of a pid namespace of its own, where the number of the next process can be chosen.

A program that has written more than it may ends while its worker is stopped, and its number goes
to a bystander, which uses more CPU time than the program may. When the worker goes on, the first
thing it sees is the output, over which it kills. Prints what came of it, as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from tests.faults.processes import Process, StepError, wait_for
from tests.faults.stage import Stage
from tests.faults.steps import runs

LIMITS = {"time_s": 0.5, "wall_s": 20.0, "memory_mb": 512, "output_mb": 0.01}
ATTEMPTS = 3
NEXT = Path("/proc/sys/kernel/ns_last_pid")


def start_bystander(number: int) -> Process:
    """A process of that number that has used a second of CPU time."""

    def born() -> int:
        NEXT.write_text(str(number - 1))
        child = os.fork()
        if child == 0:
            while True:
                pass
        if child != number:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        return child == number

    wait_for(born, "the number to be given again")
    process = Process.of(number)
    assert process is not None
    wait_for(lambda: process.cpu_ticks > 100, "the bystander to work")
    return process


def try_once() -> bool:
    """Whether the number could be given again; then what came of it is printed."""
    with Stage(limits=LIMITS) as stage:
        reached = runs(stage, "verbose")
        worker, child = reached.parts["worker"], reached.parts["child"]
        worker.stop()
        wait_for(lambda: not child.state, "the program to end and be reaped")
        try:
            other = start_bystander(child.pid)
        except StepError:
            worker.send(signal.SIGCONT)
            return False
        worker.send(signal.SIGCONT)
        verdict = stage.results(1, 30)["verbose"]["verdict"]
        print(json.dumps({"verdict": verdict, "bystander": other.alive}))
        sys.stdout.flush()
        other.send(signal.SIGKILL)
        return True


def main() -> None:
    # The kernel keeps a number back while anything still refers to it, be it another's open file.
    if not any(try_once() for _ in range(ATTEMPTS)):
        sys.exit(f"the number was not given again in {ATTEMPTS} attempts")


if __name__ == "__main__":
    main()
