"""Rows in files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.files import read_jsonl

Row = dict[str, Any]
# What became of rows: those kept, the reason by name of those dropped, the manifest.
Ran = tuple[list[Row], dict[str, str], Row]
Run = Callable[..., Ran]


def write(path: Path, rows: list[Any]) -> Path:
    """Rows as lines; bytes as they are."""
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


read = read_jsonl  # of a file
