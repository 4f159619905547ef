"""The step that several tests take: its rows, its policy, and the weights it leaves."""

from __future__ import annotations

from dataclasses import replace

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from microcoder_train.config_layers import Settings
from microcoder_train.learner.batching import TrainingSample, make_batch
from microcoder_train.learner.policy import Policy
from microcoder_train.parallel import full_tensor

Rows = list[list[TrainingSample]]


def rows(policy: Policy) -> Rows:
    """Two mini-batches of eight rows of many lengths, a third of them without advantage."""
    noise = torch.Generator().manual_seed(1)
    drawn_rows = []
    for i in range(16):
        ids = tuple(torch.randint(2, 24, (1 + i % 5,), generator=noise).tolist())
        advantage = [1.3, 0.0, -0.7][i % 3]
        drawn_rows.append(
            TrainingSample((12, 2 + i % 10, 22), ids, (-1.0,) * len(ids), 1.1, advantage)
        )
    scored_rows = []
    for row in drawn_rows:  # probabilities as an engine would give them
        with torch.no_grad():
            logp_BT, _ = policy.score(make_batch([row], policy.device))
        scored_rows.append(replace(row, rollout_logps=tuple(logp_BT[0].tolist())))
    return [scored_rows[:8], scored_rows[8:]]


def policy_of(settings: Settings) -> Policy:
    path = settings.config.model.path
    model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float64)
    return Policy(settings.config, model, AutoTokenizer.from_pretrained(path))


def weights(policy: Policy) -> torch.Tensor:
    return torch.cat([full_tensor(parameter.detach()).flatten() for parameter in policy.parameters])
