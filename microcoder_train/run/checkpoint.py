"""Atomic checkpoints, written in the background: to a temporary folder, synced, then renamed.

    OUT/checkpoints/step_000020/   state.json  optimizer/ (shards: trained weights and moments)
                                   hf/ (merged weights for transformers, config, tokenizer)

The number in the name is the number of completed steps. Data order, noise and schedules are
functions of seed and step, so a run needs nothing else to resume.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_data.source_files import hash_file
from microcoder_eval.results.files import sync_file
from microcoder_train.config import Config
from microcoder_train.errors import ResumeError, TrainError
from microcoder_train.parallel import ask_first_rank, barrier, rank

STATE = "state.json"
_UNFINISHED = ".unfinished-"
# A resumed run may change these settings; all others must equal those of its checkpoint.
CHANGEABLE_SETTINGS = (
    "train.steps", "checkpoint.", "log.", "eval.", "guard.", "reward.workers", "reward.reuse",
    "reward.max_judge_errors", "rollout.servers", "rollout.timeout_s",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A complete checkpoint. step: completed steps. state: the content of state.json."""

    folder: Path
    step: int
    state: dict[str, Any]


class Saver:
    """Writes checkpoints in the background, one at a time; every rank must call every method."""

    def __init__(self, root: Path, keep_last: int) -> None:
        self._root, self._keep_last = root, keep_last
        self._thread = ThreadPoolExecutor(1, "checkpoint")
        self._writing: Future[None] | None = None

    def start(
        self, step: int, state: dict[str, Any], best: int | None,
        copy: Callable[[Path], Callable[[], None]],
    ) -> None:  # fmt: skip
        """Begin a checkpoint, once the one before is written.

        copy: copies the model, and returns what writes the copy into the folder it is given. best:
        the step that is kept besides the newest ones. A crash or a full disk at any moment leaves
        earlier checkpoints unchanged. Raises TrainError, as ``wait`` does.
        """
        self.wait()
        final = self._root / f"step_{step:06d}"
        temporary = self._root / f"{_UNFINISHED}{final.name}"
        with _fail_with_reason(final, temporary):
            if rank() == 0:
                for folder in self._root.glob(f"{_UNFINISHED}*"):  # what a kill left
                    shutil.rmtree(folder)
                temporary.mkdir(parents=True)
            barrier()
            write = copy(temporary)

        def write_all() -> None:
            with _fail_with_reason(final, temporary):
                write()
                if rank() == 0:
                    _complete(temporary, final, {**state, "step": step})
                    prune(self._root, self._keep_last, best)

        self._writing = self._thread.submit(write_all)

    def poll(self) -> None:
        """Do as ``wait`` if rank 0 has written the checkpoint, or has failed to."""
        writing = self._writing
        if writing is not None and ask_first_rank(writing.done):
            self.wait()

    def wait(self) -> None:
        """Wait for the checkpoint, if any. Raises TrainError if it cannot be written."""
        writing, self._writing = self._writing, None
        if writing is None:
            return
        error = writing.exception()
        if error := ask_first_rank(lambda: error):
            raise error

    def close(self) -> None:
        """Wait for the thread."""
        self._thread.shutdown()


