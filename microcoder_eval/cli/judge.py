"""``microcoder-eval SOLUTIONS --tests TESTS``: judges solutions.

    read_solutions -> (result of an earlier run?) -> Judge -> journal, tally, progress -> OUT

Solutions are streamed: the judge has a bounded number of them at a time, and memory holds counts
and two integers for each result.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from microcoder_eval.api import Judge
from microcoder_eval.console.guard import EXIT_INTERRUPTED, EXIT_JUDGE, EXIT_USAGE
from microcoder_eval.console.progress import ProgressLine
from microcoder_eval.console.streams import print_note, print_warning, tolerate_closed_stdout
from microcoder_eval.errors import UsageError
from microcoder_eval.formats import BadLine, ProblemSet, open_problems, read_solutions
from microcoder_eval.formats.source import check_readable
from microcoder_eval.records import Judgement, Problem, Solution, Verdict
from microcoder_eval.results.files import OutputError, Paths
from microcoder_eval.results.hints import Hints
from microcoder_eval.results.journal import Index, Journal, LineExtents
from microcoder_eval.results.lines import judgement_to_line
from microcoder_eval.results.summary import Tally
from microcoder_eval.signals import handle_signals

from .bad_lines import BadLines
from .failures import MAX_SHOWN, Failures
from .inputs import check_comparer, count_lines, print_left_out, print_warnings, refuse_swapped
from .options import check_judging_options, make_judge
from .repeats import Repeats, Run
from .resume import describe_foreign_result, is_reusable, print_resume_hint
from .selection import Selection
from .summary_table import RunFacts, show_summary

if TYPE_CHECKING:
    from .run_report import RunReport

_POLL_SECONDS = 0.1
_ROUNDING = 1e-12  # bound on the rounding error of a mean of many rates


def run(args: Any) -> int:
    """Judge all solutions; return the exit code."""
    check_judging_options(args)
    selection = Selection.from_options(args)
    paths = Paths.from_output(args.output) if args.output is not None else None
    if paths is not None:
        paths.refuse_misuse([*args.solutions, args.tests])
    elif args.resume:
        raise UsageError("--resume needs -o: without it there is nothing to continue")
    if args.title is not None and args.report is None:
        raise UsageError("--title needs --report: it is the title of that page")
    if args.cache is not None and (args.repeat > 1 or args.engine != "local"):
        raise UsageError("--cache works neither with --repeat nor with --engine ray: leave it out")
    for path in args.solutions:
        check_readable(path, folders=True)  # before --force empties a journal
    check_readable(args.tests, folders=True)
    refuse_swapped(args.solutions, args.tests)
    print_left_out(args.solutions)
    check = None if args.ignore_checkers else partial(check_comparer, testlib=args.testlib)
    with open_problems(
        args.tests, format=args.format, max_line_mb=args.max_line_mb, check=check
    ) as problems:
        report = None
        if args.report is not None:
            from .run_report import RunReport  # late: it is a fifth of what this command imports

            report = RunReport(args, paths)
        journal = Journal.open(paths, resume=args.resume, force=args.force) if paths else None
        try:
            return Session(args, problems, journal, report, selection).run()
        finally:
            if journal is not None:
                journal.close()


class Session:
    """One run of the command: its counts and its files."""

    def __init__(
        self,
        args: Any,
        problems: ProblemSet,
        journal: Journal | None,
        report: RunReport | None,
        selection: Selection,
    ) -> None:
        self.args = args
        self.problems = problems
        self.journal = journal
        self.report = report
        self.tally = Tally(ks=args.k)
        self.hints = Hints()
        is_silent = args.quiet or args.json
        max_shown = None if args.verbose else 0 if is_silent else MAX_SHOWN
        self.failures = Failures(max_shown, report.builder if report is not None else None)
        self.selection = selection
        self.line_extents = LineExtents()
        self.bad = BadLines(journal.paths.errors if journal is not None else None)
        self.stopped = False
        self.resumed = 0
        self._running: dict[Future[Judgement], Run] = {}
        self._repeats = Repeats(args.repeat)
        self._progress: ProgressLine | None = None

    def run(self) -> int:
        """Judge the solutions, write OUT and print the summary; return the exit code."""
        start = time.monotonic()
        index = None
        if self.journal is not None and self.args.resume:
            # --force replaces OUT, so an interrupted run continues from its journal alone.
            index = self.journal.index(with_results=not self.args.force)
        # Before any worker starts, so that a missing file is reported at once.
        lines = read_solutions(
            self.args.solutions,
            self.problems,
            format=self.args.format,
            max_line_mb=self.args.max_line_mb,
            language=self.args.language,
        )
        self.bad.add_all(self.problems.bad)
        print_warnings(self.problems)
        with redirect_stdout(sys.stderr):  # Ray prints its warnings on standard output
            judge = self._judge_solutions(lines, index)
        if not self.stopped and self.journal is not None:
            if index is not None and (leftover := index.find_remaining()) is not None:
                raise OutputError(describe_foreign_result(leftover))
            self.journal.finish(self.line_extents)
        self._print_summary(judge, time.monotonic() - start)
        if self.report is not None:
            self.report.raise_failure()
        return self._choose_exit_code()

    def _judge_solutions(self, lines: Iterator[Solution | BadLine], index: Index | None) -> Judge:
        """Judge the lines; return the judge, which is closed."""
        judge = make_judge(self.args, reuse=self.args.repeat == 1)
        try:
            with handle_signals(self._stop):
                with self._show_progress() as self._progress:
                    self._judge_all(judge, lines, index)
                self.selection.print_left_out(self.problems)
                if not self.stopped:
                    self._show_outputs(judge)
        except BaseException:
            judge.close(cancel=True)
            raise
        finally:
            self.bad.close()
        judge.close(cancel=self.stopped)
        return judge

    def _show_outputs(self, judge: Judge) -> None:
        display = self.failures if self.report is None else self.report
        for _ in display.show_outputs(judge, self.problems.get):
            if self.stopped:
                break

    def _show_progress(self) -> AbstractContextManager[ProgressLine | None]:
        if self.args.quiet:
            return nullcontext()
        total = self._count_total()
        noun = "solution" if total == 1 else "solutions"
        print_note("judging" if total is None else f"judging {total} {noun}")
        return ProgressLine(partial(self._describe_progress, total))

    def _describe_progress(self, total: int | None) -> tuple[str, int, int | None]:
        """Return the counts by verdict, how many solutions this run has judged, and how many are
        left. total: how many there are, unusable ones included, None if unknown."""
        tally, bad_count = self.tally, self.bad.count
        counts = " ".join(
            f"{verdict} {tally.verdicts[verdict]}" for verdict in Verdict if tally.verdicts[verdict]
        )
        of_total = "" if total is None else f" of {total}"
        bad_text = f" · {bad_count} bad lines" if bad_count else ""
        text = f"{tally.solutions}{of_total} judged · {counts or 'none yet'}{bad_text}"
        left = None if total is None else max(0, total - tally.solutions - bad_count)
        return text, tally.solutions - self.resumed, left

    def _count_total(self) -> int | None:
        """Return how many solutions there are; None if this is unknown before they are read."""
        if not self.selection.selects_all:
            return None
        count = count_lines(self.args.solutions)
        limit = self.selection.limit
        return count if limit is None or count is None else min(count, limit)

    def _stop(self) -> None:
        self.stopped = True

    def _judge_all(
        self, judge: Judge, lines: Iterator[Solution | BadLine], index: Index | None
    ) -> None:
        selected = self.selection.select(lines, self.problems)
        solutions = self.bad.skip_bad_lines(selected, self.args.solutions[0])
        for position, solution in enumerate(solutions):
            if self.stopped:
                return
            problem = self.problems.get(solution.problem_id)
            name = solution.problem_id, solution.solution_id
            stored = index.pop(*name) if index is not None else None
            if stored is not None and is_reusable(
                stored.judgement, solution, problem, judge.options, self.args.repeat
            ):
                self.line_extents.record(position, stored.extent)
                self._count_result(position, stored.judgement, problem, solution)
                self.resumed += 1
                continue
            for number in range(self.args.repeat):
                self._running[judge.submit(solution, problem)] = Run(position, solution, number)
                if not self._collect_down_to(judge.stream_window - 1):
                    return
        self._collect_down_to(0)

    def _collect_down_to(self, count: int) -> bool:
        """Wait until at most ``count`` runs are left; return False if the command must stop."""
        while len(self._running) > count and not self.stopped:
            self._collect()
        return not self.stopped

    def _collect(self) -> None:
        for future in wait(self._running, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED).done:
            run = self._running.pop(future)
            judgement = self._repeats.merge(run, future.result())
            if judgement is not None:
                if self.journal is not None:
                    extent = self.journal.append_line(judgement_to_line(judgement))
                    self.line_extents.record(run.position, extent)
                problem = self.problems.get(run.solution.problem_id)
                self._count_result(run.position, judgement, problem, run.solution)
        if self._progress is not None:
            self._progress.update()

    def _count_result(
        self, position: int, judgement: Judgement, problem: Problem, solution: Solution
    ) -> None:
        self.tally.add(judgement, problem)
        self.hints.add(judgement, solution, problem)
        self.failures.add(position, judgement, problem, solution)
        if self.report is not None:
            self.report.add(position, judgement, problem, solution)

    def _print_summary(self, judge: Judge, seconds: float) -> None:
        if self.stopped:
            print_resume_hint(self.journal)
        facts = self._collect_facts(judge, seconds)
        if self.report is not None:
            if self.stopped:
                print_warning("an interrupted run gets no report")
            elif report_path := self.report.write(self.tally):
                facts.paths["report"] = report_path
        with tolerate_closed_stdout():
            for line in self.failures.list_lines():
                if self.args.json:
                    print_note(line)
                else:
                    print(line)
            if self.args.json:
                print(json.dumps({**self.tally.as_json(), **asdict(facts)}))
            else:
                show_summary(self.tally, facts)

    def _collect_facts(self, judge: Judge, seconds: float) -> RunFacts:
        paths = {}
        if self.journal is not None:
            files = self.journal.paths
            if self.stopped:
                paths["journal"] = str(files.journal)
            else:
                paths["results"] = str(files.results)
            if self.bad.count:
                paths["errors"] = str(files.errors)
        return RunFacts(
            hints=self.hints.list_sentences(judge.options.packages),
            bad_lines=self.bad.count,
            bad_lines_by_file=dict(self.bad.count_by_file),
            resumed=self.resumed,
            looked_up=judge.stats().looked_up if judge.options.cache else None,
            interrupted=self.stopped,
            workers=judge.workers,
            sandbox_level=judge.sandbox_level,
            config_sha256=judge.config_sha256,
            wall_s=round(seconds, 3),
            paths=paths,
        )

    def _choose_exit_code(self) -> int:
        if self.stopped:
            return EXIT_INTERRUPTED
        if self.tally.judge_errors.count:
            return EXIT_JUDGE
        if self.bad.count or self.selection.is_empty:
            return EXIT_USAGE
        rate = self.tally.compute_pass_at_k(1).mean
        threshold = self.args.fail_under
        return 1 if threshold is not None and (rate is None or rate < threshold - _ROUNDING) else 0
