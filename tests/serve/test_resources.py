"""What clients can take of the server's memory, descriptors and log, without asking anything."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.serve.body import count_values, measure_json
from microcoder_eval.serve.connections import ClientStep
from tests.processes import wait_until
from tests.serve.conftest import Server, program, serving

MIB = 1 << 20
DESCRIPTORS = 320
HELD_MIB = 160
SPARE_MIB = 64  # docs/serve.md: what a server may take besides --max-held-mb
HEAD = b"POST /run_code HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
PROMISE = HEAD + b"Content-Length: 2000000\r\n\r\n"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@contextmanager
def open_connections(server: Server, count: int, data: bytes) -> Iterator[list[socket.socket]]:
    """Connections that have sent these bytes, and send no more."""
    with ExitStack() as stack:
        connections = []
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
            connections.append(stack.enter_context(connection))
            connection.sendall(data)
        yield connections


@contextmanager
def fill_connections(server: Server, count: int, data: bytes) -> Iterator[None]:
    """Connections that have sent as much as the server takes before it hangs up."""
    with ExitStack() as stack:
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
            stack.enter_context(connection)
            with suppress(ConnectionError):
                connection.sendall(data)
        yield


@pytest.fixture(scope="module")
def small_server() -> Iterator[Server]:
    """A server that holds two MiB of bodies."""
    with serving("--workers", 1, "--max-body-mb", 2, "--max-held-mb", 2) as server:
        yield server


@pytest.mark.slow
def test_a_body_that_is_promised_holds_nothing(small_server: Server) -> None:
    with open_connections(small_server, 20, PROMISE + b"{"):
        assert wait_until(lambda: small_server.metric("held_bytes") == 20)
        assert small_server.run("#" * 100_000).status == 200
    assert wait_until(lambda: small_server.metric("held_bytes") == 0)  # they have hung up


@pytest.mark.slow
def test_a_slow_body_is_dropped_when_others_need_the_memory(small_server: Server) -> None:
    with open_connections(small_server, 1, PROMISE + b"#" * 1_900_000) as (slow,):
        assert wait_until(lambda: small_server.metric("held_bytes") == 1_900_000)
        assert wait_until(lambda: small_server.run("#" * 100_000).status == 200)
        assert slow.recv(1000).startswith(b"HTTP/1.1 503")
    assert wait_until(lambda: small_server.metric("held_bytes") == 0)


@pytest.mark.slow
def test_values_of_a_body_are_charged_before_it_is_read() -> None:
    with serving("--workers", 1, "--max-body-mb", 2, "--max-held-mb", 16) as server:
        lists = b'{"solution": {}, "problem": {"tests": [' + b"[]," * 100_000 + b"[]]}}"
        refused = server.post("/judge", lists)
        assert refused.status == 413
        assert "more than may be held" in refused.json["detail"]
        assert server.run("#" + "," * 1_000_000).status == 200  # text is not made of values
        assert wait_until(lambda: server.metric("held_bytes") == 0)


def make_hostile_bodies(size: int) -> dict[str, tuple[str, bytes]]:
    """Bodies of ``size`` bytes that become much more when they are read: path and content."""

    def judge(solution: bytes, tests: bytes = b"{}") -> tuple[str, bytes]:
        return "/judge", b'{"solution": %b, "problem": {"tests": [%b]}}' % (solution, tests)

    def submit(completion: bytes, tests: bytes) -> tuple[str, bytes]:
        data = b'{"language": "python", "provided_data": {"id": 1, "test": %b}}' % tests
        start = b'{"dataset": "x", "id": 1, "completion": "%b", "config": ' % completion
        return "/submit", start + data + b"}"

    def fill(text: bytes) -> bytes:
        return text * (size // len(text))

    keys = b",".join(b'"%07d":""' % number for number in range(size // 13))
    emoji = "\N{GRINNING FACE}".encode()
    return {
        "keys": judge(b'{"code": "1", "files": {%b}}' % keys),
        "lists": judge(b"{}", fill(b"[],") + b"[]"),
        "unfinished lists": ("/judge", fill(b"[")),
        "unfinished objects": ("/judge", fill(b'{"a":')),
        "one string": judge(b'{"code": "%b"}' % fill(b"#")),
        "one wide character": judge(b'{"code": "%b"}' % (fill(b"#") + emoji)),
        "one wide escape": judge(b'{"code": "%b"}' % (fill(b"#") + rb"\ud83d\ude00")),
        "escapes": judge(b'{"code": "%b"}' % fill(rb"\\\"")),
        "quotes": ("/judge", fill(b'"')),
        "JSON in a string": submit(b"", b'"[%b[]]"' % fill(b"[],")),
        "short lines": submit(fill(rb"ab\n"), b"[]"),
    }


@pytest.mark.slow
def test_the_memory_of_bodies_stays_within_the_bound() -> None:
    """Six of a kind at once, of which the bound admits one or none, and all kinds in a row; every
    other kind tells its length before, the others are chunked."""
    fields = "Host: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
    with serving("--workers", 1, "--max-held-mb", HELD_MIB) as server:
        server.run("print(1)")
        before = peak_memory(server)
        for number, (name, (path, body)) in enumerate(make_hostile_bodies(14 * MIB).items()):
            head = f"POST {path} HTTP/1.1\r\n{fields}".encode()
            request = head + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
            if number % 2:
                parts = [body[start : start + 5000] for start in range(0, len(body), 5000)]
                chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
                request = head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"
            with ThreadPoolExecutor(6) as clients:
                answers = list(clients.map(server.raw, [request] * 6))
            assert peak_memory(server) - before < (HELD_MIB + SPARE_MIB) * MIB, name
            assert all(answer[9:10] in b"245" for answer in answers), name
            assert server.run("print(1)").json["status"] == "Success"
            assert wait_until(lambda: server.metric("held_bytes") == 0)


@pytest.mark.slow
def test_heads_that_do_not_end_take_little_memory() -> None:
    with serving("--workers", 1, "--max-held-mb", 4, "--max-body-mb", 1) as server:
        before = peak_memory(server)
        for size in (15_000, 60_000):
            half = b"GET /health HTTP/1.1\r\nHost: x\r\nX-Large: " + b"a" * size
            with fill_connections(server, 1000, half):
                assert peak_memory(server) - before < (4 + SPARE_MIB) * MIB, size
                assert server.get("/health").status in (200, 503)
            assert wait_until(lambda: server.metric("held_bytes") == 0)
            assert server.run("print(1)").json["status"] == "Success"


@pytest.mark.slow
@pytest.mark.parametrize("fields", [b"a:b\r\n" * 101, b"X-Large: " + b"a" * (1 << 14) + b"\r\n"])
def test_a_head_that_takes_much_memory_is_refused_and_its_connection_closed(
    server: Server, fields: bytes
) -> None:
    answer = server.raw(b"GET /health HTTP/1.1\r\nHost: x\r\n" + fields + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 431")


@pytest.mark.slow
def test_the_memory_of_a_programs_output_stays_within_the_bound() -> None:
    """Six answers at once, each of 24 MiB as JSON, of which there are four copies."""
    with serving("--workers", 1, "--max-held-mb", HELD_MIB) as server:
        server.run("print(1)")
        before = peak_memory(server)
        zeros = program("import sys; sys.stdout.write(chr(0) * ((4 << 20) - 1))")
        answers = [
            future.result() for future in [server.posted("/run_code", zeros) for _ in range(6)]
        ]
        assert peak_memory(server) - before < (HELD_MIB + SPARE_MIB) * MIB
        assert {answer.status for answer in answers} <= {200, 503}
        assert wait_until(lambda: server.metric("held_bytes") == 0)


@pytest.mark.slow
def test_an_answer_that_nobody_reads_is_charged_until_others_need_the_memory() -> None:
    zeros = program("import sys; sys.stdout.write(chr(0) * ((4 << 20) - 1))")
    body = json.dumps(zeros).encode()
    request = HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    with serving("--workers", 1, "--max-held-mb", HELD_MIB) as server:
        with open_connections(server, 1, request) as (deaf,):
            assert deaf.recv(1)
            assert wait_until(lambda: server.is_busy(running=0, waiting=0))
            assert server.metric("held_bytes") > HELD_MIB * MIB // 2
            assert wait_until(lambda: server.post("/run_code", zeros).status == 200)
            with suppress(ConnectionError):
                while deaf.recv(MIB):
                    pass
        assert wait_until(lambda: server.metric("held_bytes") == 0)


def peak_memory(server: Server) -> int:
    """The most resident bytes that the server's process has had."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10