@contextmanager
def _fail_with_reason(final: Path, temporary: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # safetensors and torch raise their own types for a full disk
        reason = f"{final.parent} is full" if is_full(final.parent) else str(error)
        if rank() == 0:
            shutil.rmtree(temporary, ignore_errors=True)
        raise TrainError(
            f"{final} cannot be written: {reason}; earlier checkpoints are as they were"
        ) from error


def _complete(temporary: Path, final: Path, state: dict[str, Any]) -> None:
    """Give a written folder its state, then its name."""
    state["sha256"] = _hash_files(temporary)
    (temporary / STATE).write_text(json.dumps(state, indent=1))
    _fsync_tree(temporary)
    shutil.rmtree(final, ignore_errors=True)  # a resumed run may have left it
    temporary.rename(final)
    sync_file(final.parent)


def list_checkpoints(root: Path) -> list[Checkpoint]:
    """Return all complete checkpoints in a folder, oldest first."""
    results = []
    for folder in _list_folders(root):
        # Not our checkpoint: ours are renamed only once state.json is inside.
        with suppress(ResumeError):
            results.append(read(folder))
    return results


def find_newest(root: Path) -> tuple[Checkpoint | None, list[str]]:
    """Return the last undamaged checkpoint, and why later ones cannot be used."""
    reasons: list[str] = []
    for folder in reversed(_list_folders(root)):
        try:
            return read_undamaged(folder), reasons
        except ResumeError as error:
            if (folder / "hf").is_dir():  # otherwise it is not our checkpoint
                reasons.append(str(error))
    return None, reasons


def find_to_resume(
    root: Path, resume: str, settings: dict[str, Any]
) -> tuple[Checkpoint | None, list[str]]:
    """Return the checkpoint that a run goes on from, None for a new run, and notes on damaged ones.

    resume: "auto" means the newest checkpoint in ``root``; else the folder of one. settings: those
    of the run that must not differ. Raises ResumeError.
    """
    if resume != "auto":
        checkpoint, notes = read_undamaged(Path(resume)), list[str]()
    else:
        newest, damaged = find_newest(root)
        if newest is None and damaged:
            raise ResumeError(f"{damaged[0]}; no other is there: start over in another --out")
        if newest is None:
            return None, []
        checkpoint = newest
        notes = [f"{reason}: going on from {newest.folder}" for reason in damaged]
    check_settings(checkpoint, settings)
    return checkpoint, notes


def _list_folders(root: Path) -> list[Path]:
    """Return the folders of steps, by number; names have six digits, and more from step 10^6 on."""
    return sorted(root.glob("step_*"), key=lambda folder: (len(folder.name), folder.name))


def read(folder: Path) -> Checkpoint:
    """Read the state of the checkpoint in a folder. Raises ResumeError."""
    try:
        state = json.loads((folder / STATE).read_text())
        return Checkpoint(folder, state["step"], state)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResumeError(f"{folder} is not a checkpoint: no readable {STATE}") from error


def read_undamaged(folder: Path) -> Checkpoint:
    """Read a checkpoint whose files are as they were written. Raises ResumeError.

    Every rank must call it: rank 0 hashes the files.
    """
    checkpoint = read(folder)
    if fault := ask_first_rank(lambda: _find_damage(checkpoint)):
        raise ResumeError(f"{folder} is damaged: {fault}")
    return checkpoint


def is_full(folder: Path) -> bool:
    """Whether less than a megabyte is free there. Some libraries report a full disk with unclear
    errors."""
    return shutil.disk_usage(folder).free < 1 << 20


def prune(root: Path, last: int, best: int | None) -> None:
    """Remove all checkpoints but the ``last`` newest and the best."""
    for checkpoint in list_checkpoints(root)[:-last]:
        if checkpoint.step != best:
            shutil.rmtree(checkpoint.folder)


def remove_checkpoints_after(root: Path, step: int) -> list[str]:
    """Remove the checkpoints after a step, which the run will repeat. Returns a note on each."""
    later = [checkpoint for checkpoint in list_checkpoints(root) if checkpoint.step > step]
    for checkpoint in later:
        shutil.rmtree(checkpoint.folder)
    return [f"{one.folder} is removed: the run goes on from step {step}" for one in later]


def select_fixed_settings(config: Config) -> dict[str, Any]:
    """Return the settings that a resumed run must not change, as JSON values."""
    flat = {
        f"{section}.{name}": value
        for section, values in config.model_dump(mode="json").items()
        for name, value in values.items()
    }
    return {key: value for key, value in flat.items() if not key.startswith(CHANGEABLE_SETTINGS)}


def check_settings(checkpoint: Checkpoint, settings: dict[str, Any]) -> None:
    """Refuse to resume with other settings. Raises ResumeError that names the differences."""
    old_settings = checkpoint.state["settings"]
    changes = [
        f"{key} was {old_settings.get(key)!r}, is {settings.get(key)!r}"
        for key in sorted({*old_settings, *settings})
        if old_settings.get(key) != settings.get(key)
    ]
    if changes:
        raise ResumeError(
            f"{checkpoint.folder} was made with other settings: {'; '.join(changes)}; go on with "
            "the old values, or start over in another --out"
        )


def check_data(checkpoint: Checkpoint, fingerprints: dict[str, str]) -> None:
    """Refuse to resume with other data. Raises ResumeError that names the data set."""
    for name, value in fingerprints.items():
        if checkpoint.state["fingerprints"].get(name) != value:
            raise ResumeError(
                f"{checkpoint.folder} was made with another {name} (its problems, tests or prompts "
                "differ); go on with that file, or start over in another --out"
            )


def _find_damage(checkpoint: Checkpoint) -> str:
    """Describe the first file that differs from what was written; "" if none does."""
    expected = checkpoint.state.get("sha256", {})
    digests = _hash_files(checkpoint.folder)
    for name, digest in expected.items():
        if digests.get(name) != digest:
            return f"{name} is {'missing' if name not in digests else 'not as it was written'}"
    return ""


def _hash_files(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder except state.json, by name."""
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.name != STATE]
    with ThreadPoolExecutor() as pool:  # hashing lets other threads run
        digests = list(pool.map(hash_file, files))
    names = [file.relative_to(folder).as_posix() for file in files]
    return dict(zip(names, digests, strict=True))


def _fsync_tree(folder: Path) -> None:
    for path, _, files in os.walk(folder):
        for name in files:
            sync_file(Path(path, name))
        sync_file(Path(path))
