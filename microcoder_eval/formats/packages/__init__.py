"""Problem packages: folders, or archives of them, with tests, statements, checkers and submissions.

Each format is a module with MARKERS, files of which its packages have one; READ, patterns of
the files and folders that it opens; and ``read``, which makes a ``Package`` of a folder.
``make_row`` makes a row of tests.jsonl of a ``Package``.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from . import dmoj, kattis, polygon
from .archives import unpack
from .containment import check_package
from .package import BrokenPackageError, Package, PackageError, UnsupportedPackageError, make_row

_FORMATS = (kattis, polygon, dmoj)
MARKERS = tuple(marker for package_format in _FORMATS for marker in package_format.MARKERS)


def read_package(path: Path, *, allows_samples: bool = False) -> Package:
    """Return the problem in a folder or an archive. Raises PackageError for one that is incomplete,
    unreadable, unsafe or asks for what the judge cannot do.

    allows_samples: whether samples suffice where the other tests have yet to be made.
    """
    if not path.is_file():
        package = _read_folder(path)
    else:
        try:
            with unpack(path, MARKERS) as folder:
                package = replace(_read_folder(folder), name=path.stem)
        except OSError as error:
            raise BrokenPackageError(f"{path.name}: {error.strerror}") from error
    if package.missing_tests and not (allows_samples and package.tests):
        raise UnsupportedPackageError("tests_not_generated", package.missing_tests)
    if not package.tests:
        raise BrokenPackageError(
            "there is no test where this format has them (Kattis: data/secret)"
        )
    return package


def _read_folder(folder: Path) -> Package:
    for package_format in _FORMATS:
        if any((folder / marker).is_file() for marker in package_format.MARKERS):
            break
    else:
        raise BrokenPackageError(f"there is no {', '.join(MARKERS[:-1])} or {MARKERS[-1]}")
    try:
        check_package(folder, package_format.READ)
        package: Package = package_format.read(folder)
    except OSError as error:
        message = f"{Path(error.filename or '').name}: {error.strerror}"
        raise BrokenPackageError(message) from error
    return package
