"""Several processes (torchrun, gloo) train as one: the same samples, figures and weights, also when
one of them is killed and when others than before go on."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from torch import distributed, multiprocessing
from transformers import AutoModelForCausalLM

from microcoder_train.config_layers import load_settings
from microcoder_train.learner.pretrained import load_model
from microcoder_train.run import checkpoint
from microcoder_train.run.log import read_metrics
from microcoder_train.run.signals import STOP_SIGNALS, Stop
from microcoder_train.run.trainer import Trainer
from tests.commands import ENVIRONMENT
from tests.train.digits import list_folder_words
from tests.train.run.test_resume import KILLED, MAY_DIFFER, load_state

ROUNDED = ("actor/", "rollout/", "sync/")  # metrics that hold sums of floats
STEPS, GROUPS, MINI = 5, 6, 3  # three groups: uneven over two processes, too few for four
PATIENCE = 400  # seconds; for a machine that is busy otherwise
RUN = ("-m", "microcoder_train", "--preset", "tiny", "--out")


def overrides(tiny: Path, steps: int = STEPS) -> list[str]:
    return [
        *list_folder_words(tiny),
        "model.autocast=none",
        "rollout.dtype=master",
        "rollout.n=4",
        "rollout.response_length=4",
        "optim.lr=1e-4",
        f"train.steps={steps}",
        f"train.train_batch_size={GROUPS}",
        f"train.ppo_mini_batch_size={MINI}",
        "train.tokens_per_micro_batch=24",  # four rows: uneven numbers of micro-batches
        "checkpoint.every=3",
        "eval.every=5",
        "eval.n=1",
        f"log.samples={GROUPS}",
    ]


def start_torchrun(ranks: int, *program: str | Path, restarts: int = 0) -> subprocess.Popen[str]:
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    launcher.append(f"--max-restarts={restarts}")
    return subprocess.Popen(
        [*launcher, f"--nproc-per-node={ranks}", *map(str, program)],
        env={
            **os.environ,
            "PYTHONPATH": ENVIRONMENT["PYTHONPATH"],
            "PYTHONWARNINGS": "ignore",
            "OMP_NUM_THREADS": "1",
            "GLOO_SOCKET_IFNAME": "lo",
            # As examples/torchrun.sh. On a busy machine a process that has lost another takes more
            # than torchrun's 30 s to say so.
            "TORCH_ELASTIC_SHUTDOWN_TIMEOUT": "600",
            "TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1",
        },
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_output(process: subprocess.Popen[str]) -> str:
    _, output = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, output
    return output


@pytest.fixture(scope="module")
def single_run(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The steps taken by one process."""
    out = tmp_path_factory.mktemp("alone")
    Trainer(load_settings(None, "tiny", overrides(tiny)), out).run()
    return out


def assert_same(out: Path, single_run: Path) -> None:
    """Samples, rewards and masks equal; figures and weights but for float32's rounding."""
    assert_same_samples_and_weights(out, single_run)
    for line, expected in zip(read_metrics(out), read_metrics(single_run), strict=True):
        assert line.keys() == expected.keys()
        exact = {k for k in line if not k.startswith((*MAY_DIFFER, *ROUNDED))}
        assert {k: repr(line[k]) for k in exact} == {k: repr(expected[k]) for k in exact}
        for name in (
            "actor/pg_loss",
            "actor/grad_norm",
            "actor/entropy_with_advantage",
            "actor/lr",
        ):
            # Beside a loss whose terms, each about 1, cancel, float32 rounds at 1e-7.
            near = pytest.approx(expected.get(name, 0.0), rel=1e-5, abs=1e-7)
            assert line.get(name, 0.0) == near, (line["step"], name)


def assert_same_samples_and_weights(out: Path, single_run: Path) -> None:
    for step in range(1, STEPS + 1):
        name = f"samples/step_{step:06d}.jsonl"
        assert (out / name).read_text() == (single_run / name).read_text()
    assert (out / "problems.jsonl").read_text() == (single_run / "problems.jsonl").read_text()
    assert tensors(out) == tensors(single_run)
    for entries, expected in zip(
        load_state(out, STEPS), load_state(single_run, STEPS), strict=True
    ):
        assert entries.keys() == expected.keys()
        for name, tensor in entries.items():
            torch.testing.assert_close(tensor, expected[name], rtol=0, atol=1e-5)


def tensors(out: Path) -> list[str]:
    """The names in the last checkpoint's file of weights."""
    file = out / f"checkpoints/step_{STEPS:06d}/hf/model.safetensors"
    with safe_open(file, framework="pt") as tensors:
        return sorted(tensors.keys())


def list_shares(out: Path, ranks: int) -> list[list[tuple[int, bool]]]:
    """For each mini-batch what each process has of it: tokens, and whether any has an advantage."""
    results = []
    for file in sorted((out / "samples").glob("step_*.jsonl")):
        samples = [json.loads(line) for line in file.read_text().splitlines()]
        groups = [samples[i : i + 4] for i in range(0, len(samples), 4)]
        for mini in (groups[:MINI], groups[MINI:]):
            parts = [[row for group in mini[rank::ranks] for row in group] for rank in range(ranks)]
            results.append(
                [
                    (sum(row["tokens"] for row in part), any(row["advantage"] for row in part))
                    for part in parts
                ]
            )
    return results


