"""A number of a process that has ended belongs to another one soon."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.commands import execute
from tests.files import ROOT

UNSHARE = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


def own_namespace() -> list[str]:
    """How to start a command in a pid namespace of its own; skips where that is not to be had."""
    mine = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
    if shutil.which("unshare") is None:
        pytest.skip("no unshare(1) here")
    check = "echo 300 > /proc/sys/kernel/ns_last_pid"
    tried = subprocess.run([*UNSHARE, *mine, "sh", "-c", check], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip(f"no pid namespace with numbers of our choice: {tried.stderr.decode()}")
    return [*UNSHARE, *mine]


def test_pid_reuse_harms_neither_the_result_nor_the_bystander() -> None:
    program = ROOT / "tests/faults/reuse.py"
    result = execute([*own_namespace(), sys.executable, program], timeout=240)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == {"verdict": "OLE", "bystander": True}
