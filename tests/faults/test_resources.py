"""Descriptors, memory, CPU time and processes run out, in each of our processes."""

from __future__ import annotations

import resource
import signal
import subprocess

import pytest

from tests.faults.processes import Process, wait_for
from tests.faults.stage import Stage, User
from tests.faults.steps import JOBS, LIMITS, STEPS, Reached, wait_until_blocked

DEADLINE_SECONDS = 30.0
MIB = 1 << 20


def limit(process: Process, kind: int, value: int) -> tuple[int, int]:
    """Set the soft limit of a live process; what it was."""
    before = resource.prlimit(process.pid, kind)
    resource.prlimit(process.pid, kind, (value, before[1]))
    return before


def no_more_processes(user: User, process: Process, value: int = 0) -> None:
    """Set that limit as the process' own user: not every root may do it for others."""
    set_limit = "import resource, sys; resource.prlimit(int(sys.argv[1]), resource.RLIMIT_NPROC, "
    code = f"{set_limit}({value}, resource.prlimit(int(sys.argv[1]), resource.RLIMIT_NPROC)[1]))"
    subprocess.run([user.python, "-c", code, str(process.pid)], check=True, **user.identity)


def no_more_descriptors(process: Process) -> tuple[int, int]:
    return limit(process, resource.RLIMIT_NOFILE, process.highest_descriptor() + 1)


def no_more_memory(process: Process) -> tuple[int, int]:
    return limit(process, resource.RLIMIT_AS, process.address_space() + MIB)


def no_more_processor(process: Process) -> tuple[int, int]:
    return limit(process, resource.RLIMIT_CPU, 0)


RUN_OUT = {
    "descriptors": no_more_descriptors,
    "memory": no_more_memory,
    "processor": no_more_processor,
}


def check_promises(stage: Stage, reached: Reached, *more: str) -> None:
    """Let go on, judge a little more, and hold the judge to its promises."""
    if reached.held is not None:
        reached.held.send(signal.SIGCONT)
    jobs = [*reached.jobs, *more]
    answered = sum("id" in line for line in stage.answers)
    for name in more:
        stage.tell(id=name, **JOBS[name].order)
    results = stage.results(answered + len(jobs), DEADLINE_SECONDS)
    assert {n: results[n]["verdict"] for n in jobs} == {n: JOBS[n].verdict for n in jobs}, results
    assert stage.end() == {"left": [], "descriptors": 0, "threads": 0}
    # A worker without memory may be loading numpy, whose library says so itself.
    ours = [line for line in stage.errors().splitlines() if not line.startswith("OpenBLAS")]
    assert ours == []


@pytest.mark.parametrize("what", RUN_OUT)
@pytest.mark.parametrize(
    ("step", "part"),
    [
        ("idle", "worker"), ("receives", "worker"), ("runs", "worker"), ("compares", "worker"),
        ("idle", "server"), ("ended", "server"),
    ],
)  # fmt: skip
def test_what_runs_out_in_one_of_our_processes_changes_no_result(
    step: str, part: str, what: str
) -> None:
    with Stage(limits=LIMITS) as stage:
        reached = STEPS[step](stage)
        RUN_OUT[what](reached.parts[part])
        check_promises(stage, reached, "imports", "quickly wrong")


def test_a_caller_without_descriptors_gets_a_reason_and_later_results_again() -> None:
    with Stage(limits=LIMITS) as stage:
        stage.tell(id="right", **JOBS["right"].order)
        stage.results(1, DEADLINE_SECONDS)  # everything imported
        before = no_more_descriptors(stage.caller)
        stage.worker().send(signal.SIGKILL)
        stage.tell(id="quick", **JOBS["quick"].order)
        result = stage.results(2, DEADLINE_SECONDS)["quick"]
        assert result["verdict"] == "JE"
        assert "Too many open files" in result["error"]
        resource.prlimit(stage.process.pid, resource.RLIMIT_NOFILE, before)
        check_promises(stage, Reached({}), "quickly wrong")


