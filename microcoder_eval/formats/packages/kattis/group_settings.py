"""The settings of tests and groups: the YAML files below data/ of a Kattis package.

The arguments of output validators are among them. Source: problem package format. Legacy:
``validator_flags`` of problem.yaml, followed by ``output_validator_flags`` of the nearest
testdata.yaml up the folders of a test. 2023-07: ``output_validator_args`` of the test's own .yaml
file, else of the nearest test_group.yaml. The drafts have both, so both are read in all packages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from microcoder_eval.compare import parse_kattis_flags
from microcoder_eval.errors import ComparerError
from microcoder_eval.formats.packages.files import read_yaml
from microcoder_eval.formats.packages.package import PackageError, PackageTest
from microcoder_eval.formats.plain_files import list_files

LEGACY_FILE = "testdata.yaml"
GROUP_FILE = "test_group.yaml"
_GROUP_FILES = (GROUP_FILE, LEGACY_FILE)
_ARGS = ("output_validator_args", "output_validator_flags")


@dataclass(slots=True)
class Folder:
    """A folder below data/ that holds tests. path: its path relative to data/. config: the settings
    of its YAML file, inherited ones included. own: those of its file alone. tests: its own tests,
    by index."""

    path: str
    config: dict[str, Any]
    own: dict[str, Any]
    tests: list[int] = field(default_factory=list)
    folders: list[Folder] = field(default_factory=list)

    def list_tests(self) -> list[int]:
        """Return the tests of the folder and of those below it."""
        return sorted([*self.tests, *(i for folder in self.folders for i in folder.list_tests())])


class Settings:
    """The settings of one package. data: its folder data/. files: {path below it: settings}, of
    groups and tests. args: the arguments of its output validator where no group says otherwise."""

    def __init__(self, data: Path, config: Mapping[str, Any]) -> None:
        """config: problem.yaml. Raises PackageError."""
        self.data = data
        sections = [*list_files(data / "sample"), *list_files(data / "secret")]
        paths = [*(data / name for name in _GROUP_FILES), *sections]
        self.files = {
            path.relative_to(data).as_posix(): read_yaml(path)
            for path in paths
            if path.suffix == ".yaml" and path.is_file()
        }
        self.args = _split(config.get("validator_flags"))

    def list_groups(self, *names: str) -> list[tuple[str, dict[str, Any]]]:
        """Return (path, settings) of each file that has one of these names."""
        return [item for item in self.files.items() if PurePosixPath(item[0]).name in names]

    def find_args(self, name: str) -> tuple[str, ...] | None:
        """Return the arguments for a test of that name, None if they are ``args``."""
        folders = PurePosixPath(name).parents
        group_files = [(folder / file).as_posix() for folder in folders for file in _GROUP_FILES]
        candidates = (
            _read_args(self.files.get(path, {})) for path in (f"{name}.yaml", *group_files)
        )
        args = next((args for args in candidates if args is not None), ())
        return (*self.args, *args) if args else None

    def parse_flags(self) -> dict[str, Any]:
        """Return ``args`` as options of the default validator. Raises PackageError if it
        cannot take them, or those of a group."""
        groups = self.list_groups(*_GROUP_FILES)
        places = {f"data/{path}": _read_args(own) or () for path, own in groups}
        for place, args in {"validator_flags": self.args, **places}.items():
            try:
                parse_kattis_flags(args)
            except ComparerError as error:
                raise PackageError(f"{place}: {error}") from None
        return parse_kattis_flags(self.args)

    def read_tree(
        self,
        tests: Sequence[PackageTest],
        file_name: str,
        inherited: Mapping[str, Any] | None = None,
        path: str = "",
    ) -> Folder:
        """Return the folders that hold tests. file_name: the name of the files with their settings.
        inherited: the settings of the folder above."""
        own = dict(self.files.get((PurePosixPath(path) / file_name).as_posix(), {}))
        folder = Folder(path, {**(inherited or {}), **own}, own)
        folder.tests = [index for index, test in enumerate(tests) if test.group == path]
        prefix = f"{path}/" if path else ""
        groups = [test.group for test in tests if test.group.startswith(prefix)]
        below = {prefix + group.removeprefix(prefix).partition("/")[0] for group in groups} - {path}
        folder.folders = [
            self.read_tree(tests, file_name, folder.config, name) for name in sorted(below)
        ]
        return folder


def _read_args(own: Mapping[str, Any]) -> tuple[str, ...] | None:
    value = next((own[key] for key in _ARGS if own.get(key) is not None), None)
    return None if value is None else _split(value)


def _split(value: Any) -> tuple[str, ...]:
    """Return a list of arguments, or a text with white space between them, alone or as the "flags"
    of the validator with a "name"."""
    if isinstance(value, Mapping):
        value = value.get("flags")
    return tuple(map(str, value)) if isinstance(value, list) else tuple(str(value or "").split())
