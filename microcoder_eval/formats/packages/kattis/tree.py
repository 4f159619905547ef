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
    below: dict[str, None] = {}
    for index, test in enumerate(tests):
        if test.group == path:
            folder.tests.append(index)
        elif not path or test.group.startswith(f"{path}/"):
            name = test.group[len(path) :].strip("/").partition("/")[0]
            below[f"{path}/{name}".strip("/")] = None
    folder.folders = [
        read_tree(data, tests, file_name, folder.config, name) for name in sorted(below)
    ]
    return folder
