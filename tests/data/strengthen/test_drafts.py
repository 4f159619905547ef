"""A model writes a generator, whose inputs become tests where right programs agree."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.recipe import Endpoint, Strengthen
from microcoder_data.strengthen.stage import StrengthenStage
from tests.data.lines import Row

pytestmark = pytest.mark.slow

Run = Callable[..., tuple[list[Row], dict[str, str], Row]]
# On the odd numbers it prints, the right programs disagree.
GENERATOR = "import random\nrandom.seed(int(input()))\nprint(random.randint(40, 90))"


class Model(http.server.BaseHTTPRequestHandler):
    """Answers with a text."""

    answer = ""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        message = {"content": type(self).answer}
        raw = json.dumps({"choices": [{"message": message}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None:
        """Silent."""


@pytest.fixture
def address() -> Iterator[str]:
    """The address of the model."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def halve(address: str, tmp_path: Path) -> tuple[Row, Strengthen]:
    """A problem about even numbers, and a recipe with an endpoint and without other inputs."""
    row: dict[str, Any] = {
        "problem_id": "halve",
        "kind": "stdin",
        "statement": "Print half of an even number.",
        "tests": [{"input": "2\n", "output": "1\n"}, {"input": "6\n", "output": "3\n"}],
        "solutions": [
            {"code": "print(int(input()) // 2)", "verdict": "AC"},
            {"code": "print((int(input()) + 1) // 2)", "verdict": "AC"},
        ],
    }
    endpoint = Endpoint(url=address, model="fake", cache=str(tmp_path / "cache.jsonl"))
    return row, Strengthen(proposals=0, large=0, generator_runs=8, endpoint=endpoint)


def test_what_a_generator_prints_becomes_a_test_where_right_programs_agree(
    run: Run, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Model, "answer", f"```python\n{GENERATOR}\n```")
    row, recipe = halve(address, tmp_path)
    rows, dropped, _ = run(StrengthenStage(recipe), row)
    assert dropped == {}
    numbers = [int(test["input"]) for test in rows[0]["tests"][2:]]
    assert numbers
    assert all(40 <= number <= 90 and number % 2 == 0 for number in numbers)
    assert "generator of fake, seed" in rows[0]["tests"][-1]["origin"]
    assert "needs_checker" in rows[0]["findings"]


def test_an_endpoint_that_gives_no_code_leaves_the_problem_pending(
    run: Run, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Model, "answer", "I cannot.")
    row, recipe = halve(address, tmp_path)
    _, dropped, _ = run(StrengthenStage(recipe), row)
    assert dropped == {"halve": "endpoint_failed"}
