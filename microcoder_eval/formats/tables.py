"""Rows of CSV and Parquet files as lines of JSON.

Cells of CSV are texts. A cell with a JSON list, object or number is read as that value, unless its
key holds a text in our own format. Empty cells are left out.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import date
from itertools import chain
from typing import Any, BinaryIO

from microcoder_eval.errors import DataError
from microcoder_sandbox import codec

from . import error_text

_JSON_KEYS = frozenset(
    {"tests", "limits", "solutions", "checker", "interactor", "groups", "grader", "includes"}
    | {"files"}
)
_NAME_KEYS = frozenset({"problem_id", "task_id", "question_id"})
# Also the names that data sets have for problems, and keys of rows whose names we make.
_HEADER_KEYS = _NAME_KEYS | {"id", "name", "question", "problem", "prompt", "tests", "data_source"}
_DELIMITERS = (",", ";", "\t", "|")
_EXCEL_LINE = re.compile(r"sep=.?\s*")  # a first line that tells Excel the delimiter
_BATCH_ROWS = 256


def looks_like_csv(first_line: str) -> bool:
    """Whether a line is the header of a CSV file of problems or solutions."""
    if first_line.lstrip()[:1] in ("{", "["):
        return False
    has_names = any(_has_name(first_line, delimiter, _NAME_KEYS) for delimiter in _DELIMITERS)
    return has_names or _EXCEL_LINE.fullmatch(first_line) is not None


def _has_name(header: str, delimiter: str, keys: frozenset[str]) -> bool:
    names = [name.strip('"') for name in header.rstrip("\r\n").split(delimiter)]
    return len(names) > 1 and not keys.isdisjoint(names)


def read_csv(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield (line, row as JSON) for each row after the header. Raises DataError."""
    text = io.TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="")
    csv.field_size_limit(2**31 - 1)  # the default refuses cells over 128 KiB
    header = text.readline()
    has_excel_line = _EXCEL_LINE.fullmatch(header) is not None
    if has_excel_line:
        header = text.readline()
    delimiters = (each for each in _DELIMITERS if _has_name(header, each, _HEADER_KEYS))
    delimiter = next(delimiters, ",")
    reader = csv.DictReader(chain([header], text), delimiter=delimiter, strict=True)
    try:
        if not _HEADER_KEYS & {name.strip() for name in reader.fieldnames or ["problem_id"]}:
            raise DataError(
                'the first line must be a header with "problem_id" or "task_id": '
                f'"{error_text.shorten(header.strip(), 60)}"'
            )
        for row in reader:
            line = reader.line_num + has_excel_line
            if None in row:
                raise DataError(
                    f"line {line}: more cells than the header has; quote cells that "
                    "hold commas or line ends"
                )
            cells = {key: _read_cell(key, cell) for key, cell in row.items() if cell}
            yield line, _encode(cells)
    except csv.Error as error:
        raise DataError(f"not CSV after line {reader.line_num + has_excel_line}: {error}") from None
    finally:
        text.detach()


def _read_cell(key: str, cell: str) -> Any:
    if key not in _JSON_KEYS:
        return cell
    try:
        return json.loads(cell)
    except ValueError:
        return cell  # the reader of problems says what is wrong with it


def read_parquet(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield (number, row as JSON) for each row. Raises DataError, also without pyarrow."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise DataError(
            "a Parquet file needs pyarrow: pip install '.[parquet]' in the checkout"
        ) from None
    number = 0
    # Its index stands at the end, so it is read whole where one cannot seek.
    file = file if file.seekable() else io.BytesIO(file.read())
    try:
        for batch in parquet.ParquetFile(file).iter_batches(batch_size=_BATCH_ROWS):
            for row in batch.to_pylist():
                number += 1
                yield number, _encode(_drop_nulls(row))
    except pyarrow.ArrowException as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"not a readable Parquet file after row {number}: {reason}") from None


def _drop_nulls(value: Any) -> Any:
    """Return the value without keys that hold null: Arrow gives each object all keys."""
    if isinstance(value, dict):
        return {key: _drop_nulls(item) for key, item in value.items() if item is not None}
    return [_drop_nulls(item) for item in value] if isinstance(value, list) else value


def _encode(row: dict[str, Any]) -> bytes:
    # What is not UTF-8 stays as it is, so that the reader of the line names the byte.
    text = json.dumps(row, default=_encode_value, ensure_ascii=False)
    return text.encode("utf-8", "surrogateescape")


def _encode_value(value: Any) -> Any:
    """Return bytes as text where they are text, else tagged; dates as ISO 8601."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return codec.to_json(value)
    return value.isoformat() if isinstance(value, date) else str(value)
