"""Reports input lines that cannot be used: on standard error and in OUT.errors.jsonl."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO, TypeVar

from microcoder_eval.console.streams import print_note
from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine, error_text
from microcoder_eval.results.files import make_write_error

Record = TypeVar("Record")
_MAX_SHOWN = 20
_MAX_ALIKE = 3  # lines shown whose reasons are alike: they differ only in names and numbers
_MAX_EXAMPLE_CHARS = 80
_PARTICULAR = re.compile(r'(?<=string )".*"|"[^"]*"|\d+')


class BadLines:
    """Counts and reports bad lines.

    It prints each reason once; of those that differ only in names and numbers the first few, and at
    most _MAX_SHOWN in all. ``close`` prints how many were left out. A file, if any, gets all.
    """

    def __init__(self, path: Path | None) -> None:
        self.count = 0
        self.count_by_file: Counter[str] = Counter()
        self._path = path
        self._file: BinaryIO | None = None
        self._shown: set[tuple[str, str]] = set()  # file and reason
        self._kinds: Counter[tuple[str, str]] = Counter()  # reasons shown, by file and kind
        self._hidden: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], str] = {}  # the first hidden reason of each kind
        if path is not None:
            path.unlink(missing_ok=True)  # of an earlier run; this run reads all lines again

    def __str__(self) -> str:
        return "1 bad line" if self.count == 1 else f"{self.count:,} bad lines"

    def skip_bad_lines(self, lines: Iterable[Record | BadLine], path: str) -> Iterator[Record]:
        """Yield the records of ``path``, and report the other lines, and an error that ends reading
        early. Raises that error where it comes before any line."""
        is_empty = True
        try:
            for line in lines:
                is_empty = False
                if isinstance(line, BadLine):
                    self.add(line)
                else:
                    yield line
        except DataError as error:
            if is_empty:
                raise
            self.add(BadLine(error.where or path, 0, error.message, ""))

    def add(self, line: BadLine) -> None:
        """Report one line. Raises OutputError if the file cannot be written."""
        self.count += 1
        self.count_by_file[line.file] += 1
        location = f"{line.file}:{line.line}" if line.line else line.file
        kind = line.file, _PARTICULAR.sub("…", line.reason)
        is_repeated = (line.file, line.reason) in self._shown
        if not is_repeated and self._kinds[kind] < _MAX_ALIKE and len(self._shown) < _MAX_SHOWN:
            self._shown.add((line.file, line.reason))
            self._kinds[kind] += 1
            print_note(f"{location}: {line.reason}")
        else:
            self._hidden[kind] += 1
            self._examples.setdefault(kind, line.reason)
        if self._path is not None:
            self._write(line, self._path)

    def add_all(self, lines: Iterable[BadLine]) -> None:
        """Report several lines. Raises as ``add``."""
        for line in lines:
            self.add(line)

    def _write(self, line: BadLine, path: Path) -> None:
        try:
            self._file = self._file or open(path, "wb", buffering=0)
            self._file.write((json.dumps(asdict(line)) + "\n").encode())
        except OSError as error:
            raise make_write_error(path, error) from error

    def close(self) -> None:
        """Close the file, if one was opened, and say how many lines were not shown."""
        frequent = self._hidden.most_common(_MAX_SHOWN)
        for kind, count in frequent:
            example = error_text.shorten(self._examples[kind], _MAX_EXAMPLE_CHARS)
            print_note(f"{kind[0]}: {count} more like this: {example}")
        if rest := self._hidden.total() - sum(count for _, count in frequent):
            print_note(f"and {rest} more of other kinds")
        if self._hidden and self._path is not None:
            print_note(f"all bad lines are in {self._path}")
        self._hidden.clear()
        if self._file is not None:
            self._file.close()
