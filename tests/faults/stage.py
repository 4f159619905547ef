"""The judge as seen from outside: its processes by what they are.

Nothing of ours is replaced or told to fail: a step is recognised by what the kernel shows of
processes, and a fault is a signal or a limit set on a live process.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.processes import STEP_SECONDS, Process, list_children, list_descendants, wait_for

ROOT = Path(__file__).resolve().parents[2]
_WORKER = b"from microcoder_eval.worker import main"
_SERVER = b"from microcoder_sandbox.server import main"


def _has_in_words(process: Process, sign: bytes) -> bool:
    try:
        return sign in Path(f"/proc/{process.pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


@dataclass(frozen=True)
class User:
    """Who the caller is: an interpreter, where it finds our packages, and a uid (None: ours)."""

    python: str = sys.executable
    place: Path = ROOT
    uid: int | None = None

    @property
    def paths(self) -> list[str]:
        return [str(self.place), str(self.place / "sandbox")]

    @property
    def identity(self) -> dict[str, Any]:
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.uid, "extra_groups": [], "cwd": "/"}


class Stage:
    """A caller process, what it was told, and what it has answered."""

    def __init__(
        self,
        *,
        workers: int = 1,
        limits: dict[str, float],
        wait: bool = True,
        user: User | None = None,
        **settings: Any,
    ) -> None:
        words = json.dumps({"workers": workers, "limits": limits, **settings})
        user = user or User()
        self.process = subprocess.Popen(
            [user.python, user.place / "tests/faults/caller.py", words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(str, user.paths)),
                "XDG_CACHE_HOME": "/dev/null",  # no folder: what is compiled is compiled here
            },
            **user.identity,
        )
        self.answers: list[dict[str, Any]] = []
        self._unread = b""
        self._selector = selectors.DefaultSelector()
        assert self.process.stdout is not None
        self._selector.register(self.process.stdout, selectors.EVENT_READ)
        if wait:
            self.line_with("ready", STEP_SECONDS)

    def kill(self) -> None:
        """Whatever happened: no process of this test may outlive it."""
        everything = list_descendants(self.process.pid)
        self.process.kill()
        self.process.wait()
        for process in everything:
            process.send(signal.SIGKILL)

    # -- what is said

    def tell(self, **order: Any) -> None:
        """Give the caller one order."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()

    def read(self, seconds: float) -> bool:
        """Take in what the caller says within that time; False when it said nothing."""
        if not self._selector.select(seconds):
            return False
        assert self.process.stdout is not None
        data = os.read(self.process.stdout.fileno(), 1 << 16)
        *lines, self._unread = (self._unread + data).split(b"\n")
        self.answers += map(json.loads, lines)
        return bool(data)

    def line_with(self, key: str, seconds: float) -> dict[str, Any]:
        """The line that has this key; AssertionError when it does not come in time."""
        deadline = time.monotonic() + seconds
        while True:
            for line in self.answers:
                if key in line:
                    return line
            left = deadline - time.monotonic()
            if left <= 0 or not self.read(left):
                raise AssertionError(f"no {key!r} within {seconds:g} s; {self._died()}")

    def results(self, count: int, seconds: float) -> dict[str, dict[str, Any]]:
        """``count`` answers by id, in time and each once; AssertionError otherwise."""
        deadline = time.monotonic() + seconds
        while len(lines := [line for line in self.answers if "id" in line]) < count:
            left = deadline - time.monotonic()
            if left <= 0 or not self.read(left):
                raise AssertionError(
                    f"{len(lines)} of {count} answers within {seconds:g} s; {self._died()}"
                )
        by_id = {line["id"]: line for line in lines}
        assert len(by_id) == len(lines), f"an answer came twice: {lines}"
        return by_id

    def end(self, seconds: float = 30.0) -> dict[str, Any]:
        """Close the Judge and the caller; what they leave. Nothing more may be answered."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        line = self.line_with("left", seconds)
        self.process.wait(seconds)
        return line

    def errors(self) -> str:
        """What came on standard error, to the end."""
        assert self.process.stderr is not None
        return self.process.stderr.read()[-2000:].decode()

    def _died(self) -> str:
        self.kill()
        return f"said: {self.answers}; errors: {self.errors()}"

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._selector.close()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                pass

    # -- what is there

    @property
    def caller(self) -> Process:
        """The process that holds the Judge."""
        process = Process.of(self.process.pid)
        assert process is not None
        return process

    def workers(self) -> list[Process]:
        return [p for p in list_children(self.process.pid) if _has_in_words(p, _WORKER)]

    def servers(self) -> list[Process]:
        """Fork servers, also those that are starting."""
        return [
            p for w in self.workers() for p in list_children(w.pid) if _has_in_words(p, _SERVER)
        ]

    def children(self) -> list[Process]:
        """Children of fork servers: programs, or test code."""
        return [p for server in self.servers() for p in list_children(server.pid)]

    def worker(self) -> Process:
        """The only worker, once it is there."""
        return wait_for(self.workers, "a worker")[0]

    def child(self) -> Process:
        """A program's process, once there is one."""
        return wait_for(self.children, "a child")[0]

    def server_of(self, child: Process) -> Process | None:
        """Whose child it is; None if that has ended."""
        return next((p for p in self.servers() if child in list_children(p.pid)), None)
