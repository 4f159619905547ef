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
    BrokenPackageError,
    Checker,
    CheckerProgram,
    PackageTest,
    make_program_error,
)
from microcoder_eval.formats.packages.programs import read_checker
from microcoder_eval.points import TestGroup

from .programs import UNBUFFERED

_STANDARD = {"name": "tokens", "case_sensitive": True, "line_sensitive": True}
_CHECKERS: Mapping[str, Checker] = {
    "standard": _STANDARD,
    "identical": {"name": "exact"},
    "unordered": {"name": "unordered_tokens"},
}
# These compare bytes, since str.split and str.lower know more white space and letters.
_HEAD = """\
import re
from collections import Counter

def to_bytes(text):
    return text.encode("utf-8", "surrogateescape")

def split_lines(text):
    return re.split(b"[\\r\\n]", to_bytes(text))

def read_lines(text):
    return [line for line in split_lines(text) if line]

"""
# Checkers of DMOJ's judge that no comparer here is like.
_PROGRAMS = {
    # The same words in each line; a number instead of a number within a tolerance.
    "floats": """\
EPSILON = 10 ** -int(ARGUMENTS.get("precision", 6))
MODE = ARGUMENTS.get("error_mode", "default")

def is_close(actual, expected):
    is_near = abs(actual - expected) <= EPSILON
    if MODE == "absolute":
        return is_near
    if MODE == "relative":
        bounds = expected * (1 - EPSILON), expected * (1 + EPSILON)
        return min(bounds) <= actual <= max(bounds)
    return is_near or abs(expected) >= EPSILON and abs(1 - actual / expected) <= EPSILON

def is_same(actual, expected):
    try:
        number = float(expected)
    except ValueError:
        return actual == expected
    try:
        return is_close(float(actual), number)
    except (ValueError, ArithmeticError):
        return False

def check(input, output, expected, *_):
    first, second = ([line.split() for line in read_lines(t)] for t in (output, expected))
    return list(map(len, first)) == list(map(len, second)) and all(
        is_same(a, b) for one, two in zip(first, second) for a, b in zip(one, two)
    )
""",
    # The same characters as often, in any order.
    "easy": """\
def check(input, output, expected, *_):
    first, second = (Counter(b"".join(to_bytes(t).split()).lower()) for t in (output, expected))
    return first == second
""",
    # A part of the points for a part of the lines.
    "linecount": """\
def check(input, output, expected, *_):
    first, second = read_lines(output), read_lines(expected)
    if len(first) > len(second) or not second:
        return not first
    return sum(a.strip() == b.strip() for a, b in zip(first, second)) / len(second)
""",
    # As linecount, with the points of each line in args.
    "linematches": """\
def check(input, output, expected, *_):
    first, second = read_lines(output), read_lines(expected)
    shares = ARGUMENTS.get("point_distribution", [1])
    if len(shares) != len(second) or sum(shares) <= 0:
        raise ValueError("point_distribution does not fit the expected lines")
    if ARGUMENTS.get("filler_lines_required", True) and len(first) != len(second):
        return False
    return sum(n for a, b, n in zip(first, second, shares) if a == b) / sum(shares)
""",
    # The same lines but for white space at their ends.
    "rstripped": """\
def check(input, output, expected, *_):
    first, second = split_lines(output), split_lines(expected)
    if ARGUMENTS.get("filter_new_line"):
        first, second = read_lines(output), read_lines(expected)
    return [line.rstrip() for line in first] == [line.rstrip() for line in second]
""",
    "sorted": """\
def check(input, output, expected, *_):
    first, second = (sorted(map(bytes.split, read_lines(text))) for text in (output, expected))
    return first == second
""",
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
_MOVE_ANSWER = """\
__attribute__((constructor)) static void move_answer(int argc, char **argv) {
    if (argc > 3) argv[2] = argv[3];
}
"""
# Calls the package's check as DMOJ does; a part of the points of the test is a score below 1.
_ADAPTER = """\
import inspect
import dmoj_check
from dmoj.result import Result

def check(input, output, expected, points="1"):
    points = float(points)
    known = dict(process_output=output.encode("utf-8", "surrogateescape"),
                 judge_output=expected.encode("utf-8", "surrogateescape"),
                 judge_input=input.encode("utf-8", "surrogateescape"),
                 submission_source=b"", point_value=points, case_position=0, batch=0,
                 submission_language="", binary_data=False, execution_time=0.0,
                 problem_id="")
    known.update(ARGUMENTS)
    process, judge = known.pop("process_output"), known.pop("judge_output")
    known["result"] = Result(process)
    function = dmoj_check.check
    parameters = inspect.signature(function).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        known = {name: value for name, value in known.items() if name in parameters}
    result = function(process, judge, **known)
    if not hasattr(result, "points"):
        return bool(result)
    share = float(result.points) / points if points else float(bool(result.passed))
    return share if result.passed or 0 < share < 1 else (False, str(result.feedback or ""))
"""
# What DMOJ's Result also says of a program.
_UNKNOWN_COST = re.compile(r"\.(max_memory|execution_time|wall_clock_time|context_switches)\b")
# What checkers import of DMOJ's judge.
_MODULES = {
    "dmoj/result.py": """\
class CheckerResult:
    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        self.passed, self.points = passed, points
        self.feedback, self.extended_feedback = feedback, extended_feedback

class Result:
    AC, WA, RTE, TLE, MLE, IR, SC, OLE, IE = 0, 1, 2, 4, 8, 16, 32, 64, 1 << 30

    def __init__(self, proc_output):
        self.proc_output, self.result_flag, self.feedback = proc_output, self.AC, ""
""",
    "dmoj/error.py": "class InternalError(Exception):\n    pass\n",
    "dmoj/utils/unicode.py": """\
def utf8text(value, errors="strict"):
    return value.decode("utf-8", errors) if isinstance(value, bytes) else value

def utf8bytes(value):
    return value.encode("utf-8") if isinstance(value, str) else value
""",
    "dmoj/checkers/standard.py": """\
def read_words(output):
    return [words for line in output.splitlines() if (words := line.split())]

def check(process_output, judge_output, **_):
    return read_words(process_output) == read_words(judge_output)
""",
    "dmoj/checkers/identical.py": """\
def check(process_output, judge_output, **_):
    return process_output == judge_output
""",
}


def read_judge(
    folder: Path, config: Mapping[str, Any]
) -> tuple[Checker | None, CheckerProgram | None]:
    """Return (the checker, the interactor) of init.yml. Raises PackageError."""
    interactive = config.get("interactive")
    if interactive:
        if not isinstance(interactive, Mapping):
            raise BrokenPackageError("interactive of init.yml must be a mapping")
        interactor = _read_bridged(folder, interactive, "interactive")
        files, suffix = dict(interactor.files), "c" if interactor.language == "c" else "cpp"
        if interactive.get("type", "default") in _ANSWER_SECOND:
            files[f"move_answer.{suffix}"] = _MOVE_ANSWER
        if interactive.get("unbuffered", True):
            files[f"dmoj_unbuffered.{suffix}"] = UNBUFFERED
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
        raise BrokenPackageError(f"args of the checker {name} must be a mapping")
    if name in (None, ""):
        return _STANDARD
    if name in _FLOATS_MODES:
        return _read_floats(str(name), options)
    if name == "bridged":
        return _read_bridged(folder, options, "the checker")
    if isinstance(name, str) and name.endswith(".py"):
        return _read_python(resolve_inside(folder, name), options)
    if name in _PROGRAMS:
        return _make_program(str(name), options)
    if name not in _CHECKERS:
        known = ", ".join(sorted({*_CHECKERS, *_PROGRAMS, *_FLOATS_MODES, "bridged"}))
        message = f"the checker {name} is none of DMOJ's: {known}, or a file in Python"
        raise make_program_error(message)
    return _CHECKERS[name]


def _make_program(name: str, options: Mapping[str, Any]) -> Checker:
    if name == "sorted" and options.get("split_on") == "whitespace":
        return {"name": "unordered_tokens"}
    unknown = options.keys() - _PROGRAM_OPTIONS[name]
    if unknown or options.get("split_on", "lines") != "lines":
        message = f"args of the checker {name} are not supported: {dict(options)}"
        raise make_program_error(message)
    head = f"ARGUMENTS = {dict(options)!r}\n{_HEAD}"
    return CheckerProgram(f"{head}{_PROGRAMS[name]}", "python", "python")


def _read_floats(name: str, options: Mapping[str, Any]) -> Checker:
    try:
        float(10 ** -int(options.get("precision", 6)))
    except (TypeError, ValueError, OverflowError):
        message = (
            f"precision of the checker {name} must be a number, not {options.get('precision')!r}"
        )
        raise BrokenPackageError(message) from None
    if options.get("error_mode", "default") not in _ERROR_MODES:
        raise BrokenPackageError(f"error_mode of the checker {name}: {options['error_mode']!r}")
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
        raise BrokenPackageError(f"{what} has no file {', '.join(missing_names)}".rstrip())
    return read_checker(paths, "testlib", role="interactor" if what == "interactive" else "checker")


def _read_python(path: Path, options: Mapping[str, Any]) -> CheckerProgram:
    if not path.is_file():
        raise BrokenPackageError(f"the checker {path.name} is not in the package")
    text = read_text(path)
    if cost := _UNKNOWN_COST.search(text):
        raise make_program_error(
            f"the checker {path.name} judges {cost[1]}, which it is not told here"
        )
    arguments = {str(key): value for key, value in options.items()}
    return CheckerProgram(
        source=f"ARGUMENTS = {arguments!r}\n{_ADAPTER}",
        language="python",
        protocol="python",
        file="main.py",
        files={"dmoj_check.py": text, **_MODULES},
    )
