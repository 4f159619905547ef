"""Compiled programs on disk, which all workers of a user share.

The folder is the user's own (XDG base directories); its files run in the sandbox only. They are
bounded by their bytes; those that were used last stay.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from microcoder_sandbox import make_private_folder

if TYPE_CHECKING:
    from pathlib import Path

_MAX_BYTES, _BLOCK_BYTES = 2 << 30, 512
_CLEANING_SHARE = 64  # a worker may exceed _MAX_BYTES by one part in so many between cleanings


class BinaryStore:
    """The folder with the compiled programs. folder: its path, or "" to keep none."""

    def __init__(self, folder: str) -> None:
        self._folder = folder if folder and make_private_folder(folder, 0o700) else ""
        self._bytes_before_cleaning = 0

    def get(self, key: str) -> bytes | None:
        """Return the program of that key, None if it is not there or damaged."""
        if not self._folder:
            return None
        path = os.path.join(self._folder, key)
        try:
            with open(path, "rb") as file:
                data = file.read()
            os.utime(path)  # the oldest are removed first
        except OSError:
            return None
        digest, _, body = data.partition(b"\n")
        return body if digest == _sha256(body).encode() else None

    def put(self, key: str, data: bytes) -> None:
        """Keep a program. A disk that is full or read-only keeps nothing."""
        if not self._folder:
            return
        import tempfile  # late: most workers compile nothing
        from pathlib import Path

        temporary = ""
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                temporary = file.name
                file.write(_sha256(data).encode() + b"\n" + data)
            os.replace(temporary, Path(self._folder) / key)
            self._bytes_before_cleaning -= len(data)
            if self._bytes_before_cleaning <= 0:  # not each time: there may be many files
                self._bytes_before_cleaning = _MAX_BYTES // _CLEANING_SHARE
                _remove_oldest(Path(self._folder), _MAX_BYTES - self._bytes_before_cleaning)
        except OSError:
            with suppress(OSError):
                os.unlink(temporary)


def _remove_oldest(folder: Path, bytes_left: int) -> None:
    """Remove the files that have been unused for longest, until the rest fits in ``bytes_left``.
    The newest one stays in any case. Raises OSError."""
    stats = [(path.stat(), path) for path in folder.iterdir()]
    newest_files = sorted(stats, key=lambda entry: -entry[0].st_mtime)
    for number, (stat, path) in enumerate(newest_files):
        bytes_left -= stat.st_blocks * _BLOCK_BYTES  # on the disk: a small file takes a block
        if number and bytes_left < 0:
            path.unlink(missing_ok=True)


def _sha256(data: bytes) -> str:
    import hashlib  # late: most workers compile nothing

    return hashlib.sha256(data).hexdigest()
