"""Problem packages: folders with tests, statements, checkers and submissions.

Each format has a function that makes a ``Package`` of a folder; ``make_row`` makes a row of
tests.jsonl of a ``Package``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from microcoder_sandbox import record

from . import kattis
from .containment import check_entries
from .dmoj import read_dmoj
from .package import Package, PackageError, make_row
from .polygon import read_polygon


@record
class _PackageFormat:
    """A format of packages.

    markers: files of which its packages have one. read: makes a ``Package`` of a folder; raises
    PackageError, OSError. names_read: patterns of the files and folders that it opens.
    """

    markers: tuple[str, ...]
    read: Callable[[Path], Package]
    names_read: tuple[str, ...] = ("*",)


_FORMATS = (
    _PackageFormat(kattis.MARKERS, kattis.read_kattis, kattis.NAMES_READ),
    _PackageFormat(("problem.xml",), read_polygon),
    _PackageFormat(("init.yml",), read_dmoj),
)
MARKERS = tuple(marker for package_format in _FORMATS for marker in package_format.markers)


def read_package(folder: Path, *, allows_samples: bool = False) -> Package:
    """Return the problem in a folder. Raises PackageError for one that is incomplete, unreadable,
    unsafe or asks for what the judge cannot do.

    allows_samples: whether samples suffice where the other tests have yet to be made.
    """
    package = _read_folder(folder)
    if package.missing_tests and not (allows_samples and package.tests):
        raise PackageError(package.missing_tests, "tests_not_generated")
    if not package.tests:
        raise PackageError("there is no test where this format has them (Kattis: data/secret)")
    return package


def _read_folder(folder: Path) -> Package:
    for package_format in _FORMATS:
        if any((folder / marker).is_file() for marker in package_format.markers):
            break
    else:
        raise PackageError(f"there is no {', '.join(MARKERS[:-1])} or {MARKERS[-1]}")
    try:
        check_entries(folder, package_format.names_read)
        package = package_format.read(folder)
    except OSError as error:
        message = f"{Path(error.filename or '').name}: {error.strerror}"
        raise PackageError(message) from error
    return package
