"""The steps of a judgement at which a process can be harmed, and how to recognise each.

start: caller -> worker CONFIG, worker -> server CONFIG, READY, READY     (worker, server start)
judge: caller -> worker HoldProblem, SolutionRequest                       (receives)
       worker -> server REQUEST, server forks                              (requested)
       child compiles, runs, writes; server -> worker STILL_RUNNING        (compiles, runs, writes)
       child ends, server reaps it, server -> worker EXIT                  (ended)
       worker compares, worker -> caller SolutionReply                     (compares, answers)
assert problems: candidate's child <= pipes => test code's child           (pair)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.faults.processes import Process, StepError, list_descendants, wait_for
from tests.faults.stage import Stage

RUNNING_TICKS = 5  # of CPU time: the program runs, long past its compilation
SETTLED_LOOKS = 20  # a process seen waiting so often in a row, a millisecond apart, is blocked
LIMITS = {"time_s": 3.0, "wall_s": 20.0, "memory_mb": 512}

_BURN = "import time\nwhile time.process_time() < 0.12: pass\n"
_BURNING = "import time\n    while time.process_time() % 10 < 0.12: pass"
_KATTIS = {
    "source": """#include <fstream>
#include <iostream>
int main(int, char** names) {
    std::ifstream file(names[2]);
    long printed, expected;
    std::cin >> printed;
    file >> expected;
    return printed == expected ? 42 : 43;
}
""",
    "language": "cpp",
    "protocol": "kattis",
}
_FUNCTION = """import time
def f(n):
    end = time.process_time() + 0.12
    while time.process_time() < end: pass
    return n * n
"""
_SQUARES = [{"input": f"{n}\n", "output": f"{n * n}\n"} for n in (3, 4)]
_CALLS = [{"input": [n], "output": n * n} for n in (3, 4)]
_LINES = 300_000  # 2 MB: more than a pipe and a socket hold, and some 0.2 s of comparing
_REALS = "".join(f"{n / 7:.6f}\n" for n in range(_LINES))


@dataclass(frozen=True, slots=True)
class Job:
    """What a caller is told, and the only right answer."""

    order: dict[str, Any]
    verdict: Any

    @classmethod
    def judged(cls, code: str, verdict: str, **problem: Any) -> Job:
        return cls({"solution": {"code": code}, "problem": {"tests": _SQUARES, **problem}}, verdict)


JOBS = {
    "quick": Job.judged("print(int(input()) ** 2)", "AC"),
    "quickly wrong": Job.judged("print(int(input()) + 9)", "WA"),
    "right": Job.judged(f"{_BURN}print(int(input()) ** 2)", "AC"),
    "wrong": Job.judged(f"{_BURN}print(int(input()) + 9)", "WA"),
    "verbose": Job.judged(f"{_BURN}print('x' * 40_000)", "WA"),  # less than a pipe holds
    "failing": Job.judged(f"{_BURN}raise SystemExit(3)", "RE"),
    "call": Job.judged(_FUNCTION, "AC", kind="call", entry_point="f", tests=_CALLS),
    "imports": Job.judged(f"import random\n{_BURN}print(int(input()) ** 2)", "AC"),
    "compiled": Job.judged(
        "a = int(input())\n" + "b = (a + 1) * 2 if a else a - 3\n" * 10_000 + "print(a * a)", "AC"
    ),
    "written": Job.judged(
        f"{_BURN}print('x' * 2_000_000)", "AC", tests=[{"input": "", "output": "x" * 2_000_000}]
    ),
    "compared": Job.judged(
        f"for n in range({_LINES}): print(n / 7)", "AC", tests=[{"input": "", "output": _REALS}]
    ),
    "received": Job.judged(
        f"{_BURN}print(len(input()))", "AC", tests=[{"input": "x" * 3_000_000, "output": "3000000"}]
    ),
    "assert": Job.judged(
        _FUNCTION,
        "AC",
        kind="assert",
        entry_point="f",
        tests=[],
        test_code="for n in range(3):\n    assert f(n) == n * n\n",
    ),
    "checked": Job.judged(
        "print(int(input()) ** 2)",
        "WA",
        checker={
            "source": f"def check(given, output, expected):\n    {_BURNING}\n"
            "    return int(output) == int(expected) != 16"
        },
    ),
    "built": Job.judged("print(int(input()) ** 2)", "AC", checker=_KATTIS),
    "answered": Job({"program": f"{_BURN}print('x' * 3_000_000)"}, 0),
}


@dataclass(slots=True)
class Reached:
    """A step that has been reached: who takes part, and who must be let go on afterwards."""

    parts: dict[str, Process]
    held: Process | None = None
    jobs: list[str] = field(default_factory=list)  # told already


def _tell_caller(stage: Stage, name: str) -> list[str]:
    stage.tell(id=name, **JOBS[name].order)
    return [name]


def _server_of(stage: Stage, child: Process) -> Process:
    server = stage.server_of(child)
    if server is None:
        raise StepError("the child ended before its server was seen")
    return server


def _parts(stage: Stage, child: Process) -> dict[str, Process]:
    return {"worker": stage.worker(), "server": _server_of(stage, child), "child": child}


def wait_until_blocked(process: Process, busy: Callable[[], object]) -> bool:
    """Wait until it waits and goes on waiting, and ``busy`` is false all the while."""
    looks = 0

    def look() -> bool:
        nonlocal looks
        looks = 0 if busy() or process.state != "S" else looks + 1
        return looks >= SETTLED_LOOKS

    return wait_for(look, "a process to block")


def idle(stage: Stage) -> Reached:
    """The worker waits for its next task."""
    worker = stage.worker()
    wait_until_blocked(worker, stage.children)
    return Reached({"worker": worker, "server": stage.servers()[0]})


def receives(stage: Stage) -> Reached:
    """The caller sends a problem that is larger than the socket holds."""
    worker = stage.worker()
    worker.stop()
    jobs = _tell_caller(stage, "received")
    wait_until_blocked(stage.caller, lambda: False)
    return Reached({"worker": worker, "server": stage.servers()[0]}, worker, jobs)


def starts_server(stage: Stage) -> Reached:
    """The worker starts the fork server of another profile."""
    before = stage.servers()
    jobs = _tell_caller(stage, "imports")
    new = wait_for(lambda: [p for p in stage.servers() if p not in before], "a second server")
    return Reached({"worker": stage.worker(), "server": new[0]}, None, jobs)


def requested(stage: Stage) -> Reached:
    """A REQUEST waits for a server that has not read it."""
    worker, server = stage.worker(), stage.servers()[0]
    used = worker.cpu_ticks
    server.stop()
    jobs = _tell_caller(stage, "wrong")
    wait_until_blocked(worker, lambda: worker.cpu_ticks < used)
    return Reached({"worker": worker, "server": server}, server, jobs)


def compiles(stage: Stage) -> Reached:
    """A child compiles a long program."""
    jobs = _tell_caller(stage, "compiled")
    return Reached(_parts(stage, stage.child()), None, jobs)


def runs(stage: Stage, job: str = "right") -> Reached:
    """A program runs, and the worker has its pidfd."""
    jobs = _tell_caller(stage, job)
    child = _wait_for_program(stage)
    return Reached(_parts(stage, child), None, jobs)


def calls(stage: Stage) -> Reached:
    """A function runs."""
    return runs(stage, "call")


def _wait_for_program(stage: Stage) -> Process:
    def find_programs() -> list[Process]:
        return [child for child in stage.children() if child.cpu_ticks >= RUNNING_TICKS]

    return wait_for(find_programs, "a running child")[0]


def writes(stage: Stage) -> Reached:
    """A program is blocked in a write, as the worker has stopped reading."""
    jobs = _tell_caller(stage, "written")
    child = _wait_for_program(stage)
    parts = _parts(stage, child)
    parts["worker"].stop()
    wait_until_blocked(child, lambda: False)
    return Reached(parts, parts["worker"], jobs)


def ended(stage: Stage) -> Reached:
    """A program has ended and its server, stopped, has not reaped it."""
    jobs = _tell_caller(stage, "wrong")
    child = _wait_for_program(stage)
    parts = _parts(stage, child)
    parts["server"].stop()
    wait_for(lambda: child.state == "Z", "the child to end")
    del parts["child"]
    return Reached(parts, parts["server"], jobs)


def compares(stage: Stage) -> Reached:
    """The worker compares a long output."""
    worker = stage.worker()
    jobs = _tell_caller(stage, "compared")
    child = stage.child()
    server = _server_of(stage, child)
    wait_for(lambda: not child.state, "the child to be reaped")
    return Reached({"worker": worker, "server": server}, None, jobs)


def answers(stage: Stage) -> Reached:
    """The worker is blocked in sending an answer to a stopped caller."""
    worker = stage.worker()
    jobs = _tell_caller(stage, "answered")
    child = _wait_for_program(stage)
    server = _server_of(stage, child)
    caller = stage.caller
    caller.stop()
    wait_until_blocked(worker, stage.children)
    return Reached({"worker": worker, "server": server}, caller, jobs)


def checks(stage: Stage) -> Reached:
    """The problem's own checker runs, on a server that runs nothing else."""
    jobs = _tell_caller(stage, "checked")
    return Reached(_parts(stage, _wait_for_program(stage)), None, jobs)


