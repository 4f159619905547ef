"""``microcoder-eval SOLUTIONS --tests TESTS``: the main road.

    read_solutions -> (known from an earlier run?) -> Judge -> journal, tally, progress -> OUT

Solutions are streamed, a window of them is in the judge at any time, and in memory stay counts
and two integers for each result.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any

from microcoder_eval.api import Judge, testlib_text
from microcoder_eval.compare import comparer
from microcoder_eval.errors import ComparerError, DataError
from microcoder_eval.formats import BadLine, ProblemSet, open_problems, read_solutions
from microcoder_eval.formats.source import check_readable
from microcoder_eval.journal import Journal
from microcoder_eval.journal_index import Index, Places
from microcoder_eval.outputs import OutputError, Paths
from microcoder_eval.records import Judgement, Limits, Problem, Solution, Verdict
from microcoder_eval.settings import DEFAULT_PACKAGES
from microcoder_eval.summary import Tally
from microcoder_sandbox.places import package_places

from .badlines import BadLines
from .parser import UsageError
from .progress import Progress
from .report import show
from .reporting import Reporting
from .resuming import not_ours, refuse_other, refuse_other_repeats, say_how_to_resume
from .streams import answering

POLL_SECONDS = 0.1
ROUNDING = 1e-12  # of a mean of many rates
Running = dict[Future[Judgement], tuple[int, Solution, int]]


def run(args: Any) -> int:
    """Judge everything; returns the exit code."""
    refuse_unsafe(args)
    paths = Paths.of(args.output) if args.output is not None else None
    if paths is not None:
        paths.refuse_misuse([args.solutions, args.tests])
    elif args.resume:
        raise UsageError("--resume needs -o: without it there is nothing to resume from")
    check_readable(args.solutions)  # before --force empties a journal
    if args.testlib is not None:
        testlib_text(args.testlib)
    check = None if args.ignore_checkers else partial(check_comparer, testlib=args.testlib)
    with open_problems(
        args.tests, format=args.format, max_line_mb=args.max_line_mb, check=check
    ) as problems:
        report = Reporting(args, paths) if args.report is not None else None
        journal = Journal.open(paths, resume=args.resume, force=args.force) if paths else None
        try:
            return Session(args, problems, journal, report).run()
        finally:
            if journal is not None:
                journal.close()
            if report is not None:
                report.close()


def check_comparer(problem: Problem, testlib: str | None) -> None:
    """Raises DataError when the problem names a checker that this judge does not have."""
    if (problem.interactor or {}).get("protocol") == "testlib" and testlib is None:
        raise DataError(
            f'problem "{problem.problem_id}": its interactor needs testlib.h: add --testlib PATH'
        )
    if problem.checker is None:
        return
    if "source" in problem.checker:
        if problem.checker.get("protocol") == "testlib" and testlib is None:
            raise DataError(
                f'problem "{problem.problem_id}": its checker needs testlib.h: add --testlib PATH '
                "or use --ignore-checkers"
            )
        return
    try:
        comparer(problem.checker)
    except ComparerError as error:
        raise DataError(
            f'problem "{problem.problem_id}": checker: {error}; mend it or use --ignore-checkers'
        ) from error


def named_packages(asked: str | None) -> tuple[str, ...]:
    """Those named, or the default ones; a named one that is not here is worth a word."""
    if asked is None:
        return DEFAULT_PACKAGES
    names = tuple(name.strip() for name in asked.split(",") if name.strip())
    for name in names:
        if name not in package_places((name,)):
            print(
                f'microcoder-eval: --packages: "{name}" is not installed beside this judge: '
                "programs that import it will fail",
                file=sys.stderr,
            )
    return names


def refuse_unsafe(args: Any) -> None:
    """Raises UsageError for a level without a system call filter, unless asked for in words."""
    if args.min_level < 2 and not args.allow_unsafe:
        raise UsageError("--min-level 1 means no system call filter: add --allow-unsafe")


class Session:
    """One run of the command: its judge, its counts, its files."""

    def __init__(
        self, args: Any, problems: ProblemSet, journal: Journal | None, report: Reporting | None
    ) -> None:
        self.args = args
        self.problems = problems
        self.journal = journal
        self.report = report
        self.tally = Tally(ks=args.k)
        self.places = Places()
        self.bad = BadLines(journal.paths.errors if journal is not None else None)
        self.stopped = False
        self.resumed = 0
        self._repeats: dict[int, list[Judgement | None]] = {}

    def run(self) -> int:
        """Judge, write, summarise; the exit code."""
        started = time.monotonic()
        index = self._index()
        # Opened before any worker starts: a file that is not there must not cost a start.
        lines = read_solutions(
            self.args.solutions,
            self.problems,
            format=self.args.format,
            max_line_mb=self.args.max_line_mb,
            language=self.args.language,
        )
        for line in self.problems.bad:
            self.bad.add(line)
        with redirect_stdout(sys.stderr):  # Ray tells its troubles on standard output
            judge = self._work(lines, index)
        if not self.stopped and self.journal is not None:
            if index is not None and (extra := index.left()) is not None:
                raise OutputError(not_ours(extra))
            self.journal.finish(self.places)
        self._report(judge, time.monotonic() - started)
        if self.report is not None:
            self.report.raise_failure()
        return self._exit_code()

    def _work(self, lines: Iterator[Solution | BadLine], index: Index | None) -> Judge:
        """Judge the lines; returns the judge, closed."""
        previous = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
        judge = self._judge()
        try:
            signal.signal(signal.SIGINT, self._stop)
            signal.signal(signal.SIGTERM, self._stop)
            with Progress(self.tally, self.bad) as progress:
                self._judge_all(judge, lines, index, progress)
            if self.report is not None:
                self.report.show_outputs(judge, self.problems, lambda: self.stopped)
        except BaseException:
            judge.close(cancel=True)
            raise
        finally:
            signal.signal(signal.SIGINT, previous[0])
            signal.signal(signal.SIGTERM, previous[1])
            self.bad.close()
        judge.close(cancel=self.stopped)
        return judge

    def _index(self) -> Index | None:
        if self.journal is None or not self.args.resume:
            return None
        # With --force OUT is to be replaced: an interrupted run goes on from its journal alone.
        return self.journal.index(with_results=not self.args.force)

    def _judge(self) -> Judge:
        args = self.args
        return Judge(
            workers=args.workers,
            engine=args.engine,
            limits=Limits(time_s=args.time_limit, memory_mb=args.memory_limit),
            compare=args.compare,
            stop=args.stop.replace("-", "_"),
            isolation=args.isolation,
            reuse=args.repeat == 1,
            packages=named_packages(args.packages),
            ignore_checkers=args.ignore_checkers,
            testlib=args.testlib,
            time_scale=args.time_scale,
            min_level=args.min_level,
            allow_unsafe=args.allow_unsafe,
        )

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopped = True

    def _judge_all(
        self,
        judge: Judge,
        lines: Iterator[Solution | BadLine],
        index: Index | None,
        progress: Progress,
    ) -> None:
        running: Running = {}
        for position, solution in enumerate(self._good(lines)):
            if self.stopped:
                return
            problem = self.problems.get(solution.problem_id)
            if index is not None and self._known(judge, index, position, solution, problem):
                continue
            for turn in range(self.args.repeat):
                running[judge.submit(solution, problem)] = position, solution, turn
                if not self._has_room(running, judge, progress):
                    return
        while running and not self.stopped:
            self._collect(running, progress)

    def _has_room(self, running: Running, judge: Judge, progress: Progress) -> bool:
        """Wait until another run may start; False when told to stop."""
        while len(running) >= 4 * judge.workers + 8 and not self.stopped:
            self._collect(running, progress)
        return not self.stopped

    def _good(self, lines: Iterator[Solution | BadLine]) -> Iterator[Solution]:
        read = False
        try:
            for line in lines:
                read = True
                if isinstance(line, BadLine):
                    self.bad.add(line)
                else:
                    yield line
        except DataError as error:
            if not read:
                raise
            # A file that is cut off or corrupt further on: what could be read is judged.
            self.bad.add(BadLine(error.where or self.args.solutions, 0, error.message, ""))

    def _known(
        self, judge: Judge, index: Index, position: int, solution: Solution, problem: Problem
    ) -> bool:
        """Take over the result of an earlier run. Raises OutputError when it is of other data."""
        found = index.take(solution.problem_id, solution.solution_id)
        if found is None:
            return False
        judgement, place = found
        refuse_other(judgement, solution, problem, judge.config_sha256)
        refuse_other_repeats(judgement, self.args.repeat)
        if judgement.verdict is Verdict.JE:
            return False
        self.places.put(position, place)
        self._count(position, judgement, problem, solution)
        self.resumed += 1
        return True

    def _collect(self, running: Running, progress: Progress) -> None:
        done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            position, solution, turn = running.pop(future)
            judgement = self._merged(position, turn, future.result())
            if judgement is not None:
                if self.journal is not None:
                    self.places.put(position, self.journal.append(judgement))
                self._count(position, judgement, self.problems.get(solution.problem_id), solution)
        progress.update()

    def _count(
        self, position: int, judgement: Judgement, problem: Problem, solution: Solution
    ) -> None:
        self.tally.add(judgement, problem)
        if self.report is not None:
            self.report.add(position, judgement, problem, solution)

    def _merged(self, position: int, turn: int, judgement: Judgement) -> Judgement | None:
        """With --repeat: the first run's judgement once all runs are there; else as it is."""
        if self.args.repeat == 1:
            return judgement
        runs = self._repeats.setdefault(position, [None] * self.args.repeat)
        runs[turn] = judgement
        if any(run is None for run in runs):
            return None
        del self._repeats[position]
        whole = [run for run in runs if run is not None]
        first = whole[0]
        told = [{"verdict": str(r.verdict), "passed": r.passed, "score": r.score} for r in whole]
        if len({r.passed for r in whole if r.verdict is not Verdict.JE}) > 1:
            first = replace(first, flags=(*first.flags, "flaky"))
        return first.with_meta(repeats=told)

    def _report(self, judge: Judge, seconds: float) -> None:
        journal = self.journal
        facts: dict[str, Any] = {
            **self.tally.as_json(),
            "bad_lines": self.bad.count,
            "resumed": self.resumed,
            "interrupted": self.stopped,
            "workers": judge.workers,
            "sandbox_level": judge.sandbox_level,
            "config_sha256": judge.config_sha256,
            "wall_s": round(seconds, 3),
            "paths": {},
        }
        if journal is not None:
            kept = journal.paths.journal if self.stopped else journal.paths.results
            facts["paths"]["journal" if self.stopped else "results"] = str(kept)
            if self.bad.count:
                facts["paths"]["errors"] = str(journal.paths.errors)
        if self.stopped:
            say_how_to_resume(journal)
        if self.report is not None:
            if self.stopped:
                self.report.say_interrupted()
            elif written := self.report.write(self.tally):
                facts["paths"]["report"] = written
        with answering():
            if self.args.json:
                print(json.dumps(facts))
            else:
                show(self.tally, facts)

    def _exit_code(self) -> int:
        if self.stopped:
            return 130
        if self.tally.judge_errors.count:
            return 3
        if self.bad.count:
            return 2
        rate = self.tally.pass_at_1
        threshold = self.args.fail_under
        return 1 if threshold is not None and (rate is None or rate < threshold - ROUNDING) else 0
