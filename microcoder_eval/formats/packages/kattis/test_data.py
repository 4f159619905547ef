"""The tests of Kattis packages: data/sample and data/secret."""

from __future__ import annotations

from pathlib import Path, PurePath

from microcoder_eval.formats.packages.files import read_text
from microcoder_eval.formats.packages.package import PackageError, PackageTest
from microcoder_eval.formats.plain_files import list_files

from .group_settings import Settings

_REFUSED_SETTINGS = {"args": "test_arguments", "static_validation": "static_validation"}
_TEST_SUFFIXES = (".args", ".files")  # of 2023-07: a command line and files for submissions


def read_tests(data: Path, settings: Settings) -> tuple[PackageTest, ...]:
    """Return samples first, then the secret ones, by name, in all groups."""
    if not data.is_dir():
        raise PackageError("there is no folder data")
    tests = []
    for section in ("sample", "secret"):
        paths = list(list_files(data / section)) if (data / section).is_dir() else []
        for path in paths:
            _refuse_files(path.relative_to(data))
            if path.suffix == ".ans" and not path.with_suffix(".in").is_file():
                answer = path.relative_to(data.parent)
                raise PackageError(f"{answer} is the answer of a test whose input is missing")
        for path in sorted(path for path in paths if path.suffix == ".in"):
            name = path.relative_to(data).as_posix().removesuffix(".in")
            answer = path.with_suffix(".ans")
            tests.append(
                PackageTest(
                    read_text(path),
                    read_text(answer) if answer.is_file() else None,
                    group=name.rpartition("/")[0],
                    is_sample=section == "sample",
                    name=name,
                    checker_args=settings.find_args(name),
                )
            )
    return tuple(tests)


def _refuse_files(path: PurePath) -> None:
    """Refuse a file that gives submissions a command line, or further files."""
    for part in (path, *path.parents):
        if part.suffix in _TEST_SUFFIXES:
            kind = "a command line" if part.suffix == ".args" else "files"
            message = f"data/{part} gives submissions {kind}: only standard input is supported"
            raise PackageError(message, "test_files")


def refuse_settings(settings: Settings) -> None:
    """Refuse settings of tests and groups for a command line, or for a program that reads the text
    of submissions."""
    for path, own in settings.files.items():
        for key, reason in _REFUSED_SETTINGS.items():
            if own.get(key):
                raise PackageError(f"data/{path}: {key} is not supported", reason)


def explain_missing_tests(data: Path, tests: tuple[PackageTest, ...], *, is_scoring: bool) -> str:
    """Return why a package whose secret tests have yet to be made has none; empty for others."""
    if any(not test.is_sample for test in tests):
        return ""
    scripts = [path for path in data.glob("*gen*") if not path.suffix and path.is_file()]
    scripts += sorted(data.glob("*.sh"), key=lambda path: ("gen" not in path.name, path.name))
    makers = [*scripts, *sorted(data.rglob("*gen*")), *data.glob("[Mm]akefile")]
    makers += [*sorted(data.parent.glob("generator*/*")), *data.parent.glob("generator*")]
    if not (makers or (tests and is_scoring)):
        return ""
    name = f" ({makers[0].relative_to(data.parent)})" if makers else ""
    # `check` replaces this by what it says of a script that it cannot read.
    hint = ", or try `microcoder-data check PACKAGE --keep-tests FOLDER`" if scripts else ""
    return f"data/secret holds no test: run the package's generator first{name}{hint}"
