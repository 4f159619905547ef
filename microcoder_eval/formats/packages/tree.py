"""Finds the packages in a folder: the folder itself, or all below it, archives included.

A problem's id is the path of its folder below the one that was named, so that problem A of one
contest differs from problem A of the next.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from microcoder_sandbox import record

from .archives import holds_package


@record
class Tree:
    """packages: (id, folder or archive). files: all other files, but for hidden ones. strays: the
    outermost entries that hold no package, relative to the tree."""

    packages: tuple[tuple[str, Path], ...]
    files: tuple[Path, ...]
    strays: tuple[str, ...]


def scan_tree(folder: Path, markers: tuple[str, ...]) -> Tree:
    """Return the packages in a folder, sorted by id. markers: names of the files that make a
    package. Raises OSError."""
    packages: list[tuple[str, Path]] = []
    files: list[Path] = []
    for directory, folders, names in os.walk(folder):
        path = Path(directory)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if any(name in names for name in markers):
            folders.clear()
            label = path.relative_to(folder).as_posix()
            packages.append((path.resolve().name if label == "." else label, path))
            continue
        archives = [name for name in names if holds_package(path / name, markers)]
        packages += [((path / name).relative_to(folder).as_posix(), path / name)
                     for name in archives]  # fmt: skip
        files += [path / name for name in sorted(set(names) - set(archives))]
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
