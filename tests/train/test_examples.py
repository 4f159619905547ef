"""The examples run."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from microcoder_train.config_layers import load_settings
from microcoder_train.run import tiny as tiny_module
from microcoder_train.run.trainer import Trainer
from tests.commands import ENVIRONMENT, execute
from tests.files import ROOT
from tests.train.digits import SETTINGS, list_folder_words

EXAMPLES = ROOT / "examples"


def test_the_recipe_is_a_valid_configuration() -> None:
    settings = load_settings(str(EXAMPLES / "smollm.toml"))
    assert settings.config.train.ppo_mini_batch_size == 8
    assert settings.config.list_warnings() == []


@pytest.mark.parametrize("name", ["mbpp_code_gen_grpo", "deepcoder_lora"])
def test_the_recipes_of_published_runs_take_a_step_of_a_tiny_model(
    name: str, tiny: Path, tmp_path: Path
) -> None:
    """Their own settings, but for the model, its size and the engine, which need a GPU."""
    recipe = str(EXAMPLES / "gpu" / f"{name}.toml")
    assert load_settings(recipe).config.list_warnings() == []
    words = [
        *list_folder_words(tiny),
        "data.template=completion",
        "rollout.backend=hf",
        "rollout.response_length=4",
        "train.train_batch_size=8",
        "train.ppo_mini_batch_size=4",
        "train.steps=1",
    ]
    if "lora" in name and importlib.util.find_spec("peft") is None:
        pytest.skip("peft is not installed")
    trainer = Trainer(load_settings(recipe, None, words), tmp_path)
    trainer.run()
    assert trainer.record.history[-1]["step"] == 1


@pytest.mark.slow
def test_an_ablation_is_a_subclass(tiny: Path, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("ablation", EXAMPLES / "ablation.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(tmp_path, *list_folder_words(tiny), *SETTINGS, "train.steps=2", "data.eval=")
    for name in ("group", "batch"):
        assert (tmp_path / name / "checkpoints/step_000002/hf").is_dir()


def run_on_gpus(
    script: str, *words: str | Path, processes: int = 1
) -> subprocess.CompletedProcess[str]:
    """One of the commands for GPUs, here where there is none."""
    environment = {
        **os.environ,
        "PYTHONPATH": ENVIRONMENT["PYTHONPATH"],
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONWARNINGS": "ignore",
        "CUDA_VISIBLE_DEVICES": "",
        "GLOO_SOCKET_IFNAME": "lo",
        "PROCESSES": str(processes),
        "NODES": "1",
        "PORT": "0",
    }
    command = [str(EXAMPLES / "gpu" / script), *map(str, words)]
    return execute(command, env=environment, timeout=None)


@pytest.mark.slow
def test_without_a_gpu_the_command_says_so(tmp_path: Path) -> None:
    result = run_on_gpus("one_gpu.sh", "--out", tmp_path)
    assert result.returncode != 0
    assert "torch finds no CUDA GPU" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "processes"), [("one_gpu.sh", 1), ("eight_gpus.sh", 2), ("two_nodes.sh", 1)]
)
def test_a_dry_run_ends_with_a_record(
    script: str, processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiny_module, "WARM_UP_STEPS", 0)  # it takes the problems alone
    tiny_module.write_tiny(tmp_path / "task", 0)
    words = ("--dry-run", "--out", tmp_path, "reward.engine=local")
    result = run_on_gpus(script, *words, processes=processes)
    assert result.returncode == 0, result.stderr
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["processes"] == processes
    assert record["microcoder"]["medians"]["rollout/logp_diff_max"] < 1e-5
    assert record["microcoder"]["medians"]["perf/gen_tok_s"] > 0
    assert set(record["microcoder"]["peaks_gb"]) > {"update"}
