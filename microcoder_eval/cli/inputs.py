"""Checks the command line's input files, counts their lines, and selects the solutions to judge."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from microcoder_eval.console.streams import print_note, print_warning
from microcoder_eval.errors import DataError, UsageError
from microcoder_eval.formats import BadLine, ProblemSet, error_text, registry
from microcoder_eval.formats.plain_files import is_program, list_other_files, list_programs
from microcoder_eval.formats.row_stream import Records
from microcoder_eval.formats.source import STDIN, open_source
from microcoder_eval.records import Solution

from .dates import Days, parse_days

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


def count_lines(paths: Sequence[str]) -> int | None:
    """Count the programs and the lines of plain files; None if a file is compressed, a pipe or not
    JSON lines."""
    counts = [_count_lines(file) for path in paths for file in list_programs(path)]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


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


@dataclass
class Selection:
    """Which solutions are judged.

    limit: how many at most.
    names: only those of these problems, or with these solution_ids.
    days: only those of problems with a date in these days.
    undated_count: how many were left out because their problem has no date.
    unclear_count: how many were left out because the date cannot be read or may lie inside or
        outside the range; unclear_date: the first such date.
    """

    limit: int | None = None
    names: frozenset[str] = frozenset()
    days: Days | None = None
    undated_count: int = 0
    unclear_count: int = 0
    unclear_date: str = ""
    selected_count: int = 0
    seen_count: int = 0
    _missing_names: set[str] = field(default_factory=set)

    @classmethod
    def from_options(cls, args: Any) -> Selection:
        """Read --limit, --only, --since and --until. Raises UsageError for a range of no day."""
        since, until = (parse_days(text or "") or Days() for text in (args.since, args.until))
        days = Days(since.first, until.last)
        if days.first > days.last:
            raise UsageError(f"--since {args.since} is after --until {args.until}")
        is_bounded = args.since or args.until
        selection = cls(args.limit, frozenset(args.only or ()), days if is_bounded else None)
        selection._missing_names = set(selection.names)
        return selection

    @property
    def selects_all(self) -> bool:
        """Whether only ``limit`` can leave solutions out."""
        return not (self.names or self.days)

    def select(
        self, lines: Iterable[Solution | BadLine], problems: ProblemSet
    ) -> Iterator[Solution | BadLine]:
        """Yield the bad lines and the solutions that are judged."""
        for line in lines:
            if self.limit is not None and self.selected_count >= self.limit:
                return
            if isinstance(line, BadLine):
                yield line
                continue
            self.seen_count += 1
            if self._includes(line, problems):
                self.selected_count += 1
                yield line

    def _includes(self, solution: Solution, problems: ProblemSet) -> bool:
        if self.names:
            hits = self.names & {solution.problem_id, solution.solution_id}
            self._missing_names -= hits
            if not hits:
                return False
        if self.days is None:
            return True
        date = problems.get(solution.problem_id).date
        if date is None:
            self.undated_count += 1
            return False
        return self._is_in(self.days, date)

    def _is_in(self, wanted: Days, text: str) -> bool:
        days = parse_days(text)
        if days is not None and (days.last < wanted.first or days.first > wanted.last):
            return False
        if days is not None and wanted.first <= days.first and days.last <= wanted.last:
            return True
        self.unclear_count += 1
        self.unclear_date = self.unclear_date or text
        return False

    @property
    def is_empty(self) -> bool:
        """Whether there were solutions, and none was selected."""
        return bool(self.seen_count) and not self.selected_count

    def print_left_out(self, problems: ProblemSet) -> None:
        """Print on standard error what was asked for but not found."""
        for name in sorted(self._missing_names):
            reason = problems.explain_absence(name) or f'problem "{name}" has no solution'
            print_warning(f'--only "{name}": no solution has this name, and {reason}')
        if self.undated_count:
            print_warning(
                f"--since/--until: {self.undated_count} solutions are left out, "
                'as their problems have no "date"'
            )
        if self.unclear_count:
            print_warning(
                f"--since/--until: {self.unclear_count} solutions are left out, "
                'as the "date" of their problem is not YYYY-MM-DD or may be on either side, such '
                f'as "{error_text.shorten(self.unclear_date, 40)}"'
            )
        if not self.selected_count and self.seen_count and not self._missing_names:
            print_warning(f"--since/--until leave out all {self.seen_count} solutions")
