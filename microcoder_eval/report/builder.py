"""Collects the contents of a report while judgements arrive: figures, rows and details."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import TYPE_CHECKING, Any

from microcoder_eval.formats.plain_files import TEST_FILES
from microcoder_eval.records import Judgement, Kind, Problem, Solution, Verdict
from microcoder_eval.results.files import Extent
from microcoder_eval.results.run_comparison import flatten_settings

from .excerpts import (
    NOT_KEPT,
    Excerpt,
    TestExcerpts,
    cut_start,
    explain_not_shown,
    find_asserted_value,
    shorten,
)
from .figures import Figures, LimitRanges
from .solution_rows import Row, make_detail, make_row
from .spool import Spool

if TYPE_CHECKING:
    from microcoder_eval.api import Judge

    from .rerun import RerunRequest

_MAX_ROWS = 50_000  # rows of the table; the figures count all solutions
_MAX_STATEMENT_CHARS = 8000
_MAX_RUN_INFO = 12
_MAX_RERUN_BYTES = 64 << 20  # of the details read to run programs again, the failed ones first


class ReportBuilder:
    """Collects judgements; its memory grows with the rows of the table, not with the programs.

    rows: the rows by position in the solutions file.
    omitted_count: solutions beyond the limit on rows.
    """

    def __init__(self, max_rows: int = _MAX_ROWS) -> None:
        self.figures = Figures()
        self.rows: dict[int, Row] = {}
        self.omitted_count = 0
        self._groups: dict[str, tuple[str | None, str | None]] = {}  # difficulty, platform
        self._statements: dict[str, Extent] = {}
        self._run_info: set[tuple[str, str]] = set()
        self._limits = LimitRanges()
        self._max_rows = max_rows
        self._spool = Spool()
        self._excerpts = TestExcerpts()

    def add(
        self,
        position: int,
        judgement: Judgement,
        problem: Problem | None = None,
        solution: Solution | None = None,
    ) -> None:
        """Add one judgement. position: the solution's index in its file.

        Raises OSError if the temporary folder is full.
        """
        self.figures.add(judgement)
        self._add_run_info(judgement)
        if problem is not None:
            self._limits.add(judgement, problem, solution)
        if position >= self._max_rows:
            self.omitted_count += 1
            return
        if problem is not None:
            self._add_problem(problem)
        detail = make_detail(judgement, solution)
        index = None if judgement.first_failure is None else judgement.first_failure[0]
        if index is not None:
            detail["fail"] = self._describe_failure(judgement, problem, index)
        is_shown = index is not None and explain_not_shown(judgement, problem) is None
        is_single_file = not (problem and problem.includes) and not (solution and solution.files)
        is_rerunnable = (
            is_shown and is_single_file and detail["code"] is not None and not detail["cut"]
        )
        self.rows[position] = make_row(judgement, index, self._spool.put(detail), is_rerunnable)

    def _add_problem(self, problem: Problem) -> None:
        if problem.problem_id in self._groups:
            return
        self._groups[problem.problem_id] = (problem.difficulty, problem.platform)
        if problem.statement:
            self._statements[problem.problem_id] = self._spool.put(
                cut_start(problem.statement, _MAX_STATEMENT_CHARS)
            )

    def describe_problem(self, problem_id: str) -> tuple[str, str, str]:
        """Return the name, the difficulty and the platform of a problem, for a table."""
        difficulty, platform = self._groups.get(problem_id, (None, None))
        return shorten(problem_id), shorten(difficulty or ""), shorten(platform or "")

    def read_statement(self, problem_id: str) -> Excerpt | None:
        """Read the start of a problem's statement; None if it is not known."""
        extent = self._statements.get(problem_id)
        return None if extent is None else self._spool.get(extent)

    def _describe_failure(
        self, judgement: Judgement, problem: Problem | None, index: int
    ) -> dict[str, Any]:
        test = judgement.tests[index]
        failure: dict[str, Any] = {
            "number": index + 1,
            "verdict": str(test.verdict),
            "detail": test.detail,
            "cpu": test.cpu_s,
            "wall": test.wall_s,
            "memory": test.memory_mb,
            "note": NOT_KEPT if test.verdict is Verdict.WA else "",
        }
        if problem is not None and (files := problem.meta.get(TEST_FILES)) is not None:
            failure["file"] = files[index]
        reason = explain_not_shown(judgement, problem)
        if reason is not None or problem is None:
            return {**failure, "note": reason}
        failure |= self._excerpts.cut_test(problem, index)
        got = find_asserted_value(failure) if problem.kind is Kind.ASSERT else None
        return failure if got is None else {**failure, "got": got, "note": ""}

    def _add_run_info(self, judgement: Judgement) -> None:
        changed = [f"{name} {value}" for name, value in flatten_settings(judgement.settings)]
        for name, value in (
            ("version", judgement.version),
            ("isolation", f"level {judgement.sandbox_level} {judgement.isolation}".strip()),
            ("settings", "; ".join(changed) or judgement.config_sha256[:12]),
        ):
            if value and len(self._run_info) < _MAX_RUN_INFO:
                self._run_info.add((name, value))

    def describe_run(self) -> dict[str, str]:
        """Return the "version", "isolation", "settings" and "limits" of the results."""
        values: dict[str, str] = {}
        for name, value in sorted(self._run_info):
            values[name] = f"{values[name]}, {value}" if name in values else value
        values |= self._limits.describe()
        return {name: shorten(value) for name, value in values.items()}

    def read_detail(self, row: Row) -> dict[str, Any]:
        """Read the detail of a solution from the spool."""
        detail: dict[str, Any] = self._spool.get(row.detail)
        return detail

    def list_rows(self) -> list[tuple[int, Row]]:
        """Return (position, row) in the order of the solutions file."""
        return sorted(self.rows.items(), key=lambda item: item[0])

    def map_rows_by_name(self) -> dict[str, tuple[int, Row]]:
        """Return (position, row) by "problem_id solution_id", the name in lists of the summary."""
        return {
            f"{row.problem_id} {row.solution_id}": (position, row)
            for position, row in self.rows.items()
        }

    def list_rows_by_interest(self) -> list[tuple[int, Row]]:
        """Return (position, row); solutions that passed come last, so that a size limit drops them
        first."""
        return sorted(self.rows.items(), key=lambda item: (item[1].is_accepted, item[0]))

    def show_outputs(
        self,
        judge: Judge,
        find_problem: Callable[[str], Problem],
        max_program_seconds: float = inf,
    ) -> Iterator[None]:
        """Run failed programs once more, to show their outputs; yields after each.

        max_program_seconds: programs with a slower test are left out.

        Raises OSError.
        """
        from .rerun import rerun_programs

        requests = self._list_rerun_requests(find_problem, max_program_seconds)
        for position, output in rerun_programs(judge, requests):
            row = self.rows[position]
            detail = self.read_detail(row)
            if "got" in output:
                detail["fail"]["note"] = ""
            detail["fail"].update(output)
            row.detail = self._spool.put(detail)
            yield

    def _list_rerun_requests(
        self, find_problem: Callable[[str], Problem], max_program_seconds: float
    ) -> Iterator[RerunRequest]:
        from .rerun import RERUN_VERDICTS, RerunRequest

        bytes_left = _MAX_RERUN_BYTES
        for position, row in self.list_rows_by_interest():
            bytes_left -= row.detail.size
            if bytes_left < 0:
                return
            if not row.is_rerunnable or (row.seconds or 0.0) > max_program_seconds:
                continue
            detail = self.read_detail(row)
            problem = find_problem(row.problem_id)
            is_supported = detail["language"] == "python" and problem.kind is not Kind.ASSERT
            if is_supported and detail["fail"]["verdict"] in RERUN_VERDICTS:
                yield RerunRequest(position, problem, row.first_failure - 1, detail["code"])
