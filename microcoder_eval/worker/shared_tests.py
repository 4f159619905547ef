"""In a worker: the tests of a large problem, which all workers read from one file."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from typing import Any

from .messages import TestExtent, TextTest


class SharedTests(Sequence[TextTest]):
    """The tests of a large problem, in a file that all workers map. Each is copied out of it when
    it is asked for.

    descriptor: the file's descriptor, which is closed here.
    """

    def __init__(self, descriptor: int, extents: Sequence[TestExtent]) -> None:
        self._extents = extents
        self._texts: mmap.mmap | bytes = b""  # an empty file cannot be mapped
        try:
            if os.fstat(descriptor).st_size:
                self._texts = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
        finally:
            os.close(descriptor)

    def __len__(self) -> int:
        return len(self._extents)

    def __getitem__(self, index: Any) -> Any:
        extent = self._extents[index]
        return TextTest(
            self._texts[extent.start : extent.input_end],
            self._texts[extent.input_end : extent.output_end],
            extent.checker_args,
        )