@pytest.mark.slow
def test_two_processes_one_killed_and_resumed_are_as_one(
    single_run: Path, tiny: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    process = start_torchrun(2, KILLED, out, "update", "3", *overrides(tiny))
    _, output = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, output
    assert "LostProcessError: process 0: another process of this run ended" in output
    assert f"exitcode  : {-signal.SIGKILL}" in output
    newest, _ = checkpoint.find_newest(out / "checkpoints")
    assert newest is not None
    assert newest.step == 3
    output = wait_for_output(start_torchrun(2, *RUN, out, *overrides(tiny)))
    assert output.count("step 4/5") == 1  # one process speaks
    assert_same(out, single_run)
    split = list_shares(out, 2)
    assert any(first[0] != second[0] for first, second in split)
    assert any(first[1] != second[1] for first, second in split)


def test_torchruns_signal_does_not_end_a_process_that_reports_a_lost_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """torchrun sends it when a process is lost, while the others are about to say why they end."""
    monkeypatch.setattr("microcoder_train.run.signals.world_size", lambda: 2)
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    try:
        with pytest.raises(RuntimeError, match="lost"), Stop() as stop:
            raise RuntimeError("lost")
        # Else it would end pytest.
        assert signal.getsignal(signal.SIGTERM) != before[signal.SIGTERM]
        signal.raise_signal(signal.SIGTERM)
        assert stop.requested
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def load_apart(rank: int, folder: Path, meeting: Path) -> None:
    """One of two processes that load a model, of which the second has no file of weights."""
    init = f"file://{meeting}"
    distributed.init_process_group("gloo", init_method=init, rank=rank, world_size=2)
    mine = folder if rank == 0 else folder.with_name("without")
    model, _ = load_model(load_settings(None, "tiny", [f"model.path={mine}"]).config.model)
    expected = AutoModelForCausalLM.from_pretrained(folder)
    for name, value in expected.state_dict().items():
        assert torch.equal(model.state_dict()[name], value), name
    for name, value in expected.named_buffers():
        assert torch.equal(model.get_buffer(name), value), name
    assert model.get_output_embeddings().weight is model.get_input_embeddings().weight
    assert model.generation_config.to_dict() == expected.generation_config.to_dict()
    distributed.destroy_process_group()


@pytest.mark.slow
def test_one_process_reads_the_weights_for_all(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shutil.copytree(tiny / "model", tmp_path / "whole")
    shutil.copytree(whole, tmp_path / "without", ignore=shutil.ignore_patterns("*.safetensors"))
    arguments = (whole, tmp_path / "meeting")
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "lo")
    multiprocessing.spawn(load_apart, arguments, nprocs=2)


@pytest.mark.long
def test_another_number_of_processes_goes_on(single_run: Path, tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    for ranks, steps in ((2, 1), (4, 3), (1, 4), (2, STEPS)):
        wait_for_output(start_torchrun(ranks, *RUN, out, *overrides(tiny, steps)))
    assert_same_samples_and_weights(out, single_run)


@pytest.mark.long
@pytest.mark.parametrize(("phase", "step"), [("generation", "3"), ("save", "4")])  # 5 are saved
def test_a_process_killed_elsewhere_ends_the_others(
    single_run: Path, tiny: Path, tmp_path: Path, phase: str, step: str
) -> None:
    out = tmp_path / "run"
    process = start_torchrun(2, KILLED, out, phase, step, *overrides(tiny))
    _, output = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, output
    wait_for_output(start_torchrun(2, *RUN, out, *overrides(tiny)))
    assert_same(out, single_run)


@pytest.mark.long
def test_torchrun_starts_the_run_again_from_its_checkpoint(
    single_run: Path, tiny: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    output = wait_for_output(
        start_torchrun(2, KILLED, out, "update", "4", *overrides(tiny), restarts=1)
    )
    assert f"failed (exitcode: {-signal.SIGKILL})" in output
    assert output.count("step 4/5") == 2  # before the kill, and again from step 3
    assert_same(out, single_run)


@pytest.mark.long
def test_a_signal_to_one_process_stops_all_and_saves(
    single_run: Path, tiny: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    process = start_torchrun(2, *RUN, out, *overrides(tiny))
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("step 2/5"):
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
            os.kill(int(children.split()[-1]), signal.SIGTERM)
            break
    output = process.stderr.read()
    process.stderr.close()
    assert process.wait(PATIENCE) == 1, output
    assert "saved; the same command goes on" in output
    newest, _ = checkpoint.find_newest(out / "checkpoints")
    assert newest is not None
    assert 2 <= newest.step < STEPS
    wait_for_output(start_torchrun(2, *RUN, out, *overrides(tiny)))
    assert_same(out, single_run)
