"""``--report``: makes the page of a run while the run is judged. If this fails, no result is
lost."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os.path import realpath
from typing import Any

from microcoder_eval.api import Judge
from microcoder_eval.console.progress import ProgressCounter
from microcoder_eval.records import Judgement, Problem, Solution
from microcoder_eval.report import ReportBuilder, refuse_misuse, render_page, write_report
from microcoder_eval.results.files import OutputError, Paths
from microcoder_eval.results.summary import Tally

from .inputs import describe_files


class RunReport:
    """Collects the contents of the page, and writes it at the end.

    After an OSError there is no page; ``raise_failure`` reports that error.
    """

    def __init__(self, args: Any, paths: Paths | None) -> None:
        """Raise OutputError if the page could not be written."""
        output_files = (paths.results, paths.journal, paths.errors) if paths is not None else ()
        refuse_misuse(args.report, [*args.solutions, args.tests], args.force)
        for path in output_files:
            if realpath(path) == realpath(args.report):
                raise OutputError(f"{args.report} is a file of -o; choose another name")
        self.path: str = args.report
        self._args = args
        self._results = paths.results if paths is not None else None
        self.builder = ReportBuilder()
        self._failure: OSError | None = None

    def add(
        self, position: int, judgement: Judgement, problem: Problem, solution: Solution
    ) -> None:
        """Add one judgement."""
        with self._note_failure():
            self.builder.add(position, judgement, problem, solution)

    def show_outputs(self, judge: Judge, find_problem: Callable[[str], Problem]) -> Iterator[None]:
        """Run failed programs once more, to show their outputs; yields after each."""
        label = "programs run again for the report"
        with ProgressCounter(label, None) as progress, self._note_failure():
            for _ in self.builder.show_outputs(judge, find_problem):
                progress.advance()
                yield

    def write(self, tally: Tally) -> str | None:
        """Write the page; return its path, or None after a failure."""
        results = [] if self._results is None else [str(self._results)]
        args = self._args
        facts = describe_files(results, time.time(), args.solutions, [args.tests])
        facts |= self.builder.describe_run()
        if self._failure is None:
            with self._note_failure():
                write_report(self.path, render_page(self.builder, tally, facts, title=args.title))
        return None if self._failure is not None else self.path

    @contextmanager
    def _note_failure(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._failure = self._failure or error

    def raise_failure(self) -> None:
        """Raise OutputError if there is no page; the message says how to make it."""
        if self._failure is None:
            return
        if self._results is None:
            hint = "the results are not saved, as there was no -o"
        else:
            files = ("--tests", self._args.tests, "--solutions", *self._args.solutions)
            command = ("microcoder-eval", "report", self._results, *files, "-o", self.path)
            hint = f"no result is lost; later: {shlex.join(map(str, command))}"
        raise OutputError(
            f"the report {self.path} cannot be written: {self._failure.strerror}; {hint}"
        ) from self._failure
