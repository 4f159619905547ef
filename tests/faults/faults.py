"""Faults: what is done to a process at a step, and how one step is played to its end."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tests.faults.processes import Process, StepError, list_descendants
from tests.faults.stage import Stage
from tests.faults.steps import JOBS, LIMITS, STEPS

Place = tuple[str, str]  # a step, and the part that is harmed there
Fault = Callable[[Process], None]
WALL_SECONDS = 3.0
DELAY_SECONDS = 3.5  # longer than the wall limit: time that was not the program's must not count
AT_ONCE = 12
STEP_ATTEMPTS = 3
# Judged after the harmed one: the pool must be as good as new.
AFTERWARDS = ("quick", "quickly wrong")


def kill(process: Process) -> None:
    """As the kernel does when memory runs out, or an operator."""
    process.send(signal.SIGKILL)


def stop(process: Process) -> None:
    """For good."""
    process.stop()


def delay(process: Process) -> None:
    """Longer than the wall limit of every program."""
    process.stop()
    threading.Event().wait(DELAY_SECONDS)
    process.send(signal.SIGCONT)


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one fault: seconds until all results were there, and those that were JE."""

    seconds: float
    judge_errors: tuple[str, ...]


def bring_about(step: str, part: str, fault: Fault, deadline_s: float, **limits: float) -> Played:
    """Bring one fault about at a step and hold the judge to its promises.

    All results within ``deadline_s``, each once, all right or JE with a reason; nothing left in
    the caller or on the machine. AssertionError otherwise. On a crowded machine we may come too
    late to see a step; that says nothing about the judge, and the step is tried again.
    """
    for _ in range(STEP_ATTEMPTS - 1):
        try:
            return _play_once(step, part, fault, deadline_s, limits)
        except StepError:
            pass
    return _play_once(step, part, fault, deadline_s, limits)


def _play_once(
    step: str, part: str, fault: Fault, deadline_s: float, limits: dict[str, float]
) -> Played:
    with Stage(limits={**LIMITS, **limits}) as stage:
        reached = STEPS[step](stage)
        started = time.monotonic()
        fault(reached.parts[part])
        if reached.held is not None and not (fault is stop and reached.held == reached.parts[part]):
            reached.held.send(signal.SIGCONT)
        later_jobs = [name for name in AFTERWARDS if name not in reached.jobs]
        for name in later_jobs:
            stage.tell(id=name, **JOBS[name].order)
        return _check_promises(stage, [*reached.jobs, *later_jobs], started, deadline_s)


def play_at_random(seed: int, deadline_s: float, **limits: float) -> Played:
    """A random fault to a random process at a random moment of some jobs."""
    rng = random.Random(seed)
    jobs = rng.sample(sorted(JOBS), 3)
    with Stage(limits={**LIMITS, **limits}) as stage:
        started = time.monotonic()
        for name in jobs:
            stage.tell(id=name, **JOBS[name].order)
        threading.Event().wait(rng.uniform(0.0, 0.8))
        kinds = [each for each in (stage.workers(), stage.servers(), stage.children()) if each]
        if kinds:
            rng.choice([kill, delay, stop])(rng.choice(rng.choice(kinds)))
        return _check_promises(stage, jobs, started, deadline_s)


def _check_promises(stage: Stage, jobs: list[str], started: float, deadline_s: float) -> Played:
    results = stage.results(len(jobs), deadline_s)
    took = time.monotonic() - started
    wrong = {n: results[n] for n in jobs if results[n]["verdict"] != JOBS[n].verdict}
    errors = tuple(line["error"] for line in wrong.values() if line["verdict"] == "JE")
    assert len(errors) == len(wrong), wrong
    assert all(errors), wrong
    processes = list_descendants(stage.process.pid)
    assert stage.end() == {"left": [], "descriptors": 0, "threads": 0}
    assert stage.process.returncode == 0
    assert not any(process.alive for process in processes)
    return Played(took, errors)


def play_all(
    places: Iterable[Place], fault: Fault, deadline_s: float, **limits: float
) -> dict[Place, Played | BaseException]:
    """``play`` at many places at once, as nearly all of it is waiting."""
    with ThreadPoolExecutor(max_workers=AT_ONCE) as threads:
        played = {
            place: threads.submit(bring_about, *place, fault, deadline_s, **limits)
            for place in places
        }
    return {place: future.exception() or future.result() for place, future in played.items()}
