"""Runs that are killed, stopped, out of disk or altered, and what can be gone on from."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.distributed.checkpoint import FileSystemReader
from torch.distributed.checkpoint.metadata import TensorStorageMetadata
from transformers import AutoModelForCausalLM, AutoTokenizer

from microcoder_train import checkpoint, shards
from microcoder_train.config import Settings
from microcoder_train.errors import ResumeError, TrainError
from microcoder_train.log import append, read_metrics
from microcoder_train.trainer import Trainer

KILLED = Path(__file__).with_name("killed.py")
ROOT = KILLED.parents[2]
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


def words(tiny: Path, *more: str) -> list[str]:
    return [
        f"model.path={tiny / 'model'}",
        f"data.train={tiny / 'train.jsonl'}",
        f"data.eval={tiny / 'eval.jsonl'}",
        "reward.workers=1",
        *SMALL,
        *more,
    ]


def launch(script: Path, arguments: Sequence[str], **options: Any) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'sandbox'}",
        "PYTHONWARNINGS": "ignore",
        "OMP_NUM_THREADS": str(torch.get_num_threads()),
    }
    return subprocess.Popen(
        [sys.executable, str(script), *arguments],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def figures(out: Path) -> list[dict[str, Any]]:
    """metrics.jsonl without what may differ, NaN as text so that it equals itself."""
    return [
        {k: repr(v) for k, v in line.items() if not k.startswith(MAY_DIFFER)}
        for line in read_metrics(out)
    ]


def state(out: Path, step: int) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """Weights and the optimizer's moments."""
    folder = out / "checkpoints" / f"step_{step:06d}"
    model = AutoModelForCausalLM.from_pretrained(folder / "hf")
    held = FileSystemReader(folder / "optimizer").read_metadata().state_dict_metadata
    moments = {
        name: torch.empty(kept.size, dtype=kept.properties.dtype)
        for name, kept in held.items()
        if isinstance(kept, TensorStorageMetadata)
    }
    shards.load(folder / "optimizer", moments)
    return model.state_dict(), moments


def assert_same_end(one: Path, other: Path) -> None:
    assert figures(one) == figures(other)
    for held, held_2 in zip(state(one, 6), state(other, 6), strict=True):
        assert held.keys() == held_2.keys()
        assert all(torch.equal(held[name], held_2[name]) for name in held)


