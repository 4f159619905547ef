"""Runs that are killed, stopped, out of disk or altered, and what can be gone on from."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.distributed.checkpoint import FileSystemReader
from torch.distributed.checkpoint.metadata import TensorStorageMetadata
from transformers import AutoModelForCausalLM, AutoTokenizer

from microcoder_train.errors import ResumeError
from microcoder_train.learner import shards
from microcoder_train.learner.policy import Policy
from microcoder_train.learner.pretrained import load_model
from microcoder_train.run import checkpoint
from microcoder_train.run.log import read_metrics
from microcoder_train.run.trainer import Trainer
from tests.processes import wait_until
from tests.train.digits import SETTINGS, Make, list_folder_words
from tests.train.run import killed

KILLED = Path(__file__).with_name("killed.py")
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([killed.__name__])
SMALL = (
    "train.steps=6",
    "train.train_batch_size=8",
    "train.ppo_mini_batch_size=4",
    "rollout.n=4",
    "checkpoint.every=3",
    "eval.every=2",
    "eval.n=1",
)
MAY_DIFFER = ("timing_s/", "perf/", "mem/")


def overrides(tiny: Path, *settings: str) -> list[str]:
    return [*list_folder_words(tiny), *SETTINGS, *SMALL, *settings]


def launch(log: Path, run: Callable[..., None], *words: str) -> BaseProcess:
    """A run in a process of its own, forked from one that has imported all that it needs."""
    process = FORKS.Process(target=killed.run_to_a_log, args=(log, run, *words))
    process.start()
    return process


def read_figures(out: Path) -> list[dict[str, Any]]:
    """metrics.jsonl without what may differ, NaN as text so that it equals itself."""
    return [
        {k: repr(v) for k, v in line.items() if not k.startswith(MAY_DIFFER)}
        for line in read_metrics(out)
    ]


def load_state(out: Path, step: int) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """Weights and the optimizer's moments."""
    folder = out / "checkpoints" / f"step_{step:06d}"
    model = AutoModelForCausalLM.from_pretrained(folder / "hf")
    metadata = FileSystemReader(folder / "optimizer").read_metadata().state_dict_metadata
    moments = {
        name: torch.empty(entry.size, dtype=entry.properties.dtype)
        for name, entry in metadata.items()
        if isinstance(entry, TensorStorageMetadata)
    }
    shards.load(folder / "optimizer", moments)
    return model.state_dict(), moments


def assert_same_end(first: Path, second: Path) -> None:
    assert read_figures(first) == read_figures(second)
    for tensors, other in zip(load_state(first, 6), load_state(second, 6), strict=True):
        assert tensors.keys() == other.keys()
        assert all(torch.equal(tensors[name], other[name]) for name in tensors)


