"""DMOJ packages: init.yml with the tests in it or in an archive.

Source: the problem format in the documentation of DMOJ's judge.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .package import (
    BrokenPackageError,
    Package,
    UnsupportedError,
    programs,
    row_of,
    source_checker,
    text,
    yaml_of,
)

_CHECKERS = {
    "standard": None,  # tokens, as the default does
    "easy": {"name": "case_insensitive"},
    "identical": {"name": "exact"},
    "linecount": {"name": "lines"},
    "linematches": {"name": "lines"},
    "sorted": {"name": "unordered_lines"},
    "unordered": {"name": "unordered_tokens"},
}
_ARCHIVED = re.compile(r"^(?=.*?\.in|in).*?(?:(?:^|\W)(?P<batch>\d+)\W+)?(?P<case>\d+)[^\d]*$")
_MOST_BYTES = 256 << 20  # of one file of an archive, unpacked
_STATEMENTS = ("statement.md", "problem.md", "README.md")


def read(folder: Path) -> Package:
    """The problem. Raises BrokenPackageError, UnsupportedError, OSError."""
    about = yaml_of(folder / "init.yml")
    for key in ("interactive", "grader", "custom_judge", "signature_grader", "unbuffered"):
        if about.get(key):
            raise UnsupportedError("interactive", f"init.yml asks for {key}")
    with _Files(folder, about.get("archive")) as files:
        tests = list(_tests(about.get("test_cases"), files))
    statement = next((folder / name for name in _STATEMENTS if (folder / name).is_file()), None)
    row = row_of(
        folder,
        {
            "platform": "dmoj",
            "statement": text(statement) if statement else None,
            "tests": tests,
            "checker": _checker(folder, about.get("checker")),
            "solutions": [
                *programs((folder / "solutions").glob("*"), "AC"),
                *programs(folder.glob("solution.*"), "AC"),
            ],
        },
    )
    return Package(row)


class _Files:
    """The files of a package, in its folder or its archive. A context manager."""

    def __init__(self, folder: Path, archive: Any) -> None:
        self._folder = folder.resolve()
        self._zip: zipfile.ZipFile | None = None
        if isinstance(archive, str) and archive:
            try:
                self._zip = zipfile.ZipFile(self._inside(archive))
            except (zipfile.BadZipFile, FileNotFoundError) as error:
                raise BrokenPackageError(f"the archive {archive} cannot be read: {error}") from None

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, *_: object) -> None:
        if self._zip is not None:
            self._zip.close()

    def names(self) -> list[str]:
        """All files."""
        if self._zip is not None:
            return self._zip.namelist()
        inner = self._folder.rglob("*")
        return [path.relative_to(self._folder).as_posix() for path in inner if path.is_file()]

    def text(self, name: str) -> str:
        """The text of one. Raises BrokenPackageError."""
        if self._zip is None or name not in self._zip.namelist():
            return text(self._inside(name))
        if self._zip.getinfo(name).file_size > _MOST_BYTES:
            raise BrokenPackageError(f"{name} is larger than {_MOST_BYTES >> 20} MiB")
        try:
            return self._zip.read(name).decode("utf-8-sig")
        except (UnicodeDecodeError, zipfile.BadZipFile, RuntimeError) as error:
            raise BrokenPackageError(f"{name} in the archive cannot be read: {error}") from None

    def _inside(self, name: str) -> Path:
        path = self._folder / name
        if not path.resolve().is_relative_to(self._folder):
            raise BrokenPackageError(f"{name} is outside the package")
        return path


def _tests(cases: Any, files: _Files) -> Iterator[dict[str, str]]:
    if isinstance(cases, list):
        yield from _listed(cases, files.text)
    elif cases is None or isinstance(cases, Mapping):
        yield from _matched(cases or {}, files)
    else:
        raise BrokenPackageError("test_cases of init.yml is neither a list nor a mapping")


def _listed(cases: list[Any], read: Callable[[str], str]) -> Iterator[dict[str, str]]:
    for case in cases:
        if not isinstance(case, Mapping):
            raise BrokenPackageError("a test case of init.yml is no mapping")
        if isinstance(case.get("batched"), list):
            yield from _listed(case["batched"], read)
        elif "generator" in case:
            raise UnsupportedError("broken_package", "tests are made by a generator")
        elif isinstance(case.get("in"), str):
            test = {"input": read(case["in"])}
            if isinstance(case.get("out"), str):
                test["output"] = read(case["out"])
            yield test


def _matched(cases: Mapping[str, Any], files: _Files) -> Iterator[dict[str, str]]:
    """Tests found by the names of files, where init.yml lists none."""
    try:
        given = re.compile(str(cases["input_format"])) if "input_format" in cases else _ARCHIVED
    except re.error as error:
        raise BrokenPackageError(f"input_format is no expression: {error}") from None
    found: dict[tuple[int, int], str] = {}
    for name in sorted(files.names()):
        match = given.match(Path(name).name)
        if match and (match.groupdict().get("case") or "").isdigit():
            batch = match.groupdict().get("batch") or "0"
            found[(int(batch) if batch.isdigit() else 0, int(match["case"]))] = name
    for key in sorted(found):
        name = found[key]
        other = re.sub(r"\.in\b", ".out", name) if ".in" in name else name.replace("in", "out", 1)
        test = {"input": files.text(name)}
        if other in files.names():
            test["output"] = files.text(other)
        yield test


def _checker(folder: Path, given: Any) -> dict[str, Any] | None:
    name, options = given, dict[str, Any]()
    if isinstance(given, Mapping):
        name, options = given.get("name"), given.get("args") or {}
    if name in (None, ""):
        return None
    if name in ("floats", "floatsabs", "floatsrel"):
        error = 10.0 ** -int(options.get("precision", 6))
        return {
            "name": "floats",
            "abs": None if name == "floatsrel" else error,
            "rel": None if name == "floatsabs" else error,
            "case_sensitive": True,
        }
    if name == "bridged" and options.get("type") == "testlib":
        files = options.get("files")
        files = [files] if isinstance(files, str) else files
        if isinstance(files, list) and len(files) == 1:
            return source_checker(folder / str(files[0]), "testlib")
    if name not in _CHECKERS:
        raise UnsupportedError("unsupported_checker", f"the checker {name} is not run here")
    checker = _CHECKERS[name]
    return dict(checker) if checker else None
