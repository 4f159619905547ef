"""A caller of the judge in a process of its own, so that tests can harm everything below it.

Reads a JSON object a line: {"id", "solution", "problem"} is judged, {"id", "program"} is run.
Writes {"ready": …} when the Judge has started, an answer a line as they come, and at the end of
the input (or after {"close": cancel}) what the closed Judge has left behind.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
import time
from concurrent.futures import Future
from typing import Any

from microcoder_eval import Judge, JudgeError, Judgement, Limits
from microcoder_eval.records import Kind, Problem, Solution, Test
from tests.faults.processes import list_descendants

PR_SET_CHILD_SUBREAPER = 36
END_SECONDS = 30.0  # SIGKILL at the death of a parent comes at once; a busy machine is slower
_output = threading.Lock()


def say(**line: Any) -> None:
    with _output:
        print(json.dumps(line), flush=True)


def report_answer(name: str, future: Future[Judgement]) -> None:
    if future.cancelled():
        say(id=name, verdict="cancelled", error=None)
    else:
        judgement = future.result()
        say(id=name, verdict=str(judgement.verdict), error=judgement.error)


def run(judge: Judge, name: str, program: str) -> None:
    try:
        outcome = judge.run(program)
        say(id=name, verdict=outcome.exit, error=None, size=len(outcome.stdout))
    except JudgeError as error:
        say(id=name, verdict="JE", error=str(error))


def records(order: dict[str, Any]) -> tuple[Solution, Problem]:
    """Made by hand: the reader of files needs pydantic, which not every interpreter has."""
    problem = dict(order["problem"])
    kind = Kind(problem.pop("kind", "stdin"))
    tests = tuple(Test(test["input"], test["output"]) for test in problem.pop("tests"))
    solution = Solution("problem", order["id"], code=order["solution"]["code"])
    return solution, Problem("problem", kind, tests, **problem)


def wait_for_orphans() -> list[str]:
    """Processes below this one that do not end; orphans come here, we are their subreaper."""
    deadline = time.monotonic() + END_SECONDS
    while True:
        alive = list_descendants(os.getpid())
        if not alive or time.monotonic() > deadline:
            return [f"{process.pid} {process.state}" for process in alive]
        threading.Event().wait(0.01)


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def main() -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    settings = json.loads(sys.argv[1])
    limits = Limits(**settings.pop("limits"))
    before, threads = descriptors(), threading.active_count()
    try:
        judge = Judge(limits=limits, reuse=False, **settings)
    except JudgeError as error:
        say(failed=str(error), left=wait_for_orphans(), descriptors=descriptors() - before)
        return
    say(ready=judge.sandbox_level)
    runs = []
    cancel = False
    for line in sys.stdin:
        order = json.loads(line)
        if "close" in order:
            cancel = order["close"]
            break
        if "program" in order:
            runs.append(threading.Thread(target=run, args=(judge, order["id"], order["program"])))
            runs[-1].start()
        else:
            future = judge.submit(*records(order))
            future.add_done_callback(lambda f, name=order["id"]: report_answer(name, f))
    say(closing=True)
    judge.close(cancel=cancel)
    for thread in runs:
        thread.join()
    say(
        left=wait_for_orphans(),
        descriptors=descriptors() - before,
        threads=threading.active_count() - threads,
    )


if __name__ == "__main__":
    main()
