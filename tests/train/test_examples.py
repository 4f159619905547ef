"""The examples run."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from microcoder_train.config import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_the_recipe_is_a_valid_configuration() -> None:
    settings = load(str(EXAMPLES / "smollm.toml"))
    assert settings.config.train.ppo_mini_batch_size == 8
    assert settings.config.list_warnings() == []


@pytest.mark.slow
def test_an_ablation_is_a_subclass(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("ablation", EXAMPLES / "ablation.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(tmp_path, "train.steps=2", "data.eval=")
    for name in ("group", "batch"):
        assert (tmp_path / name / "checkpoints/step_000002/hf").is_dir()
