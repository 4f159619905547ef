"""Polygon packages: problem.xml, tests/, statements/, files/check.cpp, solutions/.

Source: the packages that Polygon (Codeforces) exports; checkers of testlib by their names.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from .package import (
    BrokenPackageError,
    Package,
    UnsupportedError,
    limits,
    number,
    programs,
    row_of,
    source_checker,
    test_of,
    text,
)

_VERDICTS = {
    "main": "AC",
    "accepted": "AC",
    "wrong-answer": "WA",
    "presentation-error": "WA",
    "rejected": "WA",
    "failed": "WA",
    "time-limit-exceeded": "TLE",
    "memory-limit-exceeded": "MLE",
}
_STANDARD = re.compile(r"std::(\w+)\.cpp")
_NUMBERED = re.compile(r"%(0?\d*)d")
_PARTS = (("legend", ""), ("input", "Input"), ("output", "Output"), ("notes", "Note"))


def read(folder: Path) -> Package:
    """The problem. Raises BrokenPackageError, UnsupportedError, OSError."""
    try:
        root = ElementTree.fromstring(text(folder / "problem.xml"))
    except ElementTree.ParseError as error:
        raise BrokenPackageError(f"problem.xml is not XML: {error}") from None
    if root.find("assets/interactor") is not None:
        raise UnsupportedError("interactive", "the package has an interactor")
    judging = root.find("judging")
    if judging is not None and (judging.get("input-file") or judging.get("output-file")):
        raise UnsupportedError("file_io", "the package names an input or output file")
    testset = _testset(judging)
    statement, language = _statement(folder, root)
    row = row_of(
        folder,
        {
            "platform": "codeforces",
            "statement": statement,
            "statement_language": language,
            "tests": _tests(folder, testset),
            "limits": limits(
                number(testset.findtext("time-limit"), 1e-3),
                number(testset.findtext("memory-limit"), 2.0**-20),
            ),
            "checker": _checker(folder, root),
            "solutions": _solutions(folder, root),
        },
    )
    return Package(row)


def _testset(judging: Any) -> Any:
    sets = [] if judging is None else judging.findall("testset")
    if not sets:
        raise BrokenPackageError("problem.xml names no testset")
    return next((one for one in sets if one.get("name") == "tests"), sets[0])


def _tests(folder: Path, testset: Any) -> list[dict[str, str]]:
    given = testset.findtext("input-path-pattern") or "tests/%02d"
    expected = testset.findtext("answer-path-pattern") or "tests/%02d.a"
    count = len(testset.findall("tests/test")) or int(testset.findtext("test-count") or 0)
    tests = []
    for index in range(1, count + 1):
        path = _inside(folder, _filled(given, index))
        if not path.is_file():
            raise BrokenPackageError(f"{_filled(given, index)} is not in the package")
        tests.append(test_of(path, _inside(folder, _filled(expected, index))))
    return tests


def _filled(pattern: str, index: int) -> str:
    return _NUMBERED.sub(lambda found: f"{index:{found[1] or ''}d}", pattern)


def _inside(folder: Path, name: str) -> Path:
    """A file that a package names; it may not be outside of it."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise BrokenPackageError(f"{name} is outside the package")
    return path


def _statement(folder: Path, root: Any) -> tuple[str | None, str | None]:
    languages = [one.get("language") for one in root.findall("statements/statement")]
    found = {
        path.parent.name: path
        for path in sorted((folder / "statements").glob("*/problem-properties.json"))
    }
    if not found:
        return _tex(folder, [name for name in languages if name])
    language = "english" if "english" in found else sorted(found)[0]
    try:
        told = json.loads(text(found[language]))
    except ValueError as error:
        raise BrokenPackageError(f"problem-properties.json is not JSON: {error}") from None
    parts = [
        (f"\\section*{{{title}}}\n" if title else "") + str(told[key])
        for key, title in _PARTS
        if told.get(key)
    ]
    return "\n\n".join(parts) or None, language[:2]


def _tex(folder: Path, languages: list[str]) -> tuple[str | None, str | None]:
    for language in sorted(languages, key=lambda name: name != "english"):
        for path in sorted((folder / "statements" / language).glob("problem.tex")):
            return text(path), language[:2]
    return None, None


def _checker(folder: Path, root: Any) -> dict[str, str] | None:
    checker = root.find("assets/checker")
    if checker is None:
        return None
    found = _STANDARD.fullmatch(checker.get("name") or "")
    if found:
        return {"name": found[1]}
    source = checker.find("source")
    if source is None or not source.get("path"):
        raise BrokenPackageError("problem.xml names no source of the checker")
    return source_checker(_inside(folder, source.get("path")), "testlib")


def _solutions(folder: Path, root: Any) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for solution in root.findall("assets/solutions/solution"):
        verdict = _VERDICTS.get(solution.get("tag") or "")
        source = solution.find("source")
        if verdict and source is not None and source.get("path"):
            found += programs([_inside(folder, source.get("path"))], verdict)
    return found
