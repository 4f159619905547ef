"""Which folders can be a model, and what is said of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_train.config import Model
from microcoder_train.errors import ConfigError
from microcoder_train.learner.pretrained import load_model


@pytest.mark.parametrize(
    "place", ["", "checkpoints/step_000002", "checkpoints/step_000002/adapter"]
)
def test_a_folder_of_a_run_names_its_trained_model(tmp_path: Path, place: str) -> None:
    trained = tmp_path / "checkpoints/step_000002/hf"
    for folder in ("step_000001/hf", "step_000002/hf", "step_000002/adapter"):
        (tmp_path / "checkpoints" / folder).mkdir(parents=True)
    with pytest.raises(ConfigError) as error:
        load_model(Model(path=str(tmp_path / place)))
    assert str(error.value).endswith(f"; the trained model is model.path={trained}")
