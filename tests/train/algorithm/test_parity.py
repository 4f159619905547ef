"""The loss against verl 0.9.1's and TRL 1.16's own, in float64.

Needs an environment with both (CONTRIBUTING.md says how): it is not part of the others' test
set-up, so these tests run with ``pytest -m parity`` there. A private function of a pinned peer
that is gone fails the test; nothing here is skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

from microcoder_train.algorithm.grpo import (
    Aggregation,
    Clipping,
    Totals,
    aggregate,
    group_advantages,
    policy_loss,
)
from microcoder_train.algorithm.losses import cispo, gspo

pytestmark = pytest.mark.parity
ROWS, TOKENS = 8, 11
LOSS = 1e-6


def make_batch(masked_rows: bool = False) -> dict[str, Tensor]:
    """Rows of many lengths, ratios on both sides of every bound, both signs of advantage."""
    noise = torch.Generator().manual_seed(11)
    logp = -torch.rand(ROWS, TOKENS, dtype=torch.float64, generator=noise) * 3
    old_logp = logp + 0.5 * torch.randn(ROWS, TOKENS, dtype=torch.float64, generator=noise)
    old_logp[0] += 2.5  # ratios below both bounds
    old_logp[1] -= 2.5
    advantages = torch.randn(ROWS, dtype=torch.float64, generator=noise)
    advantages[1] = -1.2
    if masked_rows:
        advantages[2:4] = 0.0
    lengths = torch.tensor([11, 7, 1, 5, 11, 3, 9, 2])
    mask = torch.arange(TOKENS)[None] < lengths[:, None]
    return {"logp": logp, "old": old_logp, "advantages": advantages, "mask": mask}


def compute_loss(
    data: dict[str, Tensor],
    clipping: Clipping,
    mode: Aggregation,
    loss_function: Callable[..., tuple[Tensor, Tensor]] = policy_loss,
) -> tuple[Tensor, Tensor]:
    logp = data["logp"].clone().requires_grad_()
    losses, _ = loss_function(logp, data["old"], data["advantages"], clipping, data["mask"])
    totals = Totals(int(data["mask"].sum()), ROWS, TOKENS)
    loss = aggregate(losses, data["mask"], mode, totals)
    loss.backward()
    assert logp.grad is not None
    return loss.detach(), logp.grad


def assert_equal(actual: tuple[Tensor, Tensor], expected: tuple[Tensor, Tensor]) -> None:
    assert actual[0].item() == pytest.approx(expected[0].item(), abs=LOSS)
    torch.testing.assert_close(actual[1], expected[1])


def verl_loss(data: dict[str, Tensor], clipping: Clipping, mode: str) -> tuple[Tensor, Tensor]:
    from verl.trainer.ppo.core_algos import compute_policy_loss_vanilla
    from verl.workers.config import ActorConfig

    config = ActorConfig(
        strategy="fsdp",
        rollout_n=4,
        ppo_micro_batch_size_per_gpu=1,
        clip_ratio=clipping.low,
        clip_ratio_low=clipping.low,
        clip_ratio_high=clipping.high,
        clip_ratio_c=1e9,
    )
    config.global_batch_info.update(
        dp_size=1,
        batch_num_tokens=int(data["mask"].sum()),
        global_batch_size=ROWS,
        loss_scale_factor=TOKENS,
    )
    logp = data["logp"].clone().requires_grad_()
    loss, _ = compute_policy_loss_vanilla(
        old_log_prob=data["old"],
        log_prob=logp,
        advantages=data["advantages"][:, None].expand(ROWS, TOKENS),
        response_mask=data["mask"].double(),
        loss_agg_mode=mode,
        config=config,
    )
    loss.backward()
    assert logp.grad is not None
    return loss.detach(), logp.grad


def test_the_peers_are_those_that_were_pinned() -> None:
    assert version("verl") == "0.9.1"
    assert version("trl") == "1.16.0"


@pytest.mark.parametrize("mode", Aggregation.__args__)  # type: ignore[attr-defined]
def test_the_loss_is_verls_in_every_aggregation(mode: Aggregation) -> None:
    clipping = Clipping(0.2, 0.28)
    assert_equal(
        compute_loss(make_batch(), clipping, mode), verl_loss(make_batch(), clipping, mode)
    )


def test_the_loss_is_verls_with_masked_rows() -> None:
    data, clipping = make_batch(masked_rows=True), Clipping(0.2, 0.28)
    assert_equal(
        compute_loss(data, clipping, "token-mean"), verl_loss(data, clipping, "token-mean")
    )
    assert (compute_loss(data, clipping, "token-mean")[1][2:4] == 0).all()


def groups() -> Tensor:
    noise = torch.Generator().manual_seed(5)
    rewards = torch.randint(2, (6, 8), generator=noise).double()
    rewards[2], rewards[4] = 0.0, 1.0
    return rewards


def test_the_advantages_are_verls() -> None:
    import numpy as np
    from verl.trainer.ppo.core_algos import compute_grpo_outcome_advantage

    rewards = groups()
    token_rewards = torch.zeros(48, 3, dtype=torch.float64)
    token_rewards[:, -1] = rewards.flatten()
    theirs, _ = compute_grpo_outcome_advantage(
        token_level_rewards=token_rewards,
        response_mask=torch.ones(48, 3, dtype=torch.float64),
        index=np.repeat(np.arange(6), 8),
        epsilon=1e-6,
        norm_adv_by_std_in_grpo=True,
    )
    valid = torch.ones_like(rewards, dtype=torch.bool)
    mine = group_advantages(rewards, valid, eps=1e-6).flatten()
    torch.testing.assert_close(mine, theirs[:, 0], rtol=0, atol=1e-6)


def trl_loss(
    data: dict[str, Tensor], clipping: Clipping, kind: str, level: str = "token"
) -> tuple[Tensor, Tensor]:
    """GRPOTrainer's own method, on an object that has what it reads and nothing else."""
    from trl.trainer.grpo_trainer import GRPOTrainer

    logp = data["logp"].clone().requires_grad_()
    entropies = torch.zeros_like(logp)
    trainer = SimpleNamespace(
        _get_per_token_logps_and_entropies=lambda *a, **k: (logp, entropies, None),
        accelerator=SimpleNamespace(
            num_processes=1,
            gather=lambda x: x,
            gather_for_metrics=lambda x: x,
            reduce=lambda x, reduction: x,
        ),
        args=SimpleNamespace(
            gradient_accumulation_steps=1,
            steps_per_generation=1,
            delta=None,
            use_bias_correction_kl=False,
        ),
        current_gradient_accumulation_steps=1,
        model=SimpleNamespace(training=True),
        _metrics={"train": _MetricLists(), "eval": _MetricLists()},
        loss_type=kind,
        importance_sampling_level=level,
        beta=0.0,
        epsilon_low=clipping.low,
        epsilon_high=clipping.high,
        top_entropy_quantile=1.0,
        off_policy_mask_threshold=None,
        use_vllm=False,
        vllm_importance_sampling_correction=False,
        max_completion_length=TOKENS,
        aux_loss_enabled=False,
        _entropy_bonus_enabled=False,
    )
    inputs = {
        "prompt_ids": torch.ones(ROWS, 2, dtype=torch.int64),
        "prompt_mask": torch.ones(ROWS, 2, dtype=torch.int64),
        "completion_ids": torch.ones(ROWS, TOKENS, dtype=torch.int64),
        "completion_mask": data["mask"].long(),
        "advantages": data["advantages"],
        "old_per_token_logps": data["old"],
        "num_items_in_batch": data["mask"].sum(),
    }
    compute: Callable[..., Any] = GRPOTrainer._compute_loss
    loss = compute(trainer, None, inputs)
    loss.backward()
    assert logp.grad is not None
    return loss.detach(), logp.grad


