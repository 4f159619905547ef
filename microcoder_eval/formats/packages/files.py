"""Reads the files that packages of all formats have: texts, YAML, tests, checkers, submissions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .package import (
    BrokenPackageError,
    CheckerProgram,
    PackageTest,
    Submission,
    UnsupportedPackageError,
)

LANGUAGES = {".py": "python", ".py3": "python", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp",
             ".c++": "cpp", ".c": "c", ".java": "java", ".kt": "kotlin", ".rs": "rust",
             ".go": "go", ".py2": "python2", ".cs": "csharp", ".js": "javascript"}  # fmt: skip


def read_text(path: Path) -> str:
    """A file's text. Raises BrokenPackageError where it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BrokenPackageError(f"{path.name} is not UTF-8 (byte {error.start + 1})") from None


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file. Raises BrokenPackageError."""
    try:
        import yaml
    except ImportError as error:
        raise BrokenPackageError(
            "packages with YAML need pyyaml: install microcoder with its extra `data`"
        ) from error
    try:
        value = yaml.safe_load(read_text(path))
    except yaml.YAMLError as error:
        raise BrokenPackageError(f"{path.name} is not YAML: {error}".partition("\n")[0]) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BrokenPackageError(f"{path.name} holds no mapping")
    return value


def read_test(
    input_path: Path, output_path: Path, group: str = "", is_sample: bool = False
) -> PackageTest:
    """One test; its output is None where the package has no such file."""
    text = read_text(input_path)
    output = read_text(output_path) if output_path.is_file() else None
    return PackageTest(text, output, group, is_sample)


def read_submissions(paths: Iterable[Path], verdict: str) -> Iterator[Submission]:
    """The programs of one file among paths; folders of several files are left out."""
    for path in sorted(paths):
        language = LANGUAGES.get(path.suffix.lower())
        if path.is_file() and language is not None:
            yield Submission(path.read_bytes().decode("utf-8", "replace"), verdict, language)


def read_checker(path: Path, protocol: str) -> CheckerProgram:
    """A checker in one file. Raises UnsupportedPackageError for one in a language that the judge
    does not run as a checker."""
    language = LANGUAGES.get(path.suffix.lower())
    if language not in ("python", "cpp"):
        raise UnsupportedPackageError(
            "unsupported_checker", f"the checker {path.name} is no Python or C++"
        )
    if language == "python" and protocol == "testlib":
        raise UnsupportedPackageError("unsupported_checker", f"{path.name} is no C++ program")
    return CheckerProgram(read_text(path), language, protocol)


def to_positive_number(value: Any, factor: float = 1.0) -> float | None:
    """A positive number times a factor, else None."""
    try:
        product = float(value) * factor
    except (TypeError, ValueError):
        return None
    return product if 0 < product < 1e9 else None
