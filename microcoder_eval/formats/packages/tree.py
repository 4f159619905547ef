"""Finds the packages in a folder: the folder itself, or all below it. They are a source of rows, as
a file of rows is one.

A problem's id is the path of its folder below the one that was named, so that problem A of one
contest differs from problem A of the next.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from microcoder_eval.errors import DataError
from microcoder_eval.formats.plain_files import is_program, list_test_rows
from microcoder_eval.log import get_logger
from microcoder_sandbox import record

from . import MARKERS, PackageError, make_row, read_package

_MAX_NAMES = 10  # of what was left out
# What Polygon and CMS call the program that decides which outputs are right.
_JUDGE_STEMS = frozenset({"check", "checker", "correttore", "interactor", "manager"})
_log = get_logger("packages")


@record
class Tree:
    """What a folder of packages holds.

    packages: (id, folder).
    files: all other files, but for hidden ones.
    strays: the outermost entries that hold no package, relative to the folder.
    """

    packages: tuple[tuple[str, Path], ...]
    files: tuple[Path, ...]
    strays: tuple[str, ...]


def scan_tree(folder: Path) -> Tree:
    """Return the packages in a folder, sorted by id. Raises OSError."""
    packages: list[tuple[str, Path]] = []
    files: list[Path] = []
    for directory, folders, names in os.walk(folder):
        path = Path(directory)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if any(name in names for name in MARKERS):
            folders.clear()
            label = path.relative_to(folder).as_posix()
            packages.append((path.resolve().name if label == "." else label, path))
            continue
        files += [path / name for name in sorted(names)]
    if not packages or packages[0][1] == folder:
        return Tree(tuple(packages), tuple(files), ())
    package_folders = [path.relative_to(folder) for _, path in packages]
    return Tree(
        tuple(sorted(packages)), tuple(files), tuple(_list_strays(folder, Path(), package_folders))
    )


def _list_strays(root: Path, folder: Path, packages: list[Path]) -> Iterator[str]:
    for entry in sorted(os.listdir(root / folder)):
        path = folder / entry
        if path in packages:
            continue
        if any(package.is_relative_to(path) for package in packages):
            yield from _list_strays(root, path, packages)
        else:
            yield path.as_posix()


def list_rows(folder: Path) -> Iterator[tuple[bytes, str | None]]:
    """Yield (row, why it cannot be used) of each package, by id, else of tests in plain files.
    Raises DataError where there is neither."""
    tree = scan_tree(folder)
    if not tree.packages:
        rows = list(list_test_rows(folder))
        if not rows:
            looked_for = ", ".join([*MARKERS, "1.in with 1.out"])
            raise DataError(f"is a folder without packages and tests (looked for {looked_for})")
        for path in tree.files:
            if path.stem in _JUDGE_STEMS and is_program(path.name):
                _log.warning(
                    "%s is not used: outputs are compared. If it decides which are right, put its "
                    'text as "checker" or "interactor" into the row that convert makes of %s',
                    path,
                    folder,
                )
        yield from rows
        return
    if tree.strays:
        _log.warning("%s: %s", folder, describe_strays(tree.strays))
    for problem_id, path in tree.packages:
        row, fault = {"problem_id": problem_id}, None
        try:
            row = make_row(replace(read_package(path), name=problem_id))
        except PackageError as error:
            fault = f"{problem_id}: {error.message}"
        yield json.dumps(row).encode(), fault


def describe_strays(strays: tuple[str, ...]) -> str:
    """Return one line about what holds no package."""
    names = ", ".join(strays[:_MAX_NAMES]) + (", …" if len(strays) > _MAX_NAMES else "")
    return f"{len(strays)} entries without a package were skipped: {names}"
