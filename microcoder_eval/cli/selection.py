"""Selects the solutions that are judged: --limit, --only, --since and --until."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from microcoder_eval.console.streams import print_warning
from microcoder_eval.errors import UsageError
from microcoder_eval.formats import BadLine, ProblemSet, error_text
from microcoder_eval.records import Solution

from .dates import Days, parse_days


@dataclass
class Selection:
    """Which solutions are judged.

    limit: how many at most.
    names: only those of these problems, or with these solution_ids.
    days: only those of problems with a date in these days.
    undated_count: how many were left out because their problem has no date, or one that cannot be
        read or may lie inside or outside the range; unclear_date: the first such date.
    """

    limit: int | None = None
    names: frozenset[str] = frozenset()
    days: Days | None = None
    undated_count: int = 0
    unclear_date: str | None = None
    selected_count: int = 0
    seen_count: int = 0

    def __post_init__(self) -> None:
        self._missing_names = set(self.names)

    @classmethod
    def from_options(cls, args: Any) -> Selection:
        """Read --limit, --only, --since and --until. Raises UsageError for a range of no day."""
        since, until = (parse_days(text or "") or Days() for text in (args.since, args.until))
        days = Days(since.first, until.last)
        if days.first > days.last:
            raise UsageError(f"--since {args.since} is after --until {args.until}")
        is_bounded = args.since or args.until
        return cls(args.limit, frozenset(args.only or ()), days if is_bounded else None)

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
        days, wanted = parse_days(date or ""), self.days
        if days is not None and (days.last < wanted.first or days.first > wanted.last):
            return False
        if days is not None and wanted.first <= days.first and days.last <= wanted.last:
            return True
        self.undated_count += 1
        if self.unclear_date is None:
            self.unclear_date = date
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
            example = ""
            if self.unclear_date is not None:
                example = f', such as "{error_text.shorten(self.unclear_date, 40)}"'
            print_warning(
                f'--since/--until: {self.undated_count} solutions are left out, as the "date" of '
                f"their problem is missing, is not YYYY-MM-DD or may be on either side{example}"
            )
        if not self.selected_count and self.seen_count and not self._missing_names:
            print_warning(f"--since/--until leave out all {self.seen_count} solutions")
