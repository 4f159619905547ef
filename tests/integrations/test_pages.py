"""docs/stacks/ says what is so: its snippets are run, here or by the test of their stack."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.integrations.rows import get_problem, has_tests
from tests.files import ROOT
from tests.integrations.conftest import RIGHT, WRONG

PAGES = ROOT / "docs" / "stacks"
Tests = list[dict[str, Any]]


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of that language."""
    text = (PAGES / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_every_page_is_in_the_table_and_its_code_is_a_program() -> None:
    pages = {page.name for page in PAGES.glob("*.md")} - {"README.md"}
    table = (PAGES / "README.md").read_text(encoding="utf-8")
    assert [page for page in pages if f"({page})" not in table] == []
    for page in pages:
        for block in blocks(page, "python"):
            compile(block, page, "exec")


def test_the_forms_of_tests_are_read_as_the_page_writes_them() -> None:
    (forms,) = blocks("README.md", "json")
    for line in forms.splitlines():
        for tests in (line, json.loads(line)):
            assert has_tests({"tests": tests})
            assert get_problem({"tests": tests}).tests


def test_the_settings_of_trls_page_are_taken(doubling: Tests) -> None:
    names: dict[str, Any] = {}
    exec(blocks("trl.md", "python")[1], names)
    rewards = names["reward"](["?"] * 2, [RIGHT, WRONG], tests=[doubling] * 2)
    assert rewards == [1.0, pytest.approx(1 / 3)]
    assert names["beside"].__name__ == "by_tokens"


def test_the_configuration_of_verls_page_names_a_function_and_its_settings(doubling: Tests) -> None:
    yaml = pytest.importorskip("yaml")
    (block,) = blocks("verl.md", "yaml")
    function = yaml.safe_load(block)["reward"]["custom_reward_function"]
    module = importlib.import_module(function["path"].removeprefix("pkg://"))
    score = getattr(module, function["name"])
    assert hasattr(module, "acompute_score")
    result = score("taco", RIGHT, json.dumps(doubling), **function["reward_kwargs"])
    assert result == {"score": 1.0, "judge_error": 0}


def test_the_other_program_of_verls_page_runs(doubling: Tests) -> None:
    (program,) = blocks("verl.md", "python")
    names: dict[str, Any] = {}
    exec(program, names)
    assert names["compute_score"]("taco", WRONG, json.dumps(doubling))["score"] == 0.0


@pytest.mark.stacks
@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_the_file_of_openrlhfs_page_rewards_a_query(doubling: Tests, tmp_path: Path) -> None:
    # Loaded and called as openrlhf/utils/agent.py does it.
    file = tmp_path / "reward.py"
    file.write_text(blocks("openrlhf.md", "python")[0], encoding="utf-8")
    spec = importlib.util.spec_from_file_location("reward_func", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    prompt, label = "<|user|>Double it: ```python\nprint(1)\n```<|assistant|>", json.dumps(doubling)
    answers = [f"{RIGHT.strip()}<|im_end|>", f"{WRONG}</s>", "none"]
    rewards = [module.reward_func([prompt + text], [prompt], [label]) for text in answers]
    assert [one["rewards"].tolist() for one in rewards] == [[1.0], [0.0], [0.0]]
    assert rewards[0]["scores"].tolist() == rewards[0]["extra_logs"]["passed"].tolist() == [1.0]
    broken = json.dumps({"tests": doubling, "checker": {"source": "def chek(): pass"}})
    unjudged = module.reward_func([prompt + RIGHT], [prompt], [broken])
    assert unjudged["rewards"].tolist() == [0.0]
    assert unjudged["extra_logs"]["judge_error"].tolist() == [1.0]
