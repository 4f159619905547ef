"""Polygon packages: problem.xml, tests/, statements/, files/check.cpp, solutions/.

Source: the packages that Polygon (Codeforces) exports; checkers of testlib by their names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from microcoder_eval.compare import COMPARERS
from microcoder_eval.points import TestGroup

from .containment import resolve_inside
from .files import read_lenient_text, read_points, read_text, to_positive_number, unify_line_ends
from .package import (
    FAILURES,
    Checker,
    CheckerProgram,
    Package,
    PackageError,
    PackageTest,
    Submission,
)
from .programs import read_checker, read_program

_ADVICE = "export it as a full package, with its tests"
# What a submission may get, by its tag; those tagged do-not-run are left out.
_TAGS: dict[str, tuple[str, ...]] = {
    "main": ("AC",),
    "accepted": ("AC",),
    "wrong-answer": ("WA",),
    "presentation-error": ("WA",),
    "rejected": FAILURES,
    "failed": FAILURES,
    "runtime-error": ("RE",),
    "time-limit-exceeded": ("TLE",),
    "time-limit-exceeded-or-accepted": ("AC", "TLE"),
    "time-limit-exceeded-or-memory-limit-exceeded": ("TLE", "MLE"),
    "memory-limit-exceeded": ("MLE",),
}
_STANDARD_CHECKER = re.compile(r"std::(\w+)\.cpp")
_NUMBER_FORMAT = re.compile(r"%(0?\d*)d")
_STATEMENT_PARTS = (
    ("legend", ""), ("input", "Input"), ("output", "Output"), ("interaction", "Interaction"),
    ("scoring", "Scoring"), ("notes", "Note"),
)  # fmt: skip


def read_polygon(folder: Path) -> Package:
    """Return the problem in a folder. Raises PackageError, OSError."""
    try:
        root = ElementTree.fromstring(read_text(folder / "problem.xml"))
    except ElementTree.ParseError as error:
        raise PackageError(f"problem.xml is not XML: {error}") from None
    for judging in root.findall("judging"):
        if judging.get("input-file") or judging.get("output-file"):
            raise PackageError("the package names an input or output file", "file_io")
    testset = _find_testset(root)
    statement, language, examples = _read_statement(folder, root)
    tests = tuple(_read_tests(folder, testset))
    unanswered = [number for number, test in enumerate(tests, 1) if test.output is None]
    return Package(
        name=folder.resolve().name,
        title=_read_title(root, language),
        platform="codeforces",
        statement=statement,
        tests=tests,
        missing_tests=f"test {unanswered[0]} has no answer: {_ADVICE}" if unanswered else "",
        examples=examples,
        groups=tuple(_read_groups(testset)),
        time_s=to_positive_number(testset.findtext("time-limit"), 1e-3),
        memory_mb=to_positive_number(testset.findtext("memory-limit"), 2.0**-20),
        checker=_read_checker(folder, root),
        interactor=_read_interactor(folder, root),
        submissions=tuple(_read_submissions(folder, root)),
    )


def _find_testset(root: Any) -> Any:
    testsets = root.findall("judging/testset")
    if not testsets:
        raise PackageError("problem.xml names no testset")
    return next((testset for testset in testsets if testset.get("name") == "tests"), testsets[0])


def _read_tests(folder: Path, testset: Any) -> Iterator[PackageTest]:
    input_pattern = testset.findtext("input-path-pattern") or "tests/%02d"
    output_pattern = testset.findtext("answer-path-pattern") or "tests/%02d.a"
    elements = testset.findall("tests/test")
    count = len(elements) or _read_count(testset.findtext("test-count"))
    for index in range(1, count + 1):
        name = _fill_pattern(input_pattern, index)
        path = resolve_inside(folder, name)
        if not path.is_file():
            raise PackageError(f"{name} is not in the package: {_ADVICE}")
        answer = resolve_inside(folder, _fill_pattern(output_pattern, index))
        attributes = elements[index - 1].attrib if elements else {}
        # Packages for Windows have its line ends, which programs do not see there.
        yield PackageTest(
            unify_line_ends(read_text(path)),
            unify_line_ends(read_text(answer)) if answer.is_file() else None,
            group=attributes.get("group", ""),
            is_sample=attributes.get("sample") == "true",
        )


def _read_groups(testset: Any) -> Iterator[TestGroup]:
    """Yield the groups of tests; none where no test has points."""
    tests = testset.findall("tests/test")
    points = [read_points(test.get("points") or 0, "points of a test") for test in tests]
    if not any(points):
        return
    indices: dict[str, list[int]] = {}
    for index, test in enumerate(tests):
        indices.setdefault(test.get("group", ""), []).append(index)
    rules = {group.get("name"): group for group in testset.findall("groups/group")}
    for name, members in indices.items():
        rule = rules.get(name, ElementTree.Element("group"))
        label = f"group {name}".rstrip()
        dependencies = rule.findall("dependencies/dependency")
        requires = tuple(f"group {other.get('group')}" for other in dependencies)
        total = sum(points[index] for index in members)
        if rule.get("points-policy") == "complete-group":
            total = total or read_points(rule.get("points") or 0, f"points of {label}")
            yield TestGroup(label, tests=tuple(members), points=total, requires=requires)
        else:
            parts = tuple(TestGroup(f"test {i + 1}", (i,), points=points[i]) for i in members)
            yield TestGroup(
                label, (), parts, total, aggregation="sum", accept="any", requires=requires
            )


def _read_count(text: str | None) -> int:
    if not (text or "0").strip().isdecimal():
        raise PackageError(f"test-count of problem.xml must be a number, not {text!r}")
    return int(text or 0)


def _fill_pattern(pattern: str, index: int) -> str:
    return _NUMBER_FORMAT.sub(lambda match: f"{index:{match[1] or ''}d}", pattern)


def _read_statement(
    folder: Path, root: Any
) -> tuple[str | None, str | None, tuple[PackageTest, ...] | None]:
    """Return the statement, its language, English where the package has it, and its samples, which
    may differ from the tests: those of an interactive problem show what a program reads."""
    files = sorted((folder / "statements").glob("*/problem-properties.json"))
    paths = {file.parent.name: file for file in files}
    if not paths:
        languages = [element.get("language") for element in root.findall("statements/statement")]
        return (*_read_tex(folder, [language for language in languages if language]), None)
    language = "english" if "english" in paths else min(paths)
    try:
        properties = json.loads(read_text(paths[language]))
    except ValueError as error:
        raise PackageError(f"problem-properties.json is not JSON: {error}") from None
    if not isinstance(properties, dict):
        raise PackageError("problem-properties.json must hold an object")
    parts = [
        (f"\\section*{{{title}}}\n" if title else "") + str(properties[key])
        for key, title in _STATEMENT_PARTS
        if properties.get(key)
    ]
    examples = tuple(_read_samples(properties.get("sampleTests")))
    return "\n\n".join(parts) or None, language, examples or None


def _read_samples(samples: Any) -> Iterator[PackageTest]:
    for sample in samples if isinstance(samples, list) else ():
        match sample:
            case {"input": str(given), "output": str(wanted)}:
                yield PackageTest(unify_line_ends(given), unify_line_ends(wanted))


def _read_title(root: Any, language: str | None) -> str | None:
    """Return the problem's name in the language of the statement, else the first."""
    names = root.findall("names/name")
    fitting = [name for name in names if name.get("language") == language]
    return next((name.get("value") for name in [*fitting, *names]), None)