def builds(stage: Stage) -> Reached:
    """A C++ checker is compiled."""
    jobs = _tell_caller(stage, "built")

    def find_compilers() -> list[tuple[Process, Process]]:
        return [
            (child, below)
            for child in stage.children()
            for below in list_descendants(child.pid)
            if below.name() == "cc1plus"
        ]

    child, compiler = wait_for(find_compilers, "a compiler")[0]
    return Reached({**_parts(stage, child), "compiler": compiler}, None, jobs)


def pair(stage: Stage) -> Reached:
    """Test code asks, the program answers."""
    jobs = _tell_caller(stage, "assert")
    child = _wait_for_program(stage)
    tests = wait_for(lambda: [p for p in stage.children() if p != child], "the test code's child")[
        0
    ]
    parts = _parts(stage, child)
    parts |= {"tests_server": _server_of(stage, tests), "tests_child": tests}
    return Reached(parts, None, jobs)


STEPS: dict[str, Callable[[Stage], Reached]] = {
    step.__name__: step
    for step in (
        idle, receives, starts_server, requested, compiles, runs, calls, writes, ended, compares,
        answers, checks, builds, pair,
    )
}  # fmt: skip
# Who takes part at which step; a test finds out when this is wrong.
PARTS = {
    **dict.fromkeys(STEPS, ("worker", "server")),
    **dict.fromkeys(
        ("compiles", "runs", "calls", "writes", "checks"), ("worker", "server", "child")
    ),
    "builds": ("worker", "server", "child", "compiler"),
    "pair": ("worker", "server", "child", "tests_server", "tests_child"),
}
EVERYWHERE = [(step, part) for step, parts in PARTS.items() for part in parts]
