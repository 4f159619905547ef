"""The record that every format of packages is read into, and the row that is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.points import TestGroup, encode_groups


class PackageError(DataError):
    """The package cannot be used. reason: a name for programs."""

    reason: str


class BrokenPackageError(PackageError):
    """The package lacks something, or something in it cannot be read."""

    reason = "broken_package"


class UnsupportedPackageError(PackageError):
    """The package asks for what this judge cannot do."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class PackageTest:
    """One test. output: None where the package has none. group: the tests that are scored
    together, empty where the format names no group. is_sample: the statement shows it."""

    input: str
    output: str | None
    group: str = ""
    is_sample: bool = False


@dataclass(frozen=True, slots=True)
class NamedChecker:
    """A comparer of the judge with its options."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CheckerProgram:
    """A checker in one file. protocol: kattis or testlib."""

    source: str
    language: str
    protocol: str


@dataclass(frozen=True, slots=True)
class Submission:
    """A program of the package's authors. verdict: what it is meant to get."""

    code: str
    verdict: str
    language: str


@dataclass(frozen=True, slots=True)
class Package:
    """A problem as its package declares it; None: not declared.

    time_s: CPU seconds a test. includes: files that are compiled with every submission.
    """

    name: str
    tests: tuple[PackageTest, ...]
    statement: str | None = None
    statement_language: str | None = None
    time_s: float | None = None
    memory_mb: float | None = None
    checker: NamedChecker | CheckerProgram | None = None
    submissions: tuple[Submission, ...] = ()
    includes: tuple[Path, ...] = ()
    platform: str | None = None
    licence: str | None = None
    source: str | None = None
    groups: tuple[TestGroup, ...] = ()
    objective: str = "max"


def make_row(package: Package) -> dict[str, Any]:
    """The package as a row of tests.jsonl, with its submissions under "solutions"."""
    limits = {"time_s": package.time_s, "memory_mb": package.memory_mb}
    row = {
        "problem_id": package.name,
        "kind": "stdin",
        "origin": f"package:{package.name}",
        "platform": package.platform,
        "statement": package.statement,
        "statement_language": package.statement_language,
        "tests": [
            _drop_missing({"input": test.input, "output": test.output}) for test in package.tests
        ],
        "limits": _drop_missing(limits) or None,
        "checker": _encode_checker(package.checker),
        "groups": encode_groups(package.groups) or None,
        "objective": None if package.objective == "max" else package.objective,
        "licence": package.licence,
        "source": package.source,
        "solutions": [asdict(submission) for submission in package.submissions] or None,
    }
    return _drop_missing(row)


def _drop_missing(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}


def _encode_checker(checker: NamedChecker | CheckerProgram | None) -> dict[str, Any] | None:
    if isinstance(checker, NamedChecker):
        return {"name": checker.name, **checker.options}
    return None if checker is None else asdict(checker)