@pytest.fixture(scope="module")
def reference_run(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six steps in one go."""
    from microcoder_train.config_layers import load_settings

    out = tmp_path_factory.mktemp("whole")
    Trainer(load_settings(None, "tiny", overrides(tiny)), out).run()
    return out


@pytest.fixture
def copied_run(reference_run: Path, tmp_path: Path) -> Path:
    """The same run, which a test may damage or go on with."""
    return shutil.copytree(reference_run, tmp_path / "run")


def test_a_step_is_told_the_time_of_the_checkpoint_before_it_alone(reference_run: Path) -> None:
    save_steps = {line["step"] for line in read_metrics(reference_run) if line.get("timing_s/save")}
    assert 4 in save_steps  # step 3 was saved
    assert 6 not in save_steps  # of step 5 there is none, nor an evaluation that could be the best


@pytest.mark.slow
@pytest.mark.parametrize(("phase", "step"), [("generation", 3), ("update", 4), ("save", 5)])
def test_killed_and_resumed_equals_never_killed(
    reference_run: Path, tiny: Path, settings: Make, tmp_path: Path, phase: str, step: int
) -> None:
    out, log = tmp_path / "run", tmp_path / "log"
    process = launch(log, killed.main, str(out), phase, str(step), *overrides(tiny))
    process.join(240)
    assert process.exitcode == -signal.SIGKILL, log.read_text()
    trainer = Trainer(settings(*SMALL), out)
    assert trainer.step == 3
    trainer.run()
    assert_same_end(out, reference_run)


@pytest.mark.slow
def test_sigterm_saves_and_the_same_command_goes_on(
    reference_run: Path, tiny: Path, settings: Make, tmp_path: Path
) -> None:
    out, log = tmp_path / "run", tmp_path / "log"
    log.touch()
    words = ("--preset", "tiny", "--out", str(out), *overrides(tiny))
    process = launch(log, killed.run_command, *words)
    assert wait_until(lambda: "step 2/6" in log.read_text())
    process.terminate()
    process.join(240)
    assert process.exitcode == 130, log.read_text()
    assert "saved; the same command goes on" in log.read_text()
    newest, _ = checkpoint.find_newest(out / "checkpoints")
    assert newest is not None
    assert 2 <= newest.step < 6
    Trainer(settings(*SMALL), out).run()
    assert_same_end(out, reference_run)


def test_every_checkpoint_loads_with_plain_transformers_and_gives_the_same_logits(
    reference_run: Path, tiny: Path, settings: Make
) -> None:
    trainer = Trainer(settings(*SMALL), reference_run)
    trainer.reward_judge.close()
    folder = reference_run / "checkpoints" / "step_000006" / "hf"
    ids = AutoTokenizer.from_pretrained(folder)("#7\nprint(", return_tensors="pt").input_ids
    loaded_model = AutoModelForCausalLM.from_pretrained(folder)
    with torch.no_grad():
        assert torch.equal(loaded_model(ids).logits, trainer.policy.model(ids).logits)


def test_a_checkpoint_for_a_bfloat16_engine_holds_the_weights_that_learn(
    settings: Make, tmp_path: Path
) -> None:
    config = settings("rollout.dtype=bfloat16").config
    trained = Policy(config, *load_model(config.model))
    saved_weights = [parameter.detach().clone() for parameter in trained.parameters]
    write = trained.start_saving(tmp_path)
    with torch.no_grad():
        for parameter in trained.parameters:
            parameter.add_(1.0)  # the run goes on
    write()
    half = AutoModelForCausalLM.from_pretrained(tmp_path / "hf")
    assert half.dtype is torch.bfloat16
    path = {"path": str(tmp_path / "hf")}
    resumed = Policy(config, *load_model(config.model.model_copy(update=path)))
    assert not all(map(torch.equal, resumed.parameters, saved_weights))
    pairs = zip(resumed.parameters, saved_weights, strict=True)
    assert all((rounded - exact).abs().max() < 0.01 for rounded, exact in pairs)
    resumed.load(tmp_path)
    assert all(map(torch.equal, resumed.parameters, saved_weights))


def test_other_settings_are_refused_by_name(reference_run: Path, settings: Make) -> None:
    with pytest.raises(ResumeError) as error:
        Trainer(settings(*SMALL, "mask.rho=0.3"), reference_run)
    assert str(error.value) == (
        f"{reference_run}/checkpoints/step_000006 was made with other settings: mask.rho was 0.2, "
        "is 0.3; go on with the old values, or start over in another --out"
    )


def test_other_problems_are_refused(
    reference_run: Path, settings: Make, tiny: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "train.jsonl"
    content = (tiny / "train.jsonl").read_text()
    try:
        copy.write_text(content)
        (tiny / "train.jsonl").write_text(content.replace('"output": "7\\n"', '"output": "8\\n"'))
        with pytest.raises(ResumeError, match=r"was made with another data\.train \(its problems"):
            Trainer(settings(*SMALL), reference_run)
    finally:
        (tiny / "train.jsonl").write_text(content)


def test_a_damaged_checkpoint_gives_way_to_the_one_before_in_words(
    copied_run: Path, settings: Make
) -> None:
    newest, older = (copied_run / "checkpoints" / f"step_{step:06d}" for step in (6, 3))
    weights = newest / "hf" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    trainer = Trainer(settings(*SMALL), copied_run)
    assert trainer.step == 3
    (note,) = [note for note in trainer.notes if " is damaged: " in note]
    assert note.startswith(f"{newest} is damaged: hf/model.safetensors is not as it was ")
    assert note.endswith(f"going on from {older}")
    trainer.close()


def test_damaged_checkpoints_alone_never_start_a_run_over(copied_run: Path, settings: Make) -> None:
    for file in copied_run.glob("checkpoints/*/hf/model.safetensors"):
        file.unlink()
    before = (copied_run / "metrics.jsonl").read_bytes()
    with pytest.raises(ResumeError, match=r"is damaged: .*; no other is there: start over in"):
        Trainer(settings(*SMALL), copied_run)
    assert (copied_run / "metrics.jsonl").read_bytes() == before


def test_a_path_that_is_no_checkpoint(settings: Make, tmp_path: Path) -> None:
    with pytest.raises(ResumeError) as error:
        Trainer(settings(*SMALL), tmp_path, resume=str(tmp_path))
    assert str(error.value) == f"{tmp_path} is not a checkpoint: no readable state.json"


@pytest.mark.slow
def test_a_run_goes_on_from_a_checkpoint_that_is_named(
    reference_run: Path, copied_run: Path, settings: Make
) -> None:
    folder = copied_run / "checkpoints"
    trainer = Trainer(settings(*SMALL), copied_run, resume=str(folder / "step_000003"))
    assert trainer.step == 3
    assert f"{folder / 'step_000006'} is removed: the run goes on from step 3" in trainer.notes
    assert max(saved.step for saved in checkpoint.list_checkpoints(folder)) == 3
    trainer.run()
    assert_same_end(copied_run, reference_run)