def test_a_server_that_cannot_fork_once_is_replaced(plain_user: User) -> None:
    with Stage(limits=LIMITS, user=plain_user) as stage:
        reached = STEPS["idle"](stage)
        no_more_processes(plain_user, reached.parts["server"])
        check_promises(stage, reached, "quick", "quickly wrong")


def test_where_nothing_can_fork_the_result_is_a_judge_error_with_the_reason(
    plain_user: User,
) -> None:
    with Stage(limits=LIMITS, user=plain_user) as stage:
        reached = STEPS["idle"](stage)
        for process in (*reached.parts.values(), stage.caller):
            no_more_processes(plain_user, process)
        stage.tell(id="quick", **JOBS["quick"].order)
        result = stage.results(1, DEADLINE_SECONDS)["quick"]
        assert result["verdict"] == "JE"
        assert "Resource temporarily unavailable" in result["error"]
        no_more_processes(plain_user, stage.caller, 1000)
        check_promises(stage, Reached({}), "quickly wrong")


def test_a_fork_server_without_memory_is_retried_and_never_held_against_the_program() -> None:
    # What the kernel's OOM killer does to a process is SIGKILL.
    with Stage(limits=LIMITS) as stage:
        stage.tell(id="right", **JOBS["right"].order)
        victims: set[Process] = set()

        def kill_servers_until_answered() -> bool:
            for child in stage.children():
                server = stage.server_of(child)
                if server is not None and server.send(signal.SIGKILL):
                    victims.add(server)
            return stage.read(0) and any("id" in line for line in stage.answers)

        wait_for(kill_servers_until_answered, "an answer", DEADLINE_SECONDS)
        result = stage.results(1, 0)["right"]
        assert result["verdict"] == "JE"
        assert "fork server" in result["error"]
        assert len(victims) >= 3  # those of three runs, and some that were only starting
        check_promises(stage, Reached({}), "quickly wrong")


def test_when_memory_ends_judged_programs_go_before_any_other_process() -> None:
    with Stage(limits=LIMITS) as stage:
        reached = STEPS["pair"](stage)
        most, usual = 1000, stage.caller.oom_score_adj()
        parts = {name: part.oom_score_adj() for name, part in reached.parts.items()}
        assert parts.pop("worker") == usual
        assert set(parts.values()) == {most}
        check_promises(stage, reached)


def test_more_tests_than_descriptors_are_judged_by_one_worker() -> None:
    tests = [{"input": f"{n}\n", "output": f"{n}\n"} for n in range(1200)]
    with Stage(limits=LIMITS, stop="never") as stage:
        limit(stage.worker(), resource.RLIMIT_NOFILE, 400)
        stage.tell(id="many", solution={"code": "print(input())"}, problem={"tests": tests})
        worker = stage.worker()
        assert stage.results(1, DEADLINE_SECONDS)["many"]["verdict"] == "AC"
        assert worker.alive, "it was replaced by one with a higher limit"
        check_promises(stage, Reached({}), "quick")


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_fd_limit_judge_uses_as_many_descriptors_after_any_number_of_tests(
    count: int,
) -> None:
    tests = [{"input": f"{n}\n", "output": f"{n}\n"} for n in range(100)]
    with Stage(limits=LIMITS, stop="never") as stage:
        processes = [stage.worker(), stage.servers()[0], stage.caller]

        def used(rounds: int) -> list[int]:
            for number in range(rounds):
                code = f"print(input()) # {rounds} {number}"
                order = {"solution": {"code": code}, "problem": {"tests": tests}}
                stage.tell(id=f"{rounds} {number}", **order)
            stage.results(sum("id" in line for line in stage.answers) + rounds, 300)
            wait_until_blocked(stage.worker(), stage.children)
            return [process.descriptors() for process in processes]

        before = used(1)
        assert used(count // 100) == before
        check_promises(stage, Reached({}))
