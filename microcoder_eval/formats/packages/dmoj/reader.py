"""DMOJ packages: init.yml with the tests in it or in an archive.

Source: the problem format in the documentation of DMOJ's judge.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.formats.packages.containment import check_archive, resolve_inside
from microcoder_eval.formats.packages.files import read_statement, read_text, read_yaml
from microcoder_eval.formats.packages.package import (
    BrokenPackageError,
    Package,
    PackageError,
    PackageTest,
    UnsupportedPackageError,
)

from .checkers import add_point_values, read_judge
from .groups import read_dmoj_groups
from .programs import read_signature, read_submissions

MARKERS: tuple[str, ...] = ("init.yml",)
_UNSUPPORTED_KEYS = ("grader", "custom_judge", "file_io", "symlinks")
# A word in a file's name; then a batch, where there are two numbers, and a case.
_NAME = r"(?=.*?\.{0}|{0}).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$"
_INPUT_NAME, _OUTPUT_NAME = _NAME.format("in"), _NAME.format("out")
_Id = int | str  # of a batch or case: a number where it is one
_MAX_BYTES = 256 << 20  # of one file of an archive, unpacked
_STATEMENT_FILES = ("statement.md", "problem.md", "README.md")


def read(folder: Path) -> Package:
    """Return the problem. Raises PackageError, OSError."""
    config = read_yaml(folder / MARKERS[0])
    for key in _UNSUPPORTED_KEYS:
        if config.get(key):
            raise UnsupportedPackageError(key, f"init.yml: {key} is not supported: {config[key]}")
    if config.get("generator"):
        raise _refuse_generator()
    with _PackageFiles(folder, config.get("archive")) as files:
        tests = tuple(_read_tests(config, files))
    groups = read_dmoj_groups(config, tests)
    checker, interactor = read_judge(folder, config)
    statements = [folder / name for name in _STATEMENT_FILES if (folder / name).is_file()]
    return Package(
        name=folder.resolve().name,
        platform="dmoj",
        statement=read_statement(statements[0]) if statements else None,
        tests=add_point_values(tests, groups, checker),
        groups=groups,
        checker=checker,
        interactor=interactor,
        includes=read_signature(folder, config.get("signature_grader")),
        submissions=tuple(read_submissions(folder)),
    )


class _PackageFiles:
    """The files of a package, in its folder or its archive. A context manager."""

    def __init__(self, folder: Path, archive: Any) -> None:
        self._folder = folder.resolve()
        self._zip: zipfile.ZipFile | None = None
        if isinstance(archive, str) and archive:
            try:
                self._zip = zipfile.ZipFile(resolve_inside(self._folder, archive))
            except (zipfile.BadZipFile, FileNotFoundError) as error:
                raise BrokenPackageError(f"the archive {archive} cannot be read: {error}") from None
            check_archive(self._zip)

    def __enter__(self) -> _PackageFiles:
        return self

    def __exit__(self, *_: object) -> None:
        if self._zip is not None:
            self._zip.close()

    def list_names(self) -> list[str]:
        """Return the names of all files."""
        if self._zip is not None:
            return self._zip.namelist()
        paths = self._folder.rglob("*")
        return [path.relative_to(self._folder).as_posix() for path in paths if path.is_file()]

    def read_text(self, name: str) -> str:
        """Return the text of one file. Raises BrokenPackageError."""
        if self._zip is None or name not in self._zip.namelist():
            return read_text(resolve_inside(self._folder, name))
        if self._zip.getinfo(name).file_size > _MAX_BYTES:
            raise BrokenPackageError(f"{name} is larger than {_MAX_BYTES >> 20} MiB")
        try:
            return self._zip.read(name).decode("utf-8-sig")
        except (
            UnicodeDecodeError,
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            RuntimeError,
        ) as error:
            raise BrokenPackageError(f"{name} in the archive cannot be read: {error}") from None


def _read_tests(config: Mapping[str, Any], files: _PackageFiles) -> Iterator[PackageTest]:
    cases, pretests = config.get("test_cases"), config.get("pretest_test_cases")
    if pretests:
        if not isinstance(pretests, list):
            raise BrokenPackageError("pretest_test_cases of init.yml must be a list")
        yield from _read_listed_tests(pretests, files, prefix="pretest ")
    if isinstance(cases, list):
        yield from _read_listed_tests(cases, files)
    elif cases is None or isinstance(cases, Mapping):
        yield from _read_named_tests(cases or {}, files)
    else:
        raise BrokenPackageError("test_cases of init.yml must be a list or a mapping")


def _read_listed_tests(
    cases: list[Any], files: _PackageFiles, group: str = "", prefix: str = ""
) -> Iterator[PackageTest]:
    for number, case in enumerate(cases, 1):
        if not isinstance(case, Mapping):
            raise BrokenPackageError("a test case of init.yml must be a mapping")
        if "checker" in case:
            raise UnsupportedPackageError("unsupported_checker", "a test case has its own checker")
        if isinstance(case.get("batched"), list):
            yield from _read_listed_tests(case["batched"], files, f"{prefix}{number}")
        elif "generator" in case:
            raise _refuse_generator()
        else:  # a case without an input has an empty one
            input_name, output_name = case.get("in"), case.get("out")
            text = "" if input_name is None else files.read_text(str(input_name))
            output = None if output_name is None else files.read_text(str(output_name))
            yield PackageTest(text, output, group)


def _refuse_generator() -> PackageError:
    return UnsupportedPackageError(
        "tests_not_generated", "init.yml: a generator makes the tests, which the package lacks"
    )


def _read_named_tests(cases: Mapping[str, Any], files: _PackageFiles) -> Iterator[PackageTest]:
    """Yield the tests recognised by the names of files, where init.yml lists none: batches and
    single cases in the order of their names, those of letters first."""
    names = files.list_names()
    inputs = _match_names(names, cases.get("input_format") or _INPUT_NAME, "input_format")
    outputs = _match_names(names, cases.get("output_format") or _OUTPUT_NAME, "output_format")
    batches = {batch for batch, _ in (*inputs, *outputs) if batch is not None}
    for batch, case in sorted(inputs.keys() | outputs.keys(), key=_rank):
        if batch is None and case in batches:
            raise BrokenPackageError(f"the files of case {case} and of batch {case} conflict")
        input_name, output_name = inputs.get((batch, case)), outputs.get((batch, case))
        text = "" if input_name is None else files.read_text(input_name)
        output = None if output_name is None else files.read_text(output_name)
        yield PackageTest(text, output, "" if batch is None else str(batch))


def _rank(ids: tuple[_Id | None, _Id]) -> tuple[tuple[bool, _Id], tuple[bool, _Id]]:
    batch, case = ids
    first = case if batch is None else batch
    return (isinstance(first, int), first), (isinstance(case, int), case)


def _match_names(
    names: Iterable[str], expression: Any, key: str
) -> dict[tuple[_Id | None, _Id], str]:
    """{(batch, case): name} of the files that an expression of init.yml recognises; no batch:
    None."""
    try:
        pattern = re.compile(expression, re.IGNORECASE)
    except (re.error, TypeError) as error:
        raise BrokenPackageError(f"{key} must be a regular expression: {error}") from None
    cases: dict[tuple[_Id | None, _Id], str] = {}
    for name in sorted(names):
        match = pattern.match(name) or pattern.match(Path(name).name)
        if match is None:
            continue
        case, batch = (_read_id(match.groupdict().get(group)) for group in ("case", "batch"))
        if case is None:
            raise BrokenPackageError(f"{key} recognises {name} and finds no case in it")
        cases[(batch, case)] = name
    return cases


def _read_id(text: str | None) -> _Id | None:
    return int(text) if text is not None and text.isdecimal() else text
