"""The arguments of output validators, for a whole problem, a group or a test.

Source: problem package format. Legacy: ``validator_flags`` of problem.yaml, followed by
``output_validator_flags`` of the nearest testdata.yaml up the folders of a test. 2023-07:
``output_validator_args`` of the test's own .yaml file, else of the nearest test_group.yaml. The
drafts have both, so both are read in all packages.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from microcoder_eval.compare import parse_kattis_flags
from microcoder_eval.errors import ComparerError
from microcoder_eval.formats.packages.files import read_yaml
from microcoder_eval.formats.packages.package import BrokenPackageError

_GROUP_FILES = ("test_group.yaml", "testdata.yaml")
_KEYS = ("output_validator_args", "output_validator_flags")


class ValidatorFlags:
    """The arguments of one package. args: the arguments where no group says otherwise."""

    def __init__(self, data: Path, config: Mapping[str, Any]) -> None:
        self.args = _split(config.get("validator_flags"))
        self._data = data
        self._read_args = cache(_read_args)  # tests of a group have the same files

    def find_args(self, name: str) -> tuple[str, ...] | None:
        """Return the arguments for a test of that name, None if they are ``args``. Raises
        BrokenPackageError."""
        parents = (self._data / name).parents
        folders = [folder for folder in parents if folder.is_relative_to(self._data)]
        group_files = [folder / file for folder in folders for file in _GROUP_FILES]
        candidates = map(self._read_args, [self._data / f"{name}.yaml", *group_files])
        args = next((args for args in candidates if args is not None), ())
        return (*self.args, *args) if args else None

    def check_default(self) -> None:
        """Raise BrokenPackageError if the default validator cannot take the flags of a group."""
        for name in _GROUP_FILES:
            for path in sorted(self._data.rglob(name)):
                try:
                    parse_kattis_flags(_read_args(path) or ())
                except ComparerError as error:
                    raise BrokenPackageError(f"{path.parent.name}/{name}: {error}") from None


def _read_args(path: Path) -> tuple[str, ...] | None:
    if not path.is_file():
        return None
    config = read_yaml(path)
    value = next((config[key] for key in _KEYS if config.get(key) is not None), None)
    return None if value is None else _split(value)


def _split(value: Any) -> tuple[str, ...]:
    """Return a list of arguments, or a text with white space between them, alone or as the "flags"
    of the validator with a "name"."""
    if isinstance(value, Mapping):
        value = value.get("flags")
    return tuple(map(str, value)) if isinstance(value, list) else tuple(str(value or "").split())
