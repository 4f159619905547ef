"""Details of many solutions on disk while a report is made: an unlinked file, nothing to clean."""

from __future__ import annotations

import json
import tempfile
from typing import Any

Place = tuple[int, int]


class Spool:
    """JSON values by their place."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="microcoder-report-")
        self._end = 0

    def put(self, value: Any) -> Place:
        """Keep a value; returns its (offset, length). Raises OSError, as on a full disk."""
        data = json.dumps(value).encode()
        self._file.seek(self._end)
        self._file.write(data)
        place = self._end, len(data)
        self._end += len(data)
        return place

    def get(self, place: Place) -> Any:
        """The value at that place."""
        self._file.seek(place[0])
        return json.loads(self._file.read(place[1]))

    def close(self) -> None:
        """Let go of the file."""
        try:
            self._file.close()
        except OSError:
            pass  # a full disk, told when it was written to
