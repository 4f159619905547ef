"""The judge of the folder; and two real processes with plain pipes, the protocol without the
sandbox."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from microcoder_eval import Judge, Limits
from microcoder_sandbox.wire import frames
from microcoder_sandbox.wire.runner_messages import RunnerReport

ROOT = Path(__file__).parents[2]

# Makes the other processes by forking, as importing all this takes longer than most tests.
STARTER = """
import json, os, signal, socket, sys
from microcoder_sandbox.guest import responder
from microcoder_sandbox.test_runner import runner
from microcoder_sandbox.wire import frames
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
job = runner.RunnerJob(job["source"], job["entry"])
dry_reader, dry_writer = os.pipe()
if os.fork() == 0:
    runner.run_tests(job, -1, -1, dry_writer)
    os._exit(0)
os.close(dry_writer)
((report,)) = frames.read_frame(dry_reader)
runner.run_tests(job._replace(makers=report[-1]), read_fd, write_fd, report_fd)
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
def judge() -> Iterator[Judge]:
    """Two workers for the whole folder, which run every program that they are given."""
    with Judge(workers=2, limits=Limits(time_s=2, wall_s=60), reuse=False) as judge:
        yield judge


@pytest.fixture(scope="session")
def starter() -> Iterator[Starter]:
    """One for all tests."""
    starter = Starter()
    yield starter
    starter.close()


@pytest.fixture
def opaque(starter: Starter, tmp_path: Path) -> Callable[..., RunnerReport]:
    """opaque(code, source, entry=None): the report on one candidate; what the candidate
    prints goes nowhere."""

    def run(code: str, source: str, entry: str | None = None) -> RunnerReport:
        program, job = tmp_path / "program.py", tmp_path / "job.json"
        program.write_text(code)
        job.write_text(json.dumps({"source": source, "entry": entry}))
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

    return run
