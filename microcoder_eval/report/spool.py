"""Stores values on disk while a report is made, in an unlinked temporary file."""

from __future__ import annotations

import pickle
import tempfile
import weakref
from contextlib import suppress
from typing import IO, Any

from microcoder_eval.results.files import Extent


class Spool:
    """Values, pickled, in a temporary file, by their place. The file ends with this object."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="microcoder-report-")
        weakref.finalize(self, _close, self._file)
        self._end = 0

    def put(self, value: Any) -> Extent:
        """Store a value; return its place. Raises OSError, on a full disk say."""
        data = pickle.dumps(value)
        self._file.seek(self._end)
        self._file.write(data)
        extent = Extent(self._end, len(data))
        self._end += len(data)
        return extent

    def get(self, extent: Extent) -> Any:
        """Read the value at that place."""
        self._file.seek(extent.offset)
        return pickle.loads(self._file.read(extent.size))


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # a full disk; ``put`` has already reported it
        file.close()
