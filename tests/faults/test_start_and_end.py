"""Faults while the judge starts and while it closes, and the end of those it belongs to."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from tests.faults.faults import delay, kill
from tests.faults.processes import Process, list_descendants, wait_for
from tests.faults.stage import Stage
from tests.faults.steps import JOBS, LIMITS, STEPS

END_SECONDS = 5.0
START_SECONDS = 60.0


def left_nothing(end: dict[str, object]) -> bool:
    return end["left"] == [] and end["descriptors"] == 0


def wait_for_first(find: Callable[[], list[Process]]) -> Process:
    return wait_for(find, "a process")[0]


@pytest.mark.parametrize("part", ["workers", "servers"])
@pytest.mark.parametrize("fault", [kill, delay])
def test_a_start_that_is_disturbed_once_is_a_start(
    part: str, fault: Callable[[Process], None]
) -> None:
    with Stage(limits=LIMITS, wait=False) as stage:
        fault(wait_for_first(getattr(stage, part)))
        stage.line_with("ready", START_SECONDS)
        stage.tell(id="quick", **JOBS["quick"].order)
        assert stage.results(1, START_SECONDS)["quick"]["verdict"] == "AC"
        assert left_nothing(stage.end())


@pytest.mark.parametrize("part", ["workers", "servers"])
def test_a_start_that_fails_every_time_is_an_error_with_a_reason(part: str) -> None:
    with Stage(limits=LIMITS, wait=False) as stage:

        def failed() -> bool:
            for process in getattr(stage, part)():
                kill(process)
            return stage.read(0) and any("failed" in line for line in stage.answers)

        wait_for(failed, "the end of the attempts")
        end = stage.line_with("failed", 0)
        reason = "lost 5 times while starting" if part == "workers" else "tried 4 times"
        assert reason in end["failed"]
        assert left_nothing(end)


@pytest.mark.long  # a server that starts is waited for 30 s
def test_a_server_stopped_while_it_starts_is_not_left_behind() -> None:
    # At level 4 the one that starts has forked, and its driver knows only the outer process.
    with Stage(limits=LIMITS, wait=False) as stage:
        outer = wait_for_first(stage.servers)
        inner = wait_for_first(
            lambda: [p for p in stage.servers() + stage.children() if p != outer]
        )
        inner.stop()
        stage.line_with("ready", 30 + START_SECONDS)
        assert not inner.alive
        assert left_nothing(stage.end())


@pytest.mark.parametrize(
    ("step", "state"),
    [
        ("idle", "worker stopped"), ("receives", "worker stopped"), ("runs", "worker stopped"),
        ("runs", "as it is"), ("answers", "as it is"), ("pair", "as it is"),
    ],
)  # fmt: skip
def test_cancelling_ends_at_once_at_any_step(step: str, state: str) -> None:
    with Stage(limits=LIMITS) as stage:
        reached = STEPS[step](stage)
        if state == "worker stopped":
            reached.parts["worker"].stop()
        elif reached.held is not None:
            reached.held.send(signal.SIGCONT)
        stage.caller.send(signal.SIGCONT)
        stage.tell(close=True)
        end = stage.line_with("left", END_SECONDS)
        assert left_nothing(end)
        answers = stage.results(len(reached.jobs), 0)
        allowed = {"cancelled", "JE", *(JOBS[name].verdict for name in reached.jobs)}
        assert {line["verdict"] for line in answers.values()} <= allowed


@pytest.mark.parametrize("stopped", [True, False])
def test_cancelling_ends_at_once_while_a_worker_starts(stopped: bool) -> None:
    with Stage(limits=LIMITS) as stage:
        old = stage.worker()
        kill(old)
        stage.tell(id="quick", **JOBS["quick"].order)
        new = wait_for_first(lambda: [worker for worker in stage.workers() if worker != old])
        if stopped:
            new.stop()
        stage.tell(close=True)
        assert left_nothing(stage.line_with("left", END_SECONDS))
        assert stage.results(1, 0)["quick"]["verdict"] in ("JE", "cancelled", "AC")


def test_closing_waits_for_a_task_whose_worker_is_killed_meanwhile() -> None:
    with Stage(limits=LIMITS) as stage:
        reached = STEPS["runs"](stage)
        stage.tell(close=False)
        stage.line_with("closing", END_SECONDS)
        kill(reached.parts["worker"])
        assert stage.results(1, START_SECONDS)["right"]["verdict"] == "AC"
        assert left_nothing(stage.line_with("left", END_SECONDS))


@pytest.mark.parametrize("step", ["starts_server", "runs", "builds", "pair"])
def test_judge_crash_ends_all_that_a_killed_worker_ran(step: str) -> None:
    with Stage(limits=LIMITS) as stage:
        reached = STEPS[step](stage)
        worker = reached.parts["worker"]
        below = list_descendants(worker.pid)
        assert below
        kill(worker)
        wait_for(lambda: not any(p.alive for p in below), "its servers and programs to end",
              END_SECONDS)  # fmt: skip


@pytest.mark.parametrize(
    "step", ["idle", "starts_server", "runs", "ended", "answers", "builds", "pair"]
)
def test_judge_crash_ends_all_that_a_killed_caller_had(step: str) -> None:
    with Stage(limits=LIMITS) as stage:
        reached = STEPS[step](stage)
        below = list_descendants(stage.process.pid)
        kill(stage.caller)
        if reached.held is not None:
            reached.held.send(signal.SIGCONT)
        wait_for(lambda: not any(p.alive for p in below), "everything to end", END_SECONDS)


def test_a_caller_that_is_stopped_for_a_while_gets_every_result_once() -> None:
    with Stage(limits=LIMITS) as stage:
        STEPS["runs"](stage)
        stage.tell(id="quick", **JOBS["quick"].order)
        delay(stage.caller)
        results = stage.results(2, START_SECONDS)
        assert {name: results[name]["verdict"] for name in results} == {
            "right": "AC",
            "quick": "AC",
        }
        assert left_nothing(stage.end())
