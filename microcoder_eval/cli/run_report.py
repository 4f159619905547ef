"""``--report``: the page of a run that is being judged. Its failure costs no result."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from os.path import basename, realpath
from typing import Any

from microcoder_eval.api import Judge
from microcoder_eval.formats import ProblemSet
from microcoder_eval.outputs import OutputError, Paths
from microcoder_eval.records import Judgement, Problem, Solution
from microcoder_eval.report import Gathering, page, refuse_misuse, write
from microcoder_eval.summary import Tally

from .counting import Counting


class Reporting:
    """Gathers what the page shows, and writes it at the end."""

    def __init__(self, args: Any, paths: Paths | None) -> None:
        """Raises OutputError where the page could not be written."""
        others = (paths.results, paths.journal, paths.errors) if paths is not None else ()
        inputs = (args.solutions, args.tests, *others)
        refuse_misuse(args.report, [path for path in inputs if path is not None], args.force)
        for path in others:
            if realpath(path) == realpath(args.report):
                raise OutputError(f"{args.report} is a file of -o; choose another name")
        self.path: str = args.report
        self._args = args
        self._results = paths.results if paths is not None else None
        self._gathering = Gathering()
        self._failure: OSError | None = None

    def add(
        self, position: int, judgement: Judgement, problem: Problem, solution: Solution
    ) -> None:
        """Take in one judgement."""
        self._trying(lambda: self._gathering.add(position, judgement, problem, solution))

    def show_outputs(self, judge: Judge, problems: ProblemSet, stopped: Callable[[], bool]) -> None:
        """Run programs that failed once more, for what they print."""
        with Counting("programs run again for the report", None) as counting:
            self._trying(
                lambda: self._gathering.show_outputs(
                    judge, problems.get, stopped, told=counting.advance
                )
            )

    def write(self, tally: Tally) -> str | None:
        """Write the page; its path, or None where that failed (``raise_failure`` says why)."""
        facts = {
            "solutions": basename(self._args.solutions),
            "tests": basename(self._args.tests),
            **self._gathering.ways(),
        }
        self._trying(lambda: write(self.path, page(self._gathering, tally, facts)))
        return None if self._failure is not None else self.path

    def _trying(self, act: Callable[[], object]) -> None:
        if self._failure is not None:
            return
        try:
            act()
        except OSError as error:
            self._failure = error

    def raise_failure(self) -> None:
        """Raise OutputError if there is no page, saying how it can still be had."""
        if self._failure is None:
            return
        if self._results is None:
            hope = "the results are kept nowhere, as there was no -o"
        else:
            files = ("--tests", self._args.tests, "--solutions", self._args.solutions)
            words = ("microcoder-eval", "report", self._results, *files, "-o", self.path)
            hope = f"no result is lost; later: {shlex.join(map(str, words))}"
        raise OutputError(
            f"the report {self.path} cannot be written: {self._failure.strerror}; {hope}"
        ) from self._failure

    def say_interrupted(self) -> None:
        """Tell that an interrupted run has no page."""
        print("microcoder-eval: an interrupted run gets no report", file=sys.stderr)

    def close(self) -> None:
        """Let go of temporary files."""
        self._gathering.close()
