"""Checkpoints on disk: whole or not there, and which of them stay."""

from __future__ import annotations

import json
import math
import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from microcoder_train.errors import ResumeError, TrainError
from microcoder_train.run import checkpoint, log
from microcoder_train.run.trainer import Trainer
from tests.train.digits import Make


def save(root: Path, step: int, state: dict[str, Any], write: Callable[[Path], None]) -> None:
    """Write a checkpoint and wait for it; all stay."""
    saver = checkpoint.Saver(root, keep_last=100)
    saver.start(step, state, None, lambda folder: lambda: write(folder))
    saver.wait()


def save_steps(folder: Path, *steps: int, content: bytes | None = None) -> None:
    """Checkpoints with this content of a model, if any."""

    def write(saved: Path) -> None:
        if content is not None:
            (saved / "hf").mkdir()
            (saved / "hf/model").write_bytes(content)

    for step in steps:
        save(folder, step, {"seed": 7}, write)


def list_steps(folder: Path) -> list[int]:
    return [saved.step for saved in checkpoint.list_checkpoints(folder)]


def test_a_full_disk_leaves_the_checkpoint_before(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, content=b"x" * 10_000)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, limits[1]))
        with pytest.raises(TrainError, match="earlier checkpoints are as they were"):
            save_steps(tmp_path, 2, content=b"x" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list_steps(tmp_path) == [1]
    assert [path.name for path in tmp_path.iterdir()] == ["step_000001"]


def test_a_checkpoint_is_written_while_the_run_goes_on(tmp_path: Path) -> None:
    may_write, events = Event(), list[str]()

    def copy(folder: Path) -> Callable[[], None]:
        events.append("copied")

        def write() -> None:
            assert may_write.wait(60)
            events.append("written")

        return write

    saver = checkpoint.Saver(tmp_path, keep_last=1)
    saver.start(1, {}, None, copy)
    saver.poll()
    assert (events, checkpoint.list_checkpoints(tmp_path)) == (["copied"], [])
    may_write.set()
    saver.start(2, {}, None, copy)  # the one before comes first
    saver.wait()
    assert events == ["copied", "written"] * 2
    assert [saved.step for saved in checkpoint.list_checkpoints(tmp_path)] == [2]


def test_a_checkpoint_that_cannot_be_written_ends_the_run_at_the_next_step(tmp_path: Path) -> None:
    failed = Event()

    def write() -> None:
        failed.set()
        raise OSError("no space")

    saver = checkpoint.Saver(tmp_path, keep_last=1)
    saver.start(1, {}, None, lambda folder: write)
    assert failed.wait(60)
    saver.close()
    with pytest.raises(TrainError, match="step_000001 cannot be written: no space"):
        saver.poll()


@pytest.mark.parametrize(("free", "is_told"), [((1 << 20) - 1, True), (1 << 20, False)])
def test_a_full_disk_is_named_whatever_a_library_says_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, is_told: bool
) -> None:
    def write(folder: Path) -> None:
        raise RuntimeError("odd words")

    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(TrainError, match="is full" if is_told else "odd words"):
        save(tmp_path, 1, {}, write)


def test_a_step_that_is_saved_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    for content in (b"first", b"second"):
        save_steps(tmp_path, 1, content=content)
    (saved,) = checkpoint.list_checkpoints(tmp_path)
    assert (saved.folder / "hf/model").read_bytes() == b"second"


def test_what_is_written_is_on_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(
        os, "fsync", lambda number: synced.append(os.readlink(f"/proc/self/fd/{number}"))
    )
    save(tmp_path, 1, {}, lambda folder: (folder / "model").touch())
    unfinished = [Path(path) for path in synced if "unfinished" in path]
    assert {path.name for path in unfinished} >= {"model", checkpoint.STATE}
    assert synced[-1] == str(tmp_path)  # the new name, too
    file = tmp_path / "metrics.jsonl"
    log.write_lines(file, [{"step": 1}])
    synced.clear()
    log.remove_lines_after(file, 1)
    assert [Path(path).name.startswith(".metrics.jsonl.") for path in synced] == [True]


def test_what_a_kill_left_in_mid_save_is_no_checkpoint(tmp_path: Path) -> None:
    save_steps(tmp_path, 1)
    unfinished = tmp_path / ".unfinished-step_000002"
    shutil.copytree(tmp_path / "step_000001", unfinished)
    (tmp_path / "step_000003").mkdir()
    newest, _ = checkpoint.find_newest(tmp_path)
    assert newest is not None
    assert newest.step == 1
    # Its space is free before another step is written.
    save(tmp_path, 5, {}, lambda folder: (folder / str(unfinished.exists())).touch())
    assert (tmp_path / "step_000005/False").exists()


