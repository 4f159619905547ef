"""The folders below data/ of a Kattis package that hold tests, with their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_eval.formats.packages.files import read_yaml
from microcoder_eval.formats.packages.package import PackageTest


@dataclass(slots=True)
class Folder:
    """A folder below data/. path: its path relative to data/. config: the settings of its YAML
    file, inherited ones included. own: those of its file alone. tests: its own tests, by index."""

    path: str
    config: dict[str, Any]
    own: dict[str, Any]
    tests: list[int] = field(default_factory=list)
    folders: list[Folder] = field(default_factory=list)

    def list_tests(self) -> list[int]:
        """Return the tests of the folder and of those below it."""
        return sorted([*self.tests, *(i for folder in self.folders for i in folder.list_tests())])


def read_tree(
    data: Path,
    tests: Sequence[PackageTest],
    file_name: str,
    inherited: Mapping[str, Any],
    path: str = "",
) -> Folder:
    """Return the folders that hold tests. file_name: the name of the files with their settings.
    inherited: the settings of the folder above."""
    file = data / path / file_name
    own = read_yaml(file) if file.is_file() else {}
    folder = Folder(path, {**inherited, **own}, own)
    folder.tests = [index for index, test in enumerate(tests) if test.group == path]
    prefix = f"{path}/" if path else ""
    groups = [test.group for test in tests if test.group != path and test.group.startswith(prefix)]
    below = {prefix + group.removeprefix(prefix).partition("/")[0] for group in groups}
    folder.folders = [
        read_tree(data, tests, file_name, folder.config, name) for name in sorted(below)
    ]
    return folder
