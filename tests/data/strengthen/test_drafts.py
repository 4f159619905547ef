"""Of the checkers that a model drafts only those that judge every known answer rightly are used."""

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
GENERATOR = "import random\nrandom.seed(int(input()))\nprint(random.randint(4, 30))"
RIGHT_CHECKER = """
def check(input, output, expected):
    words = output.split()
    if len(words) != 2 or not all(word.isdigit() for word in words):
        return False
    return int(words[0]) + int(words[1]) == int(input) and min(map(int, words)) > 0
"""
DRAFTS = {
    "right": (RIGHT_CHECKER, True),
    "wrong: refuses a right answer": (
        "def check(input, output, expected):\n    return output.split() == expected.split()",
        False,
    ),
    "lazy: accepts all": ("def check(input, output, expected):\n    return True", False),
    "lazy: accepts all that is not empty": (
        "def check(input, output, expected):\n    return bool(output.strip())",
        False,
    ),
    "hostile: ends the process": (
        "import os\ndef check(input, output, expected):\n    os._exit(0)",
        False,
    ),
    "hostile: an answer that equals all": (
        "class Yes:\n    def __bool__(self): return True\n"
        "def check(input, output, expected):\n    return Yes()",
        False,
    ),
}


class Model(http.server.BaseHTTPRequestHandler):
    """Answers with a generator, or with the checker of the test."""

    checker = ""

    def do_POST(self) -> None:
        prompt = self.rfile.read(int(self.headers["Content-Length"])).decode()
        code = type(self).checker if "Write a checker" in prompt else GENERATOR
        message = {"content": f"```python\n{code}\n```"}
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


def split_in_two(address: str, tmp_path: Path) -> tuple[Row, Strengthen]:
    """A problem with several right answers, and a recipe with an endpoint."""
    row: dict[str, Any] = {
        "problem_id": "split",
        "kind": "stdin",
        "statement": "Print two positive numbers whose sum is n. Any such pair is right.",
        "tests": [{"input": "2\n", "output": "1 1\n"}, {"input": "3\n", "output": "1 2\n"}],
        "solutions": [
            {"code": "n = int(input())\nprint(1, n - 1)", "verdict": "AC"},
            {"code": "n = int(input())\nprint(n // 2, n - n // 2)", "verdict": "AC"},
            {"code": "n = int(input())\nprint(0, n)", "verdict": "WA"},
        ],
    }
    endpoint = Endpoint(url=address, model="fake", cache=str(tmp_path / "cache.jsonl"))
    return row, Strengthen(candidates=8, mutants=4, generator_runs=6, endpoint=endpoint)


@pytest.mark.parametrize("name", DRAFTS)
def test_only_a_checker_that_passes_its_trial_is_adopted(
    run: Run, address: str, tmp_path: Path, name: str
) -> None:
    Model.checker, is_adopted = DRAFTS[name]
    row, recipe = split_in_two(address, tmp_path)
    rows, dropped, _ = run(StrengthenStage(recipe), row)
    assert dropped == {}
    assert "needs_checker" in rows[0]["findings"]
    evidence = rows[0]["strengthened"]["needs_checker"]
    assert (rows[0].get("checker") is not None) == is_adopted
    if is_adopted:
        assert evidence["evidence"]["wrong_refused"] == 1
        assert rows[0]["checker"] == evidence["checker"]


def test_an_endpoint_that_gives_no_code_leaves_the_problem_pending(
    run: Run, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Model, "checker", "there is none")
    row, recipe = split_in_two(address, tmp_path)
    _, dropped, _ = run(StrengthenStage(recipe), row)
    assert dropped == {"split": "endpoint_failed"}
