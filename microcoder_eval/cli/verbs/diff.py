"""``microcoder-eval diff A B ...``: compares runs over the same problems with the first one."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import Any

from microcoder_eval.cli.bad_lines import BadLines
from microcoder_eval.cli.inputs import refuse_repeated, require_contents
from microcoder_eval.console.streams import print_warning, tolerate_closed_stdout
from microcoder_eval.errors import DataError, UsageError
from microcoder_eval.formats import ProblemSet, open_problems
from microcoder_eval.records import Judgement
from microcoder_eval.report import read_results, refuse_misuse, render_comparison, write_report
from microcoder_eval.report.comparison_table import (
    describe_comparison,
    make_table,
    render_json,
    render_table,
)
from microcoder_eval.results.files import OutputError
from microcoder_eval.results.run_comparison import Run, RunComparison, compare_runs

_MAX_NAMED = 3  # problems named where the runs had different tests


def run(args: Any) -> int:
    """Print the comparison; return the exit code: 2 after bad lines, 1 if --fail-on-regression
    applies, else 0."""
    if args.tests is not None and args.by is None:
        raise UsageError("--tests is read for --by KEY only: name the key, such as difficulty")
    paths = [args.first, *args.others]
    files: set[str] = set()
    for path in paths:
        refuse_repeated(path, files, "a run compared with itself shows nothing")
        require_contents(path, "results")
    if args.output is not None:
        refuse_misuse(args.output, paths, args.force)
    with closing(BadLines(None)) as bad_lines:
        runs = _read_runs(args, paths, bad_lines)
    try:
        comparison = compare_runs(runs, args.k)
    except ValueError as error:
        raise DataError(str(error), ", ".join(paths)) from None
    _refuse_other_tests(comparison, force=args.force)
    for setting, values in comparison.unlike_settings.items():
        pairs = zip(comparison.standings, values, strict=True)
        text = ", ".join(f"{value} in {standing.name}" for standing, value in pairs)
        print_warning(f"warning: other {setting}: {text}")
    if args.by is not None and not any(standing.groups for standing in comparison.standings):
        hint = "" if args.tests else "; --tests FILE reads it from the problems"
        print_warning(f'warning: no result has "{args.by}"{hint}')
    _write(args, comparison, bad_lines.count)
    if bad_lines.count:
        return 2
    is_worse = any(s.difference and s.difference.regressions for s in comparison.standings)
    return 1 if args.fail_on_regression and is_worse else 0


def _read_runs(args: Any, paths: Sequence[str], bad_lines: BadLines) -> list[Run]:
    max_bytes = int(args.max_line_mb * 2**20)
    with ExitStack() as stack:
        problems = None
        if args.tests:
            opening = open_problems(args.tests, max_line_mb=args.max_line_mb)
            problems = stack.enter_context(opening)
            bad_lines.add_all(problems.bad)
        return [
            _read_run(path, name, max_bytes, bad_lines, args.by, problems)
            for path, name in zip(paths, _name_runs(paths), strict=True)
        ]


def _name_runs(paths: Sequence[str]) -> Sequence[str]:
    """Name runs by their files, as a table in a paper would; by their whole paths where two files
    have the same name."""
    names = [re.sub(r"(?<=.)\.jsonl(\.gz|\.zst)?$", "", os.path.basename(path)) for path in paths]
    return names if len(set(names)) == len(names) else paths


def _read_run(
    path: str,
    name: str,
    max_bytes: int,
    bad_lines: BadLines,
    by: str | None,
    problems: ProblemSet | None,
) -> Run:
    run = Run(name)

    def add(judgement: Judgement) -> None:
        run.add(judgement, by, problems.find(judgement.problem_id) if problems else None)

    bad_lines.add_all(read_results(path, max_bytes, add))
    return run


def _refuse_other_tests(comparison: RunComparison, *, force: bool) -> None:
    """Raise DataError if runs had different tests; with ``force``, only warn."""
    unlike = comparison.unlike_tests
    if not unlike:
        return
    examples = "; ".join(f"{name}: {what}" for name, what in list(unlike.items())[:_MAX_NAMED])
    more = f"; and {len(unlike) - _MAX_NAMED} more" if len(unlike) > _MAX_NAMED else ""
    text = (
        f"{len(unlike)} of {len(comparison.problem_ids)} problems were judged with other tests "
        f"(tests_sha256 differs), so the runs do not say which is better: {examples}{more}"
    )
    if not force:
        raise DataError(f"{text}. Judge all with the same file, or compare with --force")
    print_warning(f"warning: {text}")


def _write(args: Any, comparison: RunComparison, bad_line_count: int) -> None:
    if args.output is not None:
        try:
            write_report(args.output, render_comparison(comparison, title=args.title))
        except OSError as error:
            raise OutputError(f"{args.output} cannot be written: {error.strerror}") from error
    with tolerate_closed_stdout():
        if args.format == "json":
            print(render_json(comparison, bad_line_count))
            return
        print(render_table(make_table(comparison), args.format))
        if args.format == "text":
            page = [f"the page: {args.output}"] if args.output is not None else []
            print("\n".join([*describe_comparison(comparison), *page]))
