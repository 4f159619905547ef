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
from tests.train.rollout.pushed import asked, sampled, scorer

request = partial(asked, n=6)
NEVER = frozenset({-1})
EOS = frozenset({1})


def test_the_same_request_gives_the_same_samples_whatever_it_is_batched_with(
    model: PreTrainedModel,
) -> None:
    second_request = request("q", (13, 13, 4, 5, 22))
    alone = sampled(HfEngine(model, EOS), request())
    beside = sampled(HfEngine(model, EOS, max_sequences=5), second_request, request())
    assert [s.ids for s in beside if s.problem_id == "p"] == [s.ids for s in alone]


def test_other_streams_give_other_samples(model: PreTrainedModel) -> None:
    engine = HfEngine(model, NEVER)
    first_samples, second_samples = (
        sampled(engine, request(stream=(seed, "p"))) for seed in (0, 1)
    )
    assert [s.ids for s in first_samples] != [s.ids for s in second_samples]
    assert len({s.ids for s in first_samples}) > 1


def test_a_sample_ends_at_its_first_stop_token_or_its_length(model: PreTrainedModel) -> None:
    for sample in sampled(HfEngine(model, EOS), request(n=64, temperature=2.0, max_tokens=6)):
        if sample.finish == "stop":
            assert sample.ids.index(1) == len(sample.ids) - 1
        else:
            assert 1 not in sample.ids
            assert len(sample.ids) == 6
        assert sample.truncated == (sample.finish == "length")
        assert len(sample.logps) == len(sample.ids)


def test_samples_are_reported_as_they_finish(model: PreTrainedModel) -> None:
    lengths: list[int] = []
    HfEngine(model, EOS).generate(
        [request(n=64, temperature=2.0, max_tokens=40)],
        lambda sample: lengths.append(len(sample.ids)),
    )
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


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
        logp_BT, _ = policy.logprobs(batch)
    gap = (logp_BT - batch.rollout_logp_BT)[batch.mask_BT].abs().max()
    assert gap < 1e-4


def test_sampling_follows_the_distribution(model: PreTrainedModel) -> None:
    engine = HfEngine(model, NEVER, max_sequences=4000)
    firsts = [s.ids[0] for s in sampled(engine, request(n=4000, max_tokens=1, temperature=1.3))]
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([[12, 5, 22]])).logits[0, -1]
    expected = (logits / 1.3).softmax(0)
    shares = torch.bincount(torch.tensor(firsts), minlength=len(expected)) / 4000
    assert (shares - expected).abs().max() < 0.03  # 4 standard deviations of the most likely


def test_temperature_zero_is_greedy(model: PreTrainedModel) -> None:
    greedy = sampled(HfEngine(model, NEVER), request(temperature=0.0, n=3))
    assert len({s.ids for s in greedy}) == 1
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([[12, 5, 22]])).logits[0, -1]
    assert greedy[0].ids[0] == int(logits.argmax())


def test_top_p_keeps_to_the_nucleus(model: PreTrainedModel) -> None:
    with torch.no_grad():
        probabilities = model(input_ids=torch.tensor([[12, 5, 22]])).logits[0, -1].softmax(0)
    order = probabilities.sort(descending=True)
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
