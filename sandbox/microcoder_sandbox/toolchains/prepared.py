"""What toolchains prepare once a machine: precompiled headers, archives of loaded classes.

A compiler in the sandbox makes them from fixed texts (``Recipe``), never from a candidate's code. A
trusted process keeps them in a folder that only the user may write. Compilers in the sandbox may
read it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field

from microcoder_sandbox.frozen_records import record

from .toolchain import Toolchain, require_toolchain

PREPARED = "prepared"  # the folder that a recipe's command fills
SOURCES = "sources.d"  # a file in it: what the compiler read, as gcc -MD writes it
MAX_BYTES = 640 << 20  # of all together; a precompiled bits/stdc++.h takes 100 MB
_RECORD = "made.json"
Fingerprint = tuple[int, int]  # bytes, time of the last change in nanoseconds


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
    """The prepared things of one user. folder: where they lie; "" if nothing can be kept there."""

    def __init__(self, folder: str) -> None:
        self.folder = folder if folder and make_private_folder(folder) else ""
        self._valid: set[str] = set()  # keys of what was found valid

    def find(self, recipe: Recipe) -> str:
        """Return the folder of what was made by a recipe, with this machine's compiler and
        headers as they are now; "" if there is none."""
        if not self.folder:
            return ""
        key = _make_key(recipe, require_toolchain(recipe.toolchain))
        folder = os.path.join(self.folder, key)
        if key not in self._valid and not _is_up_to_date(folder):
            return ""
        try:
            os.utime(os.path.join(folder, _RECORD))  # the oldest are removed first
        except OSError:
            self._valid.discard(key)
            return ""
        self._valid.add(key)
        return folder

    def add(self, recipe: Recipe, archive: bytes) -> str:
        """Keep what a recipe's command made, a zip archive; return its folder. Raises OSError."""
        import tempfile  # late: workers import this module
        import zipfile
        from io import BytesIO

        toolchain = require_toolchain(recipe.toolchain)
        temporary = tempfile.mkdtemp(dir=self.folder)
        try:
            with zipfile.ZipFile(BytesIO(archive)) as product:
                product.extractall(temporary)
            sources = _take_fingerprints([*_read_sources(temporary), *toolchain.executable])
            with open(os.path.join(temporary, _RECORD), "w", encoding="utf-8") as file:
                json.dump({"sources": sources}, file)
            _let_others_read(temporary)
            folder = os.path.join(self.folder, _make_key(recipe, toolchain))
            _remove_folder(folder)  # what is out of date
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
            if entry.is_dir() and not os.path.exists(os.path.join(entry.path, _RECORD)):
                _remove_folder(entry.path)

    def _remove_oldest(self) -> None:
        times = {}
        for entry in os.scandir(self.folder):
            with suppress(OSError):
                times[entry.path] = os.stat(os.path.join(entry.path, _RECORD)).st_mtime
        bytes_left = MAX_BYTES
        for number, folder in enumerate(sorted(times, key=lambda path: -times[path])):
            bytes_left -= _measure(folder)
            if number and bytes_left < 0:
                _remove_folder(folder)


def make_private_folder(folder: str, mode: int = 0o755) -> bool:
    """Make a folder that nobody else may write to; returns whether it is one."""
    try:
        os.makedirs(folder, mode=mode, exist_ok=True)
        status = os.stat(folder)
    except OSError:
        return False
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _make_key(recipe: Recipe, toolchain: Toolchain) -> str:
    import hashlib  # late: most workers compile nothing

    parts = [toolchain.compiler, toolchain.version, *recipe.command]
    parts += [f"{name}\0{text}" for name, text in sorted(recipe.files.items())]
    return hashlib.sha256("\0\0".join(parts).encode()).hexdigest()[:32]


def _read_sources(folder: str) -> list[str]:
    """Return the headers that a compiler read, as it says (gcc -MD); taken out of the folder."""
    path = os.path.join(folder, SOURCES)
    try:
        with open(path, encoding="utf-8") as file:
            names = file.read().replace("\\\n", " ").split()
    except FileNotFoundError:
        return []
    os.unlink(path)
    return [name for name in names if name.startswith("/") and not name.endswith(":")]


def _take_fingerprints(paths: Iterable[str]) -> dict[str, Fingerprint]:
    statuses = {path: os.stat(path) for path in paths}
    return {path: (status.st_size, status.st_mtime_ns) for path, status in statuses.items()}


def _is_up_to_date(folder: str) -> bool:
    """Whether the compiler and all headers are as they were when it was made."""
    try:
        with open(os.path.join(folder, _RECORD), encoding="utf-8") as file:
            sources: dict[str, list[int]] = json.load(file)["sources"]
        return _take_fingerprints(sources) == {
            path: (size, changed) for path, (size, changed) in sources.items()
        }
    except (OSError, ValueError, KeyError):
        return False


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