def _read_tex(folder: Path, languages: list[str]) -> tuple[str | None, str | None]:
    for language in sorted(languages, key=lambda name: name != "english"):
        path = resolve_inside(folder / "statements", f"{language}/problem.tex")
        if path.is_file():
            return read_lenient_text(path), language
    return None, None


def _read_checker(folder: Path, root: Any) -> Checker | None:
    checker = root.find("assets/checker")
    if checker is None:
        return None
    name = checker.get("name") or ""
    match = _STANDARD_CHECKER.fullmatch(name)
    if match and any(f"testlib_{match[1]}" in entry.aliases for entry in COMPARERS.values()):
        return {"name": match[1]}
    # testlib's others, pointscmp for one, are in the package, too
    path = _find_source(folder, checker, f"the checker {name}".rstrip())
    return read_checker([path], "testlib")


def _read_interactor(folder: Path, root: Any) -> CheckerProgram | None:
    """Return the interactor; the checker judges what it writes to its output file."""
    interactor = root.find("assets/interactor")
    if interactor is None:
        return None
    path = _find_source(folder, interactor, "the interactor")
    return replace(read_checker([path], "testlib", role="interactor"), checked=True)


def _find_source(folder: Path, element: Any, what: str) -> Path:
    source = element.find("source")
    if source is None or not source.get("path"):
        raise PackageError(f"problem.xml names no source of {what}")
    return resolve_inside(folder, source.get("path"))


def _read_submissions(folder: Path, root: Any) -> Iterator[Submission]:
    for solution in root.findall("assets/solutions/solution"):
        expected = _TAGS.get(solution.get("tag") or "", ())
        source = solution.find("source")
        if expected and source is not None and source.get("path"):
            path = resolve_inside(folder, source.get("path"))
            program = read_program(path) if path.is_file() else None
            if program is not None:
                yield Submission(
                    **vars(program),
                    verdict="unknown" if len(expected) > 1 and "AC" in expected else expected[0],
                    name=source.get("path"),
                    declared=solution.get("tag") or "",
                    expected=expected,
                )
