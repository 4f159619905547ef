"""Shared by ``audit`` and ``calibrate``: reads problems and programs, and runs a job for each
problem."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from microcoder_eval.api import Judge
from microcoder_eval.audit.programs import Programs
from microcoder_eval.audit.runner import Runner, StoppedError
from microcoder_eval.cli.bad_lines import BadLines
from microcoder_eval.cli.inputs import require_problems
from microcoder_eval.cli.judge import refuse_unsafe_level
from microcoder_eval.console.progress import ProgressCounter
from microcoder_eval.formats import ProblemSet, open_problems, read_solutions
from microcoder_eval.results.files import Paths
from microcoder_eval.settings import read_testlib

_POLL_SECONDS = 0.1
_PROBLEMS_PER_WORKER = 4  # jobs at once, for each worker of the judge
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Inputs:
    """The problems of a command and their programs. bad_lines: those of both files."""

    problems: ProblemSet
    programs: Programs
    bad_lines: BadLines


def refuse_misuse(args: Any, paths: Paths | None) -> None:
    """Raise MicrocoderError for arguments that cannot work. paths: of the output; None if there is
    no output."""
    refuse_unsafe_level(args)
    require_problems(args.tests)
    if paths is not None:
        paths.refuse_misuse([args.tests, *([args.solutions] if args.solutions else [])])
    if args.testlib is not None:
        read_testlib(args.testlib)


@contextmanager
def open_inputs(args: Any, paths: Paths | None) -> Iterator[Inputs]:
    """Open the problems and read the programs. Raises MicrocoderError."""
    options = {"format": args.format, "max_line_mb": args.max_line_mb}
    bad_lines = BadLines(paths.errors if paths is not None else None)
    try:
        with open_problems(args.tests, **options) as problems:
            programs = Programs()
            for line in problems.bad:
                bad_lines.add(line)
            if args.solutions is not None:
                solutions = read_solutions(args.solutions, problems, **options)
                for line in programs.read(solutions, args.solutions):
                    bad_lines.add(line)
            yield Inputs(problems, programs, bad_lines)
    finally:
        bad_lines.close()


def run_jobs(
    judge: Judge,
    run_job: Callable[[Runner, str], Result],
    names: Sequence[str],
    stopped: threading.Event,
    label: str,
) -> Iterator[tuple[str, Result]]:
    """Yield (problem, result) as jobs finish, until ``stopped`` is set, and show the progress under
    the label. Closes the judge. Raises what ``run_job`` raises, except StoppedError, for which it
    sets ``stopped``."""
    runner = Runner(judge, stopped.is_set)
    threads = _JobThreads(lambda name: run_job(runner, name), names)
    try:
        with ProgressCounter(label, len(names)) as progress:
            for result in threads.run(_PROBLEMS_PER_WORKER * judge.workers):
                if stopped.is_set():
                    break
                if result is not None:
                    yield result
                    progress.advance()
    except StoppedError:
        stopped.set()
    except BaseException:
        judge.close(cancel=True)
        raise
    judge.close(cancel=stopped.is_set())


class _JobThreads(Generic[Result]):
    """Calls ``run_job`` for each name, in threads.

    The threads are daemons, so that one that waits for a closed judge does not delay the exit.
    """

    def __init__(self, run_job: Callable[[str], Result], names: Sequence[str]) -> None:
        self._run_job = run_job
        self._count = len(names)
        self._names: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[str, Result] | BaseException] = queue.SimpleQueue()
        self._stopped = threading.Event()
        for name in names:
            self._names.put(name)

    def run(self, threads: int) -> Iterator[tuple[str, Result] | None]:
        """Yield (name, result) as jobs finish, and None ten times a second while none does. Raises
        what ``run_job`` raises."""
        for _ in range(min(threads, self._count)):
            threading.Thread(target=self._work, daemon=True, name="microcoder-audit").start()
        finished_count = 0
        try:
            while finished_count < self._count:
                result = self._poll_result()
                if isinstance(result, BaseException):
                    raise result
                finished_count += result is not None
                yield result
        finally:
            self._stopped.set()

    def _poll_result(self) -> tuple[str, Result] | BaseException | None:
        try:
            return self._results.get(timeout=_POLL_SECONDS)
        except queue.Empty:
            return None

    def _work(self) -> None:
        while not self._stopped.is_set():
            try:
                name = self._names.get_nowait()
            except queue.Empty:
                return
            try:
                self._results.put((name, self._run_job(name)))
            except BaseException as error:
                self._results.put(error)
