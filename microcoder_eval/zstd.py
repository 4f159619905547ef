"""zstd: by the standard library where it has it (Python 3.14), else by the package zstandard.

Imported late: most files are plain, and it takes milliseconds.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import IO, Any, cast

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, ZstdFile, compress

    make_frame_decompressor = ZstdDecompressor

    def open_zstd(path: Path, mode: str) -> IO[bytes]:
        """Open a file for reading ("rb") or writing ("wb") what it holds compressed."""
        return cast("IO[bytes]", ZstdFile(path, mode))

else:
    import zstandard
    from zstandard import ZstdError, compress

    def make_frame_decompressor() -> Any:
        """Return a decompressor of one frame, with ``decompress``, ``eof`` and ``unused_data``."""
        return zstandard.ZstdDecompressor().decompressobj()

    def open_zstd(path: Path, mode: str) -> IO[bytes]:
        """Open a file for reading ("rb") or writing ("wb") what it holds compressed."""
        stream = zstandard.open(path, mode)
        if mode == "rb":  # its reader has no readline
            stream = io.BufferedReader(cast("io.RawIOBase", stream))
        return cast("IO[bytes]", stream)


__all__ = ["ZstdError", "compress", "make_frame_decompressor", "open_zstd"]
