"""A run that is killed by SIGKILL in a given phase of a given step: python killed.py OUT PHASE STEP
key=value…; the phases are generation, update and save. Of several processes (torchrun) the last is
killed, or the first while it saves; those that torchrun starts in their place go on."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from microcoder_train.cli import main as command
from microcoder_train.config_layers import load_settings
from microcoder_train.parallel import join_processes, rank, world_size
from microcoder_train.run.trainer import Trainer


def die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def run_to_a_log(log: Path, run: Callable[..., None], *words: str) -> None:
    """Call run(*words) with this process's standard error in a file."""
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT), 2)
    run(*words)


def run_command(*words: str) -> None:
    """The command line, to its exit code."""
    raise SystemExit(command(list(words)))


def main(out: str, phase: str, step: str, *overrides: str) -> None:
    trainer = Trainer(load_settings(None, "tiny", list(overrides)), Path(out))
    place: dict[str, tuple[Any, str]] = {
        "generation": (trainer.reward_judge, "submit"),
        "update": (trainer.policy.optimizer, "step"),
        "save": (trainer.policy.model, "save_pretrained"),
    }
    owner, name = place[phase]
    method = getattr(owner, name)

    def call_and_die(*arguments: Any, **keywords: Any) -> Any:
        result = method(*arguments, **keywords)
        is_saved = phase == "save" and f"step_{int(step) + 1:06d}" in str(arguments[0])
        if is_saved:
            die()
        if phase != "save" and trainer.step == int(step):
            trainer.saver.close()  # the checkpoint before is written
            die()
        return result

    is_first_attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0") == "0"
    if is_first_attempt and (phase == "save" or rank() == world_size() - 1):
        setattr(owner, name, call_and_die)
    trainer.run()


if __name__ == "__main__":
    with join_processes():
        main(*sys.argv[1:])
