"""What every engine promises of its samples: tests that the modules of tests of each import.

engine: a fixture, in step with the fixture model, whose stop token is 1.
"""

from __future__ import annotations

import pytest
import torch
from transformers import PreTrainedModel

from microcoder_train.errors import ConfigError
from microcoder_train.rollout import Engine
from microcoder_train.samples import Sample
from tests.train.rollout.pushed import asked, sampled


def test_a_sample_ends_at_its_first_stop_token_or_its_length(engine: Engine) -> None:
    requests = asked(n=64, temperature=2.0), asked("q", n=8, temperature=2.0, max_tokens=5)
    samples = sampled(engine, *requests)
    assert [s.index for s in samples] == [*range(64), *range(8)]  # each came once
    for sample in samples:
        if sample.finish == "stop":
            assert sample.ids.index(1) == len(sample.ids) - 1
        else:
            assert 1 not in sample.ids
            assert len(sample.ids) == sample.request.sampling.max_tokens
        assert sample.truncated == (sample.finish == "length")
        assert len(sample.logps) == len(sample.ids)


def test_samples_are_reported_as_they_finish(engine: Engine) -> None:
    lengths: list[int] = []
    engine.generate(
        [asked(n=32, temperature=2.0, max_tokens=40)],
        lambda sample: lengths.append(len(sample.ids)),
    )
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]


def test_sampling_follows_the_distribution(engine: Engine, model: PreTrainedModel) -> None:
    samples = sampled(engine, asked(n=2000, max_tokens=1, temperature=1.3))
    expected = (next_logits(model) / 1.3).softmax(0)
    firsts = torch.tensor([sample.ids[0] for sample in samples])
    shares = torch.bincount(firsts, minlength=len(expected)) / len(firsts)
    assert (shares - expected).abs().max() < 0.045  # 4 standard deviations of the most likely


def test_temperature_zero_is_greedy(engine: Engine, model: PreTrainedModel) -> None:
    greedy = sampled(engine, asked(temperature=0.0, n=3))
    assert len({sample.ids for sample in greedy}) == 1
    assert greedy[0].ids[0] == int(next_logits(model).argmax())


def test_what_was_begun_when_sampling_was_stopped_is_gone(engine: Engine) -> None:
    def stop(sample: Sample) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.generate([asked(n=32, temperature=2.0, max_tokens=40)], stop)
    after = sampled(engine, asked("later", n=3))
    assert [(s.request.problem_id, s.index) for s in after] == [("later", i) for i in range(3)]


def test_a_request_that_cannot_fit_is_refused_by_name(engine: Engine) -> None:
    with pytest.raises(ConfigError, match=r"big: .*do not fit"):
        sampled(engine, asked("big", (12,) * 200, n=1, max_tokens=200))


def next_logits(model: PreTrainedModel) -> torch.Tensor:
    """Of the first token after the prompt of ``asked``."""
    with torch.no_grad():
        logits: torch.Tensor = model(input_ids=torch.tensor([[12, 5, 22]])).logits[0, -1]
    return logits
