"""Lines that cannot be used: told at once, written to OUT.errors.jsonl, counted, never judged."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from microcoder_eval.formats import BadLine
from microcoder_eval.outputs import unwritable

SHOWN = 20


class BadLines:
    """Counts and reports bad lines; on standard error the first SHOWN, and all where there
    is no file to hold them."""

    def __init__(self, path: Path | None) -> None:
        self.count = 0
        self._path = path
        self._descriptor = -1
        if path is not None and path.exists():
            path.unlink()  # of an earlier run: every run reads all lines again

    def add(self, line: BadLine) -> None:
        """Report one line. Raises OutputError when it cannot be written down."""
        self.count += 1
        where = f"{line.file}:{line.line}" if line.line else line.file
        if self.count <= SHOWN or self._path is None:
            print(f"{where}: {line.reason}", file=sys.stderr)
        elif self.count == SHOWN + 1:
            print(f"more bad lines follow; all of them are in {self._path}", file=sys.stderr)
        if self._path is not None:
            self._write(line)

    def _write(self, line: BadLine) -> None:
        assert self._path is not None
        record = {
            "file": line.file,
            "line": line.line,
            "reason": line.reason,
            "text_start": line.text_start,
        }
        try:
            if self._descriptor < 0:
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
                self._descriptor = os.open(self._path, flags, 0o666)
            os.write(self._descriptor, (json.dumps(record) + "\n").encode())
        except OSError as error:
            raise unwritable(self._path, error) from error

    def close(self) -> None:
        """Close the file, if one was opened."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