@pytest.mark.parametrize("state", ["{}", "[]", "torn"])
def test_a_folder_of_another_program_is_no_checkpoint(tmp_path: Path, state: str) -> None:
    (tmp_path / "step_1").mkdir()
    (tmp_path / "step_1" / checkpoint.STATE).write_text(state)
    save_steps(tmp_path, 999_999, 1_000_000)
    checkpoint.prune(tmp_path, 1, None)
    assert list_steps(tmp_path) == [1_000_000]
    assert (tmp_path / "step_1").is_dir()


def test_a_folder_of_damaged_checkpoints_has_none_and_says_why(tmp_path: Path) -> None:
    assert checkpoint.find_newest(tmp_path) == (None, [])
    save_steps(tmp_path, 1, content=b"weights")
    (tmp_path / "step_000001" / checkpoint.STATE).write_text("torn")
    newest, reasons = checkpoint.find_newest(tmp_path)
    assert newest is None
    assert len(reasons) == 1


def test_the_last_and_the_best_are_kept(tmp_path: Path) -> None:
    save_steps(tmp_path, *range(1, 6))
    checkpoint.prune(tmp_path, 2, best=2)
    assert list_steps(tmp_path) == [2, 4, 5]


def test_lines_after_the_checkpoint_and_a_torn_one_are_cut(tmp_path: Path) -> None:
    file = tmp_path / "metrics.jsonl"
    log.write_lines(file, [{"step": step, "x": float("nan")} for step in range(5)])
    with file.open("a") as out:
        out.write('{"step": 5, "x"')
    log.remove_lines_after(file, 3)
    assert [json.loads(line)["step"] for line in file.read_text().splitlines()] == [0, 1, 2, 3]


def test_what_follows_a_step_is_removed(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3)
    checkpoint.remove_checkpoints_after(tmp_path, 2)
    assert list_steps(tmp_path) == [1, 2]


def test_a_checkpoint_whose_file_is_cut_is_passed_over_with_the_reason(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3, content=b"weights")
    (tmp_path / "step_000003/hf/model").write_bytes(b"weigh")
    (tmp_path / "step_000002/hf/model").unlink()
    newest, reasons = checkpoint.find_newest(tmp_path)
    assert newest is not None
    assert (newest.step, newest.state["seed"]) == (1, 7)
    assert [reason.partition("hf/")[2] for reason in reasons] == [
        "model is not as it was written",
        "model is missing",
    ]


def test_changed_weights_of_the_same_size_are_not_gone_on_with(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, content=bytes(10_000))
    folder = tmp_path / "step_000001"
    (folder / "hf/model").write_bytes(bytes(8_000) + b"x" * 500 + bytes(1_500))
    with pytest.raises(ResumeError, match="is damaged: hf/model is not as it was written"):
        checkpoint.read_undamaged(folder)
    assert checkpoint.find_newest(tmp_path)[0] is None


def test_a_run_goes_on_with_its_own_settings_and_data_only(tmp_path: Path) -> None:
    state = {"settings": {"rho": 0.2, "n": 4}, "fingerprints": {"train": "a"}}
    save(tmp_path, 1, state, lambda folder: None)
    (saved,) = checkpoint.list_checkpoints(tmp_path)
    checkpoint.check_settings(saved, {"rho": 0.2, "n": 4})
    checkpoint.check_data(saved, {"train": "a"})
    with pytest.raises(
        ResumeError, match=r"other settings: n was 4, is None; rho was 0.2, is 0.3;"
    ):
        checkpoint.check_settings(saved, {"rho": 0.3})
    with pytest.raises(ResumeError, match="made with another train"):
        checkpoint.check_data(saved, {"train": "b"})


def test_an_evaluation_that_the_judge_failed_is_never_the_best(
    settings: Make, tmp_path: Path
) -> None:
    trainer = Trainer(settings("data.eval="), tmp_path)
    trainer.reward_judge.close()
    scores = [0.9, math.nan, 0.2, 0.5, 0.4]  # before the first step, and after each
    trainer.record.history = [{"step": i, "eval/accuracy": score} for i, score in enumerate(scores)]
    assert trainer.record.find_best_step() == 3
