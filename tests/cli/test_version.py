"""``--version`` tells the version of each command in short; ``doctor`` tells the rest."""

from __future__ import annotations

import sys

import pytest

from microcoder_eval import __version__
from microcoder_eval.version import get_installed_version
from tests.commands import execute


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
    done = execute([sys.executable, "-c", code, *words])
    assert done.returncode == 0
    assert f" {__version__}\nPython " in done.stdout


def test_a_package_that_is_not_installed_has_no_version() -> None:
    assert get_installed_version("no-such-package-of-anybody") is None
