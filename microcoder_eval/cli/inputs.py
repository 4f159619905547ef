"""Checks what the command line names as input, and counts its lines."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Literal

from microcoder_eval.compare import make_comparer
from microcoder_eval.console.streams import print_note
from microcoder_eval.conversion import needs_testlib
from microcoder_eval.errors import ComparerError, DataError, UsageError
from microcoder_eval.formats import ProblemSet, registry
from microcoder_eval.formats.plain_files import is_program, list_other_files, list_programs
from microcoder_eval.formats.row_stream import Records
from microcoder_eval.formats.source import STDIN, open_source
from microcoder_eval.records import Problem

_MAX_WARNINGS = 10
_MAX_NAMES = 5
_MAX_BYTES = 64 << 20  # of the first row, by which a file is recognised
Contents = registry.RecordType | Literal["results"]
_USES: dict[Contents, str] = {
    "problems": "microcoder-eval SOLUTIONS --tests PROBLEMS judges by them",
    "solutions": "microcoder-eval SOLUTIONS --tests PROBLEMS -o RESULTS judges them",
    "results": "microcoder-eval report and diff read those",
}


def guess_contents(path: str) -> Contents | None:
    """Return what a regular file seems to hold; None if that is unclear or there is no such
    file.

    Only to refuse swapped files: registry.detect_problem_format decides the format of each row.
    """
    if not os.path.isfile(path):
        return None
    if is_program(path):
        return "solutions"
    try:
        with open_source(path) as source:
            row = next(iter(source.read_rows(_MAX_BYTES)), None)
        value = None if row is None else row.parse()
    except DataError:
        return None
    if not isinstance(value, Mapping):
        return None
    if registry.is_result(value):
        return "results"
    recognised = registry.recognise_row(value)
    return recognised[0] if recognised else None


def refuse_swapped(solutions: Sequence[str], tests: str) -> None:
    """Raise UsageError if the files of solutions and tests seem to be swapped, hold results, or are
    the same."""
    contents_of_tests = guess_contents(tests)
    files: set[str] = set()
    for path in solutions:
        refuse_repeated(path, files, "each of its programs would count twice")
        contents = guess_contents(path)
        if path == tests == STDIN:
            raise UsageError("only one of SOLUTIONS and --tests can be standard input")
        if (contents, contents_of_tests) == ("problems", "solutions"):
            raise UsageError(
                f"the files look swapped: {path} holds problems and {tests} solutions; write "
                f"microcoder-eval {tests} --tests {path}"
            )
        if contents == "results":
            require_contents(path, "solutions")
    require_contents(tests, "problems")


def refuse_repeated(path: str, files: set[str], effect: str) -> None:
    """Add a file to those given. Raises UsageError if it is among them already."""
    if (file := os.path.realpath(path)) in files:
        raise UsageError(f"{path} is given twice: {effect}")
    files.add(file)


def require_contents(path: str, wanted: Contents) -> None:
    """Raise UsageError if a file holds something other than ``wanted``."""
    contents = guess_contents(path)
    if contents not in (None, wanted):
        raise UsageError(f"{path} holds {contents}, not {wanted}: {_USES[contents]}")


def refuse_results(path: str) -> None:
    """Raise UsageError if a file that is to be written holds results, which only judging may
    replace."""
    if guess_contents(path) == "results":
        raise UsageError(f"{path} holds results of judging, which are kept; choose another name")


def print_warnings(problems: ProblemSet | Records) -> None:
    """Print warnings on standard error about input that probably means something else."""
    for warning, line in islice(problems.warnings.items(), _MAX_WARNINGS):
        print_note(f"{problems.path}:{line}: warning: {warning}")


def print_left_out(folders: Iterable[str]) -> None:
    """Print on standard error which files in folders of programs are not programs."""
    for folder in filter(os.path.isdir, folders):
        if names := list_other_files(folder):
            count = "1 file" if len(names) == 1 else f"{len(names)} files"
            print_note(
                f"{folder}: left out {count} with no suffix of a program: {list_names(names)}"
            )


def list_names(paths: Sequence[str]) -> str:
    """Return the names of files for a page, the first few of many."""
    names = [os.path.basename(os.path.normpath(path)) for path in paths[:_MAX_NAMES]]
    return ", ".join(names) + (", …" if len(paths) > len(names) else "")


def describe_files(
    results: Sequence[str], judged_at: float, solutions: Sequence[str], tests: Sequence[str]
) -> dict[str, str]:
    """Return what a page says of the files of a run. judged_at: in seconds, as time.time() is."""
    texts = {
        "results": list_names(results),
        "judged": time.strftime("%Y-%m-%d %H:%M", time.localtime(judged_at)),
        "solutions": list_names(solutions),
        "tests": list_names(tests),
    }
    return {name: text for name, text in texts.items() if text}


def count_lines(paths: Sequence[str]) -> int | None:
    """Count the programs and the lines of plain files; None if a file is compressed, a pipe or not
    JSON lines."""
    counts = [_count_lines(file) for path in paths for file in list_programs(path)]
    known_counts = [count for count in counts if count is not None]
    return sum(known_counts) if len(known_counts) == len(counts) else None


def _count_lines(path: str) -> int | None:
    if is_program(path):
        return 1
    try:
        with open(path, "rb") as file:
            if path == STDIN or not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            if not file.read(64).lstrip().startswith(b'{"'):
                return None
            file.seek(0)
            return sum(1 for _ in file)  # the last line may have no end
    except OSError:
        return None


def check_comparer(problem: Problem, testlib: str | None) -> None:
    """Raise DataError if the judge does not have the problem's comparer, or lacks testlib.h."""
    name, checker = f'problem "{problem.problem_id}"', problem.checker
    for role, program, hint in (
        ("interactor", problem.interactor, ""),
        ("checker", checker, " or use --ignore-checkers"),
    ):
        if testlib is None and needs_testlib(program):
            raise DataError(f"{name}: its {role} needs testlib.h: add --testlib PATH{hint}")
    if checker is None or "source" in checker:
        return
    try:
        make_comparer(checker)
    except ComparerError as error:
        message = f"{name}: checker: {error}; correct it or use --ignore-checkers"
        raise DataError(message) from error
