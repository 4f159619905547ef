"""``microcoder-eval report RESULTS``: makes the page of results judged earlier."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from typing import Any

from microcoder_eval.cli.bad_lines import BadLines
from microcoder_eval.cli.inputs import describe_files, require_contents
from microcoder_eval.console.streams import print_facts, print_warning
from microcoder_eval.errors import DataError, UsageError
from microcoder_eval.formats import ProblemSet, open_problems, read_solutions
from microcoder_eval.formats.source import check_readable
from microcoder_eval.records import Judgement, Problem
from microcoder_eval.report import ReportBuilder, refuse_misuse, render_page, write_report
from microcoder_eval.report.reading import Programs, Results
from microcoder_eval.results.files import OutputError
from microcoder_eval.results.summary import Tally

from . import diff


def run(args: Any) -> int:
    """Make the page; return 0, or 2 if some lines could not be used."""
    if len(args.results) > 1:
        return _compare(args)
    (path,) = args.results
    tests = [args.tests] if args.tests else []
    inputs = [path, *tests, *args.solutions]
    check_readable(path)
    for name in inputs[1:]:
        check_readable(name, folders=True)
    require_contents(path, "results")
    refuse_misuse(args.output, inputs, args.force)
    tally = Tally(ks=args.k)
    absent_ids: list[str] = []  # problems of results that are not in --tests
    changed_count = 0  # results whose problem has other tests now
    try:
        with closing(BadLines(None)) as bad_lines, ExitStack() as stack:
            problems = _open_problem_set(args, bad_lines, stack)
            programs = _read_programs(args, problems, bad_lines)
            unlisted = count(len(programs))  # positions of results without a program
            builder = ReportBuilder()
            for judgement, problem in _read_judgements(path, args, problems, bad_lines):
                if problem is not None:
                    changed_count += judgement.tests_sha256 != problem.tests_sha256
                elif problems is not None:
                    absent_ids.append(judgement.problem_id)
                tally.add(judgement, problem)
                position, solution = programs.find(judgement) or (next(unlisted), None)
                builder.add(position, judgement, problem, solution)
            # When the file was last written; a copy that keeps times keeps this, too.
            judged_at = os.stat(path).st_mtime
            facts = describe_files([path], judged_at, args.solutions, tests)
            facts |= builder.describe_run()
            write_report(args.output, render_page(builder, tally, facts, title=args.title))
    except OSError as error:
        raise OutputError(
            f"{args.output} cannot be written: {error.strerror}; nothing was changed"
        ) from error
    if problems is not None and absent_ids:
        print_warning(
            f"{len(absent_ids)} results are shown without their problem: "
            f"{problems.explain_absence(absent_ids[0])}; give --tests the file that they were "
            "judged with"
        )
    if changed_count:
        print_warning(
            f"{changed_count} results were judged with other tests than {args.tests} now has; the "
            f"page shows those of {args.tests}"
        )
    _print_summary(args, tally, bad_lines)
    return 2 if bad_lines.count else 0


def _compare(args: Any) -> int:
    """Make the page of several runs, as ``diff`` does."""
    for name in ("solutions", "format"):
        if getattr(args, name):
            raise UsageError(f"--{name} is for the page of one run, not for that of several")
    first, *others = args.results
    options = {
        "by": "difficulty" if args.tests else None,
        "format": "json" if args.json else "text",
        "fail_on_regression": False,
    }
    return diff.run(Namespace(**{**vars(args), "first": first, "others": others, **options}))


def _open_problem_set(args: Any, bad_lines: BadLines, stack: ExitStack) -> ProblemSet | None:
    if args.tests is None:
        return None
    problems = stack.enter_context(
        open_problems(args.tests, format=args.format, max_line_mb=args.max_line_mb)
    )
    bad_lines.add_all(problems.bad)
    return problems


def _read_programs(args: Any, problems: ProblemSet | None, bad_lines: BadLines) -> Programs:
    programs = Programs()
    if not args.solutions:
        return programs
    lines = read_solutions(
        args.solutions, problems, format=args.format, max_line_mb=args.max_line_mb
    )
    for solution in bad_lines.skip_bad_lines(lines, args.solutions[0]):
        programs.add(solution)
    return programs


def _read_judgements(
    path: str, args: Any, problems: ProblemSet | None, bad_lines: BadLines
) -> Iterator[tuple[Judgement, Problem | None]]:
    results = Results()
    bad_lines.add_all(results.read(path, int(args.max_line_mb * 2**20)))
    if not len(results):
        raise DataError(f"no result in {path}")
    for judgement in results:
        yield judgement, problems.find(judgement.problem_id) if problems else None


def _print_summary(args: Any, tally: Tally, bad_lines: BadLines) -> None:
    paths = {"report": args.output}
    facts = {**tally.as_json(), "bad_lines": bad_lines.count, "paths": paths}
    text = f"{args.output}: {tally.solutions} solutions, {bad_lines}"
    print_facts(facts, args.json, lambda: print(text))
