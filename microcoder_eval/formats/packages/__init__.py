"""Problem packages: folders with tests, statements, checkers and submissions.

Each format is a module with MARKERS, files of which its packages have one, and ``read``, which
makes a ``Package`` of a folder. ``make_row`` makes a row of tests.jsonl of a ``Package``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from . import dmoj, kattis, polygon
from .containment import check_package
from .package import BrokenPackageError, Package, PackageError, make_row

__all__ = ["MARKERS", "Package", "PackageError", "make_row", "read_package"]


class _Format(Protocol):
    MARKERS: tuple[str, ...]

    def read(self, folder: Path) -> Package:
        """The problem in a folder. Raises PackageError, OSError."""


_FORMATS: tuple[_Format, ...] = (kattis, polygon, dmoj)
MARKERS = tuple(marker for package_format in _FORMATS for marker in package_format.MARKERS)


def read_package(folder: Path) -> Package:
    """The problem in a folder. Raises PackageError for one that is incomplete, unreadable, unsafe
    or asks for what the judge cannot do."""
    for package_format in _FORMATS:
        if any((folder / marker).is_file() for marker in package_format.MARKERS):
            break
    else:
        raise BrokenPackageError(f"there is no {', '.join(MARKERS[:-1])} or {MARKERS[-1]}")
    try:
        check_package(folder)
        package = package_format.read(folder)
    except OSError as error:
        message = f"{Path(error.filename or '').name}: {error.strerror}"
        raise BrokenPackageError(message) from error
    if not package.tests:
        raise BrokenPackageError("there is no test")
    return package
