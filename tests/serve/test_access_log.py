"""The line that each request leaves on standard output."""

from __future__ import annotations

import re

from tests.serve.conftest import Server, serving

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ 127\.0\.0\.1 (\S+) (.+) (\d+) \d+ ms")


def read_lines(server: Server, count: int) -> list[tuple[str, str, str]]:
    """(method, path, status) of the next lines."""
    assert server.process.stdout is not None
    matches = [LINE.fullmatch(server.process.stdout.readline().rstrip()) for _ in range(count)]
    return [(m[1], m[2], m[3]) for m in matches if m is not None]


def test_each_request_leaves_one_line_which_no_path_can_forge() -> None:
    forged = "/a%0A2026-11-22T00:00:00Z%20127.0.0.1%20GET%20/b%20200%201%20ms"
    with serving("--workers", 1) as server:
        server.get("/health")
        server.post("/run_code", {"code": "print(1)", "language": "python"})
        server.post("/run_code", b"{")
        server.get(forged + "x" * 500)
        *others, (method, path, status) = read_lines(server, 4)
        assert others == [
            ("GET", "/health", "200"),
            ("POST", "/run_code", "200"),
            ("POST", "/run_code", "400"),
        ]
        assert (method, status) == ("GET", "404")
        assert r"\n2026" in path
        assert len(path) < 200


def test_the_log_can_be_turned_off() -> None:
    with serving("--workers", 1, "--no-access-log") as server:
        server.get("/health")
        server.process.terminate()
        assert server.process.stdout is not None
        assert server.process.stdout.read() == ""


def test_a_reader_who_pauses_stops_no_request(server: Server) -> None:
    """A pipe holds 64 KiB: two thirds of the lines that are made here."""
    for _ in range(500):
        assert server.get("/" + "x" * 150).status == 404
