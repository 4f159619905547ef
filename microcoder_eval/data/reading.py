"""One problem of any form as a row of ours."""

from __future__ import annotations

from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext, registry, source, words
from microcoder_eval.formats.native import encodable

from .reasons import Found
from .rows import Row
from .stage import Given


def read_row(given: Given, format: str | None = None) -> Row:
    """The row of a line, rewritten from the format it is in. Raises DataError."""
    value = jsontext.parse(given.raw)
    if not isinstance(value, dict):
        raise DataError(f"a problem must be an object, not {words.described(value)}")
    known = registry.format_of_problem(value, format)
    row = {key: item for key, item in known.problem(value).items() if item is not None}
    if known is not registry.NATIVE:
        row.setdefault("origin", known.name)
    name = row.get("problem_id")
    if name is not None and not isinstance(name, str):
        raise DataError(f'"problem_id" must be text, not {words.described(name)}')
    if not name or not name.strip():
        raise DataError(f'no "problem_id" ({words.keys_of(row)})')
    encodable(name, "problem_id")
    return _flat(row)


def _flat(row: Row) -> Row:
    """What was carried along in "meta" stands beside the rest, as the judge's reader has it."""
    meta = row.get("meta")
    if not isinstance(meta, dict):
        return row
    rest = {key: value for key, value in row.items() if key != "meta"}
    return {**{key: value for key, value in meta.items() if key not in rest}, **rest}


def object_at(row: source.Row, path: str) -> dict[str, Any]:
    """The object in a line of a file. Raises DataError that names the line."""
    where = f"{path}:{row.line}"
    if row.fault is not None:
        raise DataError(row.fault, where)
    try:
        value = jsontext.parse(row.raw)
    except DataError as error:
        raise DataError(error.message, where) from None
    if not isinstance(value, dict):
        raise DataError(f"must be an object, not {words.described(value)}", where)
    return value


def findings_of(row: Row) -> list[str]:
    """The names of findings of earlier stages."""
    value: Any = row.get("findings")
    return [str(name) for name in value] if isinstance(value, list) else []


def with_findings(row: Row, found: list[Found]) -> Row:
    """The row with findings of this stage beside those of earlier ones."""
    new = [*findings_of(row), *(one.name for one in found)]
    if not new:
        return {key: value for key, value in row.items() if key != "findings"}
    return {**row, "findings": sorted(set(new))}
