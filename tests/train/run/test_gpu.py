"""What only a CUDA GPU can show of a run with the hf engine: ``pytest -m gpu tests/train``."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from microcoder_train.learner.batching import make_batch
from microcoder_train.learner.policy import Policy
from microcoder_train.run.trainer import Trainer
from tests.train.digits import Make
from tests.train.learner.one_step import policy_of, rows

pytestmark = [pytest.mark.train, pytest.mark.gpu]


def test_a_resumed_run_ends_with_the_weights_of_one_that_was_not_stopped(
    settings: Make, tmp_path: Path
) -> None:
    def run(folder: str, steps: int) -> Policy:
        words = ("train.train_batch_size=8", "checkpoint.every=2", f"train.steps={steps}")
        trainer = Trainer(settings(*words), tmp_path / folder)
        trainer.run()
        return trainer.policy

    run("resumed", 2)
    resumed, whole = run("resumed", 4), run("whole", 4)
    assert resumed.device.type == "cuda"
    for one, other in zip(resumed.parameters, whole.parameters, strict=True):
        assert torch.allclose(one, other, atol=1e-4)
    steps = {state["step"].item() for state in resumed.optimizer.state.values()}
    assert steps == {state["step"].item() for state in whole.optimizer.state.values()}


@pytest.mark.parametrize("layout", ["rows", "shared"])
def test_log_probabilities_are_those_of_the_cpu(settings: Make, layout: str) -> None:
    policy = policy_of(settings())
    batch = rows(policy)[0]
    on_cpu, _ = policy.score(make_batch(batch, policy.device, layout))
    policy.model.to("cuda", torch.float32)
    on_gpu, _ = policy.scorer(make_batch(batch, torch.device("cuda"), layout))
    mask_BT = make_batch(batch, torch.device("cpu")).mask_BT
    assert (on_gpu.cpu() - on_cpu[mask_BT]).abs().max() < 1e-4
