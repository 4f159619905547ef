"""``--version`` tells the version of each command in short; ``doctor`` tells the rest."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from microcoder_eval import __version__
from microcoder_eval.version import get_installed_version

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'sandbox'}"}


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("microcoder_eval", ["--version"]),
        ("microcoder_eval", ["version"]),
        ("microcoder_data", ["--version"]),
        ("microcoder_train", ["--version"]),
    ],
)
def test_each_command_tells_its_version_in_short(package: str, words: list[str]) -> None:
    code = f"from {package}.cli import main; raise SystemExit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        timeout=120,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.returncode == 0
    assert f" {__version__}\nPython " in done.stdout


def test_a_package_that_is_not_installed_has_no_version() -> None:
    assert get_installed_version("no-such-package-of-anybody") is None
