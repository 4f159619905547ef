"""Command lines of this checkout: in the test's process, or in one of their own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tests.files import ROOT
from tests.judges import SharedJudge

Command = Callable[..., tuple[int, str, str]]  # words: exit code, standard output and error
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'sandbox'}", "COLUMNS": "160"}


def command(*words: object) -> list[str]:
    """The judge's command line."""
    return [sys.executable, "-m", "microcoder_eval", *map(str, words)]


def run(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the judge's command line in this process, which has imported all that it needs."""
    from microcoder_eval.cli import main

    return subprocess.CompletedProcess([*map(str, words)], *call_main(main, *words, cwd=cwd))


def call_main(
    main: Callable[[list[str]], int], *words: object, cwd: Path | None = None
) -> tuple[int, str, str]:
    """Exit code, standard output and error of a command line in this process."""
    out, error = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(error),
            contextlib.chdir(cwd or "."),
            mock.patch.dict(os.environ, COLUMNS=ENVIRONMENT["COLUMNS"]),
            mock.patch("microcoder_eval.api.Judge", SharedJudge),
        ):
            code = main([str(word) for word in words])
    except SystemExit as exit:  # of argparse
        code = int(exit.code or 0)
    return code, out.buffer.getvalue().decode(), error.buffer.getvalue().decode()


def command_fixture(main: Callable[[list[str]], int]) -> Any:
    """A fixture, command(*words): exit code, standard output and error of a command line in the
    folder of the test."""

    @pytest.fixture
    def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
        monkeypatch.chdir(tmp_path)
        return partial(call_main, main)

    return command


def execute(words: list[Any], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command that finds this checkout. options: of subprocess.run."""
    usual = {"capture_output": True, "text": True, "timeout": 120, "env": ENVIRONMENT}
    return subprocess.run(words, **{**usual, **options}, check=False)


def start(*words: object, **options: Any) -> subprocess.Popen[str]:
    """Start the judge's command line, which finds this checkout. options: of Popen."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        command(*words), **{**pipes, "text": True, "env": ENVIRONMENT, **options}
    )


def shell(folder: Path, words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``words`` in bash, $eval standing for the command; its own exit code is kept."""
    environment = {**ENVIRONMENT, "eval": " ".join(command()), **environment}
    return execute(
        ["bash", "-o", "pipefail", "-c", words], cwd=folder, env=environment, timeout=300
    )