@pytest.fixture(scope="module")
def whole(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six steps in one go."""
    from microcoder_train.config import load

    out = tmp_path_factory.mktemp("whole")
    Trainer(load(None, "tiny", words(tiny)), out).run()
    return out


def test_a_step_is_told_the_time_of_the_checkpoint_before_it_alone(whole: Path) -> None:
    told = {line["step"] for line in read_metrics(whole) if line.get("timing_s/save")}
    assert 4 in told  # step 3 was saved
    assert 6 not in told  # of step 5 there is none, nor an evaluation that could be the best


@pytest.mark.slow
@pytest.mark.parametrize(("phase", "step"), [("generation", 3), ("update", 4), ("save", 5)])
def test_killed_and_resumed_equals_never_killed(
    whole: Path,
    tiny: Path,
    settings: Callable[..., Settings],
    tmp_path: Path,
    phase: str,
    step: int,
) -> None:
    out = tmp_path / "run"
    process = launch(KILLED, [str(out), phase, str(step), *words(tiny)])
    _, said = process.communicate(timeout=240)
    assert process.returncode == -signal.SIGKILL, said
    trainer = Trainer(settings(*SMALL), out)
    assert trainer.step == 3
    trainer.run()
    assert_same_end(out, whole)


@pytest.mark.slow
def test_sigterm_saves_and_the_same_command_goes_on(
    whole: Path, tiny: Path, settings: Callable[..., Settings], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    command = "from microcoder_train.cli import main; raise SystemExit(main())"
    script = tmp_path / "run.py"
    script.write_text(command)
    process = launch(script, ["--preset", "tiny", "--out", str(out), *words(tiny)])
    assert process.stderr is not None
    for line in process.stderr:  # the lines of steps, as they are done
        if line.startswith("step 2/6"):
            process.send_signal(signal.SIGTERM)
            break
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(240) == 130, said
    assert "saved; the same command goes on" in said
    saved = checkpoint.newest(out / "checkpoints")
    assert saved is not None
    assert 2 <= saved.step < 6
    Trainer(settings(*SMALL), out).run()
    assert_same_end(out, whole)


def test_every_checkpoint_loads_with_plain_transformers_and_gives_the_same_logits(
    whole: Path, tiny: Path, settings: Callable[..., Settings]
) -> None:
    trainer = Trainer(settings(*SMALL), whole)
    trainer.grader.close()
    folder = whole / "checkpoints" / "step_000006" / "hf"
    ids = AutoTokenizer.from_pretrained(folder)("#7\nprint(", return_tensors="pt").input_ids
    plain = AutoModelForCausalLM.from_pretrained(folder)
    with torch.no_grad():
        assert torch.equal(plain(ids).logits, trainer.policy.model(ids).logits)


def test_other_settings_are_refused_by_name(whole: Path, settings: Callable[..., Settings]) -> None:
    with pytest.raises(ResumeError) as error:
        Trainer(settings(*SMALL, "mask.rho=0.3"), whole)
    assert str(error.value) == (
        f"{whole}/checkpoints/step_000006 was made with other settings: mask.rho was 0.2, is 0.3; "
        "go on with those, or start anew with --resume never or another --out"
    )


def test_other_problems_are_refused(
    whole: Path, settings: Callable[..., Settings], tiny: Path, tmp_path: Path
) -> None:
    changed = tmp_path / "train.jsonl"
    kept = (tiny / "train.jsonl").read_text()
    try:
        changed.write_text(kept)
        (tiny / "train.jsonl").write_text(kept.replace('"output": "7\\n"', '"output": "8\\n"'))
        with pytest.raises(ResumeError, match=r"was made with another data\.train \(its problems"):
            Trainer(settings(*SMALL), whole)
    finally:
        (tiny / "train.jsonl").write_text(kept)


def test_a_run_is_not_overwritten(whole: Path, settings: Callable[..., Settings]) -> None:
    with pytest.raises(ResumeError) as error:
        Trainer(settings(*SMALL), whole, resume="never")
    assert str(error.value) == (f"{whole} already holds a run: choose another --out, or remove it")


def test_a_checkpoint_without_its_optimizer_is_refused(
    whole: Path, settings: Callable[..., Settings], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    shutil.copytree(whole, out)
    for folder in (out / "checkpoints").glob("step_*"):
        shutil.rmtree(folder / "optimizer")
    with pytest.raises(ResumeError, match="has no optimizer/"):
        Trainer(settings(*SMALL, "train.steps=7"), out)


def test_a_path_that_is_no_checkpoint(settings: Callable[..., Settings], tmp_path: Path) -> None:
    with pytest.raises(ResumeError) as error:
        Trainer(settings(*SMALL), tmp_path, resume=str(tmp_path))
    assert str(error.value) == f"{tmp_path} is not a checkpoint: no readable state.json"


@pytest.mark.slow
def test_a_run_goes_on_from_a_checkpoint_that_is_named(
    whole: Path, settings: Callable[..., Settings], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    shutil.copytree(whole, out)
    trainer = Trainer(settings(*SMALL), out, resume=str(out / "checkpoints" / "step_000003"))
    assert trainer.step == 3
    assert max(held.step for held in checkpoint.checkpoints(out / "checkpoints")) == 3
    trainer.run()
    assert_same_end(out, whole)


def test_a_full_disk_leaves_the_checkpoint_before(tmp_path: Path) -> None:
    def write(folder: Path) -> None:
        (folder / "model").write_bytes(b"x" * 10_000)

    checkpoint.save(tmp_path, 1, {}, write)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, limits[1]))
        with pytest.raises(TrainError, match="earlier checkpoints are as they were"):
            checkpoint.save(tmp_path, 2, {}, write)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [held.step for held in checkpoint.checkpoints(tmp_path)] == [1]
    assert [path.name for path in tmp_path.iterdir()] == ["step_000001"]


def test_what_a_kill_left_in_mid_save_is_no_checkpoint(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, 1, {}, lambda folder: None)
    shutil.copytree(tmp_path / "step_000001", tmp_path / ".unfinished-step_000002")
    (tmp_path / "step_000003").mkdir()
    held = checkpoint.newest(tmp_path)
    assert held is not None
    assert held.step == 1
    checkpoint.keep(tmp_path, 1, None)
    assert not (tmp_path / ".unfinished-step_000002").exists()


def test_the_last_and_the_best_are_kept(tmp_path: Path) -> None:
    for step in range(1, 6):
        checkpoint.save(tmp_path, step, {}, lambda folder: None)
    checkpoint.keep(tmp_path, 2, best=2)
    assert [held.step for held in checkpoint.checkpoints(tmp_path)] == [2, 4, 5]


def test_lines_after_the_checkpoint_and_a_torn_one_are_cut(tmp_path: Path) -> None:
    file = tmp_path / "metrics.jsonl"
    for step in range(5):
        append(file, {"step": step, "x": float("nan")})
    with file.open("a") as out:
        out.write('{"step": 5, "x"')
    checkpoint.cut_lines(file, 3)
    assert [json.loads(line)["step"] for line in file.read_text().splitlines()] == [0, 1, 2, 3]
