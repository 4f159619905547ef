"""The record that every format of packages is read into, and the row that is made of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any, TypeAlias

from microcoder_eval.errors import DataError
from microcoder_eval.points import TestGroup, encode_groups
from microcoder_sandbox import record


class PackageError(DataError):
    """A package lacks something, cannot be read, or asks for what this judge cannot do. reason: a
    name for programs."""

    def __init__(self, message: str, reason: str = "broken_package") -> None:
        super().__init__(message)
        self.reason = reason


def make_program_error(message: str) -> PackageError:
    """Return the error of a checker, interactor or grader that the judge cannot run."""
    return PackageError(message, "unsupported_checker")


@record
class PackageTest:
    """One test. output: None where the package has none. group: the tests that are scored
    together, empty where the format names no group. is_sample: the statement shows it. name: its
    files' path in the package, without their ending. checker_args: see ``records.Test``."""

    input: str
    output: str | None
    group: str = ""
    is_sample: bool = False
    name: str = ""
    checker_args: tuple[str, ...] | None = None


@record
class CheckerProgram:
    """A checker, interactor or grader. protocol: kattis, testlib or python; empty for a grader.
    file: the name of the file that ``source`` is from. files: {name: text} of its others. args:
    arguments after those of the protocol. passes: how often a submission may be run for one test, 0
    if it is run once. checked: whether the checker judges what an interactor writes to a file."""

    source: str
    language: str
    protocol: str
    file: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    args: tuple[str, ...] = ()
    passes: int = 0
    checked: bool = False


# The verdicts of programs that compile and fail.
FAILURES = ("WA", "TLE", "RE", "MLE", "OLE")
# A comparer of the judge, by its name and options, or a program.
Checker: TypeAlias = Mapping[str, Any] | CheckerProgram


@record
class Requirement:
    """What the tests of a submission must end with. tests: a name of tests, or of a group, which
    may hold wildcards; empty for all tests. permitted: the verdicts that each may have; required:
    those that at least one must have; empty where anything goes."""

    tests: str
    permitted: tuple[str, ...] = ()
    required: tuple[str, ...] = ()


@record
class Submission:
    """A program of the package's authors.

    verdict: what it is meant to get; "unknown" where both right and wrong is permitted.
    name: its path below the folder of submissions.
    declared: the folder of its verdict.
    expected: all verdicts that it may get.
    file: the name of the file that ``code`` is from.
    files: its others.
    expected_score: the least and the most points that it is to get, None if not declared.
    requirements: what is declared of its tests, beside ``expected``.
    """

    code: str
    verdict: str
    language: str
    name: str
    declared: str
    expected: tuple[str, ...]
    file: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    expected_score: tuple[float, float] | None = None
    requirements: tuple[Requirement, ...] = ()


@record
class LimitRule:
    """How a time limit that a package does not declare follows from its slowest accepted program.
    Source: problem package format, "Problem Timing"; legacy: time_multiplier. The rule depends on
    no machine; the seconds that it is applied to are measured where it is judged.

    multiplier: limit per second of that program; Kattis' where a format has no rule.
    resolution_s: the limit is a multiple of it.
    """

    multiplier: float = 5.0
    resolution_s: float = 1.0

    def apply(self, slowest_s: float) -> float:
        """Return the time limit in seconds. slowest_s: CPU seconds of the slowest accepted program
        on its slowest test."""
        steps = math.ceil(slowest_s * self.multiplier / self.resolution_s - 1e-9)
        return max(1, steps) * self.resolution_s


@record
class Package:
    """A problem as its package declares it. A field is None if it is not declared.

    title: its name for readers.
    time_s: CPU seconds a test.
    limit_rule: how it is derived where it is not declared.
    includes: {language: {file name: text}} of what is compiled with every submission.
    starter_code: a template for submissions in Python.
    grader: decides groups.
    missing_tests: why it has only samples, or tests without answers, where the others have yet to
        be made; else empty.
    examples: the samples as the statement shows them, None where it shows the tests themselves.
    """

    name: str
    tests: tuple[PackageTest, ...]
    title: str | None = None
    statement: str | None = None
    time_s: float | None = None
    memory_mb: float | None = None
    output_mb: float | None = None
    files_mb: float | None = None
    limit_rule: LimitRule = LimitRule()
    checker: Checker | None = None
    interactor: CheckerProgram | None = None
    submissions: tuple[Submission, ...] = ()
    includes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    starter_code: str | None = None
    platform: str | None = None
    licence: str | None = None
    source: str | None = None
    groups: tuple[TestGroup, ...] = ()
    objective: str = "max"
    grader: CheckerProgram | None = None
    missing_tests: str = ""
    examples: tuple[PackageTest, ...] | None = None


_LIMITS = ("time_s", "memory_mb", "output_mb", "files_mb")
_COPIED = ("title", "platform", "statement", "starter_code", "licence", "source")


def make_row(package: Package) -> dict[str, Any]:
    """Return the package as a row of tests.jsonl, with its submissions under "solutions"."""
    limits = {name: getattr(package, name) for name in _LIMITS}
    # A program that judges may need no answer files; where a test has one, none may be missing.
    is_judged = package.interactor is not None or isinstance(package.checker, CheckerProgram)
    needs_output = not is_judged or bool(package.missing_tests)
    unanswered_tests = [test.name for test in package.tests if test.output is None and test.name]
    if unanswered_tests and (needs_output or len(unanswered_tests) < len(package.tests)):
        raise PackageError(
            f"the test {unanswered_tests[0]} has no expected output (a file beside it)"
        )
    samples = (test for test in package.tests if test.is_sample and test.output is not None)
    examples = samples if package.examples is None else package.examples
    programs = [_encode_program(one, bool(package.includes)) for one in package.submissions]
    row = {
        "problem_id": package.name,
        "kind": "stdin",
        "origin": f"package:{package.name}",
        **{name: getattr(package, name) for name in _COPIED},
        "examples": [{"input": test.input, "output": test.output} for test in examples] or None,
        "tests": [_encode_test(test, needs_output) for test in package.tests],
        "limits": _drop_missing(limits) or None,
        "checker": _encode_checker(package.checker),
        "groups": encode_groups(package.groups) or None,
        "grader": _encode_checker(package.grader),
        "objective": None if package.objective == "max" else package.objective,
        "interactor": _encode_checker(package.interactor),
        "includes": {language: dict(files) for language, files in package.includes.items()} or None,
        "solutions": programs or None,
    }
    return _drop_missing(row)


def _encode_test(test: PackageTest, needs_output: bool) -> dict[str, Any]:
    args = None if test.checker_args is None else list(test.checker_args)
    output = test.output if needs_output else test.output or ""
    return _drop_missing({"input": test.input, "output": output, "checker_args": args})


def _encode_program(program: CheckerProgram | Submission, has_files: bool) -> dict[str, Any]:
    """Return a program without empty keys; with its file's name only if that may matter."""
    fields = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(program).items()
        if value or name in ("code", "source")
    }
    fields.pop("requirements", None)
    if not (program.files or has_files):
        fields.pop("file", None)
    return fields


def _drop_missing(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}


def _encode_checker(checker: Checker | None) -> Mapping[str, Any] | None:
    return _encode_program(checker, False) if isinstance(checker, CheckerProgram) else checker
