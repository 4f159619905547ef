"""Kattis and ICPC problem packages: problem.yaml, data/, submissions/, output_validators/.

Source: the problem package format of Kattis (legacy) and of icpc.io (2023-07-draft).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .files import (
    read_checker,
    read_submissions,
    read_test,
    read_text,
    read_yaml,
    to_positive_number,
)
from .kattis_groups import read_kattis_groups
from .package import (
    BrokenPackageError,
    CheckerProgram,
    NamedChecker,
    Package,
    PackageTest,
    Submission,
    UnsupportedPackageError,
)

MARKER = "problem.yaml"
_VERDICTS = {
    "accepted": "AC",
    "wrong_answer": "WA",
    "time_limit_exceeded": "TLE",
    "run_time_error": "RE",
    "rejected": "WA",
    "brute_force": "TLE",
}
_NUMERIC_FLAGS = {"float_tolerance", "float_absolute_tolerance", "float_relative_tolerance"}
_STATEMENT_FOLDERS = ("problem_statement", "statement")
_VALIDATOR_FOLDERS = ("output_validators", "output_validator")
_VALIDATOR_SUFFIXES = (".py", ".cpp", ".cc", ".h", ".hpp", ".java", ".sh")
_LOCAL_INCLUDE = re.compile(r'^\s*#\s*include\s*"', re.MULTILINE)


def read(folder: Path) -> Package:
    """The problem. Raises PackageError, OSError."""
    config = read_yaml(folder / MARKER)
    limits = config.get("limits")
    if not isinstance(limits, dict):
        limits = {}
    statement, language = _read_statement(folder)
    tests = _read_tests(folder / "data")
    scoring = read_kattis_groups(folder, config, tests)
    return Package(
        name=folder.resolve().name,
        statement=statement,
        statement_language=language,
        tests=tests,
        groups=scoring.groups if scoring is not None else (),
        objective=scoring.objective if scoring is not None else "max",
        time_s=to_positive_number(limits.get("time_limit")) or _read_time_limit(folder),
        memory_mb=to_positive_number(limits.get("memory")),
        checker=_read_checker(folder, config),
        licence=_text_or_none(config.get("license")),
        source=_text_or_none(config.get("source")),
        submissions=tuple(_read_submissions(folder / "submissions")),
        includes=tuple(path for path in sorted(folder.glob("include/**/*")) if path.is_file()),
    )


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _read_time_limit(folder: Path) -> float | None:
    """The limit in .timelimit (Kattis) or domjudge-problem.ini."""
    timelimit_file = folder / ".timelimit"
    if timelimit_file.is_file():
        return to_positive_number(read_text(timelimit_file).strip())
    ini_file = folder / "domjudge-problem.ini"
    if not ini_file.is_file():
        return None
    match = re.search(r"timelimit\s*=\s*'?([\d.]+)", read_text(ini_file))
    return to_positive_number(match[1]) if match else None


def _read_tests(data: Path) -> tuple[PackageTest, ...]:
    """Samples first, then the secret ones, by name, in all groups."""
    tests = tuple(
        read_test(
            path,
            path.with_suffix(".ans"),
            group=path.parent.relative_to(data).as_posix(),
            is_sample=section == "sample",
        )
        for section in ("sample", "secret")
        for path in sorted((data / section).rglob("*.in"))
    )
    if not tests and not data.is_dir():
        raise BrokenPackageError("there is no folder data")
    return tests


def _read_statement(folder: Path) -> tuple[str | None, str | None]:
    """The statement and its language: English where the package has it."""
    paths: dict[str, Path] = {}
    for name in _STATEMENT_FOLDERS:
        for path in sorted((folder / name).glob("problem*")):
            if path.suffix in (".tex", ".md"):
                parts = path.name.split(".")
                paths.setdefault(parts[1] if len(parts) > 2 else "en", path)
    if not paths:
        return None, None
    language = "en" if "en" in paths else min(paths)
    return read_text(paths[language]), language


def _read_checker(folder: Path, config: Mapping[str, Any]) -> NamedChecker | CheckerProgram:
    kind = str(config.get("validation") or config.get("type") or "default")
    words = set(re.findall(r"[\w-]+", kind))
    if "multi-pass" in words:
        raise UnsupportedPackageError("multi_pass", f"problem.yaml says {kind}")
    if "interactive" in words:
        raise UnsupportedPackageError("interactive", f"problem.yaml says {kind}")
    validators = [
        path
        for name in _VALIDATOR_FOLDERS
        for path in sorted((folder / name).glob("*"))
        if not path.name.startswith(".")
    ]
    if "custom" in words or (validators and "validation" not in config):
        return _read_validator(validators)
    return NamedChecker("kattis", _parse_flags(config.get("validator_flags") or ""))


def _read_validator(validators: list[Path]) -> CheckerProgram:
    """The only validator, which must be one file."""
    files = [
        file
        for path in validators
        for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
        if file.suffix in _VALIDATOR_SUFFIXES
    ]
    if len(files) != 1:
        raise UnsupportedPackageError(
            "unsupported_checker", f"the output validator has {len(files)} files; one is run"
        )
    checker = read_checker(files[0], "kattis")
    if _LOCAL_INCLUDE.search(checker.source):
        raise UnsupportedPackageError(
            "unsupported_checker", "the output validator includes other files"
        )
    return checker


def _parse_flags(flags: Any) -> dict[str, Any]:
    """Options of the default validator, from its flags."""
    options: dict[str, Any] = {"case_sensitive": False, "space_change_sensitive": False}
    tokens = iter(str(flags).split())
    for token in tokens:
        if token in ("case_sensitive", "space_change_sensitive"):
            options[token] = True
        elif token in _NUMERIC_FLAGS:
            value = to_positive_number(next(tokens, None))
            if value is None:
                raise BrokenPackageError(f"validator_flags: {token} needs a number")
            options[token] = value
    return options


def _read_submissions(folder: Path) -> Iterator[Submission]:
    for name, verdict in _VERDICTS.items():
        yield from read_submissions((folder / name).glob("*"), verdict)
