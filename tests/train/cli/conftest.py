"""The command line in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from microcoder_train.cli import main
from tests.commands import Command, call_main
from tests.train.digits import small


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """command(*words): exit code, standard output and error, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return partial(call_main, main)


@pytest.fixture
def start(command: Command, tiny: Path) -> Callable[..., tuple[int, str]]:
    """start(*words): exit code and standard error of a small run in the folder "run"."""

    def call(*words: str) -> tuple[int, str]:
        code, _, error = command("--out", "run", *small(tiny), *words)
        return code, error

    return call
