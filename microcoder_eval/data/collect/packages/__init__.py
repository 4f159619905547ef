"""Problem packages: folders with tests, statements, checkers and submissions."""

from __future__ import annotations

from pathlib import Path

from . import dmoj, kattis, polygon
from .package import BrokenPackageError, Package, UnsupportedError, broken

_READERS = {"problem.yaml": kattis.read, "problem.xml": polygon.read, "init.yml": dmoj.read}


def read_package(folder: Path) -> Package:
    """The problem in a folder; one that cannot be used comes with the reason. Raises nothing of
    its own: a package is one problem, and a bad one stops no other."""
    for name, read in _READERS.items():
        if (folder / name).is_file():
            try:
                return read(folder)
            except (BrokenPackageError, UnsupportedError) as error:
                return broken(folder, error)
            except OSError as error:
                said = f"{Path(error.filename or '').name}: {error.strerror}"
                return broken(folder, BrokenPackageError(said))
    return broken(folder, BrokenPackageError("there is no problem.yaml, problem.xml or init.yml"))
