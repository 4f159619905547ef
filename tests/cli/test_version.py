"""``--version`` tells what a bug report needs, whatever is missing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from microcoder_eval import __version__
from microcoder_eval.cli.verbs import version
from microcoder_eval.version import get_installed_version
from tests.commands import execute


def run(module: str, *words: str) -> subprocess.CompletedProcess[str]:
    code = f"from {module} import main; raise SystemExit(main())"
    return execute([sys.executable, "-c", code, *words])


@pytest.mark.slow
def test_it_tells_versions_the_level_and_each_layer() -> None:
    done = run("microcoder_eval.cli", "--version", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["version"] == __version__
    assert told["level"] in (1, 2, 3, 4)
    assert {"landlock", "seccomp", "namespaces", "capabilities"} <= told["layers"].keys()
    assert told.keys() >= {"python", "kernel", "machine", "libc", "compilers", "extras"}


def test_people_are_told_the_same() -> None:
    done = run("microcoder_eval.cli", "--version")
    assert done.returncode == 0
    first, *rest = done.stdout.splitlines()
    assert first == f"microcoder-eval {__version__}"
    assert any(line.startswith("isolation level ") for line in rest)
    assert any(line.startswith("compilers: ") for line in rest)


@pytest.mark.parametrize("module", ["microcoder_data.cli", "microcoder_train.cli"])
def test_the_other_commands_tell_it_in_short(module: str) -> None:
    done = run(module, "--version")
    assert done.returncode == 0
    assert f" {__version__}\nPython " in done.stdout


def test_what_cannot_be_found_out_is_the_reason_why() -> None:
    def broken() -> dict[str, object]:
        raise PermissionError("not here")

    told = version.try_reading(broken)
    assert told == {"error": "PermissionError: not here"}
    without = {
        key: value for key, value in version.collect_facts().items() if key != "level"
    } | told
    assert "isolation level unknown: PermissionError: not here" in version.format_facts(without)


def test_an_extra_counts_when_all_of_it_is_installed() -> None:
    for packages in version.find_extras().values():
        assert packages
        assert all(get_installed_version(name) == number for name, number in packages.items())
    assert get_installed_version("no-such-package-of-anybody") is None
