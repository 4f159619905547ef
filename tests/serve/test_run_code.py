"""SandboxFusion's /run_code: the fields and words that its clients rely on."""

from __future__ import annotations

import re
from typing import Any

import psutil
import pytest

from tests.serve.conftest import Server, program, serving


def test_a_program_that_ends_well_is_a_success(server: Server) -> None:
    answer = server.run("print(input()[::-1])", stdin="abc\n")
    assert answer.status == 200
    assert answer.json["status"] == "Success"
    assert answer.json["compile_result"] is None
    ran = answer.json["run_result"]
    assert (ran["status"], ran["return_code"]) == ("Finished", 0)
    assert (ran["stdout"], ran["stderr"]) == ("cba\n", "")
    assert ran["execution_time"] > 0


def test_the_least_that_may_be_sent_is_code_and_language(server: Server) -> None:
    answer = server.post("/run_code", {"code": "print(1)", "language": "python"})
    assert answer.json["run_result"]["stdout"] == "1\n"


def test_no_stdin_is_an_empty_one(server: Server) -> None:
    answer = server.run("import sys; print(repr(sys.stdin.read()))", stdin=None)
    assert answer.json["run_result"]["stdout"] == "''\n"


@pytest.mark.parametrize(
    ("code", "return_code", "message"),
    [
        ("raise SystemExit(3)", 3, ""),
        ("1 / 0", 1, "ZeroDivisionError"),
        ("print(", 1, "SyntaxError"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", -11, ""),
    ],
)
def test_a_program_that_fails_says_how(
    server: Server, code: str, return_code: int, message: str
) -> None:
    answer = server.run(code)
    assert (answer.status, answer.json["status"]) == (200, "Failed")
    ran = answer.json["run_result"]
    assert (ran["status"], ran["return_code"]) == ("Finished", return_code)
    assert message in ran["stderr"]


@pytest.mark.slow
@pytest.mark.parametrize("code", ["while True: pass", "import time; time.sleep(60)"])
def test_a_program_that_does_not_end_is_too_late(server: Server, code: str) -> None:
    answer = server.run(code, run_timeout=1, compile_timeout=1)
    assert (answer.status, answer.json["status"]) == (200, "Failed")
    assert answer.json["run_result"]["status"] == "TimeLimitExceeded"
    assert answer.json["run_result"]["return_code"] is None


@pytest.mark.parametrize(
    ("code", "limit"),
    [
        ("a = bytearray(400 << 20); a[::4096] = b'x' * len(a[::4096]); print(len(a))", "memory"),
        ("while True: print('x' * 65536)", "output"),
    ],
)
def test_a_program_at_a_limit_has_failed(server: Server, code: str, limit: str) -> None:
    answer = server.run(code, memory_limit_MB=64)
    assert (answer.status, answer.json["status"]) == (200, "Failed")
    assert answer.json["run_result"]["status"] == "Finished"
    assert f"{limit} limit" in answer.json["message"]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("open('/etc/passwd')", "PermissionError|FileNotFoundError"),
        ("import socket; socket.socket()", "PermissionError"),
        ("import os; os.fork()", "PermissionError"),
        ("open('/tmp/left-behind', 'w')", "PermissionError|FileNotFoundError|OSError"),
    ],
)
def test_programs_are_caged(server: Server, code: str, error: str) -> None:
    assert server.get("/health").json["sandbox_level"] >= 3
    answer = server.run(code)
    assert (answer.status, answer.json["status"]) == (200, "Failed")
    assert re.search(error, answer.json["run_result"]["stderr"])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"language": "bash"}, "it runs: python, cpp"),
        ({"files": {"a.txt": "eA=="}}, "files cannot be given"),
        ({"fetch_files": ["a.txt"]}, "or fetched"),
        ({"run_timeout": 61}, "time_s may be 60 at most"),
        ({"memory_limit_MB": 4097}, "memory_mb may be 4096 at most"),
        ({"run_timeout": 0}, "run_timeout"),
        ({"run_timeout": "10"}, "run_timeout"),
        ({"compile_timeout": -1}, "compile_timeout"),
        ({"stdin": 5}, "stdin"),
    ],
)
def test_what_cannot_be_done_is_refused_and_not_run(
    server: Server, fields: dict[str, Any], message: str
) -> None:
    answer = server.run("print(1)", **fields)
    assert answer.status == 422
    assert message in answer.content.decode()


def test_a_server_has_the_highest_limits_that_it_was_started_with() -> None:
    with serving("--workers", 1, "--max-time", 2, "--max-memory", 256) as server:
        assert server.run("print(1)", run_timeout=2, memory_limit_MB=256).status == 200
        answer = server.run("print(1)", run_timeout=3)
        assert "time_s may be 2 at most" in answer.content.decode()
        answer = server.run("print(1)", run_timeout=2, memory_limit_MB=257)
        assert "memory_mb may be 256 at most" in answer.content.decode()


@pytest.mark.slow
def test_a_judge_that_fails_is_a_sandbox_error_and_never_a_failed_program() -> None:
    server = Server("--workers", 1)
    try:
        answer = server.posted("/run_code", program("import time; time.sleep(60)"))
        while not answer.done():
            for worker in psutil.Process(server.process.pid).children():
                worker.kill()
            psutil.wait_procs(psutil.Process(server.process.pid).children(), timeout=0.1)
        assert answer.result().status == 200
        assert answer.result().json["status"] == "SandboxError"
        assert answer.result().json["run_result"] is None
        assert "the judge failed" in answer.result().json["message"]
    finally:
        code, log = server.end()
    assert code == 0
    assert [line.partition(" of 3 ")[0] for line in log.splitlines()] == [
        f"microcoder-eval: attempt {number}" for number in (1, 2, 3)
    ]


READ_AND_DOUBLE = {
    "cpp": "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n << '\\n'; }",
    "C++": '#include <cstdio>\nint main() { int n; scanf("%d", &n); printf("%d\\n", 2 * n); }',
    "nodejs": "console.log(2 * Number(require('fs').readFileSync(0)))",
}


@pytest.mark.slow
@pytest.mark.parametrize("language", READ_AND_DOUBLE)
def test_other_languages_are_compiled_and_run(server: Server, language: str) -> None:
    answer = server.run(READ_AND_DOUBLE[language], language=language, stdin="21\n")
    if "no toolchain" in answer.json["message"]:
        pytest.skip(answer.json["message"])
    assert (answer.status, answer.json["status"]) == (200, "Success")
    assert answer.json["run_result"]["stdout"] == "42\n"
    assert answer.json["compile_result"]["return_code"] == 0


def test_a_program_that_does_not_compile_has_a_compile_result_only(server: Server) -> None:
    answer = server.run("int main() { return }", language="cpp")
    assert (answer.status, answer.json["status"]) == (200, "Failed")
    assert answer.json["run_result"] is None
    assert answer.json["compile_result"]["return_code"] == 1
    assert "solution.cpp:1" in answer.json["compile_result"]["stderr"]


def test_a_ping_is_answered(server: Server) -> None:
    assert server.get("/v1/ping").json == "pong"
