"""What all kinds of packages share: their files, their texts, their programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_eval.data.rows import Row
from microcoder_eval.data.stage import Drop

LANGUAGES = {".py": "python", ".py3": "python", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp",
             ".c++": "cpp", ".c": "c", ".java": "java", ".kt": "kotlin", ".rs": "rust",
             ".go": "go", ".py2": "python2", ".cs": "csharp", ".js": "javascript"}  # fmt: skip


class BrokenPackageError(Exception):
    """The package lacks something, or something in it cannot be read."""


class UnsupportedError(Exception):
    """What this judge cannot do; ``reason`` is its name in reasons.py."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Package:
    """A problem as a row, and why it cannot be used where it cannot."""

    row: Row
    drop: Drop | None = None


def broken(folder: Path, error: BrokenPackageError | UnsupportedError) -> Package:
    """A package that only has a name."""
    reason = error.reason if isinstance(error, UnsupportedError) else "broken_package"
    return Package({"problem_id": folder.resolve().name}, Drop(reason, str(error)))


def text(path: Path) -> str:
    """A file's text. Raises BrokenPackageError where it is none."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BrokenPackageError(f"{path.name} is not UTF-8 (byte {error.start + 1})") from None


def yaml_of(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file. Raises BrokenPackageError."""
    try:
        import yaml
    except ImportError as error:
        raise BrokenPackageError(
            "packages with YAML need pyyaml: install microcoder with its extra `data`"
        ) from error
    try:
        value = yaml.safe_load(text(path))
    except yaml.YAMLError as error:
        raise BrokenPackageError(f"{path.name} is not YAML: {error}".partition("\n")[0]) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BrokenPackageError(f"{path.name} holds no mapping")
    return value


def test_of(given: Path, expected: Path | None) -> dict[str, str]:
    """One test; without an expected file its output is missing, for ``verify`` to make."""
    test = {"input": text(given)}
    if expected is not None and expected.is_file():
        test["output"] = text(expected)
    return test


def programs(paths: Iterable[Path], verdict: str) -> list[dict[str, str]]:
    """The single-file programs among paths; folders of several files are left out."""
    found = []
    for path in sorted(paths):
        language = LANGUAGES.get(path.suffix.lower())
        if path.is_file() and language is not None:
            code = path.read_bytes().decode("utf-8", "replace")
            found.append({"code": code, "verdict": verdict, "language": language})
    return found


def number(value: Any, factor: float = 1.0) -> float | None:
    """A positive number times a factor, else None."""
    try:
        found = float(value) * factor
    except (TypeError, ValueError):
        return None
    return found if 0 < found < 1e9 else None


def limits(time_s: float | None, memory_mb: float | None) -> dict[str, float]:
    """Limits that are known."""
    given = {"time_s": time_s, "memory_mb": memory_mb}
    return {key: value for key, value in given.items() if value is not None}


def row_of(folder: Path, fields: Mapping[str, Any]) -> Row:
    """A row of what is known. Raises BrokenPackageError without tests."""
    name = folder.resolve().name
    row = {"problem_id": name, "kind": "stdin", "origin": f"package:{name}", **fields}
    if not row.get("tests"):
        raise BrokenPackageError("there is no test")
    return {key: value for key, value in row.items() if value not in (None, {}, [])}


def source_checker(path: Path, protocol: str) -> dict[str, str]:
    """A checker in one file. Raises UnsupportedError for a language that is not run here."""
    language = LANGUAGES.get(path.suffix.lower())
    if language not in ("python", "cpp"):
        raise UnsupportedError(
            "unsupported_checker", f"the checker {path.name} is no Python or C++"
        )
    if language == "python" and protocol == "testlib":
        raise UnsupportedError("unsupported_checker", f"{path.name} is no C++ program")
    source = text(path)
    return {"source": source, "language": language, "protocol": protocol}
