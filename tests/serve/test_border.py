"""What the server refuses, and that it lives on: hostile bodies, sizes, tokens, crowds."""

from __future__ import annotations

import base64
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests.processes import wait_until
from tests.serve.conftest import SLEEPER, TOKEN, Server, program, serving

DEEP = 100_000

pytestmark = pytest.mark.slow


def code_with(text: str) -> bytes:
    return b'{"language": "python", "code": ' + text.encode() + b"}"


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 422, "Field required"),
        (b"{", 400, "not JSON"),
        (b"\xff\xfe{}", 400, "not UTF-8 (byte 0xff at position 1)"),
        (b'{"code": "\xe9", "language": "python"}', 400, "not UTF-8"),
        (b"[" * DEEP, 400, "nested too deeply"),
        (b"[" * DEEP + b"]" * DEEP, 400, "nested too deeply"),
        (b'{"a":' * DEEP + b"1" + b"}" * DEEP, 400, "nested too deeply"),
        (code_with("9" * 2_000_000), 400, "integer of 2000000 digits"),
        (code_with("9" * 10_000), 422, "code"),
        (b"[]", 422, "valid dictionary"),
        (b"null", 422, ""),
        (b'"text"', 422, ""),
        (code_with("NaN"), 422, "code"),
        (b'{"language": "python", "code": "1", "run_timeout": NaN}', 422, "run_timeout"),
        (b'{"language": "python", "code": "1", "run_timeout": Infinity}', 422, "run_timeout"),
        (b'{"language": "python", "code": "1", "run_timeout": 1e400}', 422, "run_timeout"),
        (b'{"language": "python", "code": "1", "memory_limit_MB": -Infinity}', 422, "memory"),
        (b'{"language": "python", "code": "1", "run_timeout": true}', 422, "run_timeout"),
        (b'{"language": "\\ud800", "code": "1"}', 422, ""),
        (b'{"language": ["python"], "code": "1"}', 422, "language"),
        (b'{"language": "python", "code": "1", "files": [1]}', 422, "files"),
        (json.dumps(program("1", fetch_files=[1] * 100_000)).encode(), 422, "fetch_files"),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else None,
)
def test_a_body_that_makes_no_sense_is_refused_with_the_reason(
    server: Server, body: bytes, status: int, message: str
) -> None:
    answer = server.post("/run_code", body)
    assert answer.status == status
    assert message in str(answer.json["detail"])
    assert len(answer.content) < 2000  # what was sent is not sent back


def test_deep_tests_are_refused_and_half_characters_go_back_as_they_came(server: Server) -> None:
    deep: Any = 1
    for _ in range(500):
        deep = [deep]
    problem = {"entry_point": "f", "tests": [{"input": [deep], "output": 1}]}
    solution = {"code": "def f(a): return 1"}
    assert server.post("/judge", {"problem": problem, "solution": solution}).status == 422
    answer = server.post("/judge", b'{"solution": {}, "\\ud800": 1}')
    assert (answer.status, answer.json["detail"][0]["loc"][0]) == (422, "body")
    body = b'{"dataset": "\\ud800", "id": "\\udc00", "completion": "", "config": {}}'
    answer = server.post("/submit", body)
    assert (answer.status, answer.json["detail"][:12]) == (422, 'no dataset "')


def test_programs_and_inputs_may_hold_any_character(server: Server) -> None:
    text = "\x00\x7f é 漢字 \U0001f600 \u2028"
    answer = server.run("print(ascii(input()))", stdin=f"{text}\n")
    assert answer.json["run_result"]["stdout"] == f"{text!a}\n"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_only_json_may_be_posted(server: Server, kind: str | None) -> None:
    headers = {} if kind is None else {"Content_Type": kind}
    answer = server.ask("POST", "/run_code", json.dumps(program("print(1)")).encode(), **headers)
    assert answer.status == 415


def test_unknown_paths_and_methods_are_told(server: Server) -> None:
    answer = server.get("/run_jupyter")
    assert (answer.status, b"this path is not served" in answer.content) == (404, True)
    assert server.get("/run_code").status == 405
    assert server.post("/health", {}).status == 405
    assert server.ask("DELETE", "/judge").status == 405


@pytest.mark.parametrize(
    "head",
    [
        b"GET /health HTTP/1.1\r\nHost: x\r\nX-Large: " + b"a" * 1_000_000 + b"\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X-Many: a\r\n" * 100_000 + b"\r\n",
        b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /run_code HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"POST /run_code HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /run_code HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"\x00\x01\x02\r\n\r\n",
    ],
    ids=["one header", "many headers", "path", "long length", "negative length", "two", "binary"],
)
def test_a_head_that_is_no_head_is_refused(server: Server, head: bytes) -> None:
    answer = server.raw(head)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")  # the rest of it may have met a reset
    assert server.get("/health").status == 200


