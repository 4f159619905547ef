"""Each layer is needed: with it an attack fails, without it the same attack succeeds.

Namespaces and the other uid stand behind seccomp, so their attacks run with it off.
"""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from microcoder_sandbox.host.outcome import Outcome, ResourceLimits
from microcoder_sandbox.host.plan import make_plan
from microcoder_sandbox.host.requests import ServerKey
from microcoder_sandbox.host.sandbox import Sandbox
from tests.files import ROOT
from tests.levels import run_program

LIMITS = ResourceLimits(
    cpu_seconds=2.0, wall_seconds=10.0, memory_bytes=256 << 20, output_bytes=1 << 20
)
OTHER_LAYERS = "namespaces", "uid"
SYSTEM_PYTHON = Path("/usr/bin/python3")


def attack(source: str, *without: str) -> Outcome:
    """Run a program in a sandbox that lacks these layers."""
    with Sandbox(make_plan(min_level=1, without=without)) as sandbox:
        return run_program(sandbox, source, b"", LIMITS)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that everybody may read."""
    path = tmp_path / "secret"
    path.write_text("the answer")
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    return path


def test_landlock_keeps_files_from_being_read(secret: Path) -> None:
    source = f"print(open({str(secret)!r}).read())"
    assert attack(source, "namespaces").stdout == b""
    assert attack(source, "namespaces", "landlock").stdout == b"the answer\n"


def test_seccomp_keeps_processes_from_being_started() -> None:
    source = "import os\nif os.fork() == 0: os._exit(0)\nprint('forked', os.wait()[1])"
    assert attack(source).stdout == b""
    assert attack(source, "seccomp").stdout == b"forked 0\n"


def test_rlimits_keep_kernel_memory_from_being_taken() -> None:
    source = (
        "import os, resource\n"
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4000), hard))\n"
        "held = [os.pipe() for _ in range(1000)]\nprint(len(held))"
    )
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4000:
        pytest.skip("this machine's own limit on descriptors is as low as ours")
    assert b"Too many open files" in attack(source).stderr
    assert attack(source, "rlimits").stdout == b"1000\n"


def test_namespaces_keep_the_network_away_once_seccomp_is_off() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(5)
        port = listening.getsockname()[1]
        source = (
            "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
            f"s.sendto(b'out', ('127.0.0.1', {port}))\nprint('sent')"
        )
        assert attack(source, "seccomp").stdout == b""
        assert attack(source, "seccomp", "namespaces").stdout == b"sent\n"
        assert listening.recv(16) == b"out"


@pytest.mark.skipif(os.getuid() != 0, reason="only root has another uid to give")
def test_another_uid_keeps_roots_files_as_they_are_once_seccomp_is_off(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("")
    script = (
        "import sys, json; sys.path.insert(0, sys.argv[1])\n"
        "from microcoder_sandbox import Sandbox, make_plan, make_script_request\n"
        "from microcoder_sandbox.host.outcome import ResourceLimits\n"
        "limits = ResourceLimits(2.0, 10.0, 256 << 20, 1 << 20)\n"
        "found = []\n"
        "for without in (['seccomp', 'namespaces'], ['seccomp', 'namespaces', 'uid']):\n"
        "    plan = make_plan(min_level=1, without=without)\n"
        "    assert plan.drop_uid\n"
        "    with Sandbox(plan) as sandbox:\n"
        "        code = f'import os; os.chmod({sys.argv[2]!r}, 0o777)'\n"
        "        program = sandbox.prepare_program(code.encode())\n"
        "        found.append(sandbox.run(make_script_request(program, b'', limits)).exit_code)\n"
        "print(json.dumps(found))"
    )
    result = subprocess.run(
        [SYSTEM_PYTHON, "-B", "-c", script, str(ROOT / "sandbox"), str(victim)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    if "assert plan.drop_uid" in result.stderr or not SYSTEM_PYTHON.exists():
        pytest.skip("no interpreter here that another uid could read")
    assert json.loads(result.stdout) == [1, 0], result.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="only root has capabilities to drop")
def test_dropped_capabilities_keep_the_machine_as_it_is_once_seccomp_is_off() -> None:
    source = "import os; os.nice(0); os.setpriority(os.PRIO_PROCESS, 0, -5); print('faster')"
    assert attack(source, "seccomp", *OTHER_LAYERS).stdout == b""
    assert attack(source, "seccomp", *OTHER_LAYERS, "capabilities").stdout == b"faster\n"


def test_a_layer_that_does_not_exist_cannot_be_left_out() -> None:
    with pytest.raises(ValueError, match="no layer is called sanboxing"):
        make_plan(without=["sanboxing"])


def test_what_is_left_out_lowers_the_level() -> None:
    levels = []
    for without in ((), ("namespaces",), ("namespaces", "landlock"), ("seccomp",)):
        with Sandbox(make_plan(min_level=1, without=without)) as sandbox:
            sandbox.get_or_start(ServerKey("lean"))
            levels.append(sandbox.level)
    assert levels[1:] == [3, 2, 1], f"on {sys.platform}: {levels}"
    assert levels[0] in (3, 4)
