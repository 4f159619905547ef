"""Reads the files that packages of all formats have: texts, YAML, tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import plain_files

from .package import PackageError


def read_text(path: Path) -> str:
    """Return a file's text, as ``plain_files`` reads it. Raises PackageError."""
    try:
        return plain_files.read_text(path)
    except DataError as error:
        raise PackageError(error.message) from None


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the mapping in a YAML file. Raises PackageError."""
    try:
        import yaml
    except ImportError as error:
        raise PackageError(
            "packages with YAML need pyyaml: install microcoder with its extra `data`"
        ) from error
    text = read_text(path)
    try:
        value = yaml.safe_load(text)
    # The last three: yaml itself, for a date or an integer that is none, or for deep nesting.
    except (yaml.YAMLError, ValueError, AttributeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = "" if mark is None else f", line {mark.line + 1}"
        reason = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise PackageError(f"{path.name}{line} is not YAML: {reason}") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise PackageError(f"{path.name} must hold a mapping")
    return value


def read_lenient_text(path: Path) -> str:
    """Return a file's text; one in an older encoding is read as Latin-1."""
    return plain_files.decode_text(path.read_bytes())


def unify_line_ends(text: str) -> str:
    """Return a text of test data as programs on Linux expect it, whoever's system wrote it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def to_positive_number(value: Any, factor: float = 1.0) -> float | None:
    """Return a positive number times a factor, else None."""
    try:
        product = float(value) * factor
    except (TypeError, ValueError, OverflowError):
        return None
    return product if 0 < product < 1e9 else None


def read_points(value: Any, label: str) -> float:
    """Return a number of points. Raises PackageError."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not abs(number) < 1e9:
        raise PackageError(f"{label}: {value!r} is not a number of points")
    return number
