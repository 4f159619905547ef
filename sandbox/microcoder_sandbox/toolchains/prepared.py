"""What toolchains prepare once a machine: precompiled headers, archives of loaded classes.

A compiler in the sandbox makes them from fixed texts (``Recipe``), never from a candidate's code. A
trusted process keeps them in a folder that only the user may write. Compilers in the sandbox may
read it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field

from microcoder_sandbox.frozen_records import record

from .toolchain import require_toolchain

PREPARED = "prepared"  # the folder that a recipe's command fills
MAX_BYTES = 640 << 20  # of all together; a precompiled bits/stdc++.h takes 100 MB
_UNFINISHED = "unfinished-"  # begins the name of a folder that is not complete yet


@record
class Recipe:
    """How one thing is made. name: for people. toolchain: a name of TOOLCHAINS. files: {name:
    text}. command: the compiler's arguments; it writes into the folder PREPARED.
    """

    name: str
    toolchain: str
    command: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)


class PreparedStore:
    """The prepared things of one user, each in a folder whose name is its key. folder: where they
    lie; "" if nothing can be kept there."""

    def __init__(self, folder: str) -> None:
        self.folder = folder if folder and make_private_folder(folder) else ""

    def find(self, recipe: Recipe) -> str:
        """Return the folder of what was made by a recipe, with this machine's compiler and
        headers as they are now; "" if there is none."""
        if not self.folder:
            return ""
        try:
            folder = os.path.join(self.folder, _make_key(recipe))
            os.utime(folder)  # the oldest are removed first
        except OSError:
            return ""
        return folder

    def add(self, recipe: Recipe, archive: bytes) -> str:
        """Keep what a recipe's command made, a zip archive; return its folder. Raises OSError."""
        import tempfile  # late: workers import this module
        import zipfile
        from io import BytesIO

        temporary = tempfile.mkdtemp(prefix=_UNFINISHED, dir=self.folder)
        try:
            with zipfile.ZipFile(BytesIO(archive)) as product:
                product.extractall(temporary)
            _let_others_read(temporary)
            folder = os.path.join(self.folder, _make_key(recipe))
            os.rename(temporary, folder)
        except BaseException:
            _remove_folder(temporary)
            raise
        self._remove_oldest()
        return folder

    def remove_abandoned(self) -> None:
        """Remove what a process left that was ended while it added something. For the only process
        that adds."""
        for entry in os.scandir(self.folder):
            if entry.name.startswith(_UNFINISHED):
                _remove_folder(entry.path)

    def _remove_oldest(self) -> None:
        folders = [entry for entry in os.scandir(self.folder) if entry.is_dir()]
        bytes_left = MAX_BYTES
        for number, entry in enumerate(sorted(folders, key=lambda entry: -entry.stat().st_mtime)):
            bytes_left -= _measure(entry.path)
            if number and bytes_left < 0:
                _remove_folder(entry.path)


def make_private_folder(folder: str, mode: int = 0o755) -> bool:
    """Make a folder that nobody else may write to; returns whether it is one."""
    try:
        os.makedirs(folder, mode=mode, exist_ok=True)
        status = os.stat(folder)
    except OSError:
        return False
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _make_key(recipe: Recipe) -> str:
    """Return the key of what a recipe makes with the compiler and the headers as they are. An
    upgrade changes the times of the programs, and of the folders that hold the headers. Raises
    OSError if one of them is gone."""
    import hashlib  # late: most workers compile nothing

    toolchain = require_toolchain(recipe.toolchain)
    parts = [toolchain.compiler, toolchain.version, *recipe.command]
    parts += [f"{name}\0{text}" for name, text in sorted(recipe.files.items())]
    for path in (*toolchain.readable, *toolchain.executable):
        status = os.stat(path)
        parts.append(f"{path}\0{status.st_size}\0{status.st_mtime_ns}")
    return hashlib.sha256("\0\0".join(parts).encode()).hexdigest()[:32]


def _let_others_read(folder: str) -> None:
    """Make a folder readable for the user that a compiler runs as, and write it through to disk.

    A file that a crash cuts short would fail each program that uses it.
    """
    os.chmod(folder, 0o755)
    for path in _walk(folder):
        os.chmod(path, 0o755 if os.path.isdir(path) else 0o644)
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_folder(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def _measure(folder: str) -> int:
    return sum(os.lstat(path).st_size for path in _walk(folder))


def _walk(folder: str) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield os.path.join(parent, name)
