"""Writes the file of a report, and refuses to overwrite files that are not reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from microcoder_eval.results.files import OutputError, make_write_error, refuse_output, replace_file

from .results_page import FIRST_LINE


def refuse_misuse(path: str, inputs: Sequence[str], force: bool) -> None:
    """Raise OutputError if the report cannot be written or would overwrite another file.

    A report may replace an earlier report, any other file with ``force``, an input file never.
    """
    target = Path(path)
    refuse_output(target, inputs)
    if not target.exists():
        if target.suffix.lower() not in (".html", ".htm"):
            page = target.with_suffix(".html")
            raise OutputError(
                f"{target}: the report is an HTML page; choose another name, such as {page}"
            )
    elif not force and target.stat().st_size and not _is_report(target):
        raise OutputError(
            f"{target} exists already and is not a report: it is kept; "
            "add --force to replace it, or choose another name"
        )


def _is_report(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(FIRST_LINE)) == FIRST_LINE.encode()
    except OSError as error:
        raise make_write_error(path, error) from error


def write_report(path: str, parts: Iterable[str]) -> None:
    """Write the page atomically. Raises OSError; then ``path`` is unchanged."""
    with (
        replace_file(path) as temporary_path,
        open(
            temporary_path, "w", encoding="utf-8", errors="backslashreplace", newline="\n"
        ) as file,
    ):
        file.writelines(parts)
