"""compute_score for verl, by itself and called by verl 0.9.1's own code."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import DataError, JudgeError
from microcoder_eval.integrations import verl
from tests.commands import execute
from tests.files import ROOT
from tests.integrations.conftest import BROKEN, RIGHT, WRONG

FILE = ROOT / "microcoder_eval" / "integrations" / "verl.py"
# The whole of verl, 2 GB: made as tests/serve/test_clients.py says.
WHOLE = Path(os.environ.get("MICROCODER_VERL_PYTHON", ROOT / "benchmarks/.envs/verl/bin/python"))
Tests = list[dict[str, Any]]


@pytest.fixture(scope="session")
def ground_truth(doubling: Tests) -> str:
    """The tests as verl's ground truth."""
    return json.dumps({f"{key}s": [test[key] for test in doubling] for key in ("input", "output")})


@pytest.fixture(scope="session")
def verl_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """verl's own files, and none of what it depends on: 2 MB."""
    folder = tmp_path_factory.mktemp("verl")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    result = execute([*command, "--target", folder, "verl==0.9.1"], timeout=300)
    if result.returncode and "CI" not in os.environ:
        pytest.skip(f"verl==0.9.1 cannot be had here: {result.stderr[-300:]}")
    assert result.returncode == 0, result.stderr[-4000:]
    return folder


def call_verl(folder: Path, *jobs: dict[str, Any]) -> list[Any]:
    """The answers of verl's own code."""
    path = os.pathsep.join(map(str, (ROOT, ROOT / "sandbox", folder)))
    result = execute(
        [sys.executable, Path(__file__).with_name("verl_calls.py")],
        input=json.dumps(jobs),
        env={**os.environ, "PYTHONPATH": path},
        timeout=500,
    )
    assert result.returncode == 0, result.stderr[-4000:]
    answers: list[Any] = json.loads(result.stdout)
    return answers


def make_score(score: Any) -> dict[str, Any]:
    return {"score": score, "judge_error": 0}


def test_the_score_is_what_the_program_deserves(ground_truth: str) -> None:
    assert verl.compute_score("taco", RIGHT, ground_truth, {"index": 3}) == make_score(1.0)
    assert verl.compute_score("taco", WRONG, ground_truth) == make_score(0.0)
    assert verl.compute_score("taco", WRONG, ground_truth, partial=True) == make_score(
        pytest.approx(1 / 3)
    )
    assert asyncio.run(verl.acompute_score("taco", RIGHT, ground_truth)) == make_score(1.0)


def test_half_a_surrogate_pair_is_a_wrong_answer_and_no_error(ground_truth: str) -> None:
    assert verl.compute_score("taco", f"{WRONG}\ud800", ground_truth) == make_score(0.0)


def test_what_stands_beside_the_tests_is_used() -> None:
    tests = json.dumps([{"input": [1, 2], "output": 3}])
    answer = "```python\nadd = lambda a, b: a + b\n```"
    assert verl.compute_score("own", answer, tests, {"entry_point": "add"}) == make_score(1.0)


def test_verl_tool_has_the_tests_beside_an_empty_ground_truth() -> None:
    for code, score in (("def twice(x): return 2 * x", 1.0), ("def twice(x): return x", 0.0)):
        extra = {"test_cases": ["assert twice(2) == 4"], "inputs_outputs": None}
        assert verl.compute_score("ace", f"```python\n{code}\n```", "", extra) == make_score(score)


def test_a_failure_of_the_judge_raises_or_is_marked(ground_truth: str) -> None:
    broken = {"checker": BROKEN}
    with pytest.raises(JudgeError, match="broken"):
        verl.compute_score("taco", RIGHT, ground_truth, broken, on_error="raise")
    marked = [verl.compute_score("taco", RIGHT, ground_truth, extra) for extra in (broken, {})]
    assert marked == [{"score": 0.0, "judge_error": 1}, make_score(1.0)]


def test_one_failure_of_the_judge_ends_no_run_and_many_do(ground_truth: str) -> None:
    bound = {"max_judge_errors": 0.25, "judge_error_window": 8}
    broken = {"checker": BROKEN}
    for extra in (broken, {}, {}, broken):  # a quarter of the window
        verl.compute_score("taco", RIGHT, ground_truth, extra, **bound)
    with pytest.raises(JudgeError, match=r"3 of the last 5 answers.*broken"):
        verl.compute_score("taco", RIGHT, ground_truth, broken, **bound)


def test_unusable_tests_are_no_wrong_answer() -> None:
    with pytest.raises(DataError):
        verl.compute_score("x", RIGHT, "42")


@pytest.mark.stacks
def test_verl_finds_and_calls_the_function_by_package_and_by_path(
    verl_folder: Path, ground_truth: str
) -> None:
    arguments = {
        "data_source": "taco",
        "solution_str": RIGHT,
        "ground_truth": ground_truth,
        "extra_info": {"num_turns": 1, "rollout_reward_scores": {}},
        "limits": {"time_s": 5},
        "workers": 1,
    }
    paths = ("pkg://microcoder_eval.integrations.verl", str(FILE))
    jobs = [{"path": path, "arguments": arguments} for path in paths]
    assert call_verl(verl_folder, *jobs) == [make_score(1.0)] * 2


@pytest.mark.long
@pytest.mark.skipif(not WHOLE.exists(), reason=f"no {WHOLE}: tests/serve/test_clients.py tells how")
def test_verls_reward_manager_takes_the_function_and_the_coroutine() -> None:
    folders = [ROOT, ROOT / "sandbox", *filter(None, [os.environ.get("PYTHONPATH")])]
    result = execute(
        [WHOLE, Path(__file__).with_name("verl_manager.py")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        timeout=900,
    )
    assert result.returncode == 0, result.stderr[-4000:]
    marked = [{"score": 1.0, "judge_error": 0}, {"score": 0.0, "judge_error": 0}]
    marked.append({"score": 0.0, "judge_error": 1})
    expected = [{"reward_score": one["score"], "reward_extra_info": one} for one in marked]
    assert json.loads(result.stdout.splitlines()[-1]) == [expected, expected]
