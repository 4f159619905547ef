"""Checkers and interactors of DMOJ packages.

Source: DMOJ's documentation, "Custom checkers", "Interactive grading"; the names of its checkers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from microcoder_eval.formats.packages.containment import resolve_inside
from microcoder_eval.formats.packages.files import read_text
from microcoder_eval.formats.packages.package import (
    Checker,
    CheckerProgram,
    PackageError,
    PackageTest,
    make_program_error,
)
from microcoder_eval.formats.packages.programs import read_checker
from microcoder_eval.points import TestGroup

from . import judge_texts

_STANDARD = {"name": "tokens", "case_sensitive": True, "line_sensitive": True}
_COMPARERS: Mapping[str, Checker] = {
    "standard": _STANDARD,
    "identical": {"name": "exact"},
    "unordered": {"name": "unordered_tokens"},
}
_PROGRAM_OPTIONS: Mapping[str, frozenset[str]] = {
    "easy": frozenset(),
    "floats": frozenset({"precision", "error_mode"}),
    "linecount": frozenset({"feedback"}),
    "linematches": frozenset({"point_distribution", "filler_lines_required"}),
    "rstripped": frozenset({"filter_new_line"}),
    "sorted": frozenset({"split_on"}),
}
_FLOATS_MODES = {"floats": None, "floatsabs": "absolute", "floatsrel": "relative"}
_ERROR_MODES = ("default", "absolute", "relative")
# These have the arguments and exit statuses of testlib. A part of the points is "points 3" in the
# type testlib and "partial 1/3" in the type coci.
_BRIDGED_TYPES = ("default", "testlib", "coci")
# Interactors of these types get the answer as their second argument, and no output file.
_ANSWER_SECOND = ("default", "coci")
# What DMOJ's Result also says of a program.
_UNKNOWN_COST = re.compile(r"\.(max_memory|execution_time|wall_clock_time|context_switches)\b")


def read_judge(
    folder: Path, config: Mapping[str, Any]
) -> tuple[Checker | None, CheckerProgram | None]:
    """Return (the checker, the interactor) of init.yml. Raises PackageError."""
    interactive = config.get("interactive")
    if interactive:
        if not isinstance(interactive, Mapping):
            raise PackageError("interactive of init.yml must be a mapping")
        interactor = _read_bridged(folder, interactive, "interactive")
        files, suffix = dict(interactor.files), "c" if interactor.language == "c" else "cpp"
        if interactive.get("type", "default") in _ANSWER_SECOND:
            files[f"move_answer.{suffix}"] = judge_texts.MOVE_ANSWER
        if interactive.get("unbuffered", True):
            files[f"dmoj_unbuffered.{suffix}"] = judge_texts.UNBUFFERED
        return None, replace(interactor, files=files)
    return _read_checker(folder, config.get("checker")), None


def add_point_values(
    tests: tuple[PackageTest, ...],
    groups: tuple[TestGroup, ...],
    checker: Checker | None,
) -> tuple[PackageTest, ...]:
    """Return the tests with their points as an argument of a checker in Python."""
    if not isinstance(checker, CheckerProgram) or checker.protocol != "python":
        return tests
    points = {index: group.points for group in groups for index in group.tests}
    return tuple(
        replace(test, checker_args=(f"{points[index]:g}",)) if points.get(index) else test
        for index, test in enumerate(tests)
    )


def _read_checker(folder: Path, spec: Any) -> Checker | None:
    name, options = spec, dict[str, Any]()
    if isinstance(spec, Mapping):
        name, options = spec.get("name"), spec.get("args") or {}
    if not isinstance(options, Mapping):
        raise PackageError(f"args of the checker {name} must be a mapping")
    if name in (None, ""):
        return _STANDARD
    if name in _FLOATS_MODES:
        return _read_floats(str(name), options)
    if name == "bridged":
        return _read_bridged(folder, options, "the checker")
    if isinstance(name, str) and name.endswith(".py"):
        return _read_python(resolve_inside(folder, name), options)
    if name in judge_texts.CHECKERS:
        return _make_program(str(name), options)
    if name not in _COMPARERS:
        names = ", ".join(sorted({*_COMPARERS, *judge_texts.CHECKERS, *_FLOATS_MODES, "bridged"}))
        message = f"the checker {name} is none of DMOJ's: {names}, or a file in Python"
        raise make_program_error(message)
    return _COMPARERS[name]


def _make_program(name: str, options: Mapping[str, Any]) -> Checker:
    if name == "sorted" and options.get("split_on") == "whitespace":
        return {"name": "unordered_tokens"}
    unknown = options.keys() - _PROGRAM_OPTIONS[name]
    if unknown or options.get("split_on", "lines") != "lines":
        message = f"args of the checker {name} are not supported: {dict(options)}"
        raise make_program_error(message)
    head = f"ARGUMENTS = {dict(options)!r}\n{judge_texts.CHECKER_HEAD}"
    return CheckerProgram(f"{head}{judge_texts.CHECKERS[name]}", "python", "python")


def _read_floats(name: str, options: Mapping[str, Any]) -> Checker:
    try:
        float(10 ** -int(options.get("precision", 6)))
    except (TypeError, ValueError, OverflowError):
        message = (
            f"precision of the checker {name} must be a number, not {options.get('precision')!r}"
        )
        raise PackageError(message) from None
    if options.get("error_mode", "default") not in _ERROR_MODES:
        raise PackageError(f"error_mode of the checker {name}: {options['error_mode']!r}")
    mode = _FLOATS_MODES[name]
    return _make_program("floats", {**options, "error_mode": mode} if mode else options)


def _read_bridged(folder: Path, options: Mapping[str, Any], what: str) -> CheckerProgram:
    """Return a program with the arguments and exit statuses of testlib."""
    kind, names = options.get("type", "default"), options.get("files")
    if kind not in _BRIDGED_TYPES:
        message = f"{what} is bridged as {kind}: give it testlib's arguments and exit statuses"
        raise make_program_error(message)
    for key in ("args_format_string", "flags"):
        if options.get(key):
            raise make_program_error(f"{what} has {key}")
    names = names if isinstance(names, list) else [names] if names else []
    paths = [resolve_inside(folder, str(name)) for name in names]
    missing_names = [path.name for path in paths if not path.is_file()]
    if missing_names or not paths:
        raise PackageError(f"{what} has no file {', '.join(missing_names)}".rstrip())
    return read_checker(paths, "testlib", role="interactor" if what == "interactive" else "checker")


def _read_python(path: Path, options: Mapping[str, Any]) -> CheckerProgram:
    if not path.is_file():
        raise PackageError(f"the checker {path.name} is not in the package")
    text = read_text(path)
    if cost := _UNKNOWN_COST.search(text):
        raise make_program_error(
            f"the checker {path.name} judges {cost[1]}, which it is not told here"
        )
    arguments = {str(key): value for key, value in options.items()}
    return CheckerProgram(
        source=f"ARGUMENTS = {arguments!r}\n{judge_texts.CHECK_ADAPTER}",
        language="python",
        protocol="python",
        file="main.py",
        files={"dmoj_check.py": text, **judge_texts.DMOJ_MODULES},
    )
