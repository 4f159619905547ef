"""Reads one problem of any format into a row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from microcoder_eval.audit.findings import Finding
from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text, jsontext, native, packages, registry, source
from microcoder_eval.formats.lines import check_encodable

from .rows import Row
from .stage import RawRecord


def read_row(record: RawRecord, format: str | None = None) -> Row:
    """Return the row of a line or a package. format: None recognises a line's by its keys. Raises
    DataError."""
    if record.fault is not None:
        raise DataError(record.fault)
    if record.folder is not None:
        package = packages.read_package(Path(record.folder), allows_samples=True)
        row = packages.make_row(replace(package, name=record.name))
        missing = package.missing_tests
        return add_findings(row, [Finding("tests_not_generated", missing)] if missing else [])
    value = jsontext.parse(record.raw)
    if not isinstance(value, dict):
        raise DataError(f"a problem must be an object, not {error_text.describe_value(value)}")
    row_format, fields = registry.rewrite_problem(value, format)
    row = {key: item for key, item in fields.items() if item is not None}
    if row_format is not native.FORMAT:
        row.setdefault("origin", row_format.name)
    name = row.get("problem_id")
    if name is not None and not isinstance(name, str):
        raise DataError(f'"problem_id" must be text, not {error_text.describe_value(name)}')
    if not name or not name.strip():
        raise DataError(f'no "problem_id" ({error_text.describe_keys(row)})')
    check_encodable(name, "problem_id")
    return _flatten_meta(row)


def identify_record(record: RawRecord) -> Row | None:
    """Return what is known of a record that may be unusable: its row, a row with only its name, or
    None."""
    if record.folder is not None:
        return {"problem_id": record.name}
    with suppress(DataError, RecursionError):
        return read_row(record)
    with suppress(DataError, RecursionError):
        value = jsontext.parse(record.raw)
        if isinstance(value, dict):
            name = registry.detect_problem_format(value, None).find_name(value)
            name = name or native.FORMAT.find_name(value)
            if name and name.strip():
                check_encodable(name, "problem_id")
                return {"problem_id": name}
    return None


def _flatten_meta(row: Row) -> Row:
    """Return the row with the keys of "meta" moved to its top level; existing keys win."""
    meta = row.get("meta")
    if not isinstance(meta, dict):
        return row
    return {**meta, **{key: value for key, value in row.items() if key != "meta"}}


def read_objects(path: str | Path) -> Iterator[tuple[str, Row]]:
    """Yield the place and the object of each line of a file. Raises DataError naming the line."""
    with source.open_source(path) as stream:
        for line in stream.read_rows(1 << 40):
            place = f"{path}:{line.line}"
            try:
                value = line.parse()
            except DataError as error:
                raise DataError(error.message, place) from None
            if not isinstance(value, dict):
                raise DataError(f"must be an object, not {error_text.describe_value(value)}", place)
            yield place, value


def read_findings(row: Row) -> list[str]:
    """Return the names of the findings of earlier stages."""
    value: Any = row.get("findings")
    return [str(name) for name in value] if isinstance(value, list) else []


def add_findings(row: Row, findings: list[Finding]) -> Row:
    """Return the row with these findings added to those of earlier stages."""
    names = [*read_findings(row), *(finding.name for finding in findings)]
    if not names:
        return {key: value for key, value in row.items() if key != "findings"}
    return {**row, "findings": sorted(set(names))}
