"""Real servers on ports of their own, asked over real connections."""

from __future__ import annotations

import http.client
import importlib.util
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.commands import ENVIRONMENT
from tests.files import SAMPLES

TOKEN = "a-token-of-our-own-0123456789"
# Long enough for others to be asked while it runs, on a machine where every core is busy.
SLEEPER = "import time; time.sleep(3); print('slept')"
SECONDS = 120  # that anything may take on a machine where others keep every core busy
NEEDED = ("fastapi", "prometheus_client", "uvicorn")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]
if MISSING:
    collect_ignore_glob = ["test_*.py"]  # told by pytest_report_header in tests/conftest.py


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.content.splitlines()]


class Server:
    """``microcoder-eval serve`` in a process."""

    def __init__(self, *words: object, descriptors: int | None = None, **environment: str) -> None:
        command = [sys.executable, "-m", "microcoder_eval", "serve", "--port", "0"]
        if descriptors is not None:
            command = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *command]
        self.process = subprocess.Popen(
            [*command, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**ENVIRONMENT, **environment},
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        assert self.line, self.end()[1]
        self.url = self.line.split()[0]
        self.port = urlsplit(self.url).port or 0
        self._threads = ThreadPoolExecutor(300)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One request on a connection of its own. Keywords: headers, _ for -."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        """Post a value as JSON, or bytes as they are."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask("POST", path, raw, **{"Content_Type": "application/json", **headers})

    def posted(self, path: str, body: Any) -> Future[Answer]:
        """Post without waiting for the answer."""
        return self._threads.submit(self.post, path, body)

    def run(self, code: str, **fields: Any) -> Answer:
        """Ask /run_code as verl's client does."""
        return self.post("/run_code", program(code, **fields))

    def metric(self, name: str) -> float:
        """One line of /metrics, 0 where there is none."""
        for line in self.get("/metrics").content.decode().splitlines():
            if line.startswith(f"microcoder_{name} "):
                return float(line.rpartition(" ")[2])
        return 0.0

    def is_busy(self, running: int, waiting: int) -> bool:
        """Whether so many requests are being judged, and so many wait."""
        health = self.get("/health").json
        return bool((health["running"], health["waiting"]) == (running, waiting))

    def raw(self, data: bytes) -> bytes:
        """Everything the server says to these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS) as connection:
            answer = b""
            try:
                connection.sendall(data)
                while part := connection.recv(1 << 16):
                    answer += part
            except ConnectionError:
                pass  # closed over what it would not read
            return answer

    def end(self, number: int | None = signal.SIGTERM) -> tuple[int, str]:
        """Stop it, or let it end; its exit code and what it said on standard error."""
        if number is not None and self.process.poll() is None:
            self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, errors


def program(code: str, **fields: Any) -> dict[str, Any]:
    """The body that verl 0.9.1's client sends to /run_code."""
    return {
        "compile_timeout": 10,
        "run_timeout": 10,
        "code": code,
        "stdin": "",
        "memory_limit_MB": 1024,
        "language": "python",
        "files": {},
        "fetch_files": [],
        **fields,
    }


@contextmanager
def serving(*words: object, descriptors: int | None = None, **environment: str) -> Iterator[Server]:
    """A server of one's own, that must end well. descriptors: how many it may have."""
    server = Server(*words, descriptors=descriptors, **environment)
    try:
        yield server
    finally:
        code, errors = server.end()
    assert (code, errors) == (0, "")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server for whoever does not harm it."""
    with serving("--workers", 2, "--dataset", f"samples={SAMPLES / 'tests.jsonl'}") as one:
        yield one
