"""The command line in a folder of the test's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from microcoder_eval.cli import main
from tests.commands import Command, call_main


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """command(*words): exit code, standard output and error, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return partial(call_main, main)
