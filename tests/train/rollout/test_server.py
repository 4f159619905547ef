"""The engine over HTTP, against a server of the test's own: who is asked, what is believed, what
happens when servers fail. With vLLM itself: test_vllm_server.py."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from transformers import PreTrainedModel

from microcoder_train.config import Rollout
from microcoder_train.config_layers import Settings
from microcoder_train.errors import ConfigError, EngineError, SyncError
from microcoder_train.rollout.hf import HfEngine
from microcoder_train.rollout.server import ServerEngine, make_serve_command
from microcoder_train.run.log import read_metrics
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Request, Sample
from tests.train.digits import Make
from tests.train.rollout.promises import (  # noqa: F401 - pytest collects them here
    test_a_request_that_cannot_fit_is_refused_by_name,
    test_what_was_begun_when_sampling_was_stopped_is_gone,
)
from tests.train.rollout.pushed import asked, disturb, pushed_thrice, sampled, scorer
from tests.train.rollout.small_server import (
    Body,
    Fault,
    SmallServer,
    aborts,
    cuts,
    edit,
    fails,
    hangs,
    refuses,
    resets,
)

EOS = frozenset({1})
Shared = tuple[ServerEngine, list[SmallServer]]


@pytest.fixture(scope="module")
def shared(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """For tests that leave nothing behind."""
    servers = [SmallServer(tiny / "model", EOS) for _ in range(2)]
    engine = open_engine(servers, tmp_path_factory.mktemp("run"))
    engine.sync(scorer(servers[0].model), 7)
    yield engine, servers
    for server in servers:
        server.stop()


@pytest.fixture
def pair(shared: Shared) -> list[SmallServer]:
    """Without faults; they have not been asked yet."""
    for server in shared[1]:
        server.bodies.clear()
        server.faults.clear()
    return shared[1]


@pytest.fixture
def engine(shared: Shared, pair: list[SmallServer]) -> ServerEngine:
    """In step with both."""
    return shared[0]


@pytest.fixture
def frail(tiny: Path) -> Iterator[list[SmallServer]]:
    """Servers that die, or have other weights after a test."""
    servers = [SmallServer(tiny / "model", EOS) for _ in range(2)]
    yield servers
    for server in servers:
        server.stop()


@pytest.fixture
def own_engine(frail: list[SmallServer], model: PreTrainedModel, tmp_path: Path) -> ServerEngine:
    """An engine in step with them."""
    new_engine = open_engine(frail, tmp_path)
    new_engine.sync(scorer(model), 7)
    for server in frail:
        server.bodies.clear()
    return new_engine


def open_engine(servers: list[SmallServer], out: Path, **changes: Any) -> ServerEngine:
    settings = Rollout(backend="server", servers=[server.url for server in servers], **changes)
    return ServerEngine(
        settings, "model", EOS, max_sequence_tokens=200, dtype="float32", folder=out / "weights"
    )


request = partial(asked, n=12)


def all_there(samples: list[Sample], *requests: Request) -> bool:
    names = [(item.problem_id, i) for item in requests for i in range(item.sampling.n)]
    return [(sample.request.problem_id, sample.index) for sample in samples] == names


def test_samples_are_the_local_engines(engine: ServerEngine, model: PreTrainedModel) -> None:
    greedy = request(temperature=0.0, n=4)
    ours, theirs = sampled(HfEngine(model, EOS), greedy), sampled(engine, greedy)
    assert [s.ids for s in theirs] == [s.ids for s in ours]
    assert theirs[0].logps == pytest.approx(ours[0].logps)
    assert {s.version for s in theirs} == {7}


def test_the_load_is_shared(engine: ServerEngine, pair: list[SmallServer]) -> None:
    both = request("a"), request("b")
    assert all_there(sampled(engine, *both), *both)
    assert all(len(server.bodies) >= 6 for server in pair)


def test_no_server_has_more_requests_at_once_than_asked_for(
    frail: list[SmallServer], model: PreTrainedModel, tmp_path: Path
) -> None:
    engine = open_engine(frail, tmp_path, max_sequences=1)
    engine.sync(scorer(model), 0)
    assert all_there(sampled(engine, request()), request())
    assert [server.peak for server in frail] == [1, 1]


def test_every_field_of_the_sampling_is_sent(engine: ServerEngine, pair: list[SmallServer]) -> None:
    sampled(engine, request(n=2, top_p=0.9))
    body = pair[0].bodies[0]
    params = body["sampling_params"]
    assert body["token_ids"] == [12, 5, 22]
    assert (params["top_p"], params["top_k"], params["min_p"]) == (0.9, 0, 0.0)
    assert (params["stop_token_ids"], params["ignore_eos"], params["logprobs"]) == ([1], True, 0)


def test_states_of_old_weights_are_not_used(
    own_engine: ServerEngine, frail: list[SmallServer], model: PreTrainedModel
) -> None:
    sampled(own_engine, request(n=2))
    own_engine.sync(scorer(model), 8)
    sampled(own_engine, request(n=2))
    assert len({body["cache_salt"] for body in frail[0].bodies}) == 2


def test_pushes_are_verified_and_leave_no_file(
    frail: list[SmallServer], model: PreTrainedModel, tmp_path: Path
) -> None:
    own_engine = open_engine(frail, tmp_path)
    for metrics in pushed_thrice(own_engine, model, request()):
        assert metrics["sync/check_maxdiff"] < 1e-4
        assert metrics["sync/servers"] == 2
    assert not list((tmp_path / "weights").iterdir())


@pytest.mark.parametrize("which", [0, 1])
def test_one_server_with_old_weights_stops_the_run(
    own_engine: ServerEngine, frail: list[SmallServer], model: PreTrainedModel, which: int
) -> None:
    frail[which].deaf = True
    disturb(model)
    with pytest.raises(SyncError, match="not the trainer's"):
        own_engine.sync(scorer(model), 8)


def test_a_server_that_cannot_read_the_weights_is_not_asked(
    own_engine: ServerEngine,
    frail: list[SmallServer],
    model: PreTrainedModel,
    caplog: pytest.LogCaptureFixture,
) -> None:
    frail[0].model = None
    assert own_engine.sync(scorer(model), 8)["sync/servers"] == 1
    assert caplog.messages[0].startswith("a server is not used before the next push of weights: ")
    assert frail[0].url in caplog.messages[0]
    assert all_there(sampled(own_engine, request()), request())
    assert not frail[0].bodies


@pytest.mark.parametrize("fault", [fails, cuts, resets, aborts])
def test_what_fails_once_is_asked_again(
    engine: ServerEngine, pair: list[SmallServer], fault: Fault
) -> None:
    for server in pair:
        server.faults.append(fault)
    assert all_there(sampled(engine, request()), request())
    assert sum(len(server.bodies) for server in pair) == 12 + 2
    for server in pair:
        server.bodies.clear()
    sampled(engine, request())
    assert all(server.bodies for server in pair)  # neither is given up for it


@pytest.mark.slow
def test_an_answer_that_does_not_come_is_asked_for_again(
    frail: list[SmallServer], model: PreTrainedModel, tmp_path: Path
) -> None:
    engine = open_engine(frail, tmp_path, timeout_s=5.0)
    engine.sync(scorer(model), 0)
    frail[0].faults.append(hangs)
    assert all_there(sampled(engine, request()), request())


def test_the_others_sample_while_a_server_that_failed_is_checked(
    own_engine: ServerEngine, frail: list[SmallServer]
) -> None:
    before = frail[1].checks
    frail[1].answers_checks.clear()
    frail[1].faults.append(fails)
    try:
        assert all_there(sampled(own_engine, request()), request())
        assert frail[1].checks == before + 1  # and so the first one is still waiting
        bodies = len(frail[1].bodies)
        assert all_there(sampled(own_engine, request()), request())
        assert len(frail[1].bodies) == bodies  # it is not used before the next push
    finally:
        frail[1].answers_checks.set()


@pytest.mark.slow
@pytest.mark.parametrize("request_number", [1, 4])
def test_a_server_that_dies_takes_no_sample_with_it(
    own_engine: ServerEngine, frail: list[SmallServer], model: PreTrainedModel, request_number: int
) -> None:
    frail[1].die_after = request_number
    both = request("a"), request("b")
    assert all_there(sampled(own_engine, *both), *both)
    assert own_engine.sync(scorer(model), 8)["sync/servers"] == 1
    assert all_there(sampled(own_engine, *both), *both)


@pytest.mark.slow
def test_a_server_that_comes_back_gets_the_weights_first(
    own_engine: ServerEngine,
    frail: list[SmallServer],
    model: PreTrainedModel,
    caplog: pytest.LogCaptureFixture,
) -> None:
    disturb(model)
    own_engine.sync(scorer(model), 8)
    frail[1].name = "default"  # it was started again, with the weights of its folder
    assert all_there(sampled(own_engine, request()), request())
    assert "other weights than those pushed last" in caplog.text
    before = len(frail[1].bodies)
    sampled(own_engine, request())
    assert len(frail[1].bodies) == before
    assert own_engine.sync(scorer(model), 9)["sync/servers"] == 2
    assert {s.version for s in sampled(own_engine, request())} == {9}


@pytest.mark.slow
def test_no_server_left_is_an_error_that_names_them(
    own_engine: ServerEngine, frail: list[SmallServer]
) -> None:
    for server in frail:
        server.die_after = 2
    with pytest.raises(EngineError, match=r"no server of rollout\.servers is left") as error:
        sampled(own_engine, request())
    assert all(server.url in str(error.value) for server in frail)


def stop_after(token: int, choice: Body) -> None:
    """Say "stop" after a token that is not the stop token."""
    choice["token_ids"] = [*choice["token_ids"][:-1], token]
    choice["logprobs"]["content"][-1]["token_id"] = token
    choice["finish_reason"] = "stop"


def name_another_token(choice: Body) -> None:
    """Give the first probability to another token than the one sampled."""
    choice["logprobs"]["content"][0]["token_id"] += 1


IMPOSSIBLE: dict[str, Callable[[Body], object]] = {
    "no tokens": lambda choice: choice.update(token_ids=[]),
    "tokens as text": lambda choice: choice.update(token_ids=["a"]),
    "one token less": lambda choice: choice["token_ids"] and choice.update(token_ids=[3]),
    "other tokens' probabilities": name_another_token,
    "a probability less": lambda choice: choice["logprobs"]["content"].pop(),
    "no probability": lambda choice: choice["logprobs"]["content"][0].update(logprob=-9999.0),
    "not a number": lambda choice: choice["logprobs"]["content"][0].update(logprob=float("nan")),
    "null": lambda choice: choice["logprobs"]["content"][0].update(logprob=None),
    "logprobs left out": lambda choice: choice.pop("logprobs"),
    "stopped by nothing": lambda choice: stop_after(5, choice),
    "repetition": lambda choice: choice.update(finish_reason="repetition"),
    "no reason": lambda choice: choice.pop("finish_reason"),
    "no name of weights": lambda choice: choice.pop("weight_versions"),
}


@pytest.mark.parametrize("change", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_answer_that_cannot_be_is_never_a_sample(
    engine: ServerEngine, pair: list[SmallServer], change: Callable[[Body], object]
) -> None:
    for server in pair:
        server.faults.extend([edit(change)] * 48)
    metrics: list[Sample] = []
    with pytest.raises(EngineError, match=r"http://127\.0\.0\.1:\d+"):
        engine.generate([request(max_tokens=2, temperature=2.0)], metrics.append)
    assert not metrics


def answers(text: bytes) -> Fault:
    return lambda handler, body: text


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (fails, r"4 attempts .*HTTP 500: EngineDeadError"),
        (refuses, "HTTP 403: Scale-out endpoints are disabled"),  # is not asked again
        *[(answers(text), "/inference/v1/generate")
          for text in (b"", b"<html>", b"[]", b'{"choices": []}')],
    ],
)  # fmt: skip
def test_what_always_fails_ends_the_step(
    engine: ServerEngine, pair: list[SmallServer], fault: Fault, message: str
) -> None:
    for server in pair:
        server.faults.extend([fault] * 48)  # 4 attempts for each of 12 samples, all at one server
    with pytest.raises(EngineError, match=message):
        sampled(engine, request())


@pytest.mark.parametrize(
    "options", [{"dtype": "bfloat16"}, {"logprobs_mode": "raw_logprobs"}, {"max_model_len": 100}]
)
def test_a_server_started_otherwise_is_refused_with_the_command(
    frail: list[SmallServer], tmp_path: Path, options: dict[str, Any]
) -> None:
    frail[1].settings |= options
    with pytest.raises(ConfigError, match=r"127\.0\.0\.1.*Start it with: .*--max-model-len 200"):
        open_engine(frail, tmp_path)


def test_a_server_that_does_not_answer_at_the_start_is_refused_soon(
    frail: list[SmallServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microcoder_train.rollout.server.CHECK_TIMEOUT_S", 1.0)
    frail[1].answers_checks.clear()
    threading.Timer(8.0, frail[1].answers_checks.set).start()  # too late
    with pytest.raises(ConfigError, match=r"timed out.*Start it with: "):
        open_engine(frail, tmp_path)


def test_the_command_that_starts_a_server_takes_any_folder() -> None:
    words = shlex.split(make_serve_command("my models/it's; rm", 200, "float32"))
    assert words[words.index("--model") + 1] == "my models/it's; rm"


def test_a_server_that_is_not_there_is_refused(frail: list[SmallServer], tmp_path: Path) -> None:
    frail[1].die()
    with pytest.raises(ConfigError, match=r"Connection (refused|reset).*Start it with: "):
        open_engine(frail, tmp_path)


@pytest.mark.slow
def test_a_run_whose_servers_are_lost_goes_on_from_where_it_was(
    settings: Make, frail: list[SmallServer], tiny: Path, tmp_path: Path
) -> None:
    def make_settings(servers: list[SmallServer]) -> Settings:
        urls = ", ".join(f'"{server.url}"' for server in servers)
        return settings(
            "rollout.backend=server", f"rollout.servers=[{urls}]", "rollout.n=4",
            "train.steps=3", "train.train_batch_size=8", "train.ppo_mini_batch_size=4",
            "eval.every=3", "eval.n=1",
        )  # fmt: skip

    class TwoSteps(Trainer):
        def sample(self, stop: Any) -> Any:
            for server in frail * (self.step == 2):
                server.die_after = len(server.bodies) + 7
            return super().sample(stop)

    with pytest.raises(EngineError, match="goes on from its last checkpoint"):
        TwoSteps(make_settings(frail), tmp_path).run()
    strangers = [SmallServer(tiny / "model", EOS)]
    Trainer(make_settings(strangers), tmp_path).run()
    strangers[0].stop()
    steps = read_metrics(tmp_path)
    assert [line["step"] for line in steps] == [0, 1, 2, 3]
    assert [line["sync/servers"] for line in steps[1:]] == [2, 2, 1]
    assert all(line["rollout/logp_diff_max"] < 1e-3 for line in steps[1:])
