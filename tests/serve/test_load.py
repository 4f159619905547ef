"""Crowds: no answer lost or mixed up, memory bounded."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from tests.serve.conftest import Answer, Server, program, serving

pytestmark = pytest.mark.slow
CLIENTS = 100
PATIENT_CLIENTS = 60  # more than run and wait: 22
BODY_BYTES = 200_000
GROWTH_BYTES = 256 << 20  # of the server and its workers together; the bodies alone are 20 MB


def memory(server: Server) -> int:
    """Resident bytes of the server and of everything it has started."""
    process = psutil.Process(server.process.pid)
    total = 0
    for one in (process, *process.children(recursive=True)):
        try:
            total += one.memory_info().rss
        except psutil.NoSuchProcess:
            pass  # a program that has just ended
    return total


def make_request(number: int) -> dict[str, object]:
    """A request of its own kind: large, and answered by its number."""
    return program(f"print(input(), {number})\n#{'x' * BODY_BYTES}", stdin=f"{number}\n")


def test_a_hundred_clients_at_once_all_get_their_own_answer() -> None:
    with serving("--workers", 2, "--wait", 600) as server:
        server.run("print(1)")
        before = memory(server)
        futures = [server.posted("/run_code", make_request(number)) for number in range(CLIENTS)]
        answers = [future.result() for future in futures]
        assert [answer.status for answer in answers] == [200] * CLIENTS
        outputs = [answer.json["run_result"]["stdout"] for answer in answers]
        assert outputs == [f"{number} {number}\n" for number in range(CLIENTS)]
        assert memory(server) - before < GROWTH_BYTES
        assert server.metric("held_bytes") == 0
        metrics = server.get("/metrics").content.decode()
        assert f'microcoder_runs_total{{status="Success"}} {CLIENTS + 1}.0' in metrics


def test_clients_that_come_back_when_told_to_are_all_answered() -> None:
    with serving("--workers", 2, "--at-once", 2, "--queue", 20, "--wait", 600) as server:
        refused = threading.Semaphore(0)
        problem = {"tests": [{"input": "2\n", "output": "4\n"}]}

        def ask(number: int) -> Answer:
            """Until it is judged: right for even numbers."""
            solution = {"code": f"print(int(input()) ** 2 + {number % 2})  # {number}"}
            while True:
                answer = server.post("/judge", {"problem": problem, "solution": solution})
                if answer.status != 503:
                    return answer
                assert int(answer.headers["retry-after"]) >= 1
                refused.release()
                threading.Event().wait(0.05)

        with ThreadPoolExecutor(PATIENT_CLIENTS) as clients:
            answers = list(clients.map(ask, range(PATIENT_CLIENTS)))
        assert [answer.json["reward"] for answer in answers] == [
            1.0 - number % 2 for number in range(PATIENT_CLIENTS)
        ]
        assert refused.acquire(blocking=False)  # the crowd was larger than the queue
