"""The hf engine: what it samples, when it reports, and that its probabilities are the policy's."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel

from microcoder_train.learner.batching import TrainingSample, make_batch
from microcoder_train.learner.policy import Policy
from microcoder_train.rollout.hf import HfEngine
from tests.train.digits import Make
from tests.train.rollout.promises import (  # noqa: F401 - pytest collects them here
    next_logits,
    test_a_sample_ends_at_its_first_stop_token_or_its_length,
    test_samples_are_reported_as_they_finish,
    test_sampling_follows_the_distribution,
    test_temperature_zero_is_greedy,
)
from tests.train.rollout.pushed import asked, sampled, scorer

request = partial(asked, n=6)
NEVER = frozenset({-1})
EOS = frozenset({1})


@pytest.fixture
def engine(model: PreTrainedModel) -> HfEngine:
    """In step with the model, whose weights it shares."""
    return HfEngine(model, EOS, max_sequences=2000)


def test_the_same_request_gives_the_same_samples_whatever_it_is_batched_with(
    model: PreTrainedModel,
) -> None:
    second_request = request("q", (13, 13, 4, 5, 22))
    alone = sampled(HfEngine(model, EOS), request())
    beside = sampled(HfEngine(model, EOS, max_sequences=5), second_request, request())
    assert [s.ids for s in beside if s.request.problem_id == "p"] == [s.ids for s in alone]


def test_other_streams_give_other_samples(model: PreTrainedModel) -> None:
    engine = HfEngine(model, NEVER)
    first_samples, second_samples = (sampled(engine, request(stream=(seed,))) for seed in (0, 1))
    assert [s.ids for s in first_samples] != [s.ids for s in second_samples]
    assert len({s.ids for s in first_samples}) > 1


@pytest.mark.parametrize("temperature", [0.6, 1.0, 1.2])
def test_log_probabilities_are_the_trainers(
    model: PreTrainedModel, settings: Make, tiny: Path, temperature: float
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(tiny / "model")
    policy = Policy(settings().config, model, tokenizer)
    requests = [request(temperature=temperature), request("q", (13, 13, 4, 5, 22), n=2)]
    samples = sampled(HfEngine(model, EOS), *requests)
    rows = [TrainingSample.from_sample(s, advantage=1.0) for s in samples]
    batch = make_batch(rows, policy.device)
    with torch.no_grad():
        logp_BT, _ = policy.score(batch)
    gap = (logp_BT - batch.rollout_logp_BT)[batch.mask_BT].abs().max()
    assert gap < 1e-4


def test_top_p_keeps_to_the_nucleus(model: PreTrainedModel) -> None:
    order = next_logits(model).softmax(0).sort(descending=True)
    inside = set(order.indices[: int((order.values.cumsum(0) < 0.5).sum()) + 1].tolist())
    firsts = {s.ids[0] for s in sampled(HfEngine(model, NEVER), request(n=200, top_p=0.5))}
    assert firsts <= inside


def test_a_copy_in_another_dtype_follows_only_when_synced(tiny: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(tiny / "model")
    engine = HfEngine(model, NEVER, dtype=torch.bfloat16)
    before = sampled(engine, request(temperature=0.0, n=1))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter))
    assert sampled(engine, request(temperature=0.0, n=1)) == before
    engine.sync(scorer(model), 7)
    after = sampled(engine, request(temperature=0.0, n=1))
    assert after[0].ids != before[0].ids
    assert (before[0].version, after[0].version) == (0, 7)


def test_weights_that_are_shared_need_no_copy(model: PreTrainedModel) -> None:
    engine = HfEngine(model, NEVER)
    engine.sync(scorer(model), 3)
    assert sampled(engine, request(n=1))[0].version == 3
