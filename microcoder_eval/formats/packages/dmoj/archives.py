"""Unpacks a ZIP archive of tests, whose author is not trusted."""

from __future__ import annotations

import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from microcoder_eval.formats.packages.package import PackageError

_MAX_BYTES = 2 << 30  # of an archive, unpacked
_READ_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError)


@contextmanager
def extract(path: Path) -> Iterator[Path]:
    """Yield a folder with all that an archive holds, while the context lasts. Raises PackageError,
    also for links and names that lead out of it, and OSError."""
    with tempfile.TemporaryDirectory(prefix="microcoder-package-") as folder:
        try:
            with zipfile.ZipFile(path) as archive:
                _check_entries(archive)
                archive.extractall(folder)
        except _READ_ERRORS as error:
            raise PackageError(f"{path.name} cannot be read: {error}") from None
        yield Path(folder)


def _check_entries(archive: zipfile.ZipFile) -> None:
    for entry in archive.infolist():
        file_type = stat.S_IFMT(entry.external_attr >> 16)
        if file_type not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise PackageError(f"{entry.filename} in the archive is a link or a device")
        if entry.filename.startswith("/") or ".." in entry.filename.split("/"):
            raise PackageError(f"{entry.filename} leads out of the archive")
    if sum(entry.file_size for entry in archive.infolist()) > _MAX_BYTES:
        raise PackageError(f"the archive holds more than {_MAX_BYTES >> 30} GiB")
