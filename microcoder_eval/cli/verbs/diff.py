"""``microcoder-eval diff A B``: what differs between two files of results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from microcoder_eval.cli.bad_lines import BadLines
from microcoder_eval.cli.inputs import require_results
from microcoder_eval.console.streams import tolerate_closed_stdout
from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text
from microcoder_eval.formats.badline import make_bad_line
from microcoder_eval.formats.source import open_source
from microcoder_eval.records import Judgement
from microcoder_eval.results.difference import Comparison, Key, compare_runs
from microcoder_eval.results.lines import judgement_from_line

MAX_SHOWN = 20


def run(args: Any) -> int:
    """Print the differences; return 0, 1 with --fail-on-regression, 2 after bad lines."""
    bad_lines = BadLines(None)
    try:
        for path in (args.a, args.b):
            require_results(path)
        runs = [list(_read_results(path, args.max_line_mb, bad_lines)) for path in (args.a, args.b)]
        comparison = compare_runs(*runs)
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise DataError(str(error), f"{args.a}, {args.b}") from None
    finally:
        bad_lines.close()
    with tolerate_closed_stdout():
        if args.json:
            print(json.dumps(_collect_facts(comparison, bad_lines.count)))
        else:
            print("\n".join(_format_lines(comparison)))
    if bad_lines.count:
        return 2
    return 1 if args.fail_on_regression and comparison.regressions else 0


def _read_results(path: str, max_line_mb: float, bad_lines: BadLines) -> Iterator[Judgement]:
    with open_source(path) as source:
        for row in source.read_rows(int(max_line_mb * 2**20)):
            try:
                if row.fault is not None:
                    raise DataError(row.fault)
                yield judgement_from_line(row.raw)
            except DataError as error:
                bad_lines.add(make_bad_line(path, row, error.message))


def _collect_facts(comparison: Comparison, bad_line_count: int) -> dict[str, Any]:
    return {
        "problems": comparison.problem_count,
        "solutions": comparison.pair_count,
        "only_in_a": comparison.a_only,
        "only_in_b": comparison.b_only,
        "pass_at_1": [comparison.rate_a, comparison.rate_b],
        "difference_95": list(comparison.interval),
        "p_value": comparison.p_value,
        "significant": comparison.is_significant,
        "regressions": [list(key) for key in comparison.regressions],
        "gains": [list(key) for key in comparison.gains],
        "bad_lines": bad_line_count,
    }


def _format_lines(comparison: Comparison) -> Iterator[str]:
    low, high = (100 * bound for bound in comparison.interval)
    change = 100 * (comparison.rate_b - comparison.rate_a)
    yield (
        f"pass@1  {100 * comparison.rate_a:.1f} % -> {100 * comparison.rate_b:.1f} % "
        f"({change:+.1f} points, 95 % interval {low:+.1f} to {high:+.1f}) of "
        f"{comparison.problem_count} problems, {comparison.pair_count} solutions"
    )
    differing = len(comparison.regressions) + len(comparison.gains)
    verdict = "significant" if comparison.is_significant else "may be chance"
    if not differing:
        yield "no solution passes in one file only"
    elif comparison.p_value is not None:
        yield f"{verdict}: p = {comparison.p_value:.2g}, exact McNemar test of {differing}"
    else:
        yield f"{verdict}: by the interval, a bootstrap over problems"
    for name, keys in (("regressions", comparison.regressions), ("gains", comparison.gains)):
        yield from _format_names(name, keys)
    for name, count in (("first", comparison.a_only), ("second", comparison.b_only)):
        if count:
            yield f"{count} solutions are judged in the {name} file only, and left out"


def _format_names(name: str, keys: list[Key]) -> Iterator[str]:
    if keys:
        yield f"{name} ({len(keys)}):"
        for key in keys[:MAX_SHOWN]:
            yield f"  {error_text.shorten(' '.join(key), 200)}"
        if len(keys) > MAX_SHOWN:
            yield f"  and {len(keys) - MAX_SHOWN} more (--json lists all)"
