"""The command line in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from microcoder_train.cli import main
from tests.commands import Command, command_fixture
from tests.train.digits import list_small_words

command = command_fixture(main)


@pytest.fixture
def start(command: Command, tiny: Path) -> Callable[..., tuple[int, str]]:
    """start(*words): exit code and standard error of a small run in the folder "run"."""

    def call(*words: str) -> tuple[int, str]:
        code, _, error = command("--out", "run", *list_small_words(tiny), *words)
        return code, error

    return call