class _MetricLists(dict[str, list[float]]):
    def __missing__(self, name: str) -> list[float]:
        self[name] = []
        return self[name]


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("dapo", "token-mean"),
        ("grpo", "seq-mean-token-mean"),
        ("dr_grpo", "seq-mean-token-sum-norm"),
    ],
)
@pytest.mark.parametrize("masked_rows", [False, True])
def test_the_loss_is_trls(kind: str, mode: Aggregation, masked_rows: bool) -> None:
    data, clipping = make_batch(masked_rows), Clipping(0.2, 0.28)
    assert_equal(compute_loss(data, clipping, mode), trl_loss(data, clipping, kind))


@pytest.mark.parametrize("masked_rows", [False, True])
def test_the_loss_of_gspo_is_trls(masked_rows: bool) -> None:
    data, clipping = make_batch(masked_rows), Clipping(0.02, 0.03)
    theirs = trl_loss(data, clipping, "grpo", "sequence")
    assert_equal(compute_loss(data, clipping, "seq-mean-token-mean", gspo), theirs)


@pytest.mark.parametrize("masked_rows", [False, True])
def test_the_loss_of_cispo_is_trls(masked_rows: bool) -> None:
    # TRL's bound is on the ratio itself, ours on its distance from 1.
    data = make_batch(masked_rows)
    theirs = trl_loss(data, Clipping(0.2, 1.28), "cispo")
    assert_equal(compute_loss(data, Clipping(0.2, 0.28), "token-mean", cispo), theirs)


def test_the_advantages_are_trls() -> None:
    from trl.trainer import grpo_trainer

    rewards, valid = groups(), torch.ones(6, 8, dtype=torch.bool)
    # TRL: (r - nanmean) / (nanstd + 1e-4), ddof 1, in _generate_and_score_completions.
    std = grpo_trainer.nanstd(rewards, dim=1)
    theirs = (rewards - rewards.nanmean(dim=1, keepdim=True)) / (std[:, None] + 1e-4)
    torch.testing.assert_close(group_advantages(rewards, valid, eps=1e-4), theirs)
