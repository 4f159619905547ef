"""``microcoder-eval report RESULTS``: the page of results that are there already."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from os.path import basename
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine, ProblemSet, open_problems, read_solutions
from microcoder_eval.formats.source import check_readable
from microcoder_eval.outputs import OutputError
from microcoder_eval.records import Judgement, Problem
from microcoder_eval.report import Gathering, page, refuse_misuse, write
from microcoder_eval.report.reading import Programs, Results
from microcoder_eval.summary import Tally

from .badlines import BadLines
from .streams import answering


def run(args: Any) -> int:
    """Make the page; 0, or 2 when some lines could not be used."""
    inputs = [name for name in (args.results, args.tests, args.solutions) if name is not None]
    for name in inputs:
        check_readable(name)
    refuse_misuse(args.output, inputs, args.force)
    bad = BadLines(None)
    tally = Tally(ks=args.k)
    try:
        with ExitStack() as stack:
            problems = _problems(args, bad, stack)
            programs = stack.enter_context(closing(_programs(args, problems, bad)))
            gathering = stack.enter_context(closing(Gathering()))
            for judgement, problem in _judgements(args, problems, bad, stack):
                tally.add(judgement, problem)
                position, solution = programs.of(judgement)
                gathering.add(position, judgement, problem, solution)
            facts = {name: basename(value) for name, value in _files(args) if value is not None}
            write(args.output, page(gathering, tally, {**facts, **gathering.ways()}))
    except OSError as error:
        raise OutputError(
            f"{args.output} cannot be written: {error.strerror}; nothing was changed"
        ) from error
    finally:
        bad.close()
    _say(args, tally, bad)
    return 2 if bad.count else 0


def _files(args: Any) -> tuple[tuple[str, str | None], ...]:
    return ("results", args.results), ("tests", args.tests), ("solutions", args.solutions)


def _problems(args: Any, bad: BadLines, stack: ExitStack) -> ProblemSet | None:
    if args.tests is None:
        return None
    problems = stack.enter_context(
        open_problems(args.tests, format=args.format, max_line_mb=args.max_line_mb)
    )
    for line in problems.bad:
        bad.add(line)
    return problems


def _programs(args: Any, problems: ProblemSet | None, bad: BadLines) -> Programs:
    programs = Programs()
    if args.solutions is None:
        return programs
    lines = read_solutions(
        args.solutions, problems, format=args.format, max_line_mb=args.max_line_mb
    )
    try:
        for line in lines:
            if isinstance(line, BadLine):
                bad.add(line)
            else:
                programs.add(line)
    except DataError as error:
        # A file that is cut off or corrupt further on: what could be read is shown.
        bad.add(BadLine(error.where or args.solutions, 0, error.message, ""))
    return programs


def _judgements(
    args: Any, problems: ProblemSet | None, bad: BadLines, stack: ExitStack
) -> Iterator[tuple[Judgement, Problem | None]]:
    results = stack.enter_context(closing(Results()))
    for line in results.read(args.results, int(args.max_line_mb * 2**20)):
        bad.add(line)
    if not len(results):
        raise DataError(f"no result in {args.results}")
    for judgement in results:
        known = problems is not None and judgement.problem_id in problems
        yield judgement, problems.get(judgement.problem_id) if problems and known else None


def _say(args: Any, tally: Tally, bad: BadLines) -> None:
    with answering():
        if args.json:
            facts = {**tally.as_json(), "bad_lines": bad.count, "paths": {"report": args.output}}
            print(json.dumps(facts))
        else:
            print(f"{args.output}: {tally.solutions} solutions, {bad.count} bad lines")
