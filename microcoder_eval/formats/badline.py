"""What is said about a line that cannot be used."""

from __future__ import annotations

from dataclasses import dataclass

from microcoder_eval.formats import words
from microcoder_eval.formats.source import Row


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that counts as nothing: where it is, what is wrong and what to do, how it starts."""

    file: str
    line: int
    reason: str
    text_start: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


def bad_line(path: str, row: Row, reason: str) -> BadLine:
    """The report on a row; items of an array are numbered too, for they may share one line."""
    item = f"item {row.item}: " if row.item is not None else ""
    start = words.brief(row.raw[:400].decode("utf-8", "replace").strip(), 80)
    return BadLine(path, row.line, item + reason, start)
