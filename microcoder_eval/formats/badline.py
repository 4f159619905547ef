"""The report on an input line that cannot be used."""

from __future__ import annotations

from microcoder_eval.formats import error_text
from microcoder_eval.formats.source import SourceRow
from microcoder_sandbox import record


@record
class BadLine:
    """A line that cannot be used.

    line: its number, 0 for the whole file.
    reason: what is wrong and what to do.
    text_start: the start of its text.
    """

    file: str
    line: int
    reason: str
    text_start: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


def make_bad_line(path: str, row: SourceRow, reason: str) -> BadLine:
    """Make the report on a row, with the number of an array item, since items may share a line."""
    item = f"item {row.item}: " if row.item is not None else ""
    text_start = error_text.shorten(row.raw[:400].decode("utf-8", "replace").strip(), 80)
    return BadLine(path, row.line, item + reason, text_start)
