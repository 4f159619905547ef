"""Packages in a ZIP archive, as Kattis (.kpp, .zip) and DOMjudge take them.

The package is the archive's top, or the only folder there.
"""

from __future__ import annotations

import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .containment import check_archive
from .package import PackageError

_SUFFIXES = (".zip", ".kpp")
_READ_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError)


def holds_package(path: Path, markers: Sequence[str]) -> bool:
    """Whether the file is an archive with a package. markers: files of which a package has one."""
    if path.suffix not in _SUFFIXES or not path.is_file():
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return _find_root(archive, markers) is not None
    except (OSError, *_READ_ERRORS):
        return False


@contextmanager
def unpack(path: Path, markers: Sequence[str]) -> Iterator[Path]:
    """Yield the folder of the package in an archive, while the context lasts. Raises
    PackageError, OSError."""
    with extract(path) as folder:
        with zipfile.ZipFile(path) as archive:
            root = _find_root(archive, markers)
        if root is None:
            raise PackageError(f"{path.name} holds no package")
        yield folder / root


@contextmanager
def extract(path: Path) -> Iterator[Path]:
    """Yield a folder with all that an archive holds, while the context lasts. Raises
    PackageError, OSError."""
    with tempfile.TemporaryDirectory(prefix="microcoder-package-") as folder:
        try:
            with zipfile.ZipFile(path) as archive:
                check_archive(archive)
                archive.extractall(folder)
        except _READ_ERRORS as error:
            raise PackageError(f"{path.name} cannot be read: {error}") from None
        yield Path(folder)


def _find_root(archive: zipfile.ZipFile, markers: Sequence[str]) -> str | None:
    """Return the folder of the package, "" for the top, None if there is no package."""
    names = set(archive.namelist())
    tops = {name.split("/")[0] for name in names}
    roots = ["", *(f"{top}/" for top in tops if len(tops) == 1)]
    return next((root.rstrip("/") for root in roots for m in markers if root + m in names), None)
