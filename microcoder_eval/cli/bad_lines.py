"""Reports input lines that cannot be used: on standard error and in OUT.errors.jsonl."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine
from microcoder_eval.results.files import make_write_error

MAX_SHOWN = 20


class BadLines:
    """Counts and reports bad lines.

    With a file it prints the first MAX_SHOWN lines and writes all to the file, else it prints all.
    """

    def __init__(self, path: Path | None) -> None:
        self.count = 0
        self._path = path
        self._descriptor = -1
        if path is not None and path.exists():
            path.unlink()  # a file of an earlier run; this run reads all lines again

    def add_file_error(self, error: DataError, path: str) -> None:
        """Report the error that ended reading ``path`` early; the lines before it are used."""
        self.add(BadLine(error.where or path, 0, error.message, ""))

    def add(self, line: BadLine) -> None:
        """Report one line. Raises OutputError if the file cannot be written."""
        self.count += 1
        location = f"{line.file}:{line.line}" if line.line else line.file
        if self.count <= MAX_SHOWN or self._path is None:
            print(f"{location}: {line.reason}", file=sys.stderr)
        elif self.count == MAX_SHOWN + 1:
            print(f"more bad lines follow; all of them are in {self._path}", file=sys.stderr)
        if self._path is not None:
            self._write(line)

    def _write(self, line: BadLine) -> None:
        assert self._path is not None
        try:
            if self._descriptor < 0:
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
                self._descriptor = os.open(self._path, flags, 0o666)
            os.write(self._descriptor, (json.dumps(asdict(line)) + "\n").encode())
        except OSError as error:
            raise make_write_error(self._path, error) from error

    def close(self) -> None:
        """Close the file, if one was opened."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
