"""verl 0.9.1's sandbox_fusion reward and SandboxFusion's client 0.3.7 work with us unchanged.

They need an environment of their own, some 2 GB of it for verl:

    python -m venv benchmarks/.envs/verl
    benchmarks/.envs/verl/bin/pip install torch==2.13.0 setuptools==80.9.0
    benchmarks/.envs/verl/bin/pip install verl==0.9.1 sandbox-fusion==0.3.7
    pytest -m long tests/serve/test_clients.py

or one that exists already, by its interpreter: MICROCODER_VERL_PYTHON=….
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.commands import execute
from tests.files import ROOT, SAMPLES
from tests.processes import wait_until
from tests.serve.conftest import TOKEN, Server, serving

PYTHON = Path(os.environ.get("MICROCODER_VERL_PYTHON", ROOT / "benchmarks/.envs/verl/bin/python"))
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not PYTHON.exists(), reason=f"no {PYTHON}: {__file__} says how to make it"),
]
SUMS = {"inputs": ["1 2\n", "3 4\n", "5 6\n", "0 0\n"], "outputs": ["3\n", "7\n", "11\n", "0\n"]}
LEAP = {"inputs": ["2000", "1900"], "outputs": ["true", "false"], "fn_name": "leap"}


def fence(code: str) -> str:
    return f"Here it is.\n```python\n{code}\n```\n"


def call_clients(*jobs: dict[str, Any]) -> list[Any]:
    """What the clients make of the server's answers."""
    result = execute(
        [str(PYTHON), str(Path(__file__).with_name("clients.py"))],
        input=json.dumps(jobs),
        timeout=550,
    )
    assert result.returncode == 0, result.stderr[-4000:]
    answers: list[Any] = json.loads(result.stdout)
    return answers


def test_verls_reward_is_what_the_programs_deserve(server: Server) -> None:
    def score(code: str, tests: dict[str, Any] = SUMS, **more: Any) -> dict[str, Any]:
        completion = fence(code)
        url = f"{server.url}/run_code"
        job = {"client": "verl_score", "url": url, "completion": completion, "tests": tests}
        return {**job, **more}

    half = "a, b = map(int, input().split())\nprint(a + b if a < 3 else 0)"
    leap = "class Solution:\n    def leap(self, y):\n        return y % 4 == 0 and y % 400 == 0"
    checks = {"assert_case": ["assert double(2) == 4", "assert double(2) == 5"]}
    answers = call_clients(
        score("print(sum(map(int, input().split())))"),
        score("print(-1)"),
        score(half),
        score(half, continuous=True),
        score("1 / 0"),
        score("print("),
        score("while True: pass", {"inputs": [""], "outputs": [""]}, timeout=1),
        score("x = bytearray(300 << 20); print(len(x) * x.count(1))", memory_mb=64),
        score("print('x' * 1_000_000)", {"inputs": [""], "outputs": ["x" * 1_000_000]}),
        score(leap, LEAP),
        score("def double(x): return 2 * x", checks),
        {**score("print(sum(map(int, input().split())))"), "client": "verl_default_score"},
    )
    assert answers == [
        [1.0, ["success"] * 4],
        [0.0, ["wrong_answer"] * 4],
        [0.5, ["success", "wrong_answer", "wrong_answer", "success"]],
        [0.5, ["success", "wrong_answer", "wrong_answer", "success"]],
        [0.0, ["runtime_error"] * 4],
        [0.0, ["runtime_error"] * 4],  # as SandboxFusion itself: Python has no compile step there
        [0.0, ["timeout"]],
        [0.0, ["runtime_error"] * 4],
        [1.0, ["success"]],
        [1.0, ["success"] * 2],
        [0.5, ["success", "runtime_error"]],
        1.0,
    ]


def test_verl_comes_back_when_it_was_told_504_and_shows_the_token_of_its_url() -> None:
    with serving("--workers", 1, "--at-once", 1, "--wait", 0.1, MICROCODER_TOKEN=TOKEN) as server:
        authorized = {"Authorization": f"Bearer {TOKEN}"}
        url = f"http://verl:{TOKEN}@127.0.0.1:{server.port}/run_code"
        job = {
            "client": "verl_score",
            "url": url,
            "completion": fence("import time; time.sleep(0.3); print(7)"),
            "tests": {"inputs": ["", ""], "outputs": ["7", "7"]},
        }
        assert call_clients(job) == [[1.0, ["success", "success"]]]
        metrics = server.get("/metrics", **authorized).content.decode()
        assert 'path="/run_code",status="504"' in metrics
        assert server.run("print(7)").status == 401


def test_sandbox_fusions_own_client_is_served(server: Server) -> None:
    lines = (SAMPLES / "solutions.jsonl").read_text().splitlines()
    samples = [line for line in map(json.loads, lines) if "response" in line]
    right = next(line for line in samples if line["expected_verdict"] == "AC")
    run = {"client": "fusion_run", "url": server.url}
    answers = call_clients(
        {**run, "code": "print(int(input()) + 1)"},
        {**run, "code": "raise SystemExit(2)"},
        {
            "client": "fusion_submit",
            "url": server.url,
            "dataset": "samples",
            "id": right["problem_id"],
            "completion": right["response"],
        },
    )
    assert answers[:2] == [["6\n", "Success"], ["", "failed"]]
    accepted, tests, has_prompt = answers[2]
    assert (accepted, has_prompt) == (True, True)
    assert tests > 0
    assert wait_until(lambda: server.is_busy(running=0, waiting=0))
