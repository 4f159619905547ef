"""``--version`` tells the version of each command in short; ``doctor`` tells the rest."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from microcoder_data.cli import main as data_main
from microcoder_eval import __version__
from microcoder_eval.cli import main
from microcoder_eval.version import get_installed_version
from microcoder_train.cli import main as train_main


@pytest.mark.parametrize(
    ("run", "word"),
    [(main, "--version"), (main, "version"), (data_main, "--version"), (train_main, "--version")],
)
def test_each_command_tells_its_version_in_short(
    run: Callable[[list[str]], int], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="0"):
        run([word])
    assert f" {__version__}\nPython " in capsys.readouterr().out


def test_a_package_that_is_not_installed_has_no_version() -> None:
    assert get_installed_version("no-such-package-of-anybody") is None
