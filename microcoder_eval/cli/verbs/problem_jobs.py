"""Shared by ``audit`` and ``calibrate``: reads problems and programs, and runs a job for each
problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from microcoder_eval.api import Judge
from microcoder_eval.audit.labelled_programs import Programs
from microcoder_eval.audit.trials import Runner
from microcoder_eval.cli.bad_lines import BadLines
from microcoder_eval.cli.inputs import refuse_results, refuse_swapped_files, require_contents
from microcoder_eval.cli.options import check_judging_options
from microcoder_eval.console.progress import ProgressCounter
from microcoder_eval.formats import ProblemSet, open_problems, read_solutions
from microcoder_eval.results.files import Paths

_PROBLEMS_PER_WORKER = 4  # jobs at once, for each worker of the judge
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Inputs:
    """The problems of a command and their programs. bad_lines: those of both files."""

    problems: ProblemSet
    programs: Programs
    bad_lines: BadLines


def refuse_misuse(args: Any, paths: Paths | None) -> None:
    """Raise MicrocoderError for arguments that cannot work. paths: the output's files, None without
    output."""
    check_judging_options(args)
    require_contents(args.tests, "problems")
    solutions = [args.solutions] if args.solutions else []
    refuse_swapped_files(solutions, args.tests)
    if paths is not None:
        paths.refuse_misuse([args.tests, *solutions])
        refuse_results(args.output)


@contextmanager
def open_inputs(args: Any, paths: Paths | None) -> Iterator[Inputs]:
    """Open the problems and read the programs. Raises MicrocoderError."""
    options = {"format": args.format, "max_line_mb": args.max_line_mb}
    with (
        closing(BadLines(paths.errors if paths is not None else None)) as bad_lines,
        open_problems(args.tests, **options) as problems,
    ):
        programs = Programs()
        bad_lines.add_all(problems.bad)
        if args.solutions is not None:
            solutions = read_solutions(args.solutions, problems, **options)
            bad_lines.add_all(programs.read(solutions, args.solutions))
        yield Inputs(problems, programs, bad_lines)


def run_jobs(
    judge: Judge,
    run_job: Callable[[Runner, str], Result],
    names: Sequence[str],
    label: str,
) -> Iterator[tuple[str, Result]]:
    """Yield (problem, result) as jobs finish, and show the progress under the label. Closes the
    judge. Raises what ``run_job`` raises."""
    with (
        ThreadPoolExecutor(_PROBLEMS_PER_WORKER * judge.workers) as threads,
        ProgressCounter(label, len(names)) as progress,
    ):
        jobs = {threads.submit(run_job, Runner(judge), name): name for name in names}
        try:
            for job in as_completed(jobs):
                yield jobs[job], job.result()
                progress.advance()
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            judge.close(cancel=True)  # ends what the threads wait for
            raise
        judge.close()
