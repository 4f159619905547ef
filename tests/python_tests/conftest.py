"""Two real processes and plain pipes: the protocol without the sandbox."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.python_tests.assert_plan import AssertPlan, CallTest
from microcoder_eval.python_tests.planning import plan
from microcoder_sandbox.rpc import packing
from microcoder_sandbox.wire import codec, frames
from microcoder_sandbox.wire.runner_messages import RunnerReport

ROOT = Path(__file__).parents[2]

# Makes the other processes by forking, as importing all this takes longer than most tests.
STARTER = """
import json, os, signal, socket, sys
from microcoder_sandbox.guest import responder
from microcoder_sandbox.test_runner import runner
from microcoder_sandbox.rpc import packing
from microcoder_sandbox.wire import codec, frames
line = socket.socket(fileno=int(sys.argv[1]))
while True:
    message, descriptors, _, _ = socket.recv_fds(line, 1 << 16, 4)
    if not message:
        break
    script, *arguments = json.loads(message)
    if script is None:
        for pid in arguments:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        line.send(b"ended")
        continue
    pid = os.fork()
    if pid == 0:
        line.close()
        sys.argv[1:] = [*map(str, descriptors), *arguments]
        try:
            exec(script, {"__name__": "__main__"})
        finally:
            os._exit(0)
    for descriptor in descriptors:
        os.close(descriptor)
    line.send(str(pid).encode())
"""

CANDIDATE = """
import sys
from microcoder_sandbox.guest import responder
read_fd, write_fd, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
module = type(sys)("solution")
sys.modules["solution"] = module
exec(compile(open(path).read(), path, "exec"), module.__dict__)
responder.serve(module.__dict__, read_fd, write_fd)
"""

TESTS = """
import json, os, sys
from microcoder_sandbox.test_runner import runner
from microcoder_sandbox.wire import frames
read_fd, write_fd, report_fd = map(int, sys.argv[1:4])
job = json.load(open(sys.argv[4]))
job = runner.RunnerJob(job["source"], job["expected"], job["entry"])
dry_reader, dry_writer = os.pipe()
if os.fork() == 0:
    runner.run_tests(job, -1, -1, dry_writer)
    os._exit(0)
os.close(dry_writer)
((report,)) = frames.read_frame(dry_reader)
runner.run_tests(job._replace(makers=report[-1]), read_fd, write_fd, report_fd)
"""

PAIRS = """
import json, os, sys
from microcoder_sandbox.rpc import packing
from microcoder_sandbox.wire import codec
def refuse(value): raise TypeError(type(value))
os.dup2(int(sys.argv[1]), 1)
job = json.load(open(sys.argv[2]))
results = []
for entry, args, kwargs in job["calls"]:
    namespace = {"__name__": "solution"}
    try:
        exec(job["code"], namespace)
        holder, _, name = entry.rpartition(".")
        call = getattr(namespace[holder[:-2]](), name) if holder else namespace[name]
        value = call(*codec.from_json(args), **codec.from_json(kwargs))
        results.append([packing.Packer(refuse).pack(value)])
    except BaseException:
        results.append([])
print("\\n" + json.dumps(results), flush=True)
"""


class Starter:
    """A process that has imported what the processes of a test need."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        path = os.pathsep.join([str(ROOT / "sandbox"), str(ROOT)])
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-P", "-S", "-c", STARTER, str(theirs.fileno())],
                env={"PYTHONPATH": path, "PYTHONHASHSEED": "0"},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    def start(self, script: str, descriptors: Sequence[int], *arguments: Path) -> int:
        """The number of a process that runs a script. descriptors: it has them under other numbers,
        the first of its arguments; here they are closed."""
        message = json.dumps([script, *map(str, arguments)]).encode()
        socket.send_fds(self._line, [message], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        return int(self._line.recv(20))

    def end(self, *pids: int) -> None:
        """Kill processes."""
        self._line.send(json.dumps([None, *pids]).encode())
        self._line.recv(20)

    def close(self) -> None:
        self._line.close()
        self._process.wait()


@pytest.fixture(scope="session")
def starter() -> Iterator[Starter]:
    """One for all tests."""
    starter = Starter()
    yield starter
    starter.close()


def run_opaque(
    starter: Starter,
    code: str,
    source: str,
    folder: Path,
    *,
    expected: int = 1,
    entry: str | None = None,
) -> RunnerReport:
    """The report on a candidate; what the candidate prints goes nowhere."""
    program, job = folder / "program.py", folder / "job.json"
    program.write_text(code)
    job.write_text(json.dumps({"source": source, "expected": expected, "entry": entry}))
    to_candidate, to_tests, report = os.pipe(), os.pipe(), os.pipe()
    candidate = starter.start(CANDIDATE, [to_candidate[0], to_tests[1]], program)
    tests = starter.start(TESTS, [to_tests[0], to_candidate[1], report[1]], job)
    try:
        frame = frames.read_frame(report[0])
    finally:
        starter.end(candidate, tests)
        os.close(report[0])
    assert frame is not None, "the tests' process ended without a report"
    return RunnerReport(*frame[0])


def run_pairs(starter: Starter, code: str, tests: tuple[CallTest, ...], folder: Path) -> bool:
    """Whether every pair holds, each call in a fresh module."""
    calls = [[t.entry, codec.to_json(list(t.args)), codec.to_json(dict(t.kwargs))] for t in tests]
    job = folder / "job.json"
    job.write_text(json.dumps({"code": code, "calls": calls}))
    reader, writer = os.pipe()
    process = starter.start(PAIRS, [writer], job)
    try:
        with open(reader) as output:
            lines = output.read().splitlines()
    finally:
        starter.end(process)
    results = json.loads(lines[-1]) if lines else []
    return len(results) == len(tests) and all(
        result and test.holds(packing.Unpacker(_refuse, {}).unpack(result[0]))
        for test, result in zip(tests, results, strict=True)
    )


def _refuse(tag: str, body: Any) -> Any:
    raise ValueError(tag)


def judged(
    starter: Starter, problem: dict[str, Any], code: str, folder: Path
) -> tuple[AssertPlan, str]:
    """The plan of a problem and how a program does: "pass", "pairs", or the report's error."""
    planned = plan(problem["test_code"], problem.get("entry_point"), problem.get("starter_code"))
    if planned.unsupported:
        return planned, f"unsupported: {planned.unsupported}"
    if planned.tests and not run_pairs(starter, code, planned.tests, folder):
        return planned, "pairs"
    if planned.test_source is None:
        return planned, "pass"
    report = run_opaque(
        starter,
        code,
        planned.test_source,
        folder,
        expected=planned.required_assertions,
        entry=problem.get("entry_point"),
    )
    return planned, "pass" if report.passed else str(report)


@pytest.fixture
def opaque(starter: Starter, tmp_path: Path) -> Callable[..., RunnerReport]:
    """``opaque(code, source, **options)``: the report on one candidate."""

    def run(code: str, source: str, **options: Any) -> RunnerReport:
        return run_opaque(starter, code, source, tmp_path, **options)

    return run


@pytest.fixture
def judge_program(starter: Starter, tmp_path: Path) -> Callable[..., tuple[AssertPlan, str]]:
    """``judge_program(problem, code)``: the plan and how the program does."""

    def run(problem: dict[str, Any], code: str) -> tuple[AssertPlan, str]:
        return judged(starter, problem, code, tmp_path)

    return run
