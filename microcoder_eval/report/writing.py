"""Writes the file of a report, and refuses to overwrite files that are not reports."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from microcoder_eval.results.files import OutputError, replace_file

from .html_page import FIRST_LINE


def refuse_misuse(path: str, inputs: Sequence[str | os.PathLike[str]], force: bool) -> None:
    """Raise OutputError if the report cannot be written or would overwrite another file.

    A report may replace an earlier report, any other file with ``force``, an input file never.
    """
    target = Path(path)
    try:
        stat_result = target.stat()
    except FileNotFoundError:
        if target.suffix.lower() not in (".html", ".htm"):
            page = target.with_suffix(".html")
            raise OutputError(
                f"{target}: the report is an HTML page; choose another name, such as {page}"
            ) from None
        _refuse_folder(target)
        return
    except OSError as error:
        raise _unwritable(target, error.strerror) from error
    if not stat.S_ISREG(stat_result.st_mode):
        raise OutputError(f"{target} is not a regular file; choose another name for the report")
    for name in inputs:
        if os.path.exists(name) and os.path.samestat(stat_result, os.stat(name)):
            raise OutputError(f"{target} is another file of this run; choose another name")
    if not force and stat_result.st_size and not _is_report(target):
        raise OutputError(
            f"{target} exists already and is not a report: it is kept; "
            "add --force to replace it, or choose another name"
        )
    _refuse_folder(target)


def _refuse_folder(target: Path) -> None:
    folder = Path(os.path.realpath(target)).parent
    if not folder.is_dir():
        raise OutputError(f"{target}: there is no folder {folder}; create it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        reason = "Permission denied; choose a folder that you may write to"
        raise OutputError(f"{target} cannot be written: {reason}")


def _is_report(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(FIRST_LINE)) == FIRST_LINE.encode()
    except OSError as error:
        raise _unwritable(path, error.strerror) from error


def _unwritable(path: Path, reason: str | None) -> OutputError:
    return OutputError(f"{path} cannot be written: {reason}; choose another name for the report")


def write_report(path: str, parts: Iterable[str]) -> None:
    """Write the page atomically. Raises OSError; then ``path`` is unchanged."""
    with (
        replace_file(path) as temporary_path,
        open(
            temporary_path, "w", encoding="utf-8", errors="backslashreplace", newline="\n"
        ) as file,
    ):
        file.writelines(parts)
