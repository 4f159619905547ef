"""The Ray engine on real clusters: nodes that are killed, frozen, added; nothing lost or doubled.

Run with Ray installed: ``pytest -m ray``.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from microcoder_eval import Judge, JudgeError, Judgement, retries
from microcoder_eval.pool.ray import node_link as ray_link
from microcoder_eval.pool.ray import pool as ray_pool
from tests.commands import command, execute, start
from tests.files import SAMPLES, read_jsonl, read_table, write_jsonl
from tests.judge.pool.ray.conftest import MARKS, Machines
from tests.processes import wait_until

pytest.importorskip("ray", reason='the Ray engine is NOT tested: pip install -e ".[ray]"')
SCRIPTS = read_table(__file__)
pytestmark = MARKS
TIMES = ("cpu_s", "wall_s", "memory_mb")
COUNT = 200


def problem(number: int) -> dict[str, Any]:
    tests = [{"input": f"{n}\n", "output": f"{n * number}\n"} for n in range(4)]
    return {"problem_id": f"times-{number}", "tests": tests}


def program(number: int, turn: int) -> str:
    """Right in three of four turns; each is another text, and some work."""
    work = "t = 0\nwhile t < 10**5: t += 1\n"
    return f"{work}print({number if turn % 4 else number + 1} * int(input()) + 0 * {turn})"


def expected(turn: int) -> str:
    return "AC" if turn % 4 else "WA"


def inputs(turn: int) -> tuple[dict[str, str], dict[str, Any]]:
    number = 2 + turn % 3
    return {"code": program(number, turn), "solution_id": str(turn)}, problem(number)


def submit(judge: Judge, count: int, answered: Counter[str]) -> list[Future[Judgement]]:
    """``count`` solutions; ``answered`` counts what each got."""
    futures = []
    for turn in range(count):
        futures.append(judge.submit(*inputs(turn)))
        futures[-1].add_done_callback(lambda done: answered.update([done.result().solution_id]))
    return futures


def verdicts(futures: list[Future[Judgement]]) -> list[str]:
    return [str(future.result(timeout=120).verdict) for future in futures]


def judges_of(raylet: psutil.Process) -> list[psutil.Process]:
    """The actor processes of a node, as Ray names them."""
    return [process for process in raylet.children() if "NodeJudge" in words_of(process)]


def words_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # a zombie, too
        return ""


def raylet_of(node: Any) -> psutil.Process:
    (info,) = node.all_processes["raylet"]
    return psutil.Process(info.process.pid)


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.WARNING, logger="microcoder.ray"):
        yield caplog


def moved(told: pytest.LogCaptureFixture, node_id: str) -> int:
    """How many solutions went from this node to others."""
    lost = [r.args for r in told.records if r.name == "microcoder.ray"]
    return sum(int(args[1]) for args in lost if args and node_id.startswith(str(args[0])))


def test_a_node_killed_in_the_middle_loses_no_solution_and_doubles_none(
    machines: Machines, told: pytest.LogCaptureFixture
) -> None:
    answered: Counter[str] = Counter()
    with Judge(engine="ray", stop="never") as judge:
        assert judge.workers == 3
        futures = submit(judge, COUNT, answered)
        assert wait_until(lambda: len(answered) >= COUNT // 5)
        victim = machines.kill()
        assert verdicts(futures) == [expected(turn) for turn in range(COUNT)]
        assert judge.workers == 2
    assert answered == Counter({str(turn): 1 for turn in range(COUNT)})
    assert moved(told, victim) > 0


def test_a_frozen_node_is_given_up_and_what_it_says_later_is_not_heard(
    machines: Machines, told: pytest.LogCaptureFixture
) -> None:
    answered: Counter[str] = Counter()
    node = machines.nodes.pop()
    raylet = raylet_of(node)
    with Judge(engine="ray", stop="never") as judge:
        futures = submit(judge, COUNT, answered)
        assert wait_until(lambda: len(answered) >= COUNT // 5)
        frozen = [*raylet.children(recursive=True), raylet]
        for process in frozen:
            process.suspend()
        try:
            results = verdicts(futures)
        finally:
            for process in frozen:
                process.resume()
        assert results == [expected(turn) for turn in range(COUNT)]
        assert wait_until(lambda: not raylet.is_running() or raylet.status() == "zombie")
    assert answered == Counter({str(turn): 1 for turn in range(COUNT)})
    assert moved(told, str(node.node_id)) > 0
    machines.cluster.remove_node(node, allow_graceful=False)


def test_an_actor_that_dies_is_replaced_on_its_node(machines: Machines) -> None:
    answered: Counter[str] = Counter()
    with Judge(engine="ray", stop="never") as judge:
        (victim,) = judges_of(raylet_of(machines.nodes[0]))
        futures = submit(judge, COUNT, answered)
        assert wait_until(lambda: len(answered) >= COUNT // 10)
        victim.kill()
        assert verdicts(futures) == [expected(turn) for turn in range(COUNT)]
        assert wait_until(lambda: judge.workers == 3)
    assert set(answered.values()) == {1}


def test_a_node_that_can_start_no_workers_any_more_is_given_up(
    machines: Machines, told: pytest.LogCaptureFixture
) -> None:
    answered: Counter[str] = Counter()
    with Judge(engine="ray", stop="never") as judge:
        (sick,) = judges_of(raylet_of(machines.nodes[0]))
        futures = submit(judge, COUNT, answered)
        assert wait_until(lambda: len(answered) >= COUNT // 10)
        sick.rlimit(psutil.RLIMIT_NOFILE, (3, 3))  # what is open stays; nothing more can be opened
        for worker in sick.children():
            worker.kill()
        assert verdicts(futures) == [expected(turn) for turn in range(COUNT)]
    assert set(answered.values()) == {1}
    assert "a judge worker cannot be started" in told.text


def test_a_solution_whose_nodes_are_lost_time_and_again_is_a_judge_error(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "NODE_TASK", 1)
    forever = {"code": "while True: pass", "solution_id": "forever"}
    with Judge(engine="ray", time_scale=10.0) as judge:
        future = judge.submit(forever, problem(2))
        for node in machines.nodes:
            for process in judges_of(raylet_of(node)):
                process.kill()
        judgement = future.result(timeout=60)
    assert (judgement.verdict, judgement.reward) == ("JE", None)
    assert "the node that judged it was lost 1 times" in (judgement.error or "")


def test_a_slow_node_hands_back_what_idle_ones_can_do(
    machines: Machines, caplog: pytest.LogCaptureFixture
) -> None:
    answered: Counter[str] = Counter()
    caplog.set_level(logging.DEBUG, logger="microcoder.ray")
    with Judge(engine="ray", stop="never") as judge:
        (slow,) = judges_of(raylet_of(machines.nodes[0]))
        (worker,) = slow.children()
        worker.suspend()  # a stopped worker is replaced after some seconds
        futures = submit(judge, COUNT, answered)
        assert verdicts(futures) == [expected(turn) for turn in range(COUNT)]
    assert set(answered.values()) == {1}
    node_id = str(machines.nodes[0].node_id)
    assert f"node {node_id[:8]} hands back" in caplog.text


def count_shipments(judge: Judge) -> dict[str, int]:
    """How many problems were sent to each node that is in use."""
    nodes = judge._pool._node_set.nodes  # type: ignore[attr-defined]
    return {node_id: node.shipments for node_id, node in nodes.items()}


def test_a_node_that_joins_later_is_used(machines: Machines) -> None:
    machines.kill()
    with Judge(engine="ray", stop="never") as judge:
        assert judge.workers == 2
        joined = machines.add()
        assert wait_until(lambda: judge.workers == 3)
        futures = submit(judge, 60, Counter())
        assert verdicts(futures) == [expected(turn) for turn in range(60)]
        assert count_shipments(judge)[joined] == 3


def test_each_node_is_sent_each_problem_once(machines: Machines) -> None:
    with Judge(engine="ray", stop="never") as judge:
        verdicts(submit(judge, COUNT, Counter()))
        again = submit(judge, COUNT, Counter())
        assert verdicts(again) == [expected(turn) for turn in range(COUNT)]
        shipments = count_shipments(judge)
    assert shipments == {str(node.node_id): 3 for node in machines.nodes}


def test_a_node_holds_a_bounded_number_of_problems(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_link, "MAX_PROBLEMS", 2)
    monkeypatch.setattr(ray_link, "MAX_STORED_BYTES", 1)
    with Judge(engine="ray", reuse=False) as judge:
        for _ in range(2):
            pairs = [({"code": program(n, 1)}, problem(n)) for n in range(2, 22)]
            assert {str(judgement.verdict) for judgement in judge.map(pairs)} == {"AC"}
        assert sum(count_shipments(judge).values()) > 30


def test_a_large_problem_and_odd_characters_travel_unharmed(machines: Machines) -> None:
    large = {"problem_id": "large", "tests": [{"input": "x" * 3 * 10**6, "output": "3000000"}]}
    with Judge(engine="ray") as judge:
        pairs = [
            ({"code": f"print(len(input()))  # \U0001f600\0 {turn}"}, large) for turn in range(9)
        ]
        remote = [(f.verdict, f.error) for f in judge.map(pairs)]
        outcome = judge.run("print(input()[::-1])", "abc")
    with Judge(workers=1) as judge:
        local = [(f.verdict, f.error) for f in judge.map(pairs)]
    assert remote == local
    assert outcome.stdout == "cba\n"


def test_nodes_with_other_software_are_refused_by_name(machines: Machines) -> None:
    plan_options = {"packages": (), "min_level": 3}
    with pytest.raises(JudgeError, match="pytest missing"):
        ray_pool.RayPool(plan_options, None, 8, packages={"pytest": ""})


def test_a_cancelled_close_leaves_nobody_waiting(machines: Machines) -> None:
    judge = Judge(engine="ray", time_scale=10.0)
    tests = [{"input": "", "output": "1"}]
    futures = [judge.submit({"code": f"while {n}: pass"}, tests) for n in range(1, 40)]
    judge.close(cancel=True)
    assert all(future.done() for future in futures)
    ended = {future.result().verdict for future in futures if not future.cancelled()}
    assert ended == {"JE"}
    with pytest.raises(JudgeError, match="closed"):
        judge.submit({"code": "1"}, tests)


def test_a_judge_that_closes_leaves_the_cluster_to_the_others(machines: Machines) -> None:
    first = Judge(engine="ray")
    with Judge(engine="ray") as second:
        first.close()
        assert verdicts(submit(second, 8, Counter())) == [expected(turn) for turn in range(8)]


def test_a_fork_of_the_caller_is_told_to_start_afresh(
    machines: Machines, environment: dict[str, str]
) -> None:
    code = SCRIPTS["a fork of the caller"]
    result = execute([sys.executable, "-c", code], env=environment)
    assert result.stdout.split() == ["7", "AC"], result.stderr


def read_results(path: Path) -> list[dict[str, Any]]:
    """The records but for what was measured; a refusal for time or memory quotes it."""
    lines = read_jsonl(path)
    for line in lines:
        line["flags"] = [flag for flag in line["flags"] if flag != "near_limit"]
        for test in filter(None, line["tests"]):
            for name in (*TIMES, *(["detail"] if test["verdict"] in ("TLE", "MLE") else [])):
                del test[name]
    return lines


def test_the_command_writes_the_same_records_as_with_the_local_engine(
    machines: Machines, environment: dict[str, str], tmp_path: Path
) -> None:
    words = (SAMPLES / "solutions.jsonl", "--tests", SAMPLES / "tests.jsonl", "--json")
    local, remote = tmp_path / "local.jsonl", tmp_path / "remote.jsonl"
    for options in ((local,), (remote, "--engine", "ray")):
        result = execute(command(*words, "-o", *options), env=environment, timeout=200)
        assert result.returncode == 0, result.stderr
    assert read_results(remote) == read_results(local)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    pairs = [inputs(turn) for turn in range(COUNT)]
    lines = [{**given, "problem_id": asked["problem_id"]} for given, asked in pairs]
    solutions = write_jsonl(tmp_path / "solutions.jsonl", *lines)
    return solutions, write_jsonl(tmp_path / "tests.jsonl", *map(problem, (2, 3, 4)))


@contextmanager
def running_command(
    files: tuple[Path, Path], out: Path, environment: dict[str, str]
) -> Iterator[subprocess.Popen[str]]:
    """The command in the middle of its work, in a process group of its own."""
    words = (files[0], "--tests", files[1], "-o", out, "--json", "--engine", "ray")
    with start(*words, env=environment, start_new_session=True) as process:
        try:
            journal = out.with_suffix(".part")
            assert wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 9)
            yield process
        finally:
            process.kill()


def test_the_command_survives_the_loss_of_a_node(
    machines: Machines, environment: dict[str, str], files: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    with running_command(files, out, environment) as process:
        machines.kill()
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert json.loads(output)["judge_errors"] == 0
    results = [(line["solution_id"], line["verdict"]) for line in read_results(out)]
    assert results == [(str(turn), expected(turn)) for turn in range(COUNT)]


def test_ctrl_c_ends_a_run_and_leaves_nothing_of_it(
    machines: Machines, environment: dict[str, str], files: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    with running_command(files, out, environment) as process:
        ours = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume" in errors
    assert "Traceback" not in errors
    assert psutil.wait_procs(ours, timeout=20)[1] == []


def test_without_a_cluster_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_none(*_arguments: object, **_options: object) -> None:
        raise ConnectionError("no running Ray instance")

    monkeypatch.setattr("ray.init", find_none)
    with pytest.raises(
        JudgeError, match=r"no running Ray instance\): start one \(ray start --head"
    ):
        Judge(engine="ray")


def test_a_judge_outlives_the_thread_that_made_it(
    machines: Machines, environment: dict[str, str]
) -> None:
    code = SCRIPTS["a thread that has ended"]
    words = [sys.executable, "-c", code]
    result = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120)
    assert result.stdout.splitlines() == ["AC", "True"], result.stderr
    assert result.stderr == ""
