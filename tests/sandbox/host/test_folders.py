"""A folder that a program may write to: its own, of the size that was asked for, and gone after."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from microcoder_sandbox.errors import SandboxError
from microcoder_sandbox.host.sandbox import Sandbox
from tests.files import read_table
from tests.sandbox.conftest import LIMITS, Runner

TABLE = read_table(__file__)
WRITING = replace(LIMITS, folder_bytes=1 << 20)
WRITER = TABLE["writer"]
FILLER = TABLE["filler"]


def test_it_is_empty_for_each_run_and_gone_afterwards(run: Runner) -> None:
    for _ in range(2):
        outcome = run(WRITER, limits=WRITING)
        names, length, folder = outcome.stdout.decode().split()
        assert (names, length) == ("[]", "1000"), outcome.stderr
        assert not Path(folder).exists() or list(Path(folder).iterdir()) == []


def test_its_program_changes_no_modes(run: Runner) -> None:
    outcome = run("import os\nopen('a', 'w')\nos.chmod('a', 0o777)", limits=WRITING)
    assert b"PermissionError" in outcome.stderr


def test_it_holds_no_more_than_it_was_given(run: Runner) -> None:
    outcome = run(FILLER, limits=WRITING)
    assert outcome.stdout == b""
    assert outcome.status != 0


def test_a_disk_too_full_for_it_is_no_failure_of_the_program(run: Runner, sandbox: Sandbox) -> None:
    if sandbox.level == 4:
        pytest.skip("a file system in memory: no disk")
    with pytest.raises(SandboxError, match=r"free some space there"):
        run("print(1)", limits=replace(LIMITS, folder_bytes=1 << 60))
