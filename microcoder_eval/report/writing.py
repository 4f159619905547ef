"""The file of a report: appears whole or not at all, and never in the place of something else."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from microcoder_eval.outputs import OutputError

from .page import FIRST_LINE


def refuse_misuse(path: str, inputs: Sequence[str | os.PathLike[str]], force: bool) -> None:
    """Raise OutputError where a report could not be written, or would destroy something.

    An earlier report is replaced, any other file only by ``force``, an input or a folder never.
    """
    target = Path(path)
    try:
        there = target.stat()
    except FileNotFoundError:
        _refuse_folder(target)
        return
    except OSError as error:
        raise _unwritable(target, error.strerror) from error
    if not stat.S_ISREG(there.st_mode):
        raise OutputError(f"{target} is not a regular file; choose another name for the report")
    for name in inputs:
        if os.path.exists(name) and os.path.samestat(there, os.stat(name)):
            raise OutputError(f"{target} is another file of this run; choose another name")
    if not force and there.st_size and not _is_report(target):
        raise OutputError(
            f"{target} exists already and is no report: it is kept; "
            "add --force to replace it, or choose another name"
        )
    _refuse_folder(target)


def _refuse_folder(target: Path) -> None:
    folder = Path(os.path.realpath(target)).parent
    if not folder.is_dir():
        raise OutputError(f"{target}: there is no folder {folder}; create it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unwritable(target, "Permission denied")


def _is_report(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(FIRST_LINE)) == FIRST_LINE.encode()
    except OSError as error:
        raise _unwritable(path, error.strerror) from error


def _unwritable(path: Path, why: str | None) -> OutputError:
    return OutputError(f"{path} cannot be written: {why}; choose another name for the report")


def write(path: str, parts: Iterable[str]) -> None:
    """Write the file beside its place and rename it there. Raises OSError, nothing changed."""
    target = Path(os.path.realpath(path))  # a link stays a link
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with open(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
