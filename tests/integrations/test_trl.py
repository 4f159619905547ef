"""The reward function for TRL, by itself and in two steps of the real GRPOTrainer."""

from __future__ import annotations

import asyncio
import importlib.util
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import DataError, JudgeError
from microcoder_eval.integrations.trl import AsyncReward, Reward, areward, reward
from tests.commands import execute
from tests.files import ROOT
from tests.integrations.conftest import BROKEN, RIGHT, WRONG

Tests = list[dict[str, Any]]
needs_trl = pytest.mark.skipif(
    importlib.util.find_spec("trl") is None, reason="TRL is not installed (extra trl)"
)


def chat(text: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": text}]


def test_texts_and_chats_are_rewarded_alike(doubling: Tests) -> None:
    columns = {"tests": [doubling] * 3, "completion_ids": [[1], [2], [3]], "trainer_state": None}
    answers = [RIGHT, WRONG, "I do not know."]
    assert reward(["?"] * 3, answers, **columns) == [1.0, 0.0, 0.0]
    assert reward([chat("?")] * 3, [chat(text) for text in answers], **columns) == [1.0, 0.0, 0.0]


def test_the_coroutine_gives_the_same(doubling: Tests) -> None:
    rewards = asyncio.run(areward(["?"] * 2, [RIGHT, WRONG], tests=[doubling] * 2))
    assert rewards == [1.0, 0.0]


def test_partial_credit_is_the_share_of_tests_passed(doubling: Tests) -> None:
    partial = Reward(partial=True)
    cut_off = "```python\nprint(int(input()))\n```\n```python\nprint("
    rewards = partial(["?"] * 3, [RIGHT, WRONG, cut_off], tests=[doubling] * 3)
    assert rewards == [1.0, pytest.approx(1 / 3), 0.0]


def test_a_failure_of_the_judge_is_none_and_is_told(doubling: Tests) -> None:
    log: dict[str, Any] = {}
    columns = {
        "tests": [doubling, doubling, None],
        "checker": [BROKEN, None, None],
        "log_extra": log.__setitem__,
        "log_metric": log.__setitem__,
    }
    assert reward(["?"] * 3, [RIGHT] * 3, **columns) == [None, 1.0, None]
    assert log == {"verdict": ["JE", "AC", ""], "judge_error": 0.5}
    with pytest.raises(JudgeError, match="broken"):
        Reward(on_error="raise")(["?"] * 3, [RIGHT] * 3, **columns)


def test_without_any_column_of_tests_nothing_is_rewarded_in_silence() -> None:
    with pytest.raises(ValueError, match=r"no column holds tests.*answer"):
        reward(["?"], [RIGHT], answer=["42"])


def test_limits_of_a_row_hold_and_those_of_the_reward_win() -> None:
    slow = "```python\nx = 0\nwhile True: x += 1\n```"
    tests = [{"input": "", "output": "1"}]
    log: dict[str, Any] = {}
    columns = {"tests": [tests], "limits": [{"time_s": 0.2}], "log_extra": log.__setitem__}
    assert reward(["?"], [slow], **columns) == [0.0]
    assert log["verdict"] == ["TLE"]
    assert Reward(limits={"time_s": 0.1})(["?"], [slow], tests=[tests]) == [0.0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"workers": 0}, "workers must be a whole number"),
        ({"compare": "tokns"}, "tokns"),
        ({"wokers": 2}, 'there is no option "wokers"; did you mean "workers"'),
        ({"name": ["tests"]}, "the first argument is the name in TRL's logs"),
    ],
)
def test_settings_that_no_judge_takes_are_refused_before_training(
    settings: dict[str, Any], message: str
) -> None:
    for make in (Reward, AsyncReward):
        with pytest.raises((ValueError, TypeError), match=re.escape(message)):
            make(**settings)


@pytest.mark.parametrize(("packages", "score"), [(["numpy"], 1.0), (("numpy",), 1.0), ([], 0.0)])
def test_programs_import_the_packages_of_the_reward(
    packages: Any, score: float, doubling: Tests
) -> None:
    answer = RIGHT.replace("print", "import numpy\nprint")
    assert Reward(packages=packages)(["?"], [answer], tests=[doubling]) == [score]


@pytest.mark.parametrize("tests", [[], [[]] * 3, "tests", {"input": "1"}])
def test_tests_that_are_not_one_for_each_completion_are_an_error(tests: Any) -> None:
    with pytest.raises(ValueError, match='"tests" must be a list with an item for each of the 2'):
        reward(["?", "?"], [RIGHT, RIGHT], tests=tests)


@pytest.mark.parametrize("function", [reward, lambda *a, **k: asyncio.run(areward(*a, **k))])
def test_a_row_that_cannot_be_read_is_named(function: Any) -> None:
    rows = [None, '[{"input": "1", "output": "1"}]', '[{"input": "1"']
    with pytest.raises(DataError, match=r'^row 2 of the batch, from 0: "tests" does not hold JSON'):
        function(["p"] * 3, ["print(1)"] * 3, tests=rows)


def test_rewards_travel_to_other_processes() -> None:
    for one in (reward, areward, Reward("mine", partial=True), AsyncReward("other")):
        assert pickle.loads(pickle.dumps(one)).__name__ == one.__name__


def test_importing_starts_nothing_and_loads_no_trainer() -> None:
    code = (
        "import sys, threading, microcoder_eval.integrations.trl\n"
        "assert threading.active_count() == 1\n"
        "assert not {'trl', 'torch', 'transformers'} & set(sys.modules)"
    )
    execute([sys.executable, "-c", code]).check_returncode()


@needs_trl
@pytest.mark.stacks
def test_two_steps_of_grpo_learn_from_the_judge(tmp_path: Path) -> None:
    # In a process of its own: the trainer sets warnings, threads and signals of the whole process.
    program = Path(__file__).with_name("grpo.py")
    result = execute([sys.executable, str(program), str(tmp_path)], cwd=ROOT, timeout=600)
    assert result.returncode == 0, result.stderr[-4000:]
    assert result.stdout.splitlines()[-1] == "2 steps"
