"""Reads rows of Parquet files as JSON."""

from __future__ import annotations

import base64
import datetime
import decimal
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats.source import convert_read_errors

_BATCH_ROWS = 256


def rows(path: Path) -> Iterator[tuple[bytes, str | None]]:
    """(JSON, fault) of each row, in batches. Raises DataError for a file that is not Parquet."""
    with _open_table(path) as table:
        for batch in table.iter_batches(batch_size=_BATCH_ROWS):
            for row in batch.to_pylist():
                yield _encode_row(row)


def count_rows(path: Path) -> int:
    """How many rows there are. Raises DataError as ``rows`` does."""
    with _open_table(path) as table:
        return int(table.metadata.num_rows)


@contextmanager
def _open_table(path: Path) -> Iterator[Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise DataError(
            "Parquet needs pyarrow: install microcoder with its extra `data`", str(path)
        ) from error
    try:
        with convert_read_errors(str(path)), parquet.ParquetFile(path) as table:
            yield table
    except pyarrow.ArrowException as error:
        raise DataError(f"not a Parquet file, or a broken one ({error})", str(path)) from error


def _encode_row(row: dict[str, Any]) -> tuple[bytes, str | None]:
    try:
        return json.dumps(row, default=_to_plain).encode(), None
    except (TypeError, ValueError, RecursionError) as error:
        return b"", f"the row cannot be written as JSON: {error}"


def _to_plain(value: Any) -> Any:
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return {"$bytes": base64.b64encode(value).decode()}
    raise TypeError(f"it holds a {type(value).__name__}")