@pytest.fixture(scope="module")
def narrow_server() -> Iterator[Server]:
    """A server that judges one program at a time, lets one more wait, and takes small bodies."""
    options = ("--at-once", 1, "--queue", 1, "--wait", 100, "--max-body-mb", 1)
    with serving("--workers", 1, *options) as server:
        yield server


def test_bodies_are_bounded_whether_they_say_their_size_or_not(narrow_server: Server) -> None:
    large = program("#" * (1 << 20))
    assert narrow_server.post("/run_code", large).status == 413
    chunk = b"10000\r\n" + b"#" * (1 << 16) + b"\r\n"
    answer = narrow_server.raw(
        b"POST /run_code HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        + chunk * 20
        + b"0\r\n\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 413")
    assert narrow_server.run("print(1)").json["status"] == "Success"
    assert narrow_server.metric("held_bytes") == 0


def test_who_shows_the_token_is_served_and_nobody_else() -> None:
    with serving("--workers", 1, MICROCODER_TOKEN=TOKEN) as server:
        basic = base64.b64encode(f"any:{TOKEN}".encode()).decode()
        body = program("print(1)")
        for right in (f"Bearer {TOKEN}", f"bearer {TOKEN}", f"Basic {basic}"):
            assert server.post("/run_code", body, Authorization=right).status == 200
        wrongs = ["Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN]
        for wrong in (*wrongs, "Basic é"):
            refused = server.post("/run_code", body, Authorization=wrong)
            assert refused.status == 401, wrong
            assert refused.headers["www-authenticate"] == "Bearer"
        assert server.post("/run_code", body).status == 401
        for path in ("/metrics", "/openapi.json", "/docs", "/get_prompts", "/nothing"):
            assert server.get(path).status == 401
        assert server.get("/health").status == 200  # what watches processes has no token
        assert server.get("/v1/ping").status == 200


def test_when_nobody_more_may_wait_the_next_is_told_when_to_come_back(
    narrow_server: Server,
) -> None:
    before = narrow_server.metric('refused_total{reason="queue_full"}')
    first = narrow_server.posted("/run_code", program(SLEEPER))
    assert wait_until(lambda: narrow_server.is_busy(running=1, waiting=0))
    waits = narrow_server.posted("/run_code", program("print('waited')"))
    assert wait_until(lambda: narrow_server.is_busy(running=1, waiting=1))
    refused = narrow_server.run("print('refused')")
    assert refused.status == 503
    assert int(refused.headers["retry-after"]) >= 1
    assert first.result().json["run_result"]["stdout"] == "slept\n"
    assert waits.result().json["run_result"]["stdout"] == "waited\n"
    assert narrow_server.metric('refused_total{reason="queue_full"}') == before + 1


def test_who_has_waited_too_long_is_told_504_which_verl_asks_again() -> None:
    with serving("--workers", 1, "--at-once", 1, "--wait", 0.1) as server:
        first = server.posted("/run_code", program(SLEEPER))
        assert wait_until(lambda: server.is_busy(running=1, waiting=0))
        refused = server.run("print('refused')")
        assert refused.status == 504
        assert int(refused.headers["retry-after"]) >= 1
        assert first.result().json["run_result"]["stdout"] == "slept\n"


def test_who_hangs_up_while_waiting_is_not_judged(narrow_server: Server) -> None:
    before = narrow_server.metric('runs_total{status="Success"}')
    first = narrow_server.posted("/run_code", program(SLEEPER))
    assert wait_until(lambda: narrow_server.is_busy(running=1, waiting=0))
    body = json.dumps(program("print('for nobody')")).encode()
    with socket.create_connection(("127.0.0.1", narrow_server.port)) as connection:
        connection.sendall(
            b"POST /run_code HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body
        )
        assert wait_until(lambda: narrow_server.is_busy(running=1, waiting=1))
    assert first.result().status == 200
    assert wait_until(lambda: narrow_server.is_busy(running=0, waiting=0))
    assert narrow_server.metric('requests_total{path="/run_code",status="499"}') == 1
    assert narrow_server.metric('runs_total{status="Success"}') == before + 1


def test_metrics_count_what_was_asked_and_no_client_makes_a_label(server: Server) -> None:
    server.run("print(1)")
    server.get("/a-path-of-a-client")
    text = server.get("/metrics").content.decode()
    assert 'microcoder_requests_total{path="/run_code",status="200"}' in text
    assert 'microcoder_requests_total{path="other",status="404"}' in text
    assert "a-path-of-a-client" not in text
    assert server.metric("workers") == 2
    assert server.metric("process_resident_memory_bytes") > 0


def test_the_server_describes_itself(server: Server) -> None:
    description = server.get("/openapi.json").json
    assert {"/judge", "/judge/batch", "/run_code", "/submit", "/health"} <= set(
        description["paths"]
    )
    fields = description["components"]["schemas"]["RunCodeRequest"]["properties"]
    assert set(program("")) <= set(fields)
    assert server.get("/docs").status == 200
