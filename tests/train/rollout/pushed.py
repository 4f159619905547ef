"""What tests of every engine do to it: ask it, change the model, push the weights."""

from __future__ import annotations

import torch
from transformers import PreTrainedModel

from microcoder_train.learner.scorer import Scorer
from microcoder_train.rollout import Engine
from microcoder_train.samples import Request, Sample, Sampling


def asked(
    name: str = "p", ids: tuple[int, ...] = (12, 5, 22), *, n: int, **changes: object
) -> Request:
    """n answers of at most 12 tokens at temperature 1, or as changed."""
    defaults = {"temperature": 1.0, "max_tokens": 12, "stream": (0,)}
    return Request(name, ids, Sampling(n, **{**defaults, **changes}))  # type: ignore[arg-type]


def sampled(engine: Engine, *requests: Request) -> list[Sample]:
    """The samples in the order of their names, whenever they finished."""
    samples: list[Sample] = []
    engine.generate(requests, samples.append)
    return sorted(samples, key=lambda sample: (sample.request.problem_id, sample.index))


def scorer(model: PreTrainedModel) -> Scorer:
    """What scores its rows, as the trainer's policy does."""
    return Scorer(model, 1024)


def disturb(model: PreTrainedModel, names: str = "") -> None:
    """As a few large steps would: noise of 5 % of each weight's spread."""
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if names in name:
                weight.add_(0.05 * weight.std() * torch.randn_like(weight))


def pushed_thrice(
    engine: Engine, model: PreTrainedModel, request: Request
) -> list[dict[str, float]]:
    """What each of three pushes found; samples after it name it."""
    metrics = []
    for version in (1, 2, 3):
        disturb(model)
        metrics.append(engine.sync(scorer(model), version))
        assert {sample.version for sample in sampled(engine, request)} == {version}
    return metrics


def reward_even_digits(text: str, *_: object) -> float:
    """A reward function (reward.function) for which a random model's answers differ."""
    return sum(character in "02468" for character in text) / 12