def test_long_test_code_is_refused_before_it_is_parsed(server: Server) -> None:
    problem = {"entry_point": "f", "test_code": "assert f([" + "0," * 200_000 + "]) == 1"}
    refused = server.post("/judge", {"problem": problem, "solution": {"code": "f = len"}})
    assert refused.status == 422
    assert "test_code" in refused.json["detail"]


CROWDS = {
    "nothing": b"",
    "half a head": b"GET /hea",
    "no body": PROMISE,
    "idle afterwards": b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n",
    "no end of a head": b"GET /docs HTTP/1.0",
}


@pytest.mark.slow
def test_who_connects_in_crowds_keeps_nobody_out() -> None:
    with serving("--workers", 1, descriptors=DESCRIPTORS) as server:
        for name, data in CROWDS.items():
            with open_connections(server, 2 * DESCRIPTORS, data):
                for _ in range(5):
                    assert server.run("print(1)").json["status"] == "Success", name
                descriptors = os.listdir(f"/proc/{server.process.pid}/fd")
                assert len(descriptors) < DESCRIPTORS - 50, name
    # ``serving`` has seen that nothing was logged


@pytest.mark.slow
def test_a_head_has_to_end_soon(server: Server) -> None:
    whole = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    with (
        open_connections(server, 1, b"GET /hea") as (half,),
        open_connections(server, 1, whole) as (second,),
    ):
        answer = b""
        while not answer.endswith(b"}"):
            answer += second.recv(1000)
        second.sendall(b"GET /hea")
        started = time.monotonic()
        half_seconds = int(2 * ClientStep.SEND_HEAD.value)
        for number in range(half_seconds):  # a byte now and then wins no time
            time.sleep(0.5)
            try:
                half.sendall(b"l"[: number % 2])
            except OSError:
                break
        assert half.recv(1) == b""
        assert second.recv(1) == b""
        assert time.monotonic() - started < 3 * ClientStep.SEND_HEAD.value


@given(st.text() | st.text(alphabet='\x00\n"\\\x7fa'))
def test_the_measured_length_of_json_is_never_too_short(text: str) -> None:
    assert len(json.dumps(text)) - 2 <= measure_json(text)


@given(VALUES)
@pytest.mark.slow
def test_counted_values_are_at_least_those_there_are(value: object) -> None:
    def count(value: object) -> int:
        if isinstance(value, dict):
            return 1 + len(value) + sum(map(count, value.values()))
        return 1 + sum(map(count, value)) if isinstance(value, list) else 1

    upper_bound = count_values(json.dumps(value).encode())
    assert count(value) <= upper_bound <= 2 * count(value)


@pytest.mark.slow
@pytest.mark.parametrize("text", [b'"', b'\\"', b"\\", b'"\\', b'\\"\\', b'"",'])
def test_counting_values_takes_linear_time(text: bytes) -> None:
    started = time.process_time()
    count_values(text * (13 * MIB // len(text)))
    count_values(b'"' + text * (13 * MIB // len(text)))
    assert time.process_time() - started < 2  # measured .3 s; an object a string takes 8 s
