"""A release: one version everywhere, a workflow that is off, a container that runs as nobody."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import check_release
import pytest

from tests.serve.conftest import MISSING

ROOT = Path(__file__).resolve().parents[2]
yaml = pytest.importorskip("yaml", reason="reads the workflow (extra data)")


def test_every_file_names_the_same_version() -> None:
    versions = check_release.read_versions()
    assert len(set(versions.values())) == 1, versions
    assert re.fullmatch(r"\d+\.\d+\.\d+", versions["pyproject.toml"])


def make_release(folder: Path, version: str, heading: str) -> Path:
    for name in check_release.PLACES:
        (folder / name).parent.mkdir(exist_ok=True)
    (folder / "pyproject.toml").write_text(f'version = "{version}"\n')
    (folder / "microcoder_eval/version.py").write_text(f'__version__ = "{version}"\n')
    (folder / "CITATION.cff").write_text(f"version: {version}\n")
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")
    return folder


@pytest.mark.parametrize("heading", ["## [1.2.3] - 2026-11-30", "## 1.2.3 – 2026-11-30"])
def test_a_release_whose_files_agree_has_no_faults(tmp_path: Path, heading: str) -> None:
    assert check_release.list_faults("v1.2.3", make_release(tmp_path, "1.2.3", heading)) == []


def test_each_file_that_differs_from_the_tag_is_named(tmp_path: Path) -> None:
    root = make_release(tmp_path, "1.2.3", "## [Unreleased]")
    faults = check_release.list_faults("v1.2.4", root)
    assert [fault.split()[0] for fault in faults] == [*check_release.PLACES, "CHANGELOG.md"]


@pytest.mark.parametrize(("version", "is_free"), [("1.2.3", False), ("1.2", True), ("1.2.4", True)])
def test_a_version_that_the_index_has_is_a_fault(version: str, is_free: bool) -> None:
    listing = "microcoder (1.2.3)\nAvailable versions: 1.2.3, 1.2.2"
    assert (check_release.find_taken_version(version, listing) == []) is is_free


def read_workflow() -> dict[Any, Any]:
    workflow: dict[Any, Any] = yaml.safe_load((ROOT / ".github/workflows/publish.yml").read_text())
    return workflow


def test_publishing_is_off_until_a_variable_of_the_repository_is_set() -> None:
    jobs = read_workflow()["jobs"]
    assert jobs["build"]["if"] == "vars.PUBLISH == 'true'"
    assert jobs["publish"]["needs"] == "build"


def test_only_the_job_that_publishes_may_ask_for_an_identity() -> None:
    workflow = read_workflow()
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert "permissions" not in workflow["jobs"]["build"]
    assert "secrets" not in (ROOT / ".github/workflows/publish.yml").read_text()


def test_the_container_needs_no_root() -> None:
    lines = (ROOT / "Containerfile").read_text().splitlines()
    user = next(line for line in lines if line.startswith("USER"))
    assert user == "USER 65532:65532"
    assert lines.index(user) > max(i for i, line in enumerate(lines) if line.startswith("RUN"))


# The repository and the packages are bound elsewhere first: the new /tmp hides what is there. A
# root that cannot be written, no name for the user, no namespaces, the capabilities that the
# user's change drops.
_CONTAINER = """
mount --make-rprivate /
mount --rbind "$1" /mnt
mount --rbind "$3" /srv
mount -t tmpfs none /tmp
mount -o remount,bind,ro /
cd /tmp
exec env -i PATH="$PATH" PYTHONPATH="/mnt:/mnt/sandbox:/srv" PYTHONDONTWRITEBYTECODE=1 \
  "$2" /mnt/tools/container.py setpriv --reuid 65532 --regid 65532 --clear-groups --inh-caps=-all \
  "$2" -m microcoder_eval serve --host 127.0.0.1 --port 0 --workers 1
"""


PYTHON = f"/usr/bin/python3.{sys.version_info.minor}"  # which every user may start


@pytest.mark.slow
@pytest.mark.skipif(not Path(PYTHON).exists(), reason=f"there is no {PYTHON}")
@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (extra serve)")
@pytest.mark.skipif(os.geteuid() != 0, reason="makes a mount namespace: needs root")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv (util-linux)")
def test_serve_reaches_level_3_as_the_container_runs_it() -> None:
    """As with ``--read-only --tmpfs /tmp`` and a container's default profile."""
    packages = sysconfig.get_path("purelib")
    command = [
        "unshare",
        "--mount",
        "bash",
        "-euc",
        _CONTAINER,
        "bash",
        str(ROOT),
        PYTHON,
        packages,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "sandbox level 3" in line, process.communicate(timeout=60)[1]
        url = line.split()[0]
        response = ask(url, {"code": "print(input()[::-1])", "language": "python", "stdin": "abc"})
        assert response["run_result"]["stdout"] == "cba\n"
        if shutil.which("g++"):
            program = '#include <cstdio>\nint main() { puts("built"); }'
            assert ask(url, {"code": program, "language": "cpp"})["status"] == "Success"
        denied = ask(url, {"code": "open('/etc/passwd')", "language": "python"})
        assert denied["status"] == "Failed"
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(60)
        process.kill()
        process.communicate()


def ask(url: str, body: dict[str, Any]) -> Any:
    """POST to /run_code."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=120)
    with contextlib.closing(connection):
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/run_code", json.dumps(body), headers)
        return json.loads(connection.getresponse().read())
